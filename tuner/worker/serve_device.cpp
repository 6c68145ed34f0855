// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/serve_device.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <new>
#include <unistd.h>
#include <vector>

#include "redtune/error.hpp"
#include "runtime/compiled_unit_cache.hpp"
#include "tuner/verify/operator_watch.hpp"
#include "tuner/worker/device_bench.hpp"
#include "tuner/worker/device_frame.hpp"
#include "tuner/worker/frame.hpp"
#include "tuner/worker/kernel_bench.hpp"

namespace redtune::tuner {
namespace {

/// The tuner has gone away, or needs no more.
class EndOfRequests : public Error {
 public:
  using Error::Error;
};

void read_all(int from, char* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = read(from, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw EndOfRequests("the tuner has closed the channel");
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw EndOfRequests("the tuner has closed the channel");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

json failure(const std::exception& error) {
  return {{"error", encode_error(error)}};
}

bool is_no_process_here(long number) {
  return kill(static_cast<pid_t>(number), 0) != 0 && errno == ESRCH;
}

class Server {
 public:
  explicit Server(const DeviceService& service) : service_(service) {}

  /// {"ok": ...} or {"error": ...}; never throws for what a request does.
  json answer(const json& request) {
    try {
      const auto& name = request.at("do").get_ref<const std::string&>();
      for (const auto& [known, handler] : handlers) {
        if (known == name) return {{"ok", (this->*handler)(request)}};
      }
      return failure(Error(fmt::format("unknown request '{}'", name)));
    } catch (const std::bad_alloc&) {
      return failure(Error("this machine does not have enough memory for that"));
    } catch (const std::exception& error) {
      return failure(error);
    }
  }

 private:
  using Handler = json (Server::*)(const json&);
  using Users = std::map<long, std::string>;  // names by process number
  struct Row {
    std::string_view name;
    Handler handler;
  };
  static const std::array<Row, 18> handlers;

  [[nodiscard]] Bench& bench() {
    if (!bench_) throw Error("nothing is set up yet");
    return *bench_;
  }
  [[nodiscard]] static CandidateId id_of(const json& request) {
    return CandidateId{request.at("candidate").get<std::size_t>()};
  }
  [[nodiscard]] CompilePool compiler(std::string text) const {
    CompileTarget target = target_of(*selection_.platform, device_->identity(), std::move(text));
    target.binaries = service_.binaries;
    target.toolchain = runtime::toolchain_text(device_->identity());
    return CompilePool(std::move(target), service_.compile_worker, 1);
  }

  /// Ourselves cannot be told by number where processes are numbered apart: who comes while we
  /// start a driver or open a device is us.
  template <class Action>
  void note_ours(Action&& action) {
    const Users before = users();
    action();
    for (const auto& [pid, name] : users()) {
      if (!before.contains(pid)) ours_.emplace(pid, name);
    }
  }
  json names(const json& request) {
    json texts = json::array();
    for (const device::Selection& one :
         service_.registry->select_all(request.at("devices").get<std::string>())) {
      texts.push_back(one.text());
    }
    return texts;
  }
  json find(const json& request) {
    selection_ = service_.registry->select(request.at("device").get<std::string>());
    const device::Platform& platform = *selection_.platform;
    device::Facts facts;
    note_ours([&] { facts = platform.facts(selection_.ordinal, selection_.variant); });
    return encode(FoundDevice{.selection = selection_.text(),
                              .alone = platform.variable_to_see_only(facts.identity),
                              .platform = std::string(platform.name()),
                              .arch = platform.arch_of(facts.identity),
                              .identity = facts.identity,
                              .limits = facts.limits});
  }
  json open(const json&) {
    note_ours([&] { device_ = device::open(selection_); });
    return device_->free_memory();
  }
  json probe(const json&) {
    return encode(tuner::probe(*device_, compiler({}), ProbeLevel::quick));
  }
  [[nodiscard]] Users users() const {
    Users users;
    const auto listed = selection_.platform->users(selection_.ordinal);
    if (!listed) return users;
    for (const device::DeviceUser& user : *listed) users[user.pid] = user.name;
    return users;
  }
  /// Throws DeviceLost where the device is lost: its platform is not to be asked about it then.
  void expect_device() { device_->synchronize({}); }
  /// How the driver numbers this process.
  json ours(const json&) {
    json numbers = json::array();
    for (const auto& [pid, name] : ours_) numbers.push_back(pid);
    return numbers;
  }
  /// But for those of other workers of the same tuner.
  json others(const json& request) {
    expect_device();
    const auto siblings = request.at("siblings").get<std::vector<long>>();
    std::string text;
    for (const auto& [pid, name] : users()) {
      if (ours_.contains(pid) || std::ranges::count(siblings, pid) > 0) continue;
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", pid,
                          name.empty() ? "" : fmt::format(" ({})", name));
    }
    return text;
  }
  /// For who watches a device that this process has found and never opens; null: the platform does
  /// not tell. Of a process here its parents tell whose it is: also somebody else may have come
  /// while we started the driver.
  json all_users(const json&) {
    const auto listed = selection_.platform->users(selection_.ordinal);
    if (!listed) return nullptr;
    json all = json::array();
    for (const device::DeviceUser& user : *listed) {
      if (ours_.contains(user.pid) && is_no_process_here(user.pid)) continue;
      all.push_back({{"pid", user.pid}, {"name", user.name}});
    }
    return all;
  }
  json readings(const json&) {
    expect_device();
    return encode(selection_.platform->readings(selection_.ordinal));
  }
  json set_up(const json& request) {
    const BenchOrder order = decode_bench_order(request);
    bench_.reset();
    binaries_.clear();  // a bench numbers its own
    if (order.described) {
      bench_ = std::make_unique<KernelBench>(
          KernelBenchSetup{device_.get(), *order.described, order.problem, order.seed},
          compiler({}));
      return json::object();
    }
    const kernels::Family& family = service_.find_family(order.family);
    bench_ =
        std::make_unique<DeviceBench>(BenchSetup{device_.get(), &family, order.problem, order.seed},
                                      compiler(family.device_text(order.problem)));
    return json::object();
  }
  json load(const json& request) {
    Candidate candidate = decode_candidate(request);
    const auto name = request.at("binary_name").get<std::size_t>();
    if (request.contains("binary")) {
      const auto& bytes = request.at("binary").get_binary();
      const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
      binaries_[name] = std::make_shared<const std::vector<std::byte>>(data, data + bytes.size());
    }
    candidate.unit.binary = binaries_.at(name);
    bench().load(id_of(request), candidate);
    return json::object();
  }
  json unload(const json& request) {
    bench().unload(id_of(request));
    return json::object();
  }
  json why_wrong(const json& request) { return bench().why_wrong(id_of(request)); }
  json why_wrong_when_timed(const json& request) {
    return bench().why_wrong_when_timed(id_of(request));
  }
  json why_wrong_when_challenged(const json& request) {
    return bench().why_wrong_when_challenged(id_of(request));
  }
  json sample(const json& request) {
    return encode(bench().sample(decode_batch_order(request.at("order"))));
  }
  json empty_batch(const json&) { return encode(bench().empty_batch()); }
  json floor(const json& request) { return encode(bench().floor(id_of(request))); }
  json free_memory(const json&) { return bench().free_memory(); }

  const DeviceService& service_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  Users ours_;
  std::unique_ptr<Bench> bench_;
  std::map<std::size_t, std::shared_ptr<const std::vector<std::byte>>> binaries_;
};

constexpr std::array<Server::Row, 18> Server::handlers{{
    {"names", &Server::names},
    {"find", &Server::find},
    {"open", &Server::open},
    {"ours", &Server::ours},
    {"others", &Server::others},
    {"users", &Server::all_users},
    {"probe", &Server::probe},
    {"readings", &Server::readings},
    {"set_up", &Server::set_up},
    {"load", &Server::load},
    {"unload", &Server::unload},
    {"why_wrong", &Server::why_wrong},
    {"why_wrong_when_timed", &Server::why_wrong_when_timed},
    {"why_wrong_when_challenged", &Server::why_wrong_when_challenged},
    {"sample", &Server::sample},
    {"empty_batch", &Server::empty_batch},
    {"floor", &Server::floor},
    {"free_memory", &Server::free_memory},
}};

}  // namespace

int serve_device(const DeviceService& service, int requests, int answers) {
  Server server(service);
  // The request's own answer will never come.
  set_hang_handler([answers](const std::string& why) {
    try {
      write_all(answers, frame_of(failure(UsageError(why))));
    } catch (const EndOfRequests&) {
      // Nobody is left to be told.
    }
  });
  try {
    while (true) {
      const json request =
          read_frame([&](char* to, std::size_t bytes) { read_all(requests, to, bytes); });
      write_all(answers, frame_of(server.answer(request)));
    }
  } catch (const EndOfRequests&) {
    return 0;
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

}  // namespace redtune::tuner
