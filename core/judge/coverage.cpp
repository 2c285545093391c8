#include "judge/coverage.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "compute/cancel.h"
#include "compute/view.h"
#include "flipscope/detail/exact.h"
#include "flipscope/predicates.h"

namespace flipscope {

namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr size_t kMostCrossings = 20000;            // the most computed crossings, in rational numbers
constexpr uint64_t kMostLooks = uint64_t(1) << 28;  // the most tested pairs of bounding boxes: seconds

struct ExactPoint {
    Rational x, y;
    bool operator<(const ExactPoint& other) const { return x != other.x ? x < other.x : y < other.y; }
};

/// Edges cut at every point where they meet, so that pieces share only their ends.
class Pieces {
  public:
    Pieces(std::span<const Point> points, std::span<const ExcessEdge> edges) : points_(points), edges_(edges) { cut(); }

    struct Piece {
        uint32_t from, to;  // nodes: input points, followed by crossings; `from` comes before `to`
        int32_t excess;
    };
    bool complete() const { return complete_; }
    const std::vector<Piece>& list() const { return pieces_; }
    /// Input points that lie between the ends of an edge.
    const std::vector<uint32_t>& touches() const { return touches_; }
    size_t node_count() const { return points_.size() + crossings_.size(); }
    bool is_input(uint32_t node) const { return node < points_.size(); }
    Point place(uint32_t node) const {
        if (is_input(node)) return points_[node];
        const ExactPoint& p = crossings_[node - points_.size()];
        return {static_cast<double>(p.x), static_cast<double>(p.y)};
    }
    /// The bounding box of a node; rounded outwards.
    BoundingBox box(uint32_t node) const {
        const Point p = place(node);
        if (is_input(node)) return BoundingBox::of(p, p);
        return {std::nextafter(p.x, -INFINITY), std::nextafter(p.x, INFINITY), std::nextafter(p.y, -INFINITY),
                std::nextafter(p.y, INFINITY)};
    }
    BoundingBox box(const Piece& piece) const {
        BoundingBox both = box(piece.from);
        both.extend(box(piece.to));
        return both;
    }
    /// The sign of the turn a, b, c.
    int turn(uint32_t a, uint32_t b, uint32_t c) const {
        if (is_input(a) && is_input(b) && is_input(c)) return orient2d(points_[a], points_[b], points_[c]);
        return exact_twice_area(a, b, c).sign();
    }
    double twice_area(uint32_t a, uint32_t b, uint32_t c) const {
        if (is_input(a) && is_input(b) && is_input(c))
            return exact::orient2d_rounded(points_[a], points_[b], points_[c]);
        return static_cast<double>(exact_twice_area(a, b, c));
    }
    Rational exact_twice_area(uint32_t a, uint32_t b, uint32_t c) const {
        const ExactPoint p = exactly(a), q = exactly(b), r = exactly(c);
        return (p.x - r.x) * (q.y - r.y) - (p.y - r.y) * (q.x - r.x);
    }
    /// Whether node a comes before b from left to right, and from below if both have the same x.
    bool before(uint32_t a, uint32_t b) const {
        if (is_input(a) && is_input(b))
            return points_[a].x != points_[b].x ? points_[a].x < points_[b].x : points_[a].y < points_[b].y;
        return exactly(a) < exactly(b);
    }
    /// Whether a lies to the left of b.
    bool left_of(uint32_t a, uint32_t b) const {
        return is_input(a) && is_input(b) ? points_[a].x < points_[b].x : exactly(a).x < exactly(b).x;
    }

  private:
    ExactPoint exactly(uint32_t node) const {
        if (!is_input(node)) return crossings_[node - points_.size()];
        return {Rational(points_[node].x), Rational(points_[node].y)};
    }
    void cut();
    void meet(const ExcessEdge& e, const ExcessEdge& f, std::vector<uint32_t>& on_e, std::vector<uint32_t>& on_f);
    uint32_t crossing_of(const ExcessEdge& e, const ExcessEdge& f);
    uint32_t end_at(const ExactPoint& place);
    bool lies_within(uint32_t v, const ExcessEdge& e) const {
        if (v == e.from || v == e.to || orient2d(points_[e.from], points_[e.to], points_[v]) != 0) return false;
        const uint32_t low = before(e.from, e.to) ? e.from : e.to, high = low == e.from ? e.to : e.from;
        return before(low, v) && before(v, high);
    }

