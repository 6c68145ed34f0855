// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Calls that were made before: a tensor of torch as it was reduced once, with the same arguments,
// is reduced without a line of Python. Everything else is left to Python, which decides, and has
// the words for what is wrong. One value for each result, in the order of the axes.
#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "python/module/handles.hpp"
#include "python/module/launcher.hpp"
#include "python/module/tensors.hpp"

namespace redtune::python {
namespace {

/// A tensor as it was.
struct Seen {
  std::uint64_t type = 0;
  Place place;
  int rank = 0;
  std::array<std::int64_t, 2 * most_axes> numbers{};  // extents, strides

  Seen() = default;
  explicit Seen(const Look& look) : type(look.type), rank(look.rank) {
    place.device = look.place.device;
    if (look.place.torch_device) {
      place.torch_device = Ref(Py_NewRef(look.place.torch_device.get()));
    }
    std::copy_n(look.extents, rank, numbers.data());
    std::copy_n(look.strides, rank, numbers.data() + most_axes);
  }

  [[nodiscard]] bool has_type_and_extents(const Look& look) const {
    return type == look.type && rank == look.rank &&
           std::equal(look.extents, look.extents + rank, numbers.begin());
  }
  [[nodiscard]] bool has_strides(const Look& look) const {
    return std::equal(look.strides, look.strides + rank, numbers.begin() + most_axes);
  }
};

/// A call, kept by the table that it is in and by those who are at it.
struct Call {
  int holders = 1;
  unsigned of_generation = 0;
  Seen in;
  Seen out;
  std::array<Ref, 4> arguments;  // dim, keepdim, dtype, order
  Ref launcher_capsule;
  Ref array_capsule;
  Launcher* launcher = nullptr;
  const redtune_array* array = nullptr;
  Ref device_number;
  Ref like;  // a tensor as the result is, without memory
  std::uintptr_t mask = 0;
  std::uintptr_t bytes = 0;  // from the first element to behind the last
  std::uintptr_t out_mask = 0;
  std::uintptr_t out_bytes = 0;
};

void let_go(Call* call) {
  if (call != nullptr && --call->holders == 0) delete call;
}

constexpr std::size_t buckets = 16;
constexpr std::size_t of_a_bucket = 4;

struct Calls {
  std::array<Call*, buckets * of_a_bucket> table{};
  std::size_t count = 0;
  std::size_t next = 0;  // where the next one is put of a full bucket

  ~Calls() {
    for (Call* call : table) let_go(call);
  }
};

}  // namespace

template <>
struct HandleTraits<Calls> {
  static constexpr bool survives_forks = true;  // its calls do not
  static constexpr const char* name = "redtune_calls";
  static void destroy(Calls* object) { delete object; }
};

namespace {

std::size_t bucket_of(const Look& look) {
  std::uint64_t hash = look.type + static_cast<std::uint64_t>(look.rank);
  for (int i = 0; i < look.rank; ++i) {
    hash = (hash ^ static_cast<std::uint64_t>(look.extents[i])) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ static_cast<std::uint64_t>(look.strides[i])) * 0x9E3779B97F4A7C15U;
  }
  return static_cast<std::size_t>(hash >> 60U) * of_a_bucket;
}
static_assert(buckets == 16);

/// Axes are numbers or tuples of numbers; other arguments are one object each.
bool is_same(PyObject* one, PyObject* other) {
  if (one == other) return true;
  const bool are_axes =
      Py_TYPE(one) == Py_TYPE(other) && (PyLong_CheckExact(one) || PyTuple_CheckExact(one));
  if (!are_axes) return false;
  const int same = PyObject_RichCompareBool(one, other, Py_EQ);
  if (same < 0) PyErr_Clear();
  return same == 1;
}

using Arguments = std::array<PyObject*, 4>;

bool is_of(const Call& call, const Look& look, const Arguments& arguments) {
  if (!call.in.has_type_and_extents(look) || !call.in.has_strides(look)) return false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_same(call.arguments[i].get(), arguments[i])) return false;
  }
  return true;
}

/// Where it is, or null.
Call** found(Calls& calls, const Look& look, const Arguments& arguments) {
  Call** bucket = calls.table.data() + bucket_of(look);
  for (std::size_t i = 0; i < of_a_bucket; ++i) {
    if (bucket[i] != nullptr && is_of(*bucket[i], look, arguments) &&
        bucket[i]->in.place.is(look.place)) {
      return bucket + i;
    }
  }
  return nullptr;
}

/// The arguments behind x and out, of which the last may not be given.
Arguments arguments_of(PyObject* const* given, Py_ssize_t count) {
  Arguments arguments{Py_None, Py_False, Py_None, Py_None};
  for (Py_ssize_t i = 0; i < count; ++i) arguments[static_cast<std::size_t>(i)] = given[i];
  return arguments;
}

enum class Done { yes, failed, not_here };

/// Results lie one behind the other.
bool is_without_gaps(const Look& look) {
  std::int64_t step = 1;
  for (int i = look.rank - 1; i >= 0; --i) {
    if (look.extents[i] != 1 && look.strides[i] != step) return false;
    step *= look.extents[i];
  }
  return true;
}

/// Where there is place for results.
bool is_place(const Call& call, const Look& out, std::uintptr_t in) {
  const auto address = reinterpret_cast<std::uintptr_t>(out.address);
  return call.out.has_type_and_extents(out) && is_without_gaps(out) &&
         call.out.place.is(out.place) && (address & call.out_mask) == 0 &&
         (address >= in + call.bytes || in >= address + call.out_bytes);
}

