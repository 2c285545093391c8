#include "events/detection/linking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/text.h"

namespace flipscope {

namespace {

constexpr int64_t kUnlinked = int64_t(1) << 40;  // the square of the cap, in units of cost

/// The assignment of rows to columns with the least sum of costs, by shortest augmenting paths (R. Jonker, A. Volgenant
/// 1987). Row r may also stay alone, in a column of its own that follows the others.
class Assignment {
  public:
    struct Entry {
        uint32_t column;
        int64_t cost;
    };

    Assignment(uint32_t columns, std::vector<std::vector<Entry>> rows)
        : rows_(std::move(rows)),
          row_price_(rows_.size()),
          column_price_(columns + rows_.size()),
          row_of_(columns + rows_.size(), kNone),
          column_of_(rows_.size(), kNone),
          distance_(row_of_.size(), kFar),
          from_(row_of_.size()) {
        for (uint32_t r = 0; r < rows_.size(); ++r) {
            poll_();
            rows_[r].push_back({columns + r, kUnlinked});
            augment(r);
        }
    }
    /// kNone: none.
    uint32_t row_of(uint32_t column) const { return row_of_[column]; }

  private:
    static constexpr int64_t kFar = std::numeric_limits<int64_t>::max();

    void augment(uint32_t start) {
        using Reached = std::pair<int64_t, uint32_t>;
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
        std::vector<uint32_t> touched, scanned;
        const auto relax = [&](uint32_t row, int64_t base) {
            for (const Entry& entry : rows_[row]) {
                const int64_t reached = base + entry.cost - row_price_[row] - column_price_[entry.column];
                if (reached >= distance_[entry.column]) continue;
                if (distance_[entry.column] == kFar) touched.push_back(entry.column);
                distance_[entry.column] = reached;
                from_[entry.column] = row;
                queue.push({reached, entry.column});
            }
        };
        relax(start, 0);
        uint32_t end = kNone;
        int64_t length = 0;
        while (end == kNone) {
            poll_();
            const auto [reached, column] = queue.top();
            queue.pop();
            if (reached != distance_[column]) continue;
            length = reached;
            if (row_of_[column] == kNone)
                end = column;
            else
                scanned.push_back(column), relax(row_of_[column], reached);
        }
        row_price_[start] += length;
        for (const uint32_t column : scanned) {
            row_price_[row_of_[column]] += length - distance_[column];
            column_price_[column] -= length - distance_[column];
        }
        for (uint32_t column = end;;) {  // along the path back to the start
            const uint32_t row = from_[column];
            row_of_[column] = row;
            std::swap(column_of_[row], column);
            if (row == start) break;
        }
        for (const uint32_t column : touched) distance_[column] = kFar;
    }

    std::vector<std::vector<Entry>> rows_;
    std::vector<int64_t> row_price_, column_price_;
    std::vector<uint32_t> row_of_, column_of_;
    std::vector<int64_t> distance_;
    std::vector<uint32_t> from_;  // by column: the row before it on the shortest path
    CancelPoll poll_;
};

}  // namespace

std::vector<uint32_t> assign_sites(const Lattice& lattice, std::span<const Point> past, std::span<const Point> now,
                                   double cap, size_t most_pairs) {
    const double most = cap * cap * lattice.width * lattice.height / std::max<double>(1, double(past.size()));
    const double reach = std::sqrt(most) * (1 + 1e-9) + 1e-9 * (lattice.width + lattice.height);
    std::vector<uint32_t> by_x(now.size());
    for (uint32_t q = 0; q < by_x.size(); ++q) by_x[q] = q;
    sort_or_cancel(by_x.begin(), by_x.end(), [&](uint32_t a, uint32_t b) { return now[a].x < now[b].x; });
    std::vector<std::vector<Assignment::Entry>> rows(past.size());
    size_t pairs = 0;
    CancelPoll poll;
    for (uint32_t p = 0; p < past.size(); ++p) {
        poll();
        std::vector<uint32_t> found;
        for (int turn = -int(lattice.periodic.x); turn <= int(lattice.periodic.x); ++turn) {
            const double x = past[p].x + turn * double(lattice.width);
            for (auto at =
                     std::partition_point(by_x.begin(), by_x.end(), [&](uint32_t q) { return now[q].x < x - reach; });
                 at != by_x.end() && now[*at].x <= x + reach; ++at)
                if (lattice.squared_distance(past[p], now[*at]) <= most) found.push_back(*at);
        }
        sort_distinct_or_cancel(found);
        if ((pairs += found.size()) > most_pairs)
            throw Error("matching=assignment takes at most " + with_commas(most_pairs) +
                        " pairs of bubbles within the cap, and here are more; take a smaller cap");
        for (const uint32_t q : found) {
            const double part = most > 0 ? lattice.squared_distance(past[p], now[q]) / most : 0;
            rows[p].push_back({q, std::llround(part * double(kUnlinked))});
        }
    }
    const auto columns = static_cast<uint32_t>(now.size());
    const Assignment assignment(columns, std::move(rows));
    std::vector<uint32_t> to_now(past.size(), kNone);
    for (uint32_t q = 0; q < columns; ++q)
        if (assignment.row_of(q) != kNone) to_now[assignment.row_of(q)] = q;
    return to_now;
}

HeldBubbles hold_lost(const Lattice& lattice, const LinkedSites& past, std::span<const Point> now, uint32_t memory,
                      std::vector<uint32_t>& to_now) {
    HeldBubbles held;
    const size_t found_before = past.sites.size() - past.ages.size();
    const std::vector<uint32_t> partners = to_now;
    CancelPoll poll;
    for (uint32_t p = 0; p < partners.size(); ++p) {
        poll();
        const uint32_t age = 1 + (p < found_before ? 0 : past.ages[p - found_before]);
        if (partners[p] != kNone || age > memory) continue;
        Point sum{};
        double count = 0;
        for (uint32_t e = past.starts[p]; e < past.starts[p + 1]; ++e) {
            const uint32_t other = past.neighbours[e];
            if (partners[other] == kNone) continue;
            const Point moved = lattice.difference(past.sites[other], now[partners[other]]);
            sum.x += moved.x, sum.y += moved.y, ++count;
        }
        if (count > 0) sum = {sum.x / count, sum.y / count};
        const Point at = lattice.wrapped({past.sites[p].x + sum.x, past.sites[p].y + sum.y});
        const auto leaves = [](double x, uint32_t size, bool wraps) { return !wraps && (x < -0.5 || x > size - 0.5); };
        if (leaves(at.x, lattice.width, lattice.periodic.x) || leaves(at.y, lattice.height, lattice.periodic.y))
            continue;
        to_now[p] = static_cast<uint32_t>(now.size() + held.size());
        held.places.push_back(at);
        held.past.push_back(p);
        held.ages.push_back(age);
    }
    for (size_t k = 0; k < held.size(); ++k)
        for (uint32_t e = past.starts[held.past[k]]; e < past.starts[held.past[k] + 1]; ++e) {
            const uint32_t label = to_now[held.past[k]], other = to_now[past.neighbours[e]];
            if (other != kNone) held.links.push_back({std::min(label, other), std::max(label, other)});
        }
    return held;
}

}  // namespace flipscope