    std::span<const Point> points_;
    std::span<const ExcessEdge> edges_;
    bool complete_ = true;
    std::vector<Piece> pieces_;
    std::vector<uint32_t> touches_;
    std::vector<ExactPoint> crossings_;
    std::map<ExactPoint, uint32_t> nodes_;  // of crossings
    std::vector<uint32_t> ends_;            // of edges, from left to right; made by the first search
};

uint32_t Pieces::crossing_of(const ExcessEdge& e, const ExcessEdge& f) {
    const ExactPoint a = exactly(e.from), b = exactly(e.to), c = exactly(f.from), d = exactly(f.to);
    const Rational dx = b.x - a.x, dy = b.y - a.y, ex = d.x - c.x, ey = d.y - c.y;
    const Rational t = ((c.x - a.x) * ey - (c.y - a.y) * ex) / (dx * ey - dy * ex);
    ExactPoint place{a.x + t * dx, a.y + t * dy};
    if (const uint32_t end = end_at(place); end != kNone) return end;
    const auto next = static_cast<uint32_t>(points_.size() + crossings_.size());
    const auto [found, is_new] = nodes_.try_emplace(std::move(place), next);
    if (is_new) crossings_.push_back(found->first);
    return found->second;
}

/// The end of an edge that lies exactly there, or kNone.
uint32_t Pieces::end_at(const ExactPoint& place) {
    if (ends_.empty()) {
        for (const ExcessEdge& edge : edges_) ends_.insert(ends_.end(), {edge.from, edge.to});
        sort_or_cancel(ends_.begin(), ends_.end(), [&](uint32_t a, uint32_t b) { return a != b && before(a, b); });
    }
    const Point rounded{static_cast<double>(place.x), static_cast<double>(place.y)};
    if (Rational(rounded.x) != place.x || Rational(rounded.y) != place.y) return kNone;
    const auto at = std::lower_bound(ends_.begin(), ends_.end(), rounded, [&](uint32_t v, Point p) {
        return points_[v].x != p.x ? points_[v].x < p.x : points_[v].y < p.y;
    });
    return at != ends_.end() && points_[*at] == rounded ? *at : kNone;
}

void Pieces::meet(const ExcessEdge& e, const ExcessEdge& f, std::vector<uint32_t>& on_e, std::vector<uint32_t>& on_f) {
    bool touch = false;
    const auto look = [&](uint32_t v, const ExcessEdge& edge, std::vector<uint32_t>& on_edge) {
        if (!lies_within(v, edge)) return;
        on_edge.push_back(v);
        touches_.push_back(v);
        touch = true;
    };
    for (const uint32_t v : {f.from, f.to}) look(v, e, on_e);
    for (const uint32_t v : {e.from, e.to}) look(v, f, on_f);
    if (touch) return;
    const Point a = points_[e.from], b = points_[e.to], c = points_[f.from], d = points_[f.to];
    if (orient2d(a, b, c) * orient2d(a, b, d) >= 0 || orient2d(c, d, a) * orient2d(c, d, b) >= 0) return;
    const uint32_t node = crossing_of(e, f);
    on_e.push_back(node);
    on_f.push_back(node);
}

void Pieces::cut() {
    const auto count = static_cast<uint32_t>(edges_.size());
    std::vector<std::vector<uint32_t>> inner(count);  // nodes on each edge, without its ends
    std::vector<BoundingBox> boxes;
    for (const ExcessEdge& edge : edges_) boxes.push_back(BoundingBox::of(points_[edge.from], points_[edge.to]));
    const BoxPairs pairs(boxes);
    uint64_t looks = kMostLooks;
    CancelPoll poll(64);
    for (uint32_t entry = 0; entry < pairs.entry_count() && complete_; ++entry) {
        poll();
        complete_ = pairs.each_of(entry, looks, [&](uint32_t e, uint32_t f) {
            if (crossings_.size() < kMostCrossings) meet(edges_[e], edges_[f], inner[e], inner[f]);
        }) && crossings_.size() < kMostCrossings;
    }
    if (!complete_) return;
    for (uint32_t i = 0; i < count; ++i) {
        poll();
        const ExcessEdge& edge = edges_[i];
        std::vector<uint32_t>& nodes = inner[i];
        nodes.push_back(edge.from);
        nodes.push_back(edge.to);
        std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return a != b && before(a, b); });
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const int32_t excess = nodes.front() == edge.from ? edge.excess : -edge.excess;
        for (size_t k = 0; k + 1 < nodes.size(); ++k) pieces_.push_back({nodes[k], nodes[k + 1], excess});
    }
    // Coincident pieces are merged; where their excesses cancel out, nothing is wrong.
    std::sort(pieces_.begin(), pieces_.end(),
              [](const Piece& a, const Piece& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
    size_t kept = 0;
    for (size_t i = 0; i < pieces_.size();) {
        Piece sum = pieces_[i];
        for (++i; i < pieces_.size() && pieces_[i].from == sum.from && pieces_[i].to == sum.to; ++i)
            sum.excess += pieces_[i].excess;
        if (sum.excess != 0) pieces_[kept++] = sum;
    }
    pieces_.resize(kept);
}

/// The regions between the pieces, and their winding numbers. A piece has two sides: side 2i has the direction of piece
/// i and side 2i + 1 the opposite one, and the data of a side are those of the region on its left.
class Regions {
  public:
    explicit Regions(const Pieces& pieces);
    void add_to(Coverage& coverage) const;

  private:
    struct Upwards;
    struct Loop {
        std::vector<uint32_t> nodes;
        uint32_t component = 0;
        bool is_island = false;  // clockwise, around a component inside a hole
    };
    /// The side at a component's first node, whose sides all lead to the right, with the region around the component on
    /// its left.
    uint32_t outer_side(size_t component) const { return ring_[starts_[first_[component] + 1] - 1]; }
    static uint32_t other(uint32_t side) { return side ^ 1; }
    const Pieces::Piece& piece(uint32_t side) const { return pieces_.list()[side / 2]; }
    uint32_t from(uint32_t side) const { return side % 2 ? piece(side).to : piece(side).from; }
    uint32_t to(uint32_t side) const { return from(other(side)); }
    int32_t excess(uint32_t side) const { return side % 2 ? -piece(side).excess : piece(side).excess; }
    uint32_t side_count() const { return static_cast<uint32_t>(2 * pieces_.list().size()); }
    uint32_t node_of(uint32_t side) const {
        return static_cast<uint32_t>(std::lower_bound(nodes_.begin(), nodes_.end(), from(side)) - nodes_.begin());
    }

    void make_rings();
    void make_components();
    void wind();
    void wind_component(uint32_t component, std::vector<uint8_t>& known);
    bool lies_below(uint32_t a, uint32_t b) const;
    /// On which side of a piece a node lies: 1 above, -1 below.
    int side_of(uint32_t piece, uint32_t node) const {
        return pieces_.turn(pieces_.list()[piece].from, pieces_.list()[piece].to, node);
    }
    /// The next side along the region: where the last one ends, the next one clockwise.
    uint32_t next(uint32_t side) const {
        const uint32_t at = place_in_ring_[other(side)], node = at_node_[other(side)];
        return ring_[(at == starts_[node] ? starts_[node + 1] : at) - 1];
    }

    double area_of(const std::vector<const Loop*>& loops) const;
    Hole hole_of(const Loop& outer, const std::vector<const Loop*>& islands) const;

    const Pieces& pieces_;
    std::vector<uint32_t> nodes_;          // of pieces, ascending
    std::vector<uint32_t> starts_, ring_;  // the sides from each node, counter-clockwise from straight down on
    std::vector<uint32_t> place_in_ring_, at_node_;  // of every side
    std::vector<uint32_t> component_of_;             // of every node: connected pieces
    std::vector<uint32_t> first_;                    // of every component: its first node, from the left
    std::vector<uint32_t> above_;                    // of every component: the piece above its first node, or kNone
    std::vector<int32_t> winding_;                   // of every side
};

Regions::Regions(const Pieces& pieces) : pieces_(pieces) {
    make_rings();
    make_components();
    wind();
}

void Regions::make_rings() {
    nodes_.reserve(side_count());
    for (uint32_t side = 0; side < side_count(); ++side) nodes_.push_back(from(side));
    sort_distinct_or_cancel(nodes_);
    starts_.assign(nodes_.size() + 1, 0);
    at_node_.resize(side_count());
    for (uint32_t side = 0; side < side_count(); ++side) ++starts_[(at_node_[side] = node_of(side)) + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    ring_.resize(side_count());
    std::vector<uint32_t> next_place(starts_.begin(), starts_.end() - 1);
    for (uint32_t side = 0; side < side_count(); ++side) ring_[next_place[at_node_[side]]++] = side;
    place_in_ring_.resize(side_count());
    CancelPoll poll(64);
    for (size_t node = 0; node < nodes_.size(); ++node) {
        poll();
        // Sides to the right and up have the direction of their pieces: they come first, counter-clockwise.
        std::sort(ring_.begin() + starts_[node], ring_.begin() + starts_[node + 1], [&](uint32_t a, uint32_t b) {
            return a % 2 != b % 2 ? a % 2 < b % 2 : a != b && pieces_.turn(nodes_[node], to(a), to(b)) > 0;
        });
        for (uint32_t at = starts_[node]; at < starts_[node + 1]; ++at) place_in_ring_[ring_[at]] = at;
    }
}

void Regions::make_components() {
    component_of_.assign(nodes_.size(), kNone);
    std::vector<uint32_t> waiting;
    CancelPoll poll;
    for (uint32_t start = 0; start < nodes_.size(); ++start) {
        if (component_of_[start] != kNone) continue;
        const auto component = static_cast<uint32_t>(first_.size());
        first_.push_back(start);
        component_of_[start] = component;
        waiting.push_back(start);
        while (!waiting.empty()) {
            poll();
            const uint32_t node = waiting.back();
            waiting.pop_back();
            if (pieces_.before(nodes_[node], nodes_[first_[component]])) first_[component] = node;
            for (uint32_t at = starts_[node]; at < starts_[node + 1]; ++at) {
                const uint32_t end = at_node_[other(ring_[at])];
                if (component_of_[end] != kNone) continue;
                component_of_[end] = component;
                waiting.push_back(end);
            }
        }
    }
}

/// Compares two pieces that do not cross and are over one place.
bool Regions::lies_below(uint32_t a, uint32_t b) const {
    const Pieces::Piece &p = pieces_.list()[a], &q = pieces_.list()[b];
    if (p.from == q.from) return pieces_.turn(p.from, p.to, q.to) > 0;
    if (pieces_.before(q.from, p.from)) return pieces_.turn(q.from, q.to, p.from) < 0;
    return pieces_.turn(p.from, p.to, q.from) > 0;
}

/// Pieces over one place, from below upwards, and the position of a node among them.
struct Regions::Upwards {
    struct At {
        uint32_t node;
    };
    using is_transparent = void;
    const Regions* regions;
    bool operator()(uint32_t a, uint32_t b) const { return a != b && regions->lies_below(a, b); }
    bool operator()(uint32_t piece, At at) const { return regions->side_of(piece, at.node) > 0; }
    bool operator()(At at, uint32_t piece) const { return regions->side_of(piece, at.node) < 0; }
};

/// A vertical line sweeps the pieces from left to right and holds those that cross it. When it reaches the first node
/// of a component, the piece above bounds the region around the component, and that piece's component began further
/// left, so its region is known.
void Regions::wind() {
    above_.assign(first_.size(), kNone);
    winding_.assign(side_count(), 0);
    std::vector<uint8_t> known(nodes_.size(), 0);
    std::vector<uint32_t> begins(nodes_.size(), kNone), order(nodes_.size());  // begins: which component
    for (uint32_t component = 0; component < first_.size(); ++component) begins[first_[component]] = component;
    std::iota(order.begin(), order.end(), 0u);
    sort_or_cancel(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return a != b && pieces_.before(nodes_[a], nodes_[b]); });
    std::set<uint32_t, Upwards> crossed(Upwards{this});
    std::vector<std::set<uint32_t, Upwards>::iterator> places(pieces_.list().size());
    CancelPoll poll(64);
    const auto each_piece = [&](uint32_t node, uint32_t direction, const auto& what) {
        for (uint32_t at = starts_[node]; at < starts_[node + 1]; ++at) {
            const Pieces::Piece& one = piece(ring_[at]);
            if (ring_[at] % 2 == direction && pieces_.left_of(one.from, one.to)) what(ring_[at] / 2);
        }
    };
    for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        // All nodes with one x: nodes that the line has reached, with the pieces that end there.
        for (end = begin; end < order.size() && !pieces_.left_of(nodes_[order[begin]], nodes_[order[end]]); ++end) {
            poll();
            const uint32_t component = begins[order[end]];
            if (component == kNone) continue;
            const auto above = crossed.lower_bound(Upwards::At{nodes_[order[end]]});
            if (above != crossed.end()) above_[component] = *above;
            wind_component(component, known);
        }
        for (size_t i = begin; i < end; ++i) each_piece(order[i], 1, [&](uint32_t one) { crossed.erase(places[one]); });
        for (size_t i = begin; i < end; ++i)
            each_piece(order[i], 0, [&](uint32_t one) { places[one] = crossed.insert(one).first; });
    }
}