/// To whoever reads them next, the results are the tensor's that torch made.
Done into_new(const Call& call, void* in, void* stream, PyObject*& result) {
  PyObject* raw = PyObject_CallFunctionObjArgs(torch.empty_like, call.like.get(), nullptr);
  if (raw == nullptr) return Done::failed;
  void* out = nullptr;
  if (!is_tensor(raw) || !read_address(raw, out)) {  // of a mode that gives other things
    Py_DECREF(raw);
    return Done::not_here;
  }
  if (!launch(*call.launcher, call.array, in, out, stream)) {
    Py_DECREF(raw);
    return Done::failed;
  }
  result = raw;
  return Done::yes;
}

Done into(const Call& call, void* in, PyObject* out, void* stream, PyObject*& result) {
  if (!is_tensor(out)) return Done::not_here;
  void* address = nullptr;
  {
    Look look;
    if (!read(out, look) || !is_place(call, look, reinterpret_cast<std::uintptr_t>(in)) ||
        is_special(out)) {
      return Done::not_here;
    }
    address = look.address;
  }
  if (!launch(*call.launcher, call.array, in, address, stream) || !tell_change(out)) {
    return Done::failed;
  }
  result = Py_NewRef(out);
  return Done::yes;
}

/// What is found is held: while a result is made, or the host reduces, other threads may make room
/// for calls of theirs.
Call* held_call(Calls& calls, PyObject* x, const Arguments& arguments, void*& in, void*& stream) {
  Look look;
  if (!read(x, look)) return nullptr;
  Call** place = found(calls, look, arguments);
  if (place == nullptr || (*place)->of_generation != generation) return nullptr;
  Call* call = *place;
  ++call->holders;
  in = look.address;
  const bool is_aligned = (reinterpret_cast<std::uintptr_t>(in) & call->mask) == 0;
  if (is_aligned && !is_special(x) &&
      (call->launcher->is_host || current_stream(look, call->device_number.get(), stream))) {
    return call;
  }
  let_go(call);
  return nullptr;
}

/// (calls, x, out or None, dim, keepdim, dtype, order): the result; None where this is not one of
/// the calls that were kept.
PyObject* call(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (count < 3 || count > 7) {
    (void)are_given(count, 7, "call");
    return nullptr;
  }
  auto* calls = object_of<Calls>(given[0]);
  if (calls == nullptr) return nullptr;
  if (calls->count == 0 || !is_tensor(given[1])) Py_RETURN_NONE;
  void* in = nullptr;
  void* stream = nullptr;
  Call* known = held_call(*calls, given[1], arguments_of(given + 3, count - 3), in, stream);
  if (known == nullptr) Py_RETURN_NONE;
  PyObject* result = nullptr;
  const Done done = given[2] == Py_None ? into_new(*known, in, stream, result)
                                        : into(*known, in, given[2], stream, result);
  let_go(known);
  if (done == Done::not_here) Py_RETURN_NONE;
  return result;
}

void put(Calls& calls, const Look& look, const Arguments& arguments, Call* call) {
  Call** place = found(calls, look, arguments);
  Call** bucket = calls.table.data() + bucket_of(look);
  if (place == nullptr) place = std::find(bucket, bucket + of_a_bucket, nullptr);
  if (place == bucket + of_a_bucket) place = bucket + calls.next++ % of_a_bucket;
  if (*place == nullptr) ++calls.count;
  let_go(std::exchange(*place, call));
}

/// (calls, x, dim, keepdim, dtype, order, launcher, array, a tensor as the result is, number of the
/// device, (mask, bytes, mask of out, bytes of out)): from now on call() does this one.
PyObject* keep_call(PyObject*, PyObject* const* given, Py_ssize_t count) {
  if (!are_given(count, 11, "keep_call")) return nullptr;
  auto* calls = object_of<Calls>(given[0]);
  if (calls == nullptr) return nullptr;
  auto* launcher = object_of<Launcher>(given[6]);
  if (launcher == nullptr) return nullptr;
  const auto* array = object_of<redtune_array>(given[7]);
  unsigned long long numbers[4];
  if (array == nullptr ||
      !PyArg_ParseTuple(given[10], "KKKK", &numbers[0], &numbers[1], &numbers[2], &numbers[3])) {
    return nullptr;
  }
  const Arguments arguments = arguments_of(given + 2, 4);
  Look look;
  Look like;
  if (!is_tensor(given[1]) || !is_tensor(given[8]) || !read(given[1], look) ||
      !read(given[8], like)) {
    Py_RETURN_NONE;
  }
  auto* call = new (std::nothrow) Call;
  if (call == nullptr) return PyErr_NoMemory();
  call->of_generation = generation;
  call->in = Seen(look);
  call->out = Seen(like);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    call->arguments[i] = Ref(Py_NewRef(arguments[i]));
  }
  call->launcher_capsule = Ref(Py_NewRef(given[6]));
  call->launcher = launcher;
  call->array_capsule = Ref(Py_NewRef(given[7]));
  call->array = array;
  call->like = Ref(Py_NewRef(given[8]));
  call->device_number = Ref(Py_NewRef(given[9]));
  call->mask = numbers[0];
  call->bytes = numbers[1];
  call->out_mask = numbers[2];
  call->out_bytes = numbers[3];
  put(*calls, look, arguments, call);
  Py_RETURN_NONE;
}

/// A place for calls.
PyObject* calls_create(PyObject*, PyObject*) {
  auto* calls = new (std::nothrow) Calls;
  return calls != nullptr ? capsule_of(calls) : PyErr_NoMemory();
}

}  // namespace

PyMethodDef call_functions[] = {
    {"calls_create", calls_create, METH_NOARGS, nullptr},
    fast("call", call),
    fast("keep_call", keep_call),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace redtune::python
