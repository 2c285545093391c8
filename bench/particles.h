// Sections of the benchmark of particles, each with a table and numbers as JSON. To add one, write a function and a
// line in particles.cpp. A section returns false if two methods disagree or a check fails.
#pragma once

#include "bench/experiments.h"
#include "particles/model.h"
#include "particles/pair_forces.h"

namespace flipscope::bench {

ParticleModel particle_model(const Task& task, const std::string& configuration, uint32_t n, ForceLaw law);

/// One force method on one start, with its own context.
class ForceRun {
  public:
    /// `moves`: every second run sees all particles moved by the whole skin, so that each run rebuilds its lists.
    ForceRun(DeviceRequest device, int threads, const ParticleModel& model, const ParticleStart& start,
             bool moves = false);
    double run();                 // ms
    std::vector<Point> forces();  // (n) at the start's positions

  private:
    Context context_;
    bool moves_;
    int repeats_ = 1;
    uint64_t runs_ = 0;
    Buffer<Point> positions_{"positions"}, moved_{"moved"}, result_{"forces"};
    Buffer<uint8_t> species_{"species"};
    PairForces forces_;
};

/// Figure 12: time against N for the sum over all pairs.
bool sum_all_pairs(const Task& task, const std::vector<std::string>& configurations, Json& json);
/// Time per step with cells, with kept lists and with lists rebuilt at each step; c0 … c4.
bool sum_near_pairs(const Task& task, const std::vector<std::string>& configurations, Json& json);
/// Near-pair forces beside LAMMPS, if built in (liblammps-dev). Returns false if forces differ by more than the
/// rounding of float, or of double.
bool compare_with_peer(const Task& task, const std::vector<std::string>& configurations, Json& json);

}  // namespace flipscope::bench