/// From the outside inwards: the region on the left of a side is that on the right of the next side around their node,
/// and the two sides of a piece differ by its excess.
void Regions::wind_component(uint32_t component, std::vector<uint8_t>& known) {
    std::vector<uint32_t> waiting;  // sides with a known winding number, into nodes perhaps without one
    CancelPoll poll;
    // All sides around a node, from the one at this place of the ring.
    const auto tell = [&](uint32_t node, uint32_t at, int32_t winding) {
        known[node] = 1;
        for (uint32_t k = starts_[node]; k < starts_[node + 1]; ++k) {
            const uint32_t side = ring_[at];
            winding_[side] = winding;
            winding_[other(side)] = winding - excess(side);
            waiting.push_back(side);
            if (++at == starts_[node + 1]) at = starts_[node];
            winding += excess(ring_[at]);
        }
    };
    const uint32_t above = above_[component];
    tell(first_[component], place_in_ring_[outer_side(component)], above == kNone ? 0 : winding_[2 * above + 1]);
    while (!waiting.empty()) {
        poll();
        const uint32_t back = other(waiting.back());
        waiting.pop_back();
        if (!known[at_node_[back]]) tell(at_node_[back], place_in_ring_[back], winding_[back]);
    }
}

/// The area within the first loop and outside the others.
double Regions::area_of(const std::vector<const Loop*>& loops) const {
    const auto each = [&](const auto& add) {
        for (const Loop* loop : loops)
            for (size_t i = 1; i + 1 < loop->nodes.size(); ++i) add(loop->nodes[0], loop->nodes[i], loop->nodes[i + 1]);
    };
    double twice = 0, size = 0;
    each([&](uint32_t a, uint32_t b, uint32_t c) {
        const double term = pieces_.twice_area(a, b, c);
        twice += term;
        size += std::fabs(term);
    });
    if (twice > 1e-6 * size) return twice / 2;
    // Nearly all terms cancel, so doubles would leave only rounding errors.
    Rational sum = 0;
    each([&](uint32_t a, uint32_t b, uint32_t c) { sum += pieces_.exact_twice_area(a, b, c); });
    return static_cast<double>(sum) / 2;
}

