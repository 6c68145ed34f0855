// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What DLPack says of arrays, and the functions in C that a library may have for it. The layout is
// that of version 1 of DLPack, and of the ones before, which have no flags; the functions came with
// version 1.3: https://dmlc.github.io/dlpack/latest/c_api.html
#pragma once

#include <cstdint>

namespace redtune::python {

struct DlDevice {
  std::int32_t type;
  std::int32_t id;
};
struct DlType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t rank;
  DlType type;
  std::int64_t* extents;
  std::int64_t* strides;  // in elements; null: without gaps
  std::uint64_t byte_offset;
};
struct DlVersioned {  // before version 1 the tensor stands first
  std::uint32_t major;
  std::uint32_t minor;
  void* context;
  void (*destroy)(DlVersioned*);
  std::uint64_t flags;
  DlTensor tensor;
};

/// On a capsule of a type of arrays, for all its objects. Functions give 0, or else have set an
/// exception. What they tell lives as long as the array.
struct DlExchange {
  std::uint32_t major;
  std::uint32_t minor;
  const DlExchange* older;
  int (*allocate)(DlTensor*, DlVersioned**, void*, void (*)(void*, const char*, const char*));
  int (*managed_of)(void*, DlVersioned**);
  int (*object_of)(DlVersioned*, void**);
  int (*tensor_of)(void*, DlTensor*);
  int (*current_stream)(std::int32_t device_type, std::int32_t device_id, void**);
};

constexpr std::uint32_t known_major = 1;

}  // namespace redtune::python
