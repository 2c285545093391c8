#include "geometry/label_image.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compute/cancel.h"
#include "compute/disjoint_sets.h"

namespace flipscope {

namespace {

/// Equal pixels that follow each other in a row.
struct Run {
    uint32_t begin, end;  // columns
    uint32_t rank;        // of the number among all of the frame; 0: the background
};

constexpr size_t kLeastCell = 4;    // pixels
constexpr size_t kMostBroken = 20;  // one pixel of so many may lie off its cell

class Frame {
  public:
    Frame(const FieldStack& stack, size_t frame) : stack_(stack), first_(frame * stack.width * stack.height) {}

    /// Nothing: there are too few numbers to tell.
    std::optional<bool> has_labels() {
        if (!is_flat()) return false;
        if (numbers_.size() < 2) return {};
        find_cells();
        const size_t count = numbers_.size();
        size_t in_cells = 0, rising = 0;
        for (const size_t largest : largest_) in_cells += largest;
        for (const uint8_t is_apart : apart_) rising += !is_apart;
        const bool has_background = inside_ < size_t{stack_.width} * stack_.height;
        const bool has_crumbs = *std::min_element(areas_.begin(), areas_.end()) < kLeastCell;
        return in_cells >= inside_ - inside_ / kMostBroken && inside_ >= kLeastCell * count && 2 * rising <= count &&
               (has_background || (count >= 4 && !has_crumbs));
    }

  private:
    double number(uint32_t x, uint32_t y) const { return stack_.label(first_ + size_t{y} * stack_.width + x); }

    /// Lists the numbers but 0. False: as many pixels differ from their neighbours as in a photograph.
    bool is_flat() {
        size_t pairs = 0, equal = 0;
        for (uint32_t y = 0; y < stack_.height; ++y) {
            poll_();
            double before = 0;
            for (uint32_t x = 0; x < stack_.width; ++x) {
                const double here = number(x, y);
                inside_ += here != 0;
                if (here != 0 && before != 0) ++pairs, equal += here == before;
                if (here != 0 && here != before) numbers_.push_back(here);
                before = here;
            }
            if (pairs > 4096 && 2 * equal < pairs) return false;
            if (y % 256 == 255) sort_numbers();
        }
        sort_numbers();
        return pairs > 0 && 2 * equal >= pairs;
    }
    void sort_numbers() { sort_distinct_or_cancel(numbers_); }

    void join(uint32_t a, uint32_t b) {
        a = root_of(parents_, a), b = root_of(parents_, b);
        if (a == b) return;
        if (b < a) std::swap(a, b);
        parents_[b] = a;
        run_areas_[a] += run_areas_[b];
    }
    /// Two numbers side by side. Those of a smooth picture are the next ones to each other, the background included.
    void touch(uint32_t a, uint32_t b) {
        if (a + 1 >= b && b + 1 >= a) return;
        for (const uint32_t rank : {a, b})
            if (rank > 0) apart_[rank - 1] = 1;
    }

    /// Connects equal pixels over 8 neighbours, run by run.
    void find_cells() {
        areas_.assign(numbers_.size(), 0);
        largest_.assign(numbers_.size(), 0);
        apart_.assign(numbers_.size(), 0);
        std::vector<Run> above, here;
        size_t above_first = 0;
        std::vector<uint32_t> ranks;  // by run
        for (uint32_t y = 0; y < stack_.height; ++y) {
            poll_();
            here.clear();
            const size_t first = parents_.size();
            for (uint32_t x = 0; x < stack_.width;) {
                const double value = number(x, y);
                const uint32_t begin = x;
                while (++x < stack_.width && number(x, y) == value) {
                }
                const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), value);
                const uint32_t rank = value == 0 ? 0 : static_cast<uint32_t>(at - numbers_.begin()) + 1;
                if (!here.empty()) touch(here.back().rank, rank);
                here.push_back({begin, x, rank});
                parents_.push_back(static_cast<uint32_t>(parents_.size()));
                ranks.push_back(rank);
                run_areas_.push_back(x - begin);
            }
            size_t next = 0;
            for (size_t i = 0; i < here.size(); ++i) {
                while (next < above.size() && above[next].end < here[i].begin) ++next;
                for (size_t j = next; j < above.size() && above[j].begin <= here[i].end; ++j) {
                    if (here[i].begin < above[j].end && above[j].begin < here[i].end)
                        touch(here[i].rank, above[j].rank);
                    if (here[i].rank == above[j].rank)
                        join(static_cast<uint32_t>(first + i), static_cast<uint32_t>(above_first + j));
                }
            }
            above = here;
            above_first = first;
        }
        for (uint32_t run = 0; run < parents_.size(); ++run) {
            if (parents_[run] != run || ranks[run] == 0) continue;
            areas_[ranks[run] - 1] += run_areas_[run];
            largest_[ranks[run] - 1] = std::max(largest_[ranks[run] - 1], run_areas_[run]);
        }
    }

    const FieldStack& stack_;
    size_t first_;
    CancelPoll poll_{64};                  // rows
    size_t inside_ = 0;                    // pixels that are not 0
    std::vector<double> numbers_;          // ascending, without 0
    std::vector<uint32_t> parents_;        // by run
    std::vector<size_t> run_areas_;        // by run: of all below it, where it is a root
    std::vector<size_t> areas_, largest_;  // by number: its pixels, those of its largest piece
    std::vector<uint8_t> apart_;           // by number: it touches one that is not the next
};

}  // namespace

bool looks_like_labels(const FieldStack& stack) {
    if (stack.whole == 0) return false;
    for (size_t t = 0; t < stack.frame_count(); ++t)
        if (const auto labels = Frame(stack, t).has_labels()) return *labels;
    return false;
}

}  // namespace flipscope
