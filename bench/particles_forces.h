// Sections of bench/particles.h: times of the pair forces by each method, and whether all methods agree bit by bit.
#pragma once

#include "bench/particles.h"
#include "particles/model.h"

namespace flipscope::bench {

/// One force method on one start, with its own context. `moves`: every second run sees all particles moved by the whole
/// skin, so that each run rebuilds its lists.
std::unique_ptr<Contestant> make_force_run(std::string name, DeviceRequest device, int threads,
                                           const ParticleModel& model, const ParticleStart& start, bool moves = false);
/// (n) forces at the start's positions; `run` must come from make_force_run().
std::vector<Point> forces_of(Contestant& run);

/// Figure 12: time against N for the sum over all pairs.
bool sum_all_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);
/// From its numbers; no curves if there are none.
Figure figure_of_all_pairs(const nlohmann::ordered_json& rows);

/// Pairs a second of one CPU thread for each instruction set, and the share of the thread's measured peak of
/// multiplications and fused multiply-adds. A pair takes 17 vector instructions: 2 subtractions of coordinates and 2
/// conversions, 2 more on integers for the start value, 8 fused multiply-adds and 3 multiplications; these eleven are
/// the bound if a core issues two of them at once.
bool compare_vector_units(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Time per step with cells, with kept lists and with lists rebuilt at each step; c0 … c4.
bool sum_near_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
