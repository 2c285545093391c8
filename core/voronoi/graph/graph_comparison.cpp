#include "voronoi/graph/graph_comparison.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "compute/cancel.h"
#include "compute/work.h"
#include "geometry/bounds.h"
#include "voronoi/colouring/site_boxes.h"
#include "voronoi/graph/bisector.h"
#include "voronoi/graph/resolution.h"

namespace flipscope {

namespace {

/// A tree of boxes around sites, to find the sites that clip a piece of a bisector without testing all.
class SiteBoxes {
  public:
    SiteBoxes(const Lattice& lattice, const std::vector<Point>& sites) : lattice_(lattice), at_(sites) {
        nodes_.reserve(4 * at_.size() / kLeaf + 1);
        if (!at_.empty()) divide(0, static_cast<uint32_t>(at_.size()));
    }

    /// The length of the bisector of a and b that is missing for a Voronoi edge: see LinkError::shortfall.
    double shortfall(Point a, Point b) const {
        throw_if_cancelled();
        const Point step = lattice_.difference(a, b);
        Search search{*this, a, b, Bisector(a, {a.x + step.x, a.y + step.y})};
        const double longest = 2.0 * (double(lattice_.width) + lattice_.height);
        search.low = -2 * longest;  // farther out nothing changes the result
        search.high = 2 * longest;
        search.enough = longest;
        if (!nodes_.empty()) search.look(0);
        return std::clamp(search.low - search.high, 0.0, longest);
    }

  private:
    static constexpr uint32_t kLeaf = 8;  // sites
    struct Node {
        Bounds bounds;
        uint32_t first, end;  // sites
        uint32_t second;      // index of the second half; the first one comes next. 0: a leaf
    };

    uint32_t divide(uint32_t first, uint32_t end) {
        const auto index = static_cast<uint32_t>(nodes_.size());
        Node node{{at_[first], at_[first]}, first, end, 0};
        for (uint32_t i = first; i < end; ++i) node.bounds = node.bounds.with(at_[i]);
        nodes_.push_back(node);
        if (end - first <= kLeaf) return index;
        const uint32_t middle = first + (end - first) / 2;
        const auto& [low, high] = node.bounds;
        const bool wide = high.x - low.x > high.y - low.y;
        std::nth_element(at_.begin() + first, at_.begin() + middle, at_.begin() + end,
                         [&](Point p, Point q) { return wide ? p.x < q.x : p.y < q.y; });
        divide(first, middle);
        nodes_[index].second = divide(middle, end);
        return index;
    }

    struct Search {
        const SiteBoxes& boxes;
        Point a, b;
        Bisector line;
        double low = 0, high = 0, enough = 0;

        void look(uint32_t index) {
            const Node& node = boxes.nodes_[index];
            if (low - high >= enough || !may_cut(node)) return;
            if (node.second == 0) {
                for (uint32_t i = node.first; i < node.end; ++i) cut(boxes.at_[i]);
                return;
            }
            const uint32_t halves[2] = {index + 1, node.second};
            const bool swap = gap(boxes.nodes_[halves[1]]) < gap(boxes.nodes_[halves[0]]);
            look(halves[swap]);
            look(halves[!swap]);
        }
        void cut(Point site) {
            if (site == a || site == b) return;
            const Bisector::Third third = line.third(seen(site));
            if (third.side > 0) high = std::min(high, third.at);
            if (third.side < 0) low = std::max(low, third.at);
        }
        /// Along periodic axes the copy nearest to the midpoint.
        Point seen(Point site) const {
            const Point d = boxes.lattice_.difference(boxes.lattice_.wrapped(line.middle), site);
            return {line.middle.x + d.x, line.middle.y + d.y};
        }
        /// From the midpoint, squared.
        double gap(const Node& node) const {
            return squared_gap(boxes.lattice_, boxes.lattice_.wrapped(line.middle), node.bounds.low, node.bounds.high);
        }
        bool may_cut(const Node& node) const {
            const Bounds& box = node.bounds;
            const double w = boxes.lattice_.width, h = boxes.lattice_.height;
            const int around_x = boxes.lattice_.periodic.x ? 1 : 0, around_y = boxes.lattice_.periodic.y ? 1 : 0;
            const Point home = boxes.lattice_.wrapped(line.middle);
            for (int y = -around_y; y <= around_y; ++y)
                for (int x = -around_x; x <= around_x; ++x) {
                    const Point off{line.middle.x - home.x + x * w, line.middle.y - home.y + y * h};
                    if (may_cut({box.low.x + off.x, box.low.y + off.y}, {box.high.x + off.x, box.high.y + off.y}))
                        return true;
                }
            return false;
        }
        /// A site that clips more on the left lies on the left, in the circle through a and b around the end of the
        /// remaining piece; and vice versa.
        bool may_cut(Point box_low, Point box_high) const {
            const Point middle{(box_low.x + box_high.x) / 2 - line.middle.x,
                               (box_low.y + box_high.y) / 2 - line.middle.y};
            const double across = (box_high.x - box_low.x) / 2, up = (box_high.y - box_low.y) / 2;
            const double away = line.direction.x * middle.x + line.direction.y * middle.y;
            const double reach = std::fabs(line.direction.x) * across + std::fabs(line.direction.y) * up;
            const double slack = 1e-9 * (std::fabs(box_low.x) + std::fabs(box_high.x) + std::fabs(box_low.y) +
                                         std::fabs(box_high.y) + std::fabs(line.middle.x) + std::fabs(line.middle.y));
            return (away + reach > -slack && meets(box_low, box_high, high, slack)) ||
                   (away - reach < slack && meets(box_low, box_high, low, slack));
        }
        bool meets(Point box_low, Point box_high, double place, double slack) const {
            const Point around = line.at(place);
            const double x = std::max({box_low.x - around.x, around.x - box_high.x, 0.0});
            const double y = std::max({box_low.y - around.y, around.y - box_high.y, 0.0});
            return std::hypot(x, y) <= std::hypot(place, line.half) * (1 + 1e-9) + slack;
        }
    };

