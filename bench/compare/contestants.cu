// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <map>
#include <utility>

#include "bench/compare/contestants.cuh"

namespace redtune::compare {
namespace {

/// Of one contestant, where it has its own memory in several places.
constexpr std::size_t most_temporary = std::size_t{1} << 20;

/// One who queues on the stream and writes into the shared output.
class Queueing : public Contestant {
 public:
  explicit Queueing(const Arena& arena) : arena_(arena) {}
  void forget() override { arena_.output->poison(arena_.stream); }
  [[nodiscard]] Bytes value() override { return arena_.output->read(arena_.stream); }

 protected:
  [[nodiscard]] const Arena& arena() const { return arena_; }

 private:
  Arena arena_;
};

class Redtune final : public Queueing {
 public:
  Redtune(std::string_view name, Reducer& reducer, const Arena& arena)
      : Queueing(arena), name_(name), reducer_(reducer) {
    do {
      workspaces_.push_back(reducer.make_workspace());
    } while (workspaces_.size() <
             places_of(workspaces_.front().bytes(), most_temporary, most_places_of_a_sample));
  }
  [[nodiscard]] std::string_view name() const override { return name_; }
  void reduce(const void* in, const Turn& turn) override {
    const Shape& shape = arena().shape;
    void* const out = arena().output->data();
    Workspace& workspace = workspaces_[turn.place_of(workspaces_.size())];
    if (!is_segmented(shape)) {
      return reducer_.launch_bytes(in, shape, out, workspace, arena().stream);
    }
    const auto* const begins = static_cast<const std::byte*>(in) + arena().offsets_at;
    const int bits = static_cast<int>(shape.offset_bits);
    reducer_.launch_bytes(in, shape.count, {begins, begins + bits / 8, shape.segment_count, bits},
                          out, workspace, arena().stream);
  }

 private:
  std::string_view name_;
  Reducer& reducer_;
  std::vector<Workspace> workspaces_;
};

/// With the offsets of each copy of the input planned before.
class Planned final : public Queueing {
 public:
  Planned(Reducer& reducer, PlanWay way, const Arena& arena, const Inputs& inputs)
      : Queueing(arena), way_(way), reducer_(reducer) {
    const Shape& shape = arena.shape;
    const int bits = static_cast<int>(shape.offset_bits);
    for (const void* const in : inputs.addresses()) {
      const auto* const begins = static_cast<const std::byte*>(in) + arena.offsets_at;
      plans_.emplace(in, reducer.plan_segments(
                             shape.count, {begins, begins + bits / 8, shape.segment_count, bits},
                             {.way = way}, arena.stream));
    }
    check(gpuStreamSynchronize(arena.stream), "make plans of segments");
  }
  [[nodiscard]] std::string_view name() const override {
    return way_ == PlanWay::bins ? plan_in_bins : plan_in_shares;
  }
  void reduce(const void* in, const Turn&) override {
    reducer_.launch_bytes(in, plans_.at(in), arena().output->data(), arena().stream);
  }

 private:
  PlanWay way_;
  Reducer& reducer_;
  std::map<const void*, SegmentPlan> plans_;
};

class ByKey final : public Queueing {
 public:
  ByKey(ByKeyReducer& reducer, const Arena& arena) : Queueing(arena), reducer_(reducer) {}
  [[nodiscard]] std::string_view name() const override { return "redtune"; }
  void reduce(const void* in, const Turn&) override {
    reducer_.launch_bytes({.keys = static_cast<const std::byte*>(in) + arena().offsets_at,
                           .in = in,
                           .count = arena().shape.count,
                           .keys_of_groups = arena().keys_of_groups,
                           .out = arena().output->data(),
                           .groups = arena().groups},
                          arena().stream);
  }

