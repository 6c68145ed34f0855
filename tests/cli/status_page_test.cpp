// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The status page of a service: what it shows, to whom, and that nobody who looks holds it up.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A connection to a port of this machine.
class Client {
 public:
  explicit Client(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_there_ = connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() { close(socket_); }

  [[nodiscard]] bool is_there() const { return is_there_; }
  void send_text(const std::string& text) const {
    (void)!send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
  }
  /// All until the other side closes, or so long nothing comes.
  [[nodiscard]] std::string read_all(std::chrono::milliseconds most = 20s) const {
    std::string text;
    std::array<char, 65536> part{};
    pollfd waiting{socket_, POLLIN, 0};
    while (poll(&waiting, 1, static_cast<int>(most.count())) > 0) {
      const ssize_t got = recv(socket_, part.data(), part.size(), 0);
      if (got <= 0) break;
      text.append(part.data(), static_cast<std::size_t>(got));
    }
    return text;
  }

 private:
  int socket_;
  bool is_there_ = false;
};

class StatusPage : public ::testing::Test {
 protected:
  /// Its port.
  int serve(const Words& more = {}) {
    service_.emplace(
        home_.home(),
        with({"serve", "--device", "host", "--idle", "1h", "--listen", "127.0.0.1:0"}, more));
    const std::string before = "status page: http://127.0.0.1:";
    for (int turn = 0; turn < 400; ++turn) {
      const std::string said = cache::testing::read_text(home_ / "running.err");
      const auto at = said.find(before);
      if (at != std::string::npos && said.find("/\n", at) != std::string::npos) {
        return port_ = std::atoi(said.c_str() + at + before.size());
      }
      std::this_thread::sleep_for(20ms);
    }
    ADD_FAILURE() << "it does not listen: " << cache::testing::read_text(home_ / "running.err");
    return 0;
  }
  [[nodiscard]] std::string ask(const std::string& request) const {
    const Client client(port_);
    EXPECT_TRUE(client.is_there());
    client.send_text(request);
    return client.read_all();
  }
  [[nodiscard]] std::string get(const std::string& path) const {
    return ask(fmt::format("GET {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", path, port_));
  }
  [[nodiscard]] static std::string body_of(const std::string& answer) {
    const auto at = answer.find("\r\n\r\n");
    return at == std::string::npos ? "" : answer.substr(at + 4);
  }

  /// The first page, as soon as the service has looked at everything once.
  [[nodiscard]] std::string page_after_the_beginning() const {
    std::string page = get("/");
    for (int turn = 0; turn < 200 && page.find("it begins") != std::string::npos; ++turn) {
      std::this_thread::sleep_for(20ms);
      page = get("/");
    }
    EXPECT_EQ(page.find("it begins"), std::string::npos) << "and does not end to";
    return page;
  }
  /// In one step, once it has begun: the service may make files there meanwhile.
  void take_results_away() const {
    std::filesystem::rename(home_ / "data/redtune", home_ / "taken_away");
  }

  StoreHome home_;
  std::optional<Running> service_;
  int port_ = 0;
};

TEST_F(StatusPage, ShowsWhatTheServiceDoesAndThePagesOfReport) {
  ASSERT_GT(serve(), 0);
  std::string first = page_after_the_beginning();
  EXPECT_THAT(first, HasSubstr("HTTP/1.1 200 OK"));
  EXPECT_THAT(first, HasSubstr("nothing is wanted"));
  EXPECT_THAT(first, HasSubstr("<a href=\"/runs/3\">3</a>"));
  EXPECT_THAT(first, HasSubstr("Content-Security-Policy"));
  EXPECT_EQ(body_of(get("/devices")), home_.run({"report", "--out", "-"}).out);
  EXPECT_EQ(body_of(get("/runs/2")), home_.run({"report", "2", "--out", "-"}).out);
  {
    cache::Store store = cache::Store::open(home_.store_file());
    add_run(store, made_start(4096), "64");
  }
  for (int turn = 0; turn < 100 && first.find("/runs/4") == std::string::npos; ++turn) {
    std::this_thread::sleep_for(50ms);
    first = get("/");
  }
  EXPECT_THAT(first, HasSubstr("<a href=\"/runs/4\">4</a>")) << "it is live";
  EXPECT_EQ(service_->end_with(SIGTERM).code, 0);
}

TEST_F(StatusPage, ChangesNothingAndShowsNothingElse) {
  ASSERT_GT(serve(), 0);
  for (const char* path :
       {"/runs/99", "/runs/", "/runs/-1", "/runs/1;id", "/runs/12345678901234567890", "/etc/passwd",
        "/runs/../../etc/passwd", "//", "/devices/", "/?", "*"}) {
    const std::string answer = get(path);
    EXPECT_THAT(answer, HasSubstr(" 404 ")) << path;
    EXPECT_THAT(answer, Not(HasSubstr("root:"))) << path;
  }
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    EXPECT_THAT(ask(fmt::format("{} / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 0\r\n\r\n",
                                method, port_)),
                HasSubstr(" 405 "))
        << method;
  }
  const std::string head = ask(fmt::format("HEAD / HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", port_));
  EXPECT_THAT(head, HasSubstr(" 200 "));
  EXPECT_EQ(body_of(head), "");
  // A page of somebody else's whose name was made to lead here.
  for (const char* host : {"evil.invalid", "127.0.0.1", "127.0.0.1:1", "evil.invalid:80", ""}) {
    EXPECT_THAT(ask(fmt::format("GET /devices HTTP/1.1\r\nHost: {}\r\n\r\n", host)),
                HasSubstr(" 421 "))
        << host;
  }
  EXPECT_THAT(ask("GET / HTTP/1.0\r\n\r\n"), HasSubstr(" 421 "));
}

