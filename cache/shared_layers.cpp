// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/shared_layers.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <sys/stat.h>

#include "cache/snapshot_view.hpp"

namespace redtune::cache {
namespace {

using SharedView = std::shared_ptr<const SnapshotView>;

/// More than the layers of an application; a program that names many files pays for each.
constexpr std::size_t most_kept = 8;

struct Kept {
  std::filesystem::path file;
  Trust trust;
  SharedView view;
};

class SharedLayers {
 public:
  LoadedLayer load(const Layer& layer) {
    struct stat now {};
    // Most layers are never there: no more is asked about them.
    if (stat(layer.snapshot.c_str(), &now) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
      return {layer,
              SnapshotRefusal{SnapshotFault::missing, layer.snapshot.string() + " does not exist"}};
    }
    const std::lock_guard lock(mutex_);
    const auto known = std::ranges::find_if(kept_, [&](const Kept& kept) {
      return kept.trust == layer.trust && kept.file == layer.snapshot;
    });
    if (known != kept_.end()) {
      if (known->view->bytes().mark() == mark_of(now)) {
        std::rotate(known, known + 1, kept_.end());
        return {layer, kept_.back().view};
      }
      kept_.erase(known);
    }
    LoadedLayer loaded = cache::load(layer);
    if (const auto* view = std::get_if<SharedView>(&loaded.content)) {
      if (kept_.size() == most_kept) kept_.erase(kept_.begin());
      kept_.push_back({layer.snapshot, layer.trust, *view});
    }
    return loaded;
  }

 private:
  std::mutex mutex_;
  std::vector<Kept> kept_;  ///< those asked for last at the end
};

}  // namespace

std::vector<LoadedLayer> load_shared(std::span<const Layer> layers) {
  static SharedLayers shared;
  std::vector<LoadedLayer> loaded;
  for (const Layer& layer : layers) loaded.push_back(shared.load(layer));
  return loaded;
}

}  // namespace redtune::cache
