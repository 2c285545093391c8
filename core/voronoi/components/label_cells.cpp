#include "voronoi/components/label_cells.h"

#include <algorithm>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "voronoi/components/component_runs.h"

namespace flipscope {

namespace {

/// Consecutive pixels of a cell in a row.
struct Run {
    uint32_t cell, y, begin, end;  // end: one past the last column
};

/// Finds the column, or row, from which to unwrap a cell along a periodic axis: after the widest gap between its
/// intervals. `intervals`: begin and end, sorted in place. False: no gap.
bool begin_of(std::vector<std::array<uint32_t, 2>>& intervals, uint32_t period, uint32_t& begin) {
    std::sort(intervals.begin(), intervals.end());
    uint32_t end = 0, widest = 0;
    for (const auto& [from, to] : intervals) {
        if (from > end && from - end > widest && end > 0) widest = from - end, begin = from;
        end = std::max(end, to);
    }
    const uint32_t around = intervals.front()[0] + period - end;
    if (around >= widest) widest = around, begin = intervals.front()[0];
    return widest > 0;
}

/// Sum of the integers from `begin` to `end` - 1.
uint64_t sum_of(uint64_t begin, uint64_t end) { return (begin + end - 1) * (end - begin) / 2; }

double wrapped_mean(uint64_t sum, uint64_t area, uint64_t period, bool periodic) {
    if (periodic) sum %= area * period;
    return static_cast<double>(sum) / static_cast<double>(area);
}

class Cells {
  public:
    Cells(const Lattice& lattice, const FieldStack& stack, size_t frame)
        : lattice_(lattice), stack_(stack), first_(frame * lattice.pixel_count()) {}

    LabelCells make() {
        list_numbers();
        name_pixels();
        measure();
        find_contacts();
        return std::move(cells_);
    }

  private:
    double number(uint32_t pixel) const {
        const double value = stack_.label(first_ + pixel);
        if (stack_.whole != 0 && value >= 0 && value <= 0x1p53 && value == std::floor(value)) return value;
        throw Error(stack_.name + ": labels are whole numbers from 0 on, each a cell, and these are " +
                    (stack_.whole == 0 ? "none, or colours" : "too large") + "; set field=threshold");
    }

    void list_numbers() {
        for (uint32_t y = 0; y < lattice_.height; ++y) {
            poll_();
            double before = 0;
            for (uint32_t x = 0; x < lattice_.width; ++x) {
                const double here = number(lattice_.pixel(x, y));
                if (here != 0 && here != before) cells_.names.push_back(static_cast<int64_t>(here));
                before = here;
            }
            if (y % 256 == 255 || y + 1 == lattice_.height) {
                sort_distinct_or_cancel(cells_.names);
            }
        }
    }

    void name_pixels() {
        cells_.pixels.assign(lattice_.pixel_count(), kNone);
        for (uint32_t y = 0; y < lattice_.height; ++y) {
            poll_();
            for (uint32_t x = 0; x < lattice_.width;) {
                const double value = number(lattice_.pixel(x, y));
                const uint32_t begin = x;
                while (++x < lattice_.width && number(lattice_.pixel(x, y)) == value) {
                }
                if (value == 0) continue;
                const auto at = std::lower_bound(cells_.names.begin(), cells_.names.end(), static_cast<int64_t>(value));
                const auto cell = static_cast<uint32_t>(at - cells_.names.begin());
                runs_.push_back({cell, y, begin, x});
                std::fill(cells_.pixels.begin() + lattice_.pixel(begin, y),
                          cells_.pixels.begin() + lattice_.pixel(begin, y) + (x - begin), cell);
            }
        }
        std::stable_sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.cell < b.cell; });
    }

