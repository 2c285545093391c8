// The peer of the short-range force, where it is installed (liblammps-dev): the pair forces of LAMMPS over its
// neighbour lists. Nothing of LAMMPS shows here, so that only lammps_forces.cpp is compiled with its headers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope::bench {

std::string lammps_version();  // "20210929"

/// Particles at rest in a periodic square, whose forces LAMMPS computes again and again.
class LammpsForces {
  public:
    /// What a pair exerts.
    enum class Law {
        kTable,         // r / |r|^7 from a table with cubic splines: LAMMPS has no such law in closed form
        kLennardJones,  // another force, of about as much arithmetic as ours, in closed form
    };
    /// `charges` (n): +1 or -1; of equal ones pairs repel, of unlike ones they attract. With `rebuild` neighbours are
    /// looked for at every step, else once. `threads` above 1: with the styles of its OpenMP package. Throws Error
    /// when LAMMPS refuses something.
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
