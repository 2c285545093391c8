#include "judge/coverage.h"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "compute/cancel.h"
#include "compute/view.h"
#include "geometry/exact.h"
#include "geometry/predicates.h"

namespace flipscope {

namespace {

using Rational = boost::multiprecision::cpp_rational;

constexpr size_t kMostCrossedEdges = 4000;            // of a group that is cut where they cross, in rational numbers
constexpr uint64_t kMostLooks = uint64_t(1) << 26;    // at pairs of edges, where winding numbers are asked
constexpr uint64_t kMostBesides = uint64_t(1) << 12;  // boxes beside one, where groups are made
constexpr size_t kFewEdges = 24;                      // of which all pairs are compared

struct ExactPoint {
    Rational x, y;
    bool operator<(const ExactPoint& other) const { return x != other.x ? x < other.x : y < other.y; }
};

/// Edges in groups whose bounding boxes are apart. How often a place is covered tells the group around it alone: every
/// group is made of closed walks, and none of the others winds around the place.
class Groups {
  public:
    Groups(std::span<const Point> points, const std::vector<ExcessEdge>& edges);
    size_t count() const { return boxes_.size(); }
    const BoundingBox& box(size_t group) const { return boxes_[group]; }
    std::span<const ExcessEdge> edges(size_t group) const {
        return {edges_.data() + starts_[group], edges_.data() + starts_[group + 1]};
    }

  private:
    std::vector<BoundingBox> boxes_;
    std::vector<uint32_t> starts_;   // (groups + 1)
    std::vector<ExcessEdge> edges_;  // group after group, in each in the given order
};

Groups::Groups(std::span<const Point> points, const std::vector<ExcessEdge>& edges) {
    const auto count = static_cast<uint32_t>(edges.size());
    // A forest over edges: the root of a group is its first one.
    std::vector<uint32_t> parent(count), edge_of(points.size(), kNone);
    std::iota(parent.begin(), parent.end(), 0u);
    const auto root_of = [&](uint32_t i) {
        while (parent[i] != i) i = parent[i] = parent[parent[i]];
        return i;
    };
    const auto join = [&](uint32_t i, uint32_t j) {
        i = root_of(i);
        j = root_of(j);
        if (i == j) return false;
        parent[std::max(i, j)] = std::min(i, j);
        return true;
    };
    RegularLook look;
    for (uint32_t i = 0; i < count; ++i) {
        look();
        for (const uint32_t v : {edges[i].from, edges[i].to}) {
            if (edge_of[v] == kNone) edge_of[v] = i;
            join(edge_of[v], i);
        }
    }
    std::vector<uint32_t> roots, group_of(count);
    for (bool joined = true; joined;) {  // boxes grow, and then meet others
        roots.clear();
        boxes_.clear();
        for (uint32_t i = 0; i < count; ++i) {
            const BoundingBox box = BoundingBox::of(points[edges[i].from], points[edges[i].to]);
            if (const uint32_t root = root_of(i); root != i) {
                group_of[i] = group_of[root];
                boxes_[group_of[i]].take_in(box);
            } else {
                group_of[i] = static_cast<uint32_t>(roots.size());
                roots.push_back(i);
                boxes_.push_back(box);
            }
        }
        joined = false;
        const BoxPairs pairs(boxes_);
        for (uint32_t entry = 0; entry < pairs.entry_count(); ++entry) {
            look();
            const auto join_groups = [&](uint32_t a, uint32_t b) { joined = join(roots[a], roots[b]) || joined; };
            if (pairs.each_of(entry, kMostBesides, join_groups)) continue;
            for (const uint32_t root : roots) join_groups(0, group_of[root]);  // more apart than is worth the search
            break;
        }
    }
    starts_.assign(boxes_.size() + 1, 0);
    for (const uint32_t group : group_of) ++starts_[group + 1];
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    edges_.resize(count);
    std::vector<uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (uint32_t i = 0; i < count; ++i) edges_[next[group_of[i]]++] = edges[i];
}

/// Edges cut at every point where they meet, so that pieces have nothing in common but their ends.
class Pieces {
  public:
    Pieces(std::span<const Point> points, std::span<const ExcessEdge> edges, bool disjoint)
        : points_(points), edges_(edges), disjoint_(disjoint) {
        cut();
    }