    void measure() {
        std::vector<std::array<uint32_t, 2>> columns, rows;
        for (size_t first = 0, end; first < runs_.size(); first = end) {
            poll_();
            for (end = first; end < runs_.size() && runs_[end].cell == runs_[first].cell;) ++end;
            uint32_t from_x = 0, from_y = 0, winding = 0;
            if (lattice_.periodic.x) {
                columns.clear();
                for (size_t i = first; i < end; ++i) columns.push_back({runs_[i].begin, runs_[i].end});
                if (!begin_of(columns, lattice_.width, from_x)) from_x = 0, winding |= kWindsInX;
            }
            if (lattice_.periodic.y) {
                rows.clear();
                for (size_t i = first; i < end; ++i) rows.push_back({runs_[i].y, runs_[i].y + 1});
                if (!begin_of(rows, lattice_.height, from_y)) from_y = 0, winding |= kWindsInY;
            }
            uint64_t area = 0, x = 0, y = 0;
            for (size_t i = first; i < end; ++i) {
                const Run& run = runs_[i];
                const uint64_t length = run.end - run.begin;
                // Pixels before the beginning are shifted by a period. A gap never begins within a run.
                const uint64_t away_x = run.begin < from_x ? lattice_.width : 0,
                               away_y = run.y < from_y ? lattice_.height : 0;
                area += length;
                x += sum_of(run.begin + away_x, run.end + away_x);
                y += (run.y + away_y) * length;
            }
            cells_.areas.push_back(static_cast<uint32_t>(area));
            cells_.centres.push_back({wrapped_mean(x, area, lattice_.width, lattice_.periodic.x),
                                      wrapped_mean(y, area, lattice_.height, lattice_.periodic.y)});
            cells_.windings.push_back(winding);
        }
    }

    /// The cell of a pixel, also beyond the borders; kNone: none.
    uint32_t cell_at(uint32_t x, uint32_t y) const {
        if (x >= lattice_.width) {
            if (!lattice_.periodic.x) return kNone;
            x = x == lattice_.width ? 0 : lattice_.width - 1;
        }
        if (y >= lattice_.height) {
            if (!lattice_.periodic.y) return kNone;
            y = 0;
        }
        return cells_.pixels[lattice_.pixel(x, y)];
    }

    /// Compares each pixel with the one to its right and the three above it. If no cells touch, they may be separated
    /// by lines of background, as after a watershed: then also with the second pixel to the right, and above.
    void find_contacts() {
        std::vector<uint64_t> sides, corners, facing;  // pairs, the lower cell in the upper half
        const auto touch = [](uint32_t a, uint32_t b, std::vector<uint64_t>& pairs) {
            if (a != b && a != kNone && b != kNone) pairs.push_back(uint64_t{std::min(a, b)} << 32 | std::max(a, b));
        };
        for (uint32_t y = 0; y < lattice_.height; ++y) {
            poll_();
            for (uint32_t x = 0; x < lattice_.width; ++x) {
                const uint32_t here = cells_.pixels[lattice_.pixel(x, y)];
                if (here == kNone) continue;
                touch(here, cell_at(x + 1, y), sides);
                touch(here, cell_at(x, y + 1), sides);
                touch(here, cell_at(x + 1, y + 1), corners);
                touch(here, cell_at(x - 1, y + 1), corners);
                if (sides.empty() && cell_at(x + 1, y) == kNone && x + 2 < lattice_.width)
                    touch(here, cell_at(x + 2, y), facing);
                if (sides.empty() && cell_at(x, y + 1) == kNone && y + 2 < lattice_.height)
                    touch(here, cell_at(x, y + 2), facing);
            }
        }
        cells_.across_lines = sides.empty() && !facing.empty();
        if (cells_.across_lines) sides = std::move(facing);
        std::sort(sides.begin(), sides.end());
        sort_distinct_or_cancel(corners);
        const auto add = [&](uint64_t pair, size_t count) {
            cells_.contacts.push_back(
                {static_cast<uint32_t>(pair >> 32), static_cast<uint32_t>(pair), static_cast<uint32_t>(count)});
        };
        size_t corner = 0;
        for (size_t first = 0, end; first < sides.size(); first = end) {
            for (end = first; end < sides.size() && sides[end] == sides[first];) ++end;
            for (; corner < corners.size() && corners[corner] <= sides[first]; ++corner)
                if (corners[corner] < sides[first]) add(corners[corner], 0);
            add(sides[first], end - first);
        }
        for (; corner < corners.size(); ++corner) add(corners[corner], 0);
    }

    const Lattice& lattice_;
    const FieldStack& stack_;
    size_t first_;
    CancelPoll poll_{64};  // rows or cells
    std::vector<Run> runs_;
    LabelCells cells_;
};

}  // namespace

LabelCells label_cells(const Lattice& lattice, const FieldStack& stack, size_t frame) {
    return Cells(lattice, stack, frame).make();
}

}  // namespace flipscope
