// Manual edits of the points of an input: moved, added and removed points. The input itself stays unchanged, so a
// snapshot of an edited run holds only the difference.
//
// Points keep their numbers: a new point gets the next number after all earlier ones, and the number of a removed point
// is not reused. So ties among the other points are broken as before.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "compute/snapshot.h"
#include "geometry/point.h"

namespace flipscope {

class PointChanges {
  public:
    bool empty() const { return places_.empty() && removed_.empty(); }
    /// `given`: the number of points in the input.
    uint32_t next_index(size_t given) const { return static_cast<uint32_t>(given) + added_; }

    void move(uint32_t index, Point place) { places_[index] = place; }
    /// Returns its index.
    uint32_t add(Point place, size_t given);
    void remove(uint32_t index) { removed_.insert(index); }

    /// The points after all changes, in ascending order of their indices. `names` receives the indices if some are
    /// missing; otherwise it is empty.
    std::shared_ptr<const Geometry> apply(const Geometry& given, std::vector<uint32_t>& names) const;

    /// 0 without changes.
    uint64_t hash() const;
    /// As one block.
    void put(Snapshot& snapshot) const;
    static PointChanges take(const Snapshot& snapshot, size_t block);
    bool operator==(const PointChanges& other) const = default;

  private:
    std::map<uint32_t, Point> places_;  // by index in the input, or after its last point
    std::set<uint32_t> removed_;
    uint32_t added_ = 0;
};

}  // namespace flipscope