    struct Piece {
        uint32_t from, to;  // nodes: input points, and behind them crossings
        int32_t excess;
    };
    bool touches() const { return touches_; }
    const std::vector<Piece>& list() const { return pieces_; }
    bool is_input(uint32_t node) const { return node < points_.size(); }
    Point place(uint32_t node) const {
        if (is_input(node)) return points_[node];
        const ExactPoint& p = crossings_[node - points_.size()];
        return {static_cast<double>(p.x), static_cast<double>(p.y)};
    }
    /// The sign of the turn a, b, c.
    int turn(uint32_t a, uint32_t b, uint32_t c) const {
        if (is_input(a) && is_input(b) && is_input(c)) return orient2d(points_[a], points_[b], points_[c]);
        const ExactPoint p = place_of(a), q = place_of(b), r = place_of(c);
        return sign_of((p.x - r.x) * (q.y - r.y) - (p.y - r.y) * (q.x - r.x));
    }
    double twice_area(uint32_t a, uint32_t b, uint32_t c) const {
        if (is_input(a) && is_input(b) && is_input(c))
            return exact::orient2d_rounded(points_[a], points_[b], points_[c]);
        const ExactPoint p = place_of(a), q = place_of(b), r = place_of(c);
        return static_cast<double>(Rational((p.x - r.x) * (q.y - r.y) - (p.y - r.y) * (q.x - r.x)));
    }
    /// Whether node a comes before b from left to right, and from below where both have the same x.
    bool before(uint32_t a, uint32_t b) const {
        if (is_input(a) && is_input(b))
            return points_[a].x != points_[b].x ? points_[a].x < points_[b].x : points_[a].y < points_[b].y;
        return place_of(a) < place_of(b);
    }
    int winding_left_of(const Piece& piece, bool reversed) const;
    /// Where all pieces are one closed walk that meets itself nowhere: how often it winds around what it encloses.
    std::optional<int> winding_of_polygon() const;

  private:
    static int sign_of(const Rational& r) { return r.sign(); }
    ExactPoint place_of(uint32_t node) const {
        if (!is_input(node)) return crossings_[node - points_.size()];
        return {Rational(points_[node].x), Rational(points_[node].y)};
    }
    void cut();
    void meet(const ExcessEdge& e, const ExcessEdge& f, std::vector<uint32_t>& on_e, std::vector<uint32_t>& on_f);
    uint32_t crossing_of(const ExcessEdge& e, const ExcessEdge& f);
    bool lies_within(uint32_t v, const ExcessEdge& e) const {
        if (v == e.from || v == e.to || orient2d(points_[e.from], points_[e.to], points_[v]) != 0) return false;
        const uint32_t low = before(e.from, e.to) ? e.from : e.to, high = low == e.from ? e.to : e.from;
        return before(low, v) && before(v, high);
    }

