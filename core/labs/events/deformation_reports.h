// How bubbles of the Events lab are deformed: tables of the present frame, and a record of every frame with means over
// the window of time.
#pragma once

#include <array>
#include <vector>

#include "compute/snapshot.h"
#include "events/events_machine.h"
#include "lab/report.h"

namespace flipscope {

class DeformationRecord {
  public:
    enum Quantity : size_t {
        kTextureXx,
        kTextureXy,
        kTextureYy,
        kStressXy,
        kStressDifference,
        kElongation,
        kDisplacement,
        kQuantities
    };
    using Sample = std::array<double, kQuantities>;  // lattice units; NaN: does not exist in this frame

    void clear() { *this = {}; }
    /// Measures the present frame of a machine between two rounds. Downloads it.
    void observe(const EventsMachine& machine);
    /// Adds the quantities of the last frame, and their means over frames from `first` on, with standard errors from
    /// block averages, in a unit of lengths in which a pixel is so wide.
    void add_to(Properties& numbers, uint32_t first, double pixel, const std::string& length) const;
    /// The mean displacement in each cell over frames from `first` on, with standard errors from block averages.
    Table mean_displacements(uint32_t first, const Lattice& lattice, const LatticeUnits& units,
                             const DetectionUnits& names) const;
    void save(Snapshot& snapshot) const;
    void load(const Snapshot& snapshot, size_t block);

  private:
    static constexpr size_t kCells = 16, kAll = kCells * kCells;  // along each axis of the lattice, for displacements
    struct Displacements {
        double x = 0, y = 0, count = 0;  // sums, lattice units
        void add(const Displacements& other) { x += other.x, y += other.y, count += other.count; }
    };
    std::vector<Sample> samples_;               // by frame
    std::vector<Displacements> displacements_;  // (frames, kCells, kCells) by the places before
};

/// Where each bubble that is in both compared frames was, and how far it moved; in the units of the input.
Table displacement_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names);
/// Of each bubble of a field its place, area and shape.
Table shape_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names);

}  // namespace flipscope
