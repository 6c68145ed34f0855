// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The family 'reduce' with some configs replaced by kernels that do everything wrong.
#pragma once

#include <functional>

#include "kernel_templates/reduce/family.hpp"

namespace redtune::tuner {

/// Kernels that take the arguments of redtune::reduce for sums of floats.
inline constexpr const char* broken_kernels = R"(
namespace redtune {
#define REDTUNE_BROKEN(name) \
  inline void name(const float* in, i64 count, float* out, float* partials, u32*, i64)
REDTUNE_BROKEN(writes_nothing) {}
REDTUNE_BROKEN(writes_one) { out[0] = 1; }
REDTUNE_BROKEN(writes_past_its_output) { out[1] = 1; }
REDTUNE_BROKEN(writes_before_its_output) { out[-1] = 1; }
REDTUNE_BROKEN(hangs) { if (thread_index() > 0) block_barrier(); }
}
)";

class BrokenFamily final : public kernels::Family {
 public:
  /// The name of the kernel to run instead of a config's; empty: the right one.
  using Breaks = std::function<std::string(const Settings&)>;

  /// Whether the kernels above, which are for the host, are part of the text.
  enum class Text { with_broken_kernels, alone };

  /// more: kernels of a test's own, behind those above.
  explicit BrokenFamily(Breaks breaks, const std::string& more = {},
                        Text text = Text::with_broken_kernels)
      : more_((text == Text::alone ? "" : broken_kernels) + more), breaks_(std::move(breaks)) {}

  [[nodiscard]] std::string_view name() const override { return real_.name(); }
  [[nodiscard]] std::string_view summary() const override { return real_.summary(); }
  [[nodiscard]] bool serves(const Problem& p) const override { return real_.serves(p); }
  [[nodiscard]] double bytes_moved(const Problem& p) const override { return real_.bytes_moved(p); }
  [[nodiscard]] double distance(const Shape& a, const Shape& b) const override {
    return real_.distance(a, b);
  }
  [[nodiscard]] std::string device_text(const Problem& p) const override {
    return real_.device_text(p) + more_;
  }
  [[nodiscard]] std::vector<kernels::TunableInfo> tunables() const override {
    return real_.tunables();
  }
  [[nodiscard]] std::vector<search::Product> products() const override { return real_.products(); }
  [[nodiscard]] search::Space space(const Problem& p, const Limits& l) const override {
    return real_.space(p, l);
  }
  [[nodiscard]] Settings default_settings(const Problem& p, const Limits& l) const override {
    return real_.default_settings(p, l);
  }
  [[nodiscard]] std::vector<Settings> known_shapes(const Problem& p, const Limits& l,
                                                   std::string_view isa) const override {
    return real_.known_shapes(p, l, isa);
  }
  [[nodiscard]] std::optional<Settings> of_same_bytes(const Settings& settings, const Problem& from,
                                                      const Problem& to) const override {
    return real_.of_same_bytes(settings, from, to);
  }
  [[nodiscard]] Settings settings_at(const search::Point& point) const override {
    return real_.settings_at(point);
  }
  [[nodiscard]] search::Point point_of(const Settings& settings) const override {
    return real_.point_of(settings);
  }
  [[nodiscard]] Settings completed(const Settings& stored, const Limits& l) const override {
    return real_.completed(stored, l);
  }
  [[nodiscard]] std::string why_invalid(const Settings& s, const Problem& p,
                                        const Limits& l) const override {
    return real_.why_invalid(s, p, l);
  }
  [[nodiscard]] bool is_in_space(const Settings& s, const Problem& p,
                                 const Limits& l) const override {
    return real_.is_in_space(s, p, l);
  }
  [[nodiscard]] std::vector<Shape> edge_shapes(const Settings& s, const Problem& p,
                                               const Limits& l) const override {
    std::vector<Shape> shapes = real_.edge_shapes(s, p, l);
    shapes.insert(shapes.end(), further_edges.begin(), further_edges.end());
    return shapes;
  }
  [[nodiscard]] std::vector<std::string> name_expressions(const Settings& s, const Problem& p,
                                                          int wave_size) const override {
    const std::string broken = breaks_(s);
    if (broken.empty()) return real_.name_expressions(s, p, wave_size);
    return {"redtune::" + broken};
  }
  [[nodiscard]] std::unique_ptr<const kernels::Planner> planner(const Settings& s, const Problem& p,
                                                                const Limits& l) const override {
    return real_.planner(s, p, l);
  }

  /// Edge shapes beside those of the real family.
  std::vector<Shape> further_edges;

 private:
  kernels::ReduceFamily real_;
  std::string more_;
  Breaks breaks_;
};

}  // namespace redtune::tuner