    std::span<const Point> points_;
    std::span<const ExcessEdge> edges_;
    bool disjoint_;
    bool touches_ = false;
    std::vector<Piece> pieces_;       // each from left to right, and upwards where it is vertical
    std::vector<BoundingBox> boxes_;  // of pieces; rounded outwards
    std::vector<ExactPoint> crossings_;
    std::map<ExactPoint, uint32_t> nodes_;  // of crossings, and of input points that may be one
};

uint32_t Pieces::crossing_of(const ExcessEdge& e, const ExcessEdge& f) {
    if (crossings_.empty())
        for (const ExcessEdge& edge : edges_)
            for (const uint32_t v : {edge.from, edge.to}) nodes_.try_emplace(place_of(v), v);
    const ExactPoint a = place_of(e.from), b = place_of(e.to), c = place_of(f.from), d = place_of(f.to);
    const Rational dx = b.x - a.x, dy = b.y - a.y, ex = d.x - c.x, ey = d.y - c.y;
    const Rational t = ((c.x - a.x) * ey - (c.y - a.y) * ex) / (dx * ey - dy * ex);
    const auto [found, is_new] = nodes_.try_emplace(ExactPoint{a.x + t * dx, a.y + t * dy},
                                                    static_cast<uint32_t>(points_.size() + crossings_.size()));
    if (is_new) crossings_.push_back(found->first);
    return found->second;
}

void Pieces::meet(const ExcessEdge& e, const ExcessEdge& f, std::vector<uint32_t>& on_e, std::vector<uint32_t>& on_f) {
    bool touch = false;
    for (const uint32_t v : {f.from, f.to})
        if (lies_within(v, e)) on_e.push_back(v), touch = true;
    for (const uint32_t v : {e.from, e.to})
        if (lies_within(v, f)) on_f.push_back(v), touch = true;
    touches_ = touches_ || touch;
    if (touch || disjoint_) return;
    const Point a = points_[e.from], b = points_[e.to], c = points_[f.from], d = points_[f.to];
    if (orient2d(a, b, c) * orient2d(a, b, d) >= 0 || orient2d(c, d, a) * orient2d(c, d, b) >= 0) return;
    const uint32_t node = crossing_of(e, f);
    on_e.push_back(node);
    on_f.push_back(node);
}

void Pieces::cut() {
    const auto count = static_cast<uint32_t>(edges_.size());
    std::vector<std::vector<uint32_t>> inner(count);  // nodes on each edge, but for its ends
    RegularLook look;
    const auto compare = [&](uint32_t e, uint32_t f) { meet(edges_[e], edges_[f], inner[e], inner[f]); };
    if (count <= kFewEdges) {
        for (uint32_t e = 0; e < count; ++e)
            for (uint32_t f = e + 1; f < count; ++f) compare(e, f);
    } else {
        std::vector<BoundingBox> boxes;
        for (const ExcessEdge& edge : edges_) boxes.push_back(BoundingBox::of(points_[edge.from], points_[edge.to]));
        const BoxPairs pairs(boxes);
        for (uint32_t entry = 0; entry < pairs.entry_count(); ++entry)
            pairs.each_of(entry, kMostLooks, [&](uint32_t e, uint32_t f) {
                look();
                compare(e, f);
            });
    }
    for (uint32_t i = 0; i < count; ++i) {
        const ExcessEdge& edge = edges_[i];
        std::vector<uint32_t>& nodes = inner[i];
        nodes.push_back(edge.from);
        nodes.push_back(edge.to);
        std::sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return a != b && before(a, b); });
        nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
        const int32_t excess = nodes.front() == edge.from ? edge.excess : -edge.excess;
        for (size_t k = 0; k + 1 < nodes.size(); ++k) pieces_.push_back({nodes[k], nodes[k + 1], excess});
    }
    // Pieces that lie on one another are one; where their excesses cancel out, nothing is wrong.
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
    if (disjoint_) return;
    for (const Piece& piece : pieces_) {
        const Point p = place(piece.from), q = place(piece.to);
        const auto down = [](double v) { return std::nextafter(v, -INFINITY); };
        const auto up = [](double v) { return std::nextafter(v, INFINITY); };
        boxes_.push_back(
            {down(std::min(p.x, q.x)), up(std::max(p.x, q.x)), down(std::min(p.y, q.y)), up(std::max(p.y, q.y))});
    }
}

/// Of all pieces around a place next to the middle of this one, on its left, seen in the direction asked for. A ray
/// goes up from there.
int Pieces::winding_left_of(const Piece& piece, bool reversed) const {
    const ExactPoint a = place_of(piece.from), b = place_of(piece.to);  // a is before b
    const ExactPoint middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
    const bool vertical = a.x == b.x;
    // Left of a piece that runs to the right is above it; left of one that runs up is a little less x.
    const bool ray_meets_itself = !vertical && reversed;
    const bool less_x = vertical && !reversed;
    int winding = 0;
    const BoundingBox& own = boxes_[static_cast<size_t>(&piece - pieces_.data())];
    for (size_t i = 0; i < pieces_.size(); ++i) {
        const Piece& other = pieces_[i];
        if (&other == &piece) {
            // The ray goes up through it; it runs to the right, and so from the ray's right to its left.
            if (ray_meets_itself) winding += -other.excess;
            continue;
        }
        const BoundingBox& box = boxes_[i];
        // Rational numbers are asked where doubles cannot tell.
        if (box.high_x < own.low_x || own.high_x < box.low_x || box.high_y < own.low_y) continue;
        const ExactPoint c = place_of(other.from), d = place_of(other.to);
        const bool spans = less_x ? c.x < middle.x && middle.x <= d.x : c.x <= middle.x && middle.x < d.x;
        if (!spans) continue;
        const bool above = own.high_y < box.low_y || ((d.x - c.x) * (middle.y - c.y) < (d.y - c.y) * (middle.x - c.x));
        if (above) winding += -other.excess;
    }
    return winding;
}

