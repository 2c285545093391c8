// Which bubbles were born, died, split and merged between two frames. Matching says which have no partner; where there
// are labelled pixels, those that the bubbles of both frames share say what became of these. Bernaschi, Lulli and
// Sbragaglia (2016) leave such bubbles out of the comparison; the rules here are ours. The Events lab lists the result.
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
    kSplit,
    kMerge,
    kMissing,  // of tracks: not in this frame, and again in a later one
    kBack,     // of tracks: again in this frame
    kChanges
};
/// "birth", "death", "split", "merge", "missing" or "back".
const char* name_of(CellChange change);

/// A bubble of the past frame and one of the present, by their labels, and how many pixels lie in both.
struct CellOverlap {
    uint32_t past, now, pixels;
};

struct FoundCellChange {
    CellChange change;
    std::vector<uint32_t> past;  // labels: of those that died, merged, or of the one that split
    std::vector<uint32_t> now;   // labels: of those that were born, came out of a split, or of the one merged to
};

/// A bubble without a past partner that has half its pixels or more in one past bubble is a part of that one; a bubble
/// without a present partner that has half its pixels or more in a present bubble has gone into it. A past bubble with
/// two parts or more, its partner included, has split; two past bubbles or more that go into one, its partner included,
/// have merged. All others without partner were born, or died. Of several equal overlaps the lowest label counts.
///
/// `to_now`, `to_past`: as Matching has them. Areas by label, pixels. `overlaps`: of every pair in which one has no
/// partner; in any order; empty: sites without pixels, of which none splits or merges. Splits first, then merges,
/// births and deaths, each in the order of their lowest labels.
std::vector<FoundCellChange> find_cell_changes(std::span<const uint32_t> to_now, std::span<const uint32_t> to_past,
                                               std::span<const uint32_t> past_areas,
                                               std::span<const uint32_t> now_areas,
                                               std::span<const CellOverlap> overlaps);

/// Of a cell that an open border of the lattice cuts, this is added to its area.
inline constexpr uint32_t kCutArea = 1u << 31;
/// How many pixels each label colours. `colours`: (h, w); what is no label, such as an obstacle, counts for none. Only
/// launches.
void count_colours(Context& context, const Lattice& lattice, View<const uint32_t> colours, View<uint32_t> areas);

/// Keeps the labels of a frame, and compares them with those of the next.
class CellOverlaps {
  public:
    /// Copies the labels (h, w), kNone where there is no bubble.
    void keep(Context& context, View<const uint32_t> labels);
    /// Of the kept frame with this one, pairs in which one has no partner, ordered by their labels. `most`: how many
    /// pixels such bubbles have in all. Waits for the device.
    std::vector<CellOverlap> find(Context& context, View<const uint32_t> labels, View<const uint32_t> to_now,
                                  View<const uint32_t> to_past, uint64_t most);

  private:
    Buffer<uint32_t> past_{"past labels"};
    Buffer<uint64_t> pairs_{"overlapping pixels"};
    Buffer<uint32_t> total_{"overlap count"};
};

}  // namespace flipscope
