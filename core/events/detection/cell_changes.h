// Births, deaths, splits and merges of bubbles between two frames. Bubbles without a partner in Matching are classified
// by the labelled pixels they share with bubbles of the other frame. Bernaschi, Lulli and Sbragaglia (2016) leave such
// bubbles out of the comparison; the rules here are ours. The Events lab lists the result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/buffer.h"
#include "compute/launch.h"
#include "voronoi/lattice.h"

namespace flipscope {

enum class CellChange : uint32_t {
    kBirth,
    kDeath,
    kSplit,    // break-up
    kMerge,    // coalescence
    kMissing,  // of tracks: absent in this frame, present in a later one
    kBack,     // of tracks: present again in this frame
    kChanges
};
/// "birth", "death", "break-up", "coalescence", "missing" or "back".
const char* name_of(CellChange change);

/// The number of pixels that lie in both a past and a present bubble, given by their labels.
struct CellOverlap {
    uint32_t past, now, pixels;
};

struct FoundCellChange {
    CellChange change;
    std::vector<uint32_t> past;  // labels of the bubbles that died or merged, or of the one that split
    std::vector<uint32_t> now;   // labels of the bubbles that were born or came from a split, or of the merged one
};

/// A bubble without a past partner is a part of the past bubble that has half its pixels or more; a bubble without a
/// present partner has gone into the present bubble that has half its pixels or more. A past bubble with two or more
/// parts, its partner included, has split; two or more past bubbles that go into one, its partner included, have
/// merged. All others without a partner were born, or died. Of several equal overlaps the lowest label counts.
///
/// `to_now`, `to_past`: as in Matching. Areas by label, pixels. `overlaps`: every pair in which one bubble has no
/// partner, in any order; empty for sites without pixels, which neither split nor merge. Returns splits, then merges,
/// births and deaths, each in the order of their lowest labels.
std::vector<FoundCellChange> find_cell_changes(std::span<const uint32_t> to_now, std::span<const uint32_t> to_past,
                                               std::span<const uint32_t> past_areas,
                                               std::span<const uint32_t> now_areas,
                                               std::span<const CellOverlap> overlaps);

/// Added to the area of a cell cut by an open border of the lattice.
inline constexpr uint32_t kCutArea = 1u << 31;
/// Counts the pixels of each label. `colours`: (h, w); values that are not labels, such as obstacles, are skipped. Only
/// launches.
void count_colours(Context& context, const Lattice& lattice, View<const uint32_t> colours, View<uint32_t> areas);

/// Keeps the labels of a frame and compares them with those of the next.
class CellOverlaps {
  public:
    /// Copies the labels (h, w); kNone: no bubble.
    void keep(Context& context, View<const uint32_t> labels);
    /// Overlaps of the kept frame with this one in which one bubble has no partner, ordered by labels. `most`: total
    /// pixels of bubbles without a partner. Waits for the device.
    std::vector<CellOverlap> find(Context& context, View<const uint32_t> labels, View<const uint32_t> to_now,
                                  View<const uint32_t> to_past, uint64_t most);

  private:
    Buffer<uint32_t> past_{"past labels"};
    Buffer<uint64_t> pairs_{"overlapping pixels"};
    Buffer<uint32_t> total_{"overlap count"};
};

}  // namespace flipscope