std::optional<int> Pieces::winding_of_polygon() const {
    if (touches_ || !crossings_.empty() || pieces_.size() < 3) return std::nullopt;
    struct End {
        uint32_t node, piece;
    };
    std::vector<End> ends;
    for (uint32_t i = 0; i < pieces_.size(); ++i)
        for (const uint32_t node : {pieces_[i].from, pieces_[i].to}) ends.push_back({node, i});
    std::sort(ends.begin(), ends.end(),
              [](const End& a, const End& b) { return a.node != b.node ? a.node < b.node : a.piece < b.piece; });
    for (size_t i = 0; i < ends.size(); ++i)  // two pieces at every node
        if (ends[i].node != ends[i - i % 2].node || (i % 2 == 0 && i > 0 && ends[i].node == ends[i - 1].node))
            return std::nullopt;
    // From the leftmost node on around, and back to it.
    uint32_t first = 0;
    for (uint32_t i = 1; i < pieces_.size(); ++i)
        if (before(pieces_[i].from, pieces_[first].from)) first = i;
    const uint32_t start = pieces_[first].from;
    const int winding = pieces_[first].excess;
    size_t passed = 0;
    uint32_t node = start, piece = first, last = kNone;
    do {
        const bool forward = pieces_[piece].from == node;
        if ((forward ? pieces_[piece].excess : -pieces_[piece].excess) != winding) return std::nullopt;
        last = node;
        node = forward ? pieces_[piece].to : pieces_[piece].from;
        ++passed;
        const auto at = std::lower_bound(ends.begin(), ends.end(), node,
                                         [](const End& end, uint32_t other) { return end.node < other; });
        piece = at->piece == piece ? at[1].piece : at->piece;
    } while (node != start);
    if (passed != pieces_.size()) return std::nullopt;
    // All else lies to the right of the leftmost node, so the walk turns there as it does around what it encloses.
    return turn(last, start, pieces_[first].to) > 0 ? winding : -winding;
}

/// Of one group.
class HoleFinder {
  public:
    HoleFinder(std::span<const Point> points, std::span<const ExcessEdge> edges, bool disjoint)
        : pieces_(points, edges, disjoint), disjoint_(disjoint) {}

    std::vector<Hole> find();
    bool is_suspect() const { return twice_ || pieces_.touches(); }

  private:
    struct Side {
        uint32_t from, to, piece;
        bool reversed;
    };
    struct Loop {
        std::vector<uint32_t> nodes;
        double area = 0;  // negative: clockwise, around something that is covered in the middle of a hole
    };
    bool turns_before(uint32_t around, uint32_t reference, uint32_t a, uint32_t b) const;
    void collect_sides();
    std::vector<Loop> trace() const;
    double area_of(const std::vector<uint32_t>& nodes) const;
    bool contains(const Loop& outer, Point place) const;
    Hole hole_of(const Loop& outer, const std::vector<const Loop*>& islands) const;

    Pieces pieces_;
    bool disjoint_, twice_ = false;
    std::vector<Side> sides_;  // with a hole on the left, by `from`
};

/// Sides of pieces that have a hole on their left. Where no two triangles overlap, an excess tells by itself: -1 on the
/// left means uncovered there, since nothing is covered twice. Elsewhere the winding number tells.
void HoleFinder::collect_sides() {
    RegularLook look(64);
    const std::optional<int> enclosed = disjoint_ ? std::nullopt : pieces_.winding_of_polygon();
    for (uint32_t i = 0; i < pieces_.list().size(); ++i) {
        const Pieces::Piece& piece = pieces_.list()[i];
        look();
        for (const bool reversed : {false, true}) {
            const int32_t excess = reversed ? -piece.excess : piece.excess;
            const int winding = disjoint_  ? (excess == -1 ? -1 : 0)
                                : enclosed ? ((excess > 0) == (*enclosed > 0) ? *enclosed : 0)
                                           : pieces_.winding_left_of(piece, reversed);
            twice_ = twice_ || winding > 0;
            if (winding != -1) continue;
            sides_.push_back({reversed ? piece.to : piece.from, reversed ? piece.from : piece.to, i, reversed});
        }
    }
    std::sort(sides_.begin(), sides_.end(),
              [](const Side& a, const Side& b) { return a.from != b.from ? a.from < b.from : a.to < b.to; });
}

/// Whether, turning clockwise from the direction to `reference`, that to a comes before that to b.
bool HoleFinder::turns_before(uint32_t around, uint32_t reference, uint32_t a, uint32_t b) const {
    const auto half = [&](uint32_t v) {  // 0: first half turn clockwise, the straight direction included
        if (v == reference) return 2;    // straight back: last of all
        const int side = pieces_.turn(around, reference, v);
        if (side != 0) return side < 0 ? 0 : 1;
        // Along the line: ahead of `around` seen from `reference`, half a turn; on the same side as `reference`, none.
        const bool same_side = pieces_.before(around, reference) == pieces_.before(around, v);
        return same_side ? 2 : 0;
    };
    const int half_a = half(a), half_b = half(b);
    if (half_a != half_b) return half_a < half_b;
    return pieces_.turn(around, a, b) < 0;
}