    Lattice lattice_;
    std::vector<Point> at_;
    std::vector<Node> nodes_;
};

/// By label, whether the lattice may fail to resolve it. The nearest other site is always a neighbour in the exact
/// graph.
std::vector<uint8_t> find_unresolved(const ExactGraph& exact, const std::vector<Point>& sites) {
    std::vector<uint8_t> unresolved(exact.count, 0);
    for (uint32_t label = 0; label < exact.count; ++label)
        if (lies_outside(exact.lattice, sites[label])) unresolved[label] = 1;
    for (const auto& [a, b] : exact.edges)
        if (exact.lattice.squared_distance(sites[a], sites[b]) < kResolvedSquared) unresolved[a] = unresolved[b] = 1;
    return unresolved;
}

/// The free part of a Voronoi edge within the box. obstacles: (h, w) or empty.
FreePart free_part(const ExactGraph& exact, const std::vector<uint8_t>& obstacles, uint32_t edge) {
    FreePart free;
    if (!obstacles.empty()) {
        auto piece = std::lower_bound(exact.pieces.begin(), exact.pieces.end(), edge,
                                      [](const ExactGraph::Piece& p, uint32_t e) { return p.edge < e; });
        for (; piece != exact.pieces.end() && piece->edge == edge; ++piece)
            look_along(
                exact.lattice, [&](uint32_t pixel) { return obstacles[pixel] != 0; }, piece->from, piece->to,
                kUnbounded, free);
    }
    if (!free.covered) free.longest = exact.dual_lengths[edge];
    return free;
}

}  // namespace

GraphComparison compare_graphs(const ExactGraph& exact, const std::vector<Point>& sites,
                               const std::vector<std::array<uint32_t, 2>>& links,
                               const std::vector<uint8_t>& obstacles) {
    GraphComparison result;
    const std::vector<uint8_t> unresolved = find_unresolved(exact, sites);
    const auto is_unresolved = [&](const auto& labels) { return unresolved[labels[0]] || unresolved[labels[1]]; };
    result.links = static_cast<uint32_t>(links.size());
    WorkStage stage("comparison of the links", exact.edges.size() + links.size());
    CancelPoll poll;
    for (size_t e = 0; e < exact.edges.size(); ++e) {
        poll();
        stage.advance();
        if (!exact.in_sight[e]) continue;
        ++result.exact_links;
        if (std::binary_search(links.begin(), links.end(), exact.edges[e])) continue;
        LinkError error;
        error.labels = exact.edges[e];
        error.missed = true;
        error.dual_length = exact.dual_lengths[e];
        error.at_border = exact.at_border[e];
        error.unresolved = is_unresolved(error.labels);
        const FreePart free = free_part(exact, obstacles, static_cast<uint32_t>(e));
        error.free_length = free.longest;
        error.covered = free.covered;
        if (free.blocked()) {
            result.blocked.push_back(error);
            continue;
        }
        result.errors.push_back(error);
        result.longest_missed = std::max(result.longest_missed, error.dual_length);
        if (error.at_border) continue;
        result.longest_missed_interior = std::max(result.longest_missed_interior, error.dual_length);
        if (!error.unresolved)
            result.longest_missed_resolved = std::max(result.longest_missed_resolved, error.dual_length);
    }
    result.missed = static_cast<uint32_t>(result.errors.size());
    std::vector<uint8_t> leaves(exact.count, 0);  // cells that leave the box
    for (size_t e = 0; e < exact.edges.size(); ++e)
        if (exact.at_border[e])
            for (const uint32_t label : exact.edges[e]) leaves[label] = 1;
    std::optional<SiteBoxes> boxes;
    for (const auto& link : links) {
        poll();
        stage.advance();
        if (exact.find(link[0], link[1]) != kNone) continue;
        if (!boxes) boxes.emplace(exact.lattice, sites);
        LinkError error;
        error.labels = link;
        error.shortfall = boxes->shortfall(sites[link[0]], sites[link[1]]);
        error.unresolved = is_unresolved(link);
        error.at_border = leaves[link[0]] || leaves[link[1]];
        result.errors.push_back(error);
    }
    result.spurious = static_cast<uint32_t>(result.errors.size()) - result.missed;
    return result;
}

bool breaks_promise(const LinkError& error, ExactCells exact_cells) {
    return error.missed && !error.at_border && !error.covered &&
           (exact_cells != ExactCells::kNone || !error.unresolved) && error.dual_length >= kLeastContact;
}

uint32_t count_missed_contacts(const GraphComparison& comparison, ExactCells exact_cells) {
    return static_cast<uint32_t>(
        std::count_if(comparison.errors.begin(), comparison.errors.end(),
                      [&](const LinkError& error) { return breaks_promise(error, exact_cells); }));
}

std::vector<std::array<uint32_t, 2>> pairs_of(const Adjacency& graph) {
    std::vector<std::array<uint32_t, 2>> pairs;
    if (graph.count == 0) return pairs;
    const std::vector<uint32_t> starts = graph.starts.download(size_t(graph.count) + 1),
                                neighbours = graph.neighbours.download(starts.back());
    for (uint32_t a = 0; a < graph.count; ++a)
        for (uint32_t k = starts[a]; k < starts[a + 1]; ++k)
            if (a < neighbours[k]) pairs.push_back({a, neighbours[k]});
    return pairs;
}

}  // namespace flipscope
