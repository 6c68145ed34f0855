// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The context of one GPU, and the owners of what is made inside it.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

#include "device/gpu/api.hpp"

namespace redtune::device::gpu {

/// While it lives a context is current for this thread; afterwards the one before is again, because
/// an application that uses the library must not find its device changed.
template <Api A>
class Current {
 public:
  explicit Current(typename A::Context context) {
    check<A>(A::current_context(&before_), "ask which device is current");
    if (before_ == context) return;
    check<A>(A::make_current(context), "make the device current");
    switched_ = true;
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  ~Current() {
    if (switched_) (void)A::make_current(before_);
  }

 private:
  typename A::Context before_{};
  bool switched_ = false;
};

/// One reference to the primary context of a device.
template <Api A>
class Context {
 public:
  explicit Context(int ordinal) : ordinal_(ordinal) {
    check<A>(A::open_context(&context_, ordinal), fmt::format("open device {}", ordinal));
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { (void)A::close_context(context_, ordinal_); }

  /// Throws DeviceLost where give_back() found the device lost.
  [[nodiscard]] Current<A> enter() const {
    check<A>(lost_by_.load(std::memory_order_relaxed), "use the device any more");
    return Current<A>(context_);
  }

  /// Gives something back with the context current, also where nobody can tell which one was
  /// before. There is nobody to tell when that fails; a device that is lost, and everything on it
  /// with it, is told to whoever enters next.
  template <class Action>
  void give_back(Action&& action) const noexcept {
    try {
      const auto current = enter();
      remember(action());
    } catch (const Error&) {
      if (A::make_current(context_) == A::success) remember(action());
    }
  }

 private:
  void remember(typename A::Status status) const noexcept {
    if (A::is_lost(status)) lost_by_.store(status, std::memory_order_relaxed);
  }

  int ordinal_;
  typename A::Context context_{};
  mutable std::atomic<typename A::Status> lost_by_{A::success};
};

/// What an owner owns and how it is given back.
template <Api A>
struct StreamOf {
  using Handle = typename A::Stream;
  static auto destroy(Handle handle) { return A::destroy_stream(handle); }
};
template <Api A>
struct EventOf {
  using Handle = typename A::Event;
  static auto destroy(Handle handle) { return A::destroy_event(handle); }
};
template <Api A>
struct ModuleOf {
  using Handle = typename A::Module;
  static auto destroy(Handle handle) { return A::unload_module(handle); }
};

template <Api A>
struct GraphOf {
  using Handle = typename A::Graph;
  static auto destroy(Handle handle) { return A::destroy_graph(handle); }
};
template <Api A>
struct ExecutableOf {
  using Handle = typename A::Executable;
  static auto destroy(Handle handle) { return A::destroy_executable(handle); }
};

/// Owner of a stream, an event, a module or a graph.
template <Api A, class Kind>
class Owned {
 public:
  using Handle = typename Kind::Handle;
  Owned(std::shared_ptr<const Context<A>> context, Handle handle)
      : context_(std::move(context)), handle_(handle) {}
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    context_->give_back([this] { return Kind::destroy(handle_); });
  }

  [[nodiscard]] Handle get() const { return handle_; }

 private:
  std::shared_ptr<const Context<A>> context_;
  Handle handle_;
};

template <Api A>
using OwnedStream = Owned<A, StreamOf<A>>;
template <Api A>
using OwnedEvent = Owned<A, EventOf<A>>;
template <Api A>
using OwnedModule = Owned<A, ModuleOf<A>>;
template <Api A>
using OwnedGraph = Owned<A, GraphOf<A>>;
template <Api A>
using OwnedExecutable = Owned<A, ExecutableOf<A>>;

template <Api A>
[[nodiscard]] OwnedStream<A> create_stream(const std::shared_ptr<const Context<A>>& context,
                                           const char* doing = "create the measuring stream") {
  const auto current = context->enter();
  typename A::Stream stream{};
  check<A>(A::create_stream(&stream), doing);
  return OwnedStream<A>(context, stream);
}

template <Api A>
[[nodiscard]] OwnedEvent<A> create_event(const std::shared_ptr<const Context<A>>& context) {
  const auto current = context->enter();
  typename A::Event event{};
  check<A>(A::create_event(&event), "create a timing event");
  return OwnedEvent<A>(context, event);
}

}  // namespace redtune::device::gpu
