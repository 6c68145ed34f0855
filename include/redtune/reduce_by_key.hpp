// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Values of equal neighbouring keys to one result each, with the keys and the number of these
// groups: of sorted keys a result for each key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "redtune/reducer.hpp"

namespace redtune {

/// A type whose values may be keys: equal where their bits are.
template <class Key>
concept GroupKey = std::is_trivially_copyable_v<Key> &&(sizeof(Key) == 4 || sizeof(Key) == 8);

/// What comes of an array and its keys on the host.
template <class Key, class Out>
struct Groups {
  std::vector<Key> keys;    ///< of each group, in order; one that comes again later has another
  std::vector<Out> values;  ///< the result of each group
};

/// How groups are found and reduced.
enum class ByKeyWay {
  by_length,  ///< in tiles where groups are expected to be short and the device can, else as
              ///< segments
  tiles,      ///< one launch that reads keys and values once; its speed hardly depends on lengths
  segments,   ///< three launches, the last as segments are tuned: faster where groups are long
};
[[nodiscard]] REDTUNE_API std::string_view to_string(ByKeyWay way);
/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API ByKeyWay parse_by_key_way(std::string_view name);

/// For whoever knows better than the expected number of groups says.
struct ByKeyOptions {
  ByKeyWay way = ByKeyWay::by_length;
  Settings tiles = {};  ///< with ByKeyWay::tiles, in place of their defaults: for measurements
};

/// Ready to launch for any keys and any number of elements up to the problem's. What is const may
/// be called by several threads; launches are for one thread, and one stream, at a time, as the
/// groups that are found lie in its own memory.
class REDTUNE_API ByKeyReducer {
 public:
  /// The problem has segments: as many elements as there may be, and as many segments as groups are
  /// expected, by which the way is chosen and the configuration is looked up; there may be others.
  /// Whoever expects nothing in particular says 0. key_bits: 32 or 64. Throws UsageError,
  /// DeviceError, UnmetMatch and OutOfMemory: as segments it takes an offset for each element and
  /// one more, in tiles much less.
  ByKeyReducer(const Problem& problem, int key_bits, const ReducerOptions& options = {});
  /// Likewise in a way that is chosen here. Throws UsageError where the device cannot.
  ByKeyReducer(const Problem& problem, int key_bits, const ReducerOptions& options,
               const ByKeyOptions& by_key);
  ByKeyReducer(ByKeyReducer&&) noexcept;
  ByKeyReducer& operator=(ByKeyReducer&&) noexcept;
  ~ByKeyReducer();

  /// The configuration of segments, and how it was found; in tiles nothing of it is used.
  [[nodiscard]] const Answer& answer() const;
  /// Tiles or segments, whichever it is.
  [[nodiscard]] ByKeyWay way() const;
  /// What launches have: of tiles, or of segments.
  [[nodiscard]] const Settings& settings() const;
  [[nodiscard]] const DeviceIdentity& device() const;
  /// Of device memory, for launches; reduce() keeps its arrays there as well.
  [[nodiscard]] std::size_t bytes() const;

  /// Reduces count values at device address in by their keys, asynchronously on the stream: writes
  /// the key of each group, unless keys_of_groups is null, its result to out, and the number of
  /// groups. There must be places for as many groups as there are, at most count. Nothing is read
  /// back, allocated or waited for. Keys are aligned to one of them. Throws UsageError for more
  /// elements than the problem's and for other types.
  template <GroupKey Key, class T, class Out>
  void launch(const Key* keys, const T* in, std::int64_t count,
              std::type_identity_t<Key>* keys_of_groups, Out* out, std::int64_t* groups,
              Stream stream = {}) {
    require_types(detail::launch_types<T, Out>, 8 * int{sizeof(Key)});
    launch_bytes({keys, in, count, keys_of_groups, out, groups}, stream);
  }

  /// Waits for the stream. Throws DeviceError for faults of earlier launches.
  void synchronize(Stream stream = {}) const;

  /// Of host memory: copies, launches, waits.
  template <class Out, GroupKey Key, class T>
  [[nodiscard]] Groups<Key, Out> reduce(std::span<const Key> keys, std::span<const T> values) {
    require_types(detail::launch_types<T, Out>, 8 * int{sizeof(Key)});
    require_as_many(keys.size(), values.size());
    Groups<Key, Out> groups;
    const std::int64_t many =
        reduce_bytes(keys.data(), values.data(), static_cast<std::int64_t>(keys.size()));
    groups.keys.resize(static_cast<std::size_t>(many));
    groups.values.resize(static_cast<std::size_t>(many));
    copy_groups(many, groups.keys.data(), groups.values.data());
    return groups;
  }

  /// For foreign functions, which have addresses and no types.
  struct Addresses {
    const void* keys = nullptr;
    const void* in = nullptr;
    std::int64_t count = 0;
    void* keys_of_groups = nullptr;
    void* out = nullptr;
    std::int64_t* groups = nullptr;
  };
  void launch_bytes(const Addresses& addresses, Stream stream);
  /// Of host memory; the number of groups, which copy_groups() brings. Their places may be null.
  [[nodiscard]] std::int64_t reduce_bytes(const void* keys, const void* values, std::int64_t count);
  void copy_groups(std::int64_t groups, void* keys, void* values) const;

 private:
  void require_types(const detail::LaunchTypes& types, int key_bits) const;
  static void require_as_many(std::size_t keys, std::size_t values);

  struct State;
  std::unique_ptr<State> state_;
};

/// Reduces host memory by key once: looks up, loads, copies, launches and waits.
template <class Out, GroupKey Key, class T>
[[nodiscard]] Groups<Key, Out> reduce_by_key(Op op, std::span<const Key> keys,
                                             std::span<const T> values,
                                             const ReducerOptions& options = {}) {
  const auto count = static_cast<std::int64_t>(keys.size());
  constexpr std::int64_t expected_length = 16;
  const std::int64_t bits = count < (std::int64_t{1} << 31) ? 32 : 64;
  const Shape shape = Shape::segments(count, count / expected_length + 1, bits);
  ProblemChoices choices;
  choices.out = dtype_of<value_type_of<Out>>();
  ByKeyReducer reducer(make_problem(op, dtype_of<T>(), shape, choices), 8 * int{sizeof(Key)},
                       options);
  return reducer.template reduce<Out>(keys, values);
}

}  // namespace redtune
