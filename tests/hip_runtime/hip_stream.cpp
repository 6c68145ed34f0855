// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Streams, events and graphs.
#include "call.hpp"
#include "faults.hpp"
#include "runtime.hpp"

using namespace redtune::testing::hip;

namespace {

using Clock = std::chrono::steady_clock;

bool is_over(const Done& done) {
  return done.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

hipError_t synchronize(hipStream_t handle) {
  std::shared_ptr<Stream> keep;
  std::unique_lock lock(runtime().order_mutex);
  Stream* const stream = find_stream(handle, keep);
  if (stream == nullptr) return hipErrorInvalidHandle;
  if (stream->capture) {
    stream->capture->broken = true;
    return hipErrorStreamCaptureUnsupported;
  }
  const Done last = stream->last();
  lock.unlock();
  if (handle == nullptr) finish(stream->device());
  last.wait();
  return hipSuccess;
}

std::shared_ptr<Event::Moment> moment_of(hipEvent_t handle) {
  const auto event = runtime().events.find(handle);
  if (!event) return nullptr;
  const std::lock_guard lock(event->mutex);
  return event->moment;
}

/// The queue tells the moment's end, and the moment tells when.
hipError_t record(hipEvent_t handle, hipStream_t stream) {
  const auto event = runtime().events.find(handle);
  if (!event) return hipErrorInvalidHandle;
  std::shared_ptr<Stream> keep;
  Stream* const on = find_stream(stream, keep);
  if (on == nullptr) return hipErrorInvalidHandle;
  if (on->capture) {
    on->capture->broken = true;
    return hipErrorStreamCaptureUnsupported;
  }
  auto moment = std::make_shared<Event::Moment>();
  moment->is_known = is_over(on->last());
  moment->time = Clock::now();
  auto done = std::make_shared<std::promise<void>>();
  moment->done = done->get_future().share();
  {
    const std::lock_guard lock(event->mutex);
    event->moment = moment;
  }
  return queue_on(stream, [moment, done] {
    if (!moment->is_known) moment->time = Clock::now();
    done->set_value();
  });
}

float told(float milliseconds) {
  switch (faults().times) {
    case Times::zero:
      return 0;
    case Times::negative:
      return -milliseconds;
    case Times::doubled:
      return 2 * milliseconds;
    case Times::right:
      break;
  }
  return milliseconds;
}

}  // namespace

extern "C" {

hipError_t hipStreamCreate(hipStream_t* handle) {
  return call<hipError_t>("hipStreamCreate", [&](Note& note) {
    if (runtime().devices.empty()) return hipErrorNoDevice;
    runtime().streams.add(handle, std::make_shared<Stream>(current_device()));
    note.made = *handle;
    return hipSuccess;
  });
}

hipError_t hipStreamDestroy(hipStream_t handle) {
  return call<hipError_t>("hipStreamDestroy", [&](Note& note) {
    const auto stream = runtime().streams.remove(handle);
    if (!stream) return hipErrorInvalidHandle;
    note.given_back = handle;
    return hipSuccess;
  });
}

hipError_t hipStreamSynchronize(hipStream_t handle) {
  return call<hipError_t>("hipStreamSynchronize", [&](Note& note) {
    note.text = fmt::format("stream={}", fmt::ptr(handle));
    return synchronize(handle);
  });
}

hipError_t hipEventCreate(hipEvent_t* handle) {
  return call<hipError_t>("hipEventCreate", [&](Note& note) {
    runtime().events.add(handle, std::make_shared<Event>());
    note.made = *handle;
    return hipSuccess;
  });
}

hipError_t hipEventDestroy(hipEvent_t handle) {
  return call<hipError_t>("hipEventDestroy", [&](Note& note) {
    if (!runtime().events.remove(handle)) return hipErrorInvalidHandle;
    note.given_back = handle;
    return hipSuccess;
  });
}

hipError_t hipEventRecord(hipEvent_t handle, hipStream_t stream) {
  return call<hipError_t>("hipEventRecord", [&](Note& note) {
    note.text = fmt::format("event={} stream={}", fmt::ptr(handle), fmt::ptr(stream));
    return record(handle, stream);
  });
}

hipError_t hipEventSynchronize(hipEvent_t handle) {
  return call<hipError_t>("hipEventSynchronize", [&](Note&) {
    if (!runtime().events.find(handle)) return hipErrorInvalidHandle;
    const auto moment = moment_of(handle);
    if (moment && !is_over(moment->done)) {
      moment->done.wait();
      if (!moment->is_known) moment->time = Clock::now();
    }
    return hipSuccess;
  });
}

hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t begin, hipEvent_t end) {
  return call<hipError_t>("hipEventElapsedTime", [&](Note& note) {
    const auto first = moment_of(begin);
    const auto last = moment_of(end);
    if (milliseconds == nullptr || !first || !last) return hipErrorInvalidHandle;
    if (!is_over(first->done) || !is_over(last->done)) return hipErrorNotReady;
    *milliseconds =
        told(std::chrono::duration<float, std::milli>(last->time - first->time).count());
    note.text = fmt::format("ms={}", *milliseconds);
    return hipSuccess;
  });
}

hipError_t hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode) {
  return call<hipError_t>("hipStreamBeginCapture", [&](Note&) {
    const auto stream = runtime().streams.find(handle);
    // The default stream cannot be captured.
    if (!stream)
      return handle == nullptr ? hipErrorStreamCaptureUnsupported : hipErrorInvalidHandle;
    if (stream->capture) return hipErrorIllegalState;
    stream->capture = Capture{.thread = std::this_thread::get_id()};
    return hipSuccess;
  });
}

