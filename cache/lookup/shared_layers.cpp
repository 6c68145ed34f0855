// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup/shared_layers.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <sys/stat.h>

#include "cache/snapshot/view.hpp"

namespace redtune::cache {
namespace {

/// More than the layers of an application; a program that names many files pays for each.
constexpr std::size_t most_kept = 8;

/// A file as it was read.
struct Kept {
  std::filesystem::path file;
  Trust trust;
  std::optional<FileMark> mark;
  SharedView view;  ///< nothing where one question was asked
};

bool is_of(const Kept& kept, const Layer& layer) {
  return kept.trust == layer.trust && kept.file == layer.snapshot;
}

class SharedLayers {
 public:
  LoadedLayer load(const Layer& layer, Reading first_reading) {
    struct stat now {};
    // Most layers are never there: no more is asked about them.
    if (stat(layer.snapshot.c_str(), &now) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
      return {layer, missing_snapshot(layer)};
    }
    const std::lock_guard lock(mutex_);
    const auto known =
        std::ranges::find_if(kept_, [&](const Kept& kept) { return is_of(kept, layer); });
    const bool is_known = known != kept_.end() && known->mark == mark_of(now);
    if (is_known && known->view) {
      std::rotate(known, known + 1, kept_.end());
      return {layer, kept_.back().view};
    }
    if (known != kept_.end()) kept_.erase(known);
    const Reading reading = is_known ? Reading::whole : first_reading;
    LoadedLayer loaded = cache::load(layer, reading);
    if (const auto* view = std::get_if<SharedView>(&loaded.content)) {
      if (kept_.size() == most_kept) kept_.erase(kept_.begin());
      kept_.push_back({layer.snapshot, layer.trust, (*view)->bytes().mark(),
                       reading == Reading::whole ? *view : nullptr});
    }
    return loaded;
  }

 private:
  std::mutex mutex_;
  std::vector<Kept> kept_;  ///< those asked for last at the end
};

std::vector<LoadedLayer> load_all(std::span<const Layer> layers, Reading first_reading) {
  static SharedLayers shared;
  std::vector<LoadedLayer> loaded;
  for (const Layer& layer : layers) loaded.push_back(shared.load(layer, first_reading));
  return loaded;
}

}  // namespace

std::vector<LoadedLayer> load_shared(std::span<const Layer> layers) {
  return load_all(layers, Reading::whole);
}

std::vector<LoadedLayer> load_for_one_question(std::span<const Layer> layers) {
  return load_all(layers, Reading::needed);
}

}  // namespace redtune::cache