std::vector<HoleFinder::Loop> HoleFinder::trace() const {
    std::vector<Loop> loops;
    std::vector<uint8_t> used(sides_.size(), 0);
    RegularLook look(64);
    for (uint32_t start = 0; start < sides_.size(); ++start) {
        if (used[start]) continue;
        Loop loop;
        for (uint32_t at = start; !used[at];) {
            look();
            used[at] = 1;
            loop.nodes.push_back(sides_[at].from);
            const uint32_t node = sides_[at].to, back = sides_[at].from;
            auto next = std::lower_bound(sides_.begin(), sides_.end(), node,
                                         [](const Side& side, uint32_t v) { return side.from < v; });
            std::optional<uint32_t> best;
            for (; next != sides_.end() && next->from == node; ++next) {
                const auto candidate = static_cast<uint32_t>(next - sides_.begin());
                if (!best || turns_before(node, back, next->to, sides_[*best].to)) best = candidate;
            }
            if (!best) break;
            at = *best;
        }
        loop.area = area_of(loop.nodes);
        loops.push_back(std::move(loop));
    }
    return loops;
}

double HoleFinder::area_of(const std::vector<uint32_t>& nodes) const {
    double twice = 0;
    for (size_t i = 1; i + 1 < nodes.size(); ++i) twice += pieces_.twice_area(nodes[0], nodes[i], nodes[i + 1]);
    return twice / 2;
}

bool HoleFinder::contains(const Loop& outer, Point place) const {
    bool inside = false;
    for (size_t i = 0; i < outer.nodes.size(); ++i) {
        const Point p = pieces_.place(outer.nodes[i]), q = pieces_.place(outer.nodes[(i + 1) % outer.nodes.size()]);
        if ((p.y > place.y) == (q.y > place.y)) continue;
        const Point low = p.y < q.y ? p : q, high = p.y < q.y ? q : p;
        if (orient2d(low, high, place) > 0) inside = !inside;
    }
    return inside;
}

Hole HoleFinder::hole_of(const Loop& outer, const std::vector<const Loop*>& islands) const {
    Hole hole;
    hole.area = outer.area;
    for (const Loop* island : islands) hole.area += island->area;
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
    for (const Loop* loop : loops)
        for (const uint32_t node : loop->nodes) heights.push_back(pieces_.place(node).y);
    std::sort(heights.begin(), heights.end());
    heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
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

std::vector<Hole> HoleFinder::find() {
    collect_sides();
    const std::vector<Loop> loops = trace();
    std::vector<const Loop*> outers;
    for (const Loop& loop : loops)
        if (loop.area > 0) outers.push_back(&loop);
    std::vector<std::vector<const Loop*>> islands(outers.size());
    for (const Loop& loop : loops) {
        if (loop.area > 0) continue;
        throw_if_cancelled();
        std::optional<size_t> home;  // the smallest that has it
        for (size_t i = 0; i < outers.size(); ++i)
            if (contains(*outers[i], pieces_.place(loop.nodes[0])) && (!home || outers[i]->area < outers[*home]->area))
                home = i;
        if (home) islands[*home].push_back(&loop);
    }
    std::vector<Hole> holes;
    for (size_t i = 0; i < outers.size(); ++i) holes.push_back(hole_of(*outers[i], islands[i]));
    return holes;
}

}  // namespace

Coverage find_holes(std::span<const Point> points, const std::vector<ExcessEdge>& edges, bool disjoint) {
    Coverage coverage;
    if (edges.empty()) return coverage;
    const Groups groups(points, edges);
    uint64_t looks = 0;
    RegularLook look(256);
    for (size_t group = 0; group < groups.count(); ++group) {
        look();
        const std::span<const ExcessEdge> own = groups.edges(group);
        if (!disjoint) {
            looks += uint64_t(own.size()) * own.size();
            if (own.size() > kMostCrossedEdges || looks > kMostLooks) {
                coverage.complete = false;
                coverage.suspects.push_back(groups.box(group));
                continue;
            }
        }
        HoleFinder finder(points, own, disjoint);
        std::vector<Hole> holes = finder.find();
        if (finder.is_suspect()) coverage.suspects.push_back(groups.box(group));
        std::move(holes.begin(), holes.end(), std::back_inserter(coverage.holes));
    }
    std::sort(coverage.holes.begin(), coverage.holes.end(), [](const Hole& a, const Hole& b) {
        return a.vertices != b.vertices ? a.vertices < b.vertices : a.area < b.area;
    });
    for (const Hole& hole : coverage.holes) coverage.area += hole.area;
    return coverage;
}

}  // namespace flipscope
