#include "events/detection/cell_changes.h"

#include <algorithm>

#include "compute/atomics.h"
#include "compute/cancel.h"
#include "compute/primitives.h"

namespace flipscope {

namespace {

/// Lists both labels of every pixel in two bubbles of which one has no partner.
struct ListOverlaps {
    View<const uint32_t> past, now, to_now, to_past;
    View<uint64_t> pairs;
    FLIPSCOPE_HD uint32_t code(uint32_t pixel) const {
        const uint32_t p = past[pixel], q = now[pixel];
        return p != kNone && q != kNone && (to_now[p] == kNone || to_past[q] == kNone);
    }
    FLIPSCOPE_HD void emit(uint32_t pixel, uint32_t rank, uint32_t code) const {
        if (code) pairs[rank] = uint64_t(past[pixel]) << 32 | now[pixel];
    }
};

struct CountColour {
    Lattice lattice;
    View<const uint32_t> colours;
    View<uint32_t> areas;
    FLIPSCOPE_HD void operator()(uint32_t pixel) const {
        const uint32_t label = colours[pixel];
        if (label >= areas.count) return;
        atomic_add(areas[label], 1u);
        const uint32_t x = lattice.x_of(pixel), y = lattice.y_of(pixel);
        const bool is_cut = (!lattice.periodic.x && (x == 0 || x + 1 == lattice.width)) ||
                            (!lattice.periodic.y && (y == 0 || y + 1 == lattice.height));
        if (is_cut) atomic_or(areas[label], kCutArea);
    }
};

}  // namespace

const char* name_of(CellChange change) {
    static constexpr const char* kNames[] = {"birth", "death", "break-up", "coalescence", "missing", "back"};
    static_assert(std::size(kNames) == size_t(CellChange::kChanges));
    return kNames[size_t(change)];
}

std::vector<FoundCellChange> find_cell_changes(std::span<const uint32_t> to_now, std::span<const uint32_t> to_past,
                                               std::span<const uint32_t> past_areas,
                                               std::span<const uint32_t> now_areas,
                                               std::span<const CellOverlap> overlaps) {
    // For each bubble without a partner, the bubble of the other frame that it was a part of, or has gone into.
    std::vector<uint32_t> origin(to_past.size(), kNone), heir(to_now.size(), kNone);
    std::vector<uint32_t> of_origin(to_past.size(), 0), of_heir(to_now.size(), 0);  // shared pixels
    const auto prefer = [](uint32_t label, uint32_t pixels, uint32_t& chosen, uint32_t& most) {
        if (pixels < most || (pixels == most && label >= chosen)) return;
        chosen = label;
        most = pixels;
    };
    for (const auto& [p, q, pixels] : overlaps) {
        if (to_past[q] == kNone && 2 * uint64_t(pixels) >= now_areas[q]) prefer(p, pixels, origin[q], of_origin[q]);
        if (to_now[p] == kNone && 2 * uint64_t(pixels) >= past_areas[p]) prefer(q, pixels, heir[p], of_heir[p]);
    }
    std::vector<uint32_t> parts(to_now.size(), 0);  // by past bubble
    for (uint32_t p = 0; p < to_now.size(); ++p) parts[p] = to_now[p] != kNone;
    for (const uint32_t p : origin)
        if (p != kNone) ++parts[p];
    const auto has_split = [&](uint32_t p) { return parts[p] >= 2; };
    // A bubble that has split is listed as a split, and goes into none.
    std::vector<uint32_t> sources(to_past.size(), 0);  // by present bubble
    const auto is_part = [&](uint32_t q) { return origin[q] != kNone && has_split(origin[q]); };
    for (uint32_t q = 0; q < to_past.size(); ++q) sources[q] = to_past[q] != kNone || is_part(q);
    const auto goes = [&](uint32_t p) { return heir[p] != kNone && !has_split(p); };
    for (uint32_t p = 0; p < to_now.size(); ++p)
        if (goes(p)) ++sources[heir[p]];
    const auto is_merged = [&](uint32_t q) { return sources[q] >= 2; };

    std::vector<FoundCellChange> splits, merges, rest;
    std::vector<uint32_t> split_of(to_now.size(), kNone), merge_of(to_past.size(), kNone);  // indices in these lists
    for (uint32_t p = 0; p < to_now.size(); ++p) {
        if (parts[p] < 2) continue;
        split_of[p] = static_cast<uint32_t>(splits.size());
        splits.push_back({CellChange::kSplit, {p}, {}});
        if (to_now[p] != kNone) splits.back().now.push_back(to_now[p]);
    }
    for (uint32_t q = 0; q < to_past.size(); ++q) {
        if (is_part(q)) splits[split_of[origin[q]]].now.push_back(q);
        if (!is_merged(q)) continue;
        merge_of[q] = static_cast<uint32_t>(merges.size());
        merges.push_back({CellChange::kMerge, {}, {q}});
        if (const uint32_t p = to_past[q] != kNone ? to_past[q] : is_part(q) ? origin[q] : kNone; p != kNone)
            merges.back().past.push_back(p);
    }
    for (uint32_t p = 0; p < to_now.size(); ++p)
        if (goes(p) && is_merged(heir[p])) merges[merge_of[heir[p]]].past.push_back(p);
    for (uint32_t q = 0; q < to_past.size(); ++q)
        if (to_past[q] == kNone && !is_part(q) && !is_merged(q)) rest.push_back({CellChange::kBirth, {}, {q}});
    for (uint32_t p = 0; p < to_now.size(); ++p)
        if (to_now[p] == kNone && !has_split(p) && !(goes(p) && is_merged(heir[p])))
            rest.push_back({CellChange::kDeath, {p}, {}});
    splits.insert(splits.end(), std::make_move_iterator(merges.begin()), std::make_move_iterator(merges.end()));
    splits.insert(splits.end(), std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    return splits;
}

void count_colours(Context& context, const Lattice& lattice, View<const uint32_t> colours, View<uint32_t> areas) {
    if (areas.count) context.fill(areas.data, 0, areas.count * sizeof(uint32_t));
    launch(context, "cells.count", static_cast<uint32_t>(colours.count), CountColour{lattice, colours, areas});
}

void CellOverlaps::keep(Context& context, View<const uint32_t> labels) {
    past_.resize(context, labels.count, false);
    if (labels.count) context.copy(past_.view().data, labels.data, labels.count * sizeof(uint32_t));
}

std::vector<CellOverlap> CellOverlaps::find(Context& context, View<const uint32_t> labels, View<const uint32_t> to_now,
                                            View<const uint32_t> to_past, uint64_t most) {
    std::vector<CellOverlap> overlaps;
    if (past_.size() != labels.count || most == 0) return overlaps;
    pairs_.resize(context, std::min<uint64_t>(most, labels.count), false);
    total_.resize(context, 1, false);
    compact(context, "cells.overlaps", static_cast<uint32_t>(labels.count),
            ListOverlaps{past_.view(), labels, to_now, to_past, pairs_.view()}, total_.view());
    std::vector<uint64_t> pairs = pairs_.download(total_.read(0));
    sort_or_cancel(pairs.begin(), pairs.end());
    for (size_t i = 0; i < pairs.size(); ++i) {
        if (i == 0 || pairs[i] != pairs[i - 1])
            overlaps.push_back({static_cast<uint32_t>(pairs[i] >> 32), static_cast<uint32_t>(pairs[i]), 0});
        ++overlaps.back().pixels;
    }
    return overlaps;
}

}  // namespace flipscope
