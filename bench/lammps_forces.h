// Peer of the short-range force, if installed (liblammps-dev): LAMMPS's pair forces over its neighbour lists. Exposes
// nothing of LAMMPS, so that only lammps_forces.cpp needs its headers.
#pragma once

#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope::bench {

std::string lammps_version();  // "20210929"

/// Particles at rest in a periodic square; step() computes their forces.
class LammpsForces {
  public:
    /// The pair force.
    enum class Law {
        kTable,         // r / |r|^7 from a table with cubic splines: LAMMPS lacks this law in closed form
        kLennardJones,  // another closed-form force of similar cost
    };
    /// `charges` (n): +1 or -1; equal ones repel, opposite ones attract. `rebuild`: find neighbours at every step
    /// instead of once. `threads` above 1: use the styles of LAMMPS's OpenMP package. Throws Error if LAMMPS reports an
    /// error.
    LammpsForces(double side, const std::vector<Point>& positions, const std::vector<int>& charges, double cutoff,
                 double skin, Law law, bool rebuild, int threads);
    ~LammpsForces();
    LammpsForces(const LammpsForces&) = delete;
    LammpsForces& operator=(const LammpsForces&) = delete;

    static bool has_threads();  // its OpenMP package
    void step();
    std::vector<Point> forces() const;  // (n) in the order of the positions

  private:
    void command(const std::string& line);
    void* handle_ = nullptr;
    size_t count_ = 0;
};

}  // namespace flipscope::bench
