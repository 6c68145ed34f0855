// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Mean and variance of the readings of each sensor: readings are sorted by sensor, and how many
// sensors there are is found on the device. Without a GPU the host takes its place. Usage: group_by
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <redtune/reduce_by_key.hpp>
#include <vector>

#include "gpu.hpp"

int main() try {
  std::vector<std::int32_t> sensors;  // 1000 of them, each with 1 to 20 readings
  std::vector<float> readings;
  for (int sensor = 0; sensor < 1000; ++sensor) {
    for (int i = 0; i < 1 + sensor % 20; ++i) {
      sensors.push_back(7000 + sensor);
      readings.push_back(static_cast<float>(sensor) + (i % 2 == 0 ? 0.5F : -0.5F));
    }
  }
  const std::size_t count = sensors.size();
  const gpu::Stream stream;
  const gpu::Array<std::int32_t> keys(count);
  const gpu::Array<float> values(count);
  const gpu::Array<std::int32_t> found(count);
  const gpu::Array<redtune::MeanVariance<float>> moments(count);
  const gpu::Array<std::int64_t> groups(1);
  keys.write(sensors, stream);
  values.write(readings, stream);

  // As many elements as there may be, and about as many groups as are expected.
  const auto most = static_cast<std::int64_t>(count);
  const auto problem = redtune::make_problem(redtune::Op::mean_variance, redtune::DType::f32,
                                             redtune::Shape::segments(most, most / 10));
  redtune::ByKeyReducer by_sensor(problem, 32, {.device = gpu::device_name()});
  by_sensor.launch(keys.data(), values.data(), most, found.data(), moments.data(), groups.data(),
                   stream.get());
  by_sensor.synchronize(stream.get());

  std::int64_t many = 0;
  gpu::copy_out(&many, groups.data(), sizeof(many), stream);
  std::vector<std::int32_t> ids(static_cast<std::size_t>(many));
  std::vector<redtune::MeanVariance<float>> results(ids.size());
  gpu::copy_out(ids.data(), found.data(), ids.size() * sizeof(ids[0]), stream);
  gpu::copy_out(results.data(), moments.data(), results.size() * sizeof(results[0]), stream);
  std::cout << many << " sensors: the last is " << ids.back() << ", mean " << results.back().mean
            << ", variance " << results.back().variance << '\n'
            << "match: " << to_string(by_sensor.answer().match) << '\n';
  return many == 1000 ? 0 : 1;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