Hole Regions::hole_of(const Loop& outer, const std::vector<const Loop*>& islands) const {
    Hole hole;
    for (const uint32_t node : outer.nodes) {
        hole.outline.push_back(pieces_.place(node));
        if (pieces_.is_input(node)) hole.vertices.push_back(node);
    }
    if (!hole.vertices.empty()) {
        const auto lowest = std::min_element(hole.vertices.begin(), hole.vertices.end());
        std::rotate(hole.vertices.begin(), lowest, hole.vertices.end());
    }
    // The middle of the widest gap along some horizontal lines.
    std::vector<double> heights;
    std::vector<const Loop*> loops{&outer};
    loops.insert(loops.end(), islands.begin(), islands.end());
    hole.area = area_of(loops);
    for (const Loop* loop : loops)
        for (const uint32_t node : loop->nodes) heights.push_back(pieces_.place(node).y);
    sort_distinct_or_cancel(heights);
    double widest = -1;
    const size_t lines = std::min<size_t>(heights.size() - 1, 16);
    hole.inside = hole.outline[0];
    for (size_t line = 0; line < lines; ++line) {
        const size_t at = line * (heights.size() - 1) / lines;
        const double y = heights[at] / 2 + heights[at + 1] / 2;
        std::vector<double> meets;
        for (const Loop* loop : loops)
            for (size_t i = 0; i < loop->nodes.size(); ++i) {
                const Point p = pieces_.place(loop->nodes[i]),
                            q = pieces_.place(loop->nodes[(i + 1) % loop->nodes.size()]);
                if ((p.y > y) != (q.y > y)) meets.push_back(p.x + (q.x - p.x) * ((y - p.y) / (q.y - p.y)));
            }
        std::sort(meets.begin(), meets.end());
        for (size_t i = 0; i + 1 < meets.size(); i += 2) {
            const double room = std::min(meets[i + 1] - meets[i], heights[at + 1] - heights[at]);
            if (room <= widest) continue;
            widest = room;
            hole.inside = {meets[i] / 2 + meets[i + 1] / 2, y};
        }
    }
    return hole;
}