TEST_F(StatusPage, IsHeldUpByNobody) {
  ASSERT_GT(serve(), 0);
  const Client silent(port_);
  const Client slow(port_);
  slow.send_text("GET / HT");
  EXPECT_EQ(ask("no request at all\r\n\r\n"), "");
  EXPECT_EQ(ask("GET / HTTP/1.1\r\nX: " + std::string(100'000, 'x')), "");
  EXPECT_THAT(get("/"), HasSubstr(" 200 "));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(service_->end_with(SIGTERM).code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s) << "somebody is connected still";
}

TEST_F(StatusPage, SaysWhyThereAreNoRuns) {
  ASSERT_GT(serve(), 0);
  (void)page_after_the_beginning();
  take_results_away();
  EXPECT_THAT(get("/devices"), HasSubstr(" 404 "));
  std::string page = get("/");  // at first what was there a moment ago
  for (int turn = 0; turn < 200 && page.find("/runs/1") != std::string::npos; ++turn) {
    std::this_thread::sleep_for(20ms);
    page = get("/");
  }
  EXPECT_THAT(page, AllOf(HasSubstr(" 200 "), HasSubstr("No runs: "), HasSubstr("does not exist")));
}

TEST_F(StatusPage, StartsNoProcessForEachLook) {
  ASSERT_GT(serve(), 0);
  (void)page_after_the_beginning();
  const std::string before = get("/devices");
  take_results_away();
  EXPECT_EQ(get("/devices"), before) << "what was said a moment ago";
}

TEST_F(StatusPage, HasAFewReadersAtATimeAndDescriptorsLeft) {
  ASSERT_GT(serve(), 0);
  const auto descriptors = [&] {
    std::error_code gone;
    const std::filesystem::directory_iterator all(fmt::format("/proc/{}/fd", service_->id()), gone);
    return std::distance(begin(all), end(all));
  };
  const auto before = descriptors();
  ASSERT_GT(before, 0);
  {
    std::vector<std::unique_ptr<Client>> silent;
    for (int i = 0; i < 30; ++i) silent.push_back(std::make_unique<Client>(port_));
    for (int turn = 0; turn < 100 && descriptors() < before + 16; ++turn)
      std::this_thread::sleep_for(20ms);
    std::this_thread::sleep_for(100ms);
    EXPECT_LE(descriptors(), before + 18) << "and those of a look at its device";
  }
  EXPECT_THAT(get("/"), HasSubstr(" 200 ")) << "as soon as they have gone";
}

TEST_F(StatusPage, IsForThisMachineAloneAndOffByDefault) {
  ASSERT_GT(serve(), 0);
  std::ifstream table("/proc/net/tcp");
  const std::string text{std::istreambuf_iterator<char>(table), {}};
  EXPECT_THAT(text, HasSubstr(fmt::format(" 0100007F:{:04X} 00000000:0000 0A", port_)));
  EXPECT_THAT(text, Not(HasSubstr(fmt::format(" 00000000:{:04X} ", port_))));
  for (const char* address :
       {"0.0.0.0:8000", ":8000", "8000", "localhost:8000", "127.0.0.1", "127.0.0.1:", "[::1]:8000",
        "127.0.0.1:70000", "127.0.0.1:-1", "127.0.0.1:80x", "10.0.0.1:80"}) {
    const Said said = home_.run({"serve", "--device", "host", "--listen", address});
    EXPECT_EQ(said.code, 2) << address;
    EXPECT_TRUE(said.says("pages are shown to this machine alone: 127.0.0.1:PORT")) << said.err;
    EXPECT_EQ(count_of(said.err, "\n"), 1U) << said.err;
  }
  const Home other;
  const Said taken =
      other.run({"serve", "--device", "host", "--listen", fmt::format("127.0.0.1:{}", port_)});
  EXPECT_EQ(taken.code, 74);
  EXPECT_TRUE(taken.says("cannot listen on 127.0.0.1:")) << taken.err;
  Running quiet(other, {"serve", "--device", "host", "--idle", "1h"}, {"REDTUNE_LOG=debug"});
  for (int turn = 0; turn < 200; ++turn) {
    if (cache::testing::read_text(other / "running.err").find("nothing is wanted") !=
        std::string::npos)
      break;
    std::this_thread::sleep_for(20ms);
  }
  EXPECT_FALSE(quiet.end_with(SIGTERM).says("status page"));
}

}  // namespace
}  // namespace redtune::cli