hipError_t hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus* status) {
  return call<hipError_t>("hipStreamIsCapturing", [&](Note&) {
    std::shared_ptr<Stream> keep;
    const std::lock_guard lock(runtime().order_mutex);
    const Stream* const stream = find_stream(handle, keep);
    if (status == nullptr || stream == nullptr) return hipErrorInvalidHandle;
    *status = !stream->capture          ? hipStreamCaptureStatusNone
              : stream->capture->broken ? hipStreamCaptureStatusInvalidated
                                        : hipStreamCaptureStatusActive;
    return hipSuccess;
  });
}

hipError_t hipStreamEndCapture(hipStream_t handle, hipGraph_t* graph) {
  return call<hipError_t>("hipStreamEndCapture", [&](Note& note) {
    const auto stream = runtime().streams.find(handle);
    if (!stream) return hipErrorInvalidHandle;
    if (!stream->capture) return hipErrorIllegalState;
    if (stream->capture->thread != std::this_thread::get_id()) {
      return hipErrorStreamCaptureWrongThread;
    }
    const Capture capture = std::move(*stream->capture);
    stream->capture.reset();
    if (capture.broken || note.is_to_fail) return hipErrorStreamCaptureInvalidated;
    runtime().graphs.add(graph, std::make_shared<Graph>(Graph{capture.works}));
    note.made = *graph;
    note.text = fmt::format("works={}", capture.works.size());
    return hipSuccess;
  });
}

hipError_t hipGraphInstantiate(hipGraphExec_t* executable, hipGraph_t graph, hipGraphNode_t*, char*,
                               std::size_t) {
  return call<hipError_t>("hipGraphInstantiate", [&](Note& note) {
    const auto captured = runtime().graphs.find(graph);
    if (!captured) return hipErrorInvalidHandle;
    runtime().executables.add(executable, std::make_shared<Graph>(*captured));
    note.made = *executable;
    return hipSuccess;
  });
}

hipError_t hipGraphLaunch(hipGraphExec_t executable, hipStream_t stream) {
  return call<hipError_t>("hipGraphLaunch", [&](Note& note) {
    note.text = fmt::format("executable={} stream={}", fmt::ptr(executable), fmt::ptr(stream));
    const auto graph = runtime().executables.find(executable);
    if (!graph) return hipErrorInvalidHandle;
    if (const hipError_t refused = refuse_while_capturing(); refused != hipSuccess) return refused;
    return queue_on(stream, [graph] {
      for (const Work& work : graph->works) work();
    });
  });
}

hipError_t hipGraphDestroy(hipGraph_t graph) {
  return call<hipError_t>("hipGraphDestroy", [&](Note& note) {
    if (!runtime().graphs.remove(graph)) return hipErrorInvalidHandle;
    note.given_back = graph;
    return hipSuccess;
  });
}

hipError_t hipGraphExecDestroy(hipGraphExec_t executable) {
  return call<hipError_t>("hipGraphExecDestroy", [&](Note& note) {
    if (!runtime().executables.remove(executable)) return hipErrorInvalidHandle;
    note.given_back = executable;
    return hipSuccess;
  });
}
}
