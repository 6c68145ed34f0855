// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The driver's launch call, written once over the vendors' Api.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "bench/launch_overhead/bare_driver.hpp"
#include "device/gpu/context.hpp"

namespace redtune::bench {

template <device::gpu::Api A>
class BareApi final : public BareDriver {
 public:
  explicit BareApi(const Limits& limits)
      : early_(limits.early_start == EarlyStart::present),
        context_(std::make_shared<const device::gpu::Context<A>>(0)),
        current_(context_->enter()),
        stream_(device::gpu::create_stream<A>(context_)) {}

  void prepare(std::span<const device::Launch> launches) override {
    calls_.clear();
    for (const device::Launch& one : launches) {
      calls_.push_back({static_cast<typename A::Function>(one.kernel.handle),
                        {static_cast<unsigned>(one.grid), static_cast<unsigned>(one.block),
                         early_ && one.start != device::Start::after_previous},
                        one.arguments.addresses()});
    }
  }
  void launch(int times) override {
    const auto stream = stream_.get();
    for (int i = 0; i < times; ++i) {
      for (Call& call : calls_) {
        device::gpu::check<A>(A::launch(call.function, call.shape, stream, call.arguments.data()),
                              "launch");
      }
    }
  }
  void synchronize() override {
    device::gpu::check<A>(A::synchronize_stream(stream_.get()), "finish the work");
  }

 private:
  struct Call {
    typename A::Function function;
    device::gpu::Shape shape;
    std::array<void*, device::Arguments::capacity> arguments;
  };

  bool early_;
  std::shared_ptr<const device::gpu::Context<A>> context_;
  device::gpu::Current<A> current_;
  device::gpu::OwnedStream<A> stream_;
  std::vector<Call> calls_;
};

}  // namespace redtune::bench
