// How long the forces of pairs take, each way beside the others, and that all ways come to the same bits. Sections of
// bench/particles.h.
#pragma once

#include "bench/particles.h"
#include "particles/model.h"

namespace flipscope::bench {

/// One way to the forces, on a context of its own, for one start. `moves`: every second run sees all particles moved by
/// the whole skin, so that lists are made again in each.
std::unique_ptr<Contestant> make_force_run(std::string name, DeviceRequest device, int threads,
                                           const ParticleModel& model, const ParticleStart& start, bool moves = false);
/// (n) at the start's places; of a contestant that make_force_run() made.
std::vector<Point> forces_of(Contestant& run);

/// Figure 12: time against N for the sum over all pairs.
bool sum_all_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);
/// From its numbers; no curves where there are none.
Figure figure_of_all_pairs(const nlohmann::ordered_json& rows);

/// Pairs a second of one CPU thread for each set of instructions, and the share of the multiplications and fused
/// multiply-adds that the thread can do at all, which is measured beside it. A pair takes 17 vector instructions: 2
/// subtractions of coordinates and 2 conversions, 2 more on integers for the start value, 8 fused multiply-adds and 3
/// multiplications; these eleven are the bound where a core does two of them at once.
bool compare_vector_units(const ParticlesPlan& plan, nlohmann::ordered_json& json);

/// Time a step with cells, with lists that are kept and with lists that are made each time; c0 … c4.
bool sum_near_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
