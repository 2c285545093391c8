// What manual edits have made of the points of an input: which have another place, which are new, which are gone. Kept
// beside the input, which stays as it was given, so that a snapshot of an edited run holds the difference alone.
//
// Points keep their numbers: a new one gets the next number after all there were, and the number of one that is removed
// is not given again. So ties among the others are broken as before.
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
    /// `given`: how many points the input has.
    uint32_t next_index(size_t given) const { return static_cast<uint32_t>(given) + added_; }

    void move(uint32_t index, Point place) { places_[index] = place; }
    /// Returns its index.
    uint32_t add(Point place, size_t given);
    void remove(uint32_t index) { removed_.insert(index); }

    /// The points as they are now, in ascending order of their indices, which `names` receives where some are missing;
    /// else `names` is empty.
    std::shared_ptr<const Geometry> apply(const Geometry& given, std::vector<uint32_t>& names) const;

    /// 0 where there are none.
    uint64_t hash() const;
    /// As one block.
    void put(Snapshot& snapshot) const;
    static PointChanges take(const Snapshot& snapshot, size_t block);
    bool operator==(const PointChanges& other) const = default;

  private:
    std::map<uint32_t, Point> places_;  // by index in the input, or after all of it
    std::set<uint32_t> removed_;
    uint32_t added_ = 0;
};

}  // namespace flipscope