 private:
  ByKeyReducer& reducer_;
};

class Library final : public Queueing {
 public:
  Library(Peer peer, LibraryCall call, const Arena& arena)
      : Queueing(arena), peer_(peer), call_(call) {
    check(call_(temporary_, reduction(nullptr)),
          "ask the library how much temporary storage it needs");
    const std::size_t bytes = std::max<std::size_t>(temporary_.bytes, 1);
    do {
      memory_.push_back(allocate(bytes));
    } while (memory_.size() < places_of(bytes, most_temporary, most_places_of_a_sample));
  }
  [[nodiscard]] std::string_view name() const override { return to_string(peer_); }
  [[nodiscard]] Finds finds() const override {
    return peer_ == Peer::narrow ? Finds::its_own : Finds::the_value;
  }
  void reduce(const void* in, const Turn& turn) override {
    temporary_.data = memory_[turn.place_of(memory_.size())].get();
    check(call_(temporary_, reduction(in)), "launch the library");
  }

 private:
  [[nodiscard]] Reduction reduction(const void* in) const {
    const auto* const offsets =
        in == nullptr ? nullptr : static_cast<const std::byte*>(in) + arena().offsets_at;
    return {in,
            arena().shape,
            offsets,
            arena().output->data(),
            arena().stream,
            arena().keys_of_groups,
            arena().groups};
  }

  Peer peer_;
  LibraryCall call_;
  std::vector<Memory> memory_;
  Temporary temporary_;
};

class Waiting final : public Contestant {
 public:
  Waiting(WaitingCall call, const Arena& arena) : call_(call), arena_(arena) {}
  [[nodiscard]] std::string_view name() const override { return to_string(Peer::thrust); }
  [[nodiscard]] Returns returns() const override { return Returns::with_the_value; }
  void reduce(const void* in, const Turn&) override {
    value_ = call_({.in = in, .shape = arena_.shape, .stream = arena_.stream});
  }
  void forget() override { value_.fill(std::byte{0xff}); }
  [[nodiscard]] Bytes value() override { return value_; }

 private:
  WaitingCall call_;
  Arena arena_;
  Bytes value_{};
};

using QueueingCalls = std::vector<std::pair<Peer, LibraryCall>>;

QueueingCalls calls_for(const Shape& shape, const PeerRow& peers) {
  if (is_whole_array(shape)) return {{Peer::library, peers.library}, {Peer::narrow, peers.narrow}};
  if (is_segmented(shape)) return {{Peer::library, peers.segments}};
  if (!has_row_peers(shape)) return {};
  const bool has_gaps = slice_of(shape) != shape.count;
  return {{Peer::library, peers.rows}, {Peer::fixed, has_gaps ? nullptr : peers.fixed}};
}

}  // namespace

Contestants contestants_of(Reducer& reducer, const PeerRow* peers, const Arena& arena,
                           const std::vector<Peer>& wanted) {
  Contestants all;
  all.push_back(std::make_unique<Redtune>("redtune", reducer, arena));
  if (peers == nullptr) return all;
  const auto wants = [&](Peer peer) { return std::ranges::find(wanted, peer) != wanted.end(); };
  for (const auto& [peer, call] : calls_for(arena.shape, *peers)) {
    if (call != nullptr && wants(peer)) all.push_back(std::make_unique<Library>(peer, call, arena));
  }
  if (is_whole_array(arena.shape) && peers->thrust != nullptr && wants(Peer::thrust)) {
    all.push_back(std::make_unique<Waiting>(peers->thrust, arena));
  }
  return all;
}

std::unique_ptr<Contestant> plan_contestant(Reducer& reducer, PlanWay way, const Arena& arena,
                                            const Inputs& inputs) {
  return std::make_unique<Planned>(reducer, way, arena, inputs);
}

Contestants by_key_contestants(ByKeyReducer& reducer, const PeerRow* peers, const Arena& arena,
                               const std::vector<Peer>& wanted) {
  Contestants all;
  all.push_back(std::make_unique<ByKey>(reducer, arena));
  const bool is_wanted = std::ranges::find(wanted, Peer::library) != wanted.end();
  if (peers != nullptr && peers->by_key != nullptr && is_wanted) {
    all.push_back(std::make_unique<Library>(Peer::library, peers->by_key, arena));
  }
  return all;
}

std::unique_ptr<Contestant> rows_contestant(Reducer& reducer, const Shape& rows, Arena arena) {
  arena.shape = rows;
  return std::make_unique<Redtune>(rows_beside_segments, reducer, arena);
}

}  // namespace redtune::compare