void Regions::add_to(Coverage& coverage) const {
    std::vector<Loop> loops;
    std::vector<uint32_t> loop_of(side_count(), kNone);  // of sides with a hole on the left
    std::vector<BoundingBox> suspects(first_.size(), {1, 0, 1, 0});
    CancelPoll poll;
    for (uint32_t start = 0; start < side_count(); ++start) {
        poll();
        if (winding_[start] > 0) {
            BoundingBox& suspect = suspects[component_of_[at_node_[start]]];
            const BoundingBox box = pieces_.box(piece(start));
            if (suspect.low_x > suspect.high_x) suspect = box;
            suspect.extend(box);
        }
        if (winding_[start] != -1 || loop_of[start] != kNone) continue;
        Loop loop{{}, component_of_[at_node_[start]]};
        for (uint32_t side = start; loop_of[side] == kNone; side = next(side)) {
            poll();
            loop_of[side] = static_cast<uint32_t>(loops.size());
            loop.nodes.push_back(from(side));
        }
        loops.push_back(std::move(loop));
    }
    for (const BoundingBox& box : suspects)
        if (box.low_x <= box.high_x) coverage.suspects.push_back(box);

    // An island is in the region under the piece above it: in the hole, or next to another island there.
    std::vector<std::vector<const Loop*>> islands(loops.size());
    for (size_t component = 0; component < first_.size(); ++component)
        if (const uint32_t loop = loop_of[outer_side(component)]; loop != kNone) loops[loop].is_island = true;
    for (const Loop& loop : loops) {
        if (!loop.is_island) continue;
        uint32_t home = kNone;
        for (uint32_t component = loop.component; above_[component] != kNone;) {
            poll();
            home = loop_of[2 * above_[component] + 1];
            if (home == kNone || !loops[home].is_island) break;
            component = loops[home].component;
        }
        if (home != kNone) islands[home].push_back(&loop);
    }
    for (size_t i = 0; i < loops.size(); ++i) {
        poll();
        if (!loops[i].is_island) coverage.holes.push_back(hole_of(loops[i], islands[i]));
    }
    std::sort(coverage.holes.begin(), coverage.holes.end(), [](const Hole& a, const Hole& b) {
        return a.vertices != b.vertices ? a.vertices < b.vertices : a.area < b.area;
    });
}

}  // namespace

Coverage find_coverage(std::span<const Point> points, std::span<const ExcessEdge> edges) {
    Coverage coverage;
    if (edges.empty()) return coverage;
    const Pieces pieces(points, edges);
    coverage.complete = pieces.complete();
    if (coverage.complete) {
        if (!pieces.list().empty()) Regions(pieces).add_to(coverage);
        for (const uint32_t node : pieces.touches()) coverage.suspects.push_back(pieces.box(node));
        return coverage;
    }
    BoundingBox all = BoundingBox::of(points[edges[0].from], points[edges[0].to]);
    for (const ExcessEdge& edge : edges) all.extend(BoundingBox::of(points[edge.from], points[edge.to]));
    coverage.suspects.push_back(all);
    return coverage;
}

}  // namespace flipscope
