// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/web_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <memory>
#include <spdlog/spdlog.h>
#include <thread>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using asio::ip::tcp;

constexpr auto longest_exchange = std::chrono::seconds(10);
constexpr std::uint32_t most_header_bytes = 8192;
/// Of this process, which has few descriptors to spare; others wait to be let in, and as many.
constexpr int most_sessions = 16;
constexpr int most_waiting = 16;
/// What keeps a connection from being let in does not end at once.
constexpr auto after_an_error = std::chrono::milliseconds(100);

/// Children must not keep a port or a reader's connection.
void close_in_children(int descriptor) {
  (void)fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

/// One request and its answer.
class Session : public std::enable_shared_from_this<Session> {
 public:
  /// room: is let go of when its descriptor is free again.
  Session(tcp::socket socket, std::uint16_t port, const WebServer::Pages& pages,
          std::shared_ptr<void> room)
      : room_(std::move(room)), stream_(std::move(socket)), port_(port), pages_(pages) {
    parser_.header_limit(most_header_bytes);
    parser_.body_limit(most_header_bytes);  // it is not read
  }

  void begin() {
    stream_.expires_after(longest_exchange);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error) self->answer();
                            });
  }

 private:
  using Status = http::status;

  void answer() {
    const auto& request = parser_.get();
    answer_.version(request.version());
    answer_.set(http::field::content_type, "text/html; charset=utf-8");
    answer_.set(http::field::cache_control, "no-store");
    answer_.set("X-Content-Type-Options", "nosniff");
    answer_.set("X-Frame-Options", "DENY");
    answer_.keep_alive(false);
    const bool is_head = request.method() == http::verb::head;
    if (!is_asked_here(request[http::field::host])) {
      fill(Status::misdirected_request, "This page is for http://127.0.0.1 alone.\n");
    } else if (request.method() != http::verb::get && !is_head) {
      answer_.set(http::field::allow, "GET, HEAD");
      fill(Status::method_not_allowed, "There is nothing to change here.\n");
    } else {
      fill_with_page(request.target());
    }
    answer_.prepare_payload();
    if (is_head) answer_.body().clear();  // its length is told all the same
    stream_.expires_after(longest_exchange);
    http::async_write(stream_, answer_,
                      [self = shared_from_this()](beast::error_code, std::size_t) {
                        beast::error_code ignored;
                        (void)self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
                      });
  }

  /// A page of somebody else's whose name leads here must not read what is here.
  [[nodiscard]] bool is_asked_here(beast::string_view host) const {
    const std::string name(host);
    return name == fmt::format("127.0.0.1:{}", port_) || name == fmt::format("localhost:{}", port_);
  }

  void fill_with_page(beast::string_view target) {
    WebAnswer page;
    try {
      page = pages_(std::string(target));
    } catch (const std::exception& error) {
      spdlog::warn("page {} could not be made: {}", tuner::printable(std::string(target)),
                   tuner::printable(error.what()));
      return fill(Status::internal_server_error,
                  "The page could not be made; the service's log says why.\n");
    }
    answer_.body() = std::move(page.document);
    answer_.result(page.status);
  }

  void fill(Status status, const char* text) {
    answer_.result(status);
    answer_.set(http::field::content_type, "text/plain; charset=utf-8");
    answer_.body() = text;
  }

  std::shared_ptr<void> room_;
  beast::tcp_stream stream_;
  std::uint16_t port_;
  const WebServer::Pages& pages_;
  beast::flat_buffer buffer_{std::size_t{2} * most_header_bytes};
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> answer_;
};

}  // namespace

struct WebServer::Impl {
  Impl(std::uint16_t port, Pages asked) : pages(std::move(asked)) {
    const tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    acceptor.open(here.protocol());
    close_in_children(acceptor.native_handle());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(here);
    acceptor.listen(most_waiting);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { is_over = true; }

  /// The next one, if there is room.
  void accept() {
    if (is_over || is_accepting || sessions == most_sessions) return;
    is_accepting = true;
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      is_accepting = false;
      begin(std::move(socket));
      accept();
    });
  }
  void accept_later() {
    pause.expires_after(after_an_error);
    pause.async_wait([this](beast::error_code error) {
      if (error) return;
      is_accepting = false;
      accept();
    });
  }
  void begin(tcp::socket socket) {
    close_in_children(socket.native_handle());
    ++sessions;
    const std::shared_ptr<void> room(nullptr, [this](void*) {
      --sessions;
      accept();
    });
    std::make_shared<Session>(std::move(socket), acceptor.local_endpoint().port(), pages, room)
        ->begin();
  }

  Pages pages;
  // Of the server's thread, and of whoever ends it once that is gone.
  bool is_over = false;
  bool is_accepting = false;
  int sessions = 0;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::jthread thread{};
};

WebServer::WebServer(std::uint16_t port, Pages pages) {
  try {
    impl_ = std::make_unique<Impl>(port, std::move(pages));
  } catch (const boost::system::system_error& error) {
    throw IoError(fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.code().message()));
  }
  impl_->accept();
  impl_->thread = std::jthread([this] { impl_->context.run(); });
}

WebServer::~WebServer() {
  impl_->context.stop();
  impl_->thread.join();
}

std::uint16_t WebServer::port() const {
  return impl_->acceptor.local_endpoint().port();
}

}  // namespace redtune::cli
