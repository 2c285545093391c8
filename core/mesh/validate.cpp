// A triangulation of the plane is judged in two steps. The first looks at each triangle and each edge alone:
//
//   1. every triangle is counter-clockwise (all were turned if all are clockwise), and
//   2. every edge has one triangle, or two on different sides of it.
//
// Then let f(p) be how many triangles a point p lies in, p on no edge. Walking p across an edge with two triangles
// leaves one and enters the other, so f changes on the boundary edges only, those with one triangle: it is the winding
// number of the boundary. The second step sees to it that
//
//   3. no two boundary edges meet but in a common vertex, and no two of their vertices lie at the same place, and
//   4. f is 0 or 1 in every face that the boundary edges cut the plane into.
//
// Nothing more is needed. By 4 the triangles' interiors are disjoint. Say a vertex v of one triangle lies in another
// triangle or on its edge, without being its corner. If v is on the boundary, that edge cannot be a boundary edge (3),
// so the place around v is covered without v's own triangles, and twice with them: against 4. If v is inside, its own
// triangles cover all places around it, and again f reaches 2. The same holds for two vertices at one place. Vertices
// that wind twice, folds, nested and overlapping pieces are all cases of 4.
//
// 3 and 4 are one sweep along the x-axis over the boundary edges alone, after Shamos and Hoey (1976): n triangles have
// about √n of them, at most 3n, and it takes O(b log b) for b. The status knows the f above each edge, so an edge that
// starts where f is 1 already and raises it further is a fault of 4. Places are compared by x, then y, which amounts
// to shearing the plane a little: no edge is vertical.
#include "mesh/validate.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "compute/error.h"
#include "compute/text.h"
#include "geometry/collinear.h"
#include "geometry/places.h"
#include "mesh/edge_bundles.h"

namespace flipscope {

namespace {

using Triangle = std::array<uint32_t, 3>;

constexpr size_t kNamed = 5;  // offenders that a message names

class Faults {
  public:
    /// `say()` makes the sentence, if there is still room for it.
    template <class Say>
    void add(const Say& say) {
        if (count_++ < kNamed) sentences_.push_back(say());
    }
    bool any() const { return count_ > 0; }
    void raise_if_any(const Geometry& geometry, const char* what) const {
        if (!count_) return;
        std::string message = geometry.name + " is not a valid " + what + ": ";
        for (size_t i = 0; i < sentences_.size(); ++i) message += (i ? "; " : "") + sentences_[i];
        if (count_ > kNamed) message += "; and at least " + std::to_string(count_ - kNamed) + " more";
        throw Error(message + " (triangles and vertices are counted from 0)");
    }

  private:
    size_t count_ = 0;
    std::vector<std::string> sentences_;
};

std::string edge_text(uint32_t a, uint32_t b) { return std::to_string(a) + "-" + std::to_string(b); }

/// Ids, corners and coordinates: what the plane and surfaces have in common.
void require_sound_triangles(const Geometry& geometry, const char* what) {
    const size_t n = geometry.points.size();
    Faults faults;
    std::vector<uint8_t> named(n, 0);
    CancelPoll poll;
    for (uint32_t t = 0; t < geometry.triangles.size(); ++t) {
        poll();
        const Triangle& c = geometry.triangles[t];
        const auto missing = std::find_if(c.begin(), c.end(), [&](uint32_t v) { return v >= n; });
        if (missing != c.end()) {
            faults.add([&] {
                return triangle_name(t, c) + " names vertex " + std::to_string(*missing) + ", but " +
                       (n ? "the last one is " + std::to_string(n - 1) : std::string("there are no vertices"));
            });
            continue;
        }
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0])
            faults.add([&] {
                return "triangle " + std::to_string(t) + " has vertex " + std::to_string(c[0] == c[1] ? c[0] : c[2]) +
                       " at two of its corners";
            });
        for (const uint32_t v : c) {
            if (named[v]) continue;
            named[v] = 1;
            const Point3 p = geometry.at(v);
            for (const double coordinate : {p.x, p.y, p.z}) {
                if (coordinate_in_range(coordinate)) continue;
                faults.add([&] {
                    return "vertex " + std::to_string(v) + " has coordinate " + format_exactly(coordinate) +
                           ", which is not 0 and not between 2^-200 and 2^200 in size";
                });
                break;
            }
        }
    }
    faults.raise_if_any(geometry, what);
}

class Judge {
  public:
    explicit Judge(const Geometry& geometry)
        : geometry_(geometry), points_(geometry.points), triangles_(geometry.triangles) {}

    void orient();
    void look_at_edges();
    void order_boundary();
    void sweep();

  private:
    struct Side {  // a boundary edge
        uint32_t left, right;
        uint32_t triangle;
        bool raises;        // triangle above it: f is one more above than below
        int32_t depth = 0;  // f above it
    };
    /// Orders the sides in the status from below to above. Two are compared where the later one starts.
    struct Below {
        using is_transparent = void;
        const Judge* judge;
        int side_of(uint32_t side, uint32_t v) const {
            const Side& s = judge->sides_[side];
            return orient2d(judge->points_[s.left], judge->points_[s.right], judge->points_[v]);
        }
        bool operator()(uint32_t side, Point p) const {
            const Side& s = judge->sides_[side];
            return orient2d(judge->points_[s.left], judge->points_[s.right], p) > 0;
        }
        bool operator()(Point p, uint32_t side) const {
            const Side& s = judge->sides_[side];
            return orient2d(judge->points_[s.left], judge->points_[s.right], p) < 0;
        }
        bool operator()(uint32_t a, uint32_t b) const {
            const uint32_t la = judge->sides_[a].left, lb = judge->sides_[b].left;
            if (la == lb) return side_of(a, judge->sides_[b].right) > 0;
            return judge->before(la, lb) ? side_of(a, lb) > 0 : side_of(b, la) < 0;
        }
    };
    using Status = std::set<uint32_t, Below>;

    bool before(uint32_t v, uint32_t w) const {
        return points_[v].x != points_[w].x ? points_[v].x < points_[w].x : points_[v].y < points_[w].y;
    }
    std::string triangle_text(uint32_t t) const { return triangle_name(t, geometry_.triangles[t]); }  // as in the file
    void explain_equal_places(const std::vector<uint32_t>& sorted) const;
    void look_for_equal_places() const;
    void visit(uint32_t v, std::vector<uint32_t>& starting);
    bool meet(uint32_t a, uint32_t b);
    void add_touch(uint32_t v, uint32_t side);
    void add_overlap(uint32_t side);
    bool overlap(const Triangle& s, const Triangle& t) const;
    bool holds(const Triangle& c, uint32_t v) const;

    const Geometry& geometry_;
    const std::vector<Point>& points_;
    std::vector<Triangle> triangles_;  // counter-clockwise
    std::vector<Side> sides_;          // by their left vertices, in the order of the sweep
    std::vector<uint32_t> events_;     // vertices of the sides, in the order of the sweep
    Status status_{Below{this}};
    Faults faults_;
    bool crossed_ = false;  // sides were left out of the sweep: depths mean nothing
};

void Judge::orient() {
    size_t clockwise = 0;
    std::vector<int8_t> turns(triangles_.size());
    Faults flat;
    CancelPoll poll;
    for (uint32_t t = 0; t < triangles_.size(); ++t) {
        poll();
        const Triangle& c = triangles_[t];
        turns[t] = static_cast<int8_t>(orient2d(points_[c[0]], points_[c[1]], points_[c[2]]));
        clockwise += turns[t] < 0;
        if (turns[t] == 0)
            flat.add([&] {
                return triangle_text(t) + " is flat: its corners lie on one line, at " +
                       place_in_brackets(points_[c[0]]) + ", " + place_in_brackets(points_[c[1]]) + " and " +
                       place_in_brackets(points_[c[2]]);
            });
    }
    flat.raise_if_any(geometry_, "triangulation");
    if (clockwise == triangles_.size()) {
        for (Triangle& c : triangles_) std::swap(c[1], c[2]);
        return;
    }
    const bool most = 2 * clockwise > triangles_.size();
    Faults turned;
    for (uint32_t t = 0; clockwise && t < triangles_.size(); ++t) {
        if ((turns[t] < 0) == most) continue;
        turned.add([&] {
            const size_t others = most ? clockwise : triangles_.size() - clockwise;
            return triangle_text(t) + " at " + place_in_brackets(points_[triangles_[t][0]]) + " is " +
                   (most ? "counter-clockwise" : "clockwise") + ", unlike " + (most ? "" : "the ") +
                   count_text(others, "other", "others");
        });
    }
    turned.raise_if_any(geometry_, "triangulation");
}

void Judge::look_at_edges() {
    const uint32_t n = static_cast<uint32_t>(points_.size());
    const EdgeBundles bundles({triangles_.empty() ? nullptr : triangles_[0].data(), 3 * triangles_.size()}, n, nullptr);
    const auto from = [&](uint32_t corner) { return triangles_[corner / 3][corner % 3]; };
    Faults faults;
    bundles.each(0, n, [&](const EdgeBundle& edge) {
        const uint32_t a = edge.lesser, b = edge.greater, first = edge.corner(0);
        if (edge.count == 1) {
            const bool rightward = before(a, b);
            const uint32_t left = rightward ? a : b, right = rightward ? b : a;
            sides_.push_back({left, right, first / 3, from(first) == left});
        } else if (edge.count > 2) {
            faults.add([&] {
                std::string text = "edge " + edge_text(a, b) + " at " + place_in_brackets(points_[a]) + " has " +
                                   std::to_string(edge.count) + " triangles:";
                for (uint32_t i = 0; i < std::min(edge.count, 6u); ++i)
                    text += (i ? ", " : " ") + std::to_string(edge.corner(i) / 3);
                return text + (edge.count > 6 ? ", …" : "");
            });
        } else if (from(first) == from(edge.corner(1))) {
            faults.add([&] {
                return "triangles " + std::to_string(first / 3) + " and " + std::to_string(edge.corner(1) / 3) +
                       " lie on the same side of their edge " + edge_text(a, b) + " at " +
                       place_in_brackets(points_[a]);
            });
        }
    });
    faults.raise_if_any(geometry_, "triangulation");
}

/// `sorted`: by place; throws if two neighbours are at the same one.
void Judge::explain_equal_places(const std::vector<uint32_t>& sorted) const {
    Faults faults;
    for (size_t i = 1; i < sorted.size(); ++i) {
        if (!(points_[sorted[i - 1]] == points_[sorted[i]])) continue;
        faults.add([&] {
            return "vertices " + std::to_string(sorted[i - 1]) + " and " + std::to_string(sorted[i]) + " are both at " +
                   place_in_brackets(points_[sorted[i]]) + " and both used by triangles";
        });
    }
    faults.raise_if_any(geometry_, "triangulation");
}

void Judge::look_for_equal_places() const {
    std::vector<uint8_t> used(points_.size(), 0);
    for (const Triangle& c : triangles_)
        for (const uint32_t v : c) used[v] = 1;
    std::vector<uint32_t> sorted;
    for (uint32_t v = 0; v < points_.size(); ++v)
        if (used[v]) sorted.push_back(v);
    stable_sort_or_cancel(sorted.begin(), sorted.end(), [&](uint32_t v, uint32_t w) { return before(v, w); });
    explain_equal_places(sorted);
}

void Judge::order_boundary() {
    for (const Side& side : sides_) events_.push_back(side.left), events_.push_back(side.right);
    sort_or_cancel(events_.begin(), events_.end(),
                   [&](uint32_t v, uint32_t w) { return points_[v] == points_[w] ? v < w : before(v, w); });
    events_.erase(std::unique(events_.begin(), events_.end()), events_.end());
    const auto same = [&](uint32_t v, uint32_t w) { return points_[v] == points_[w]; };
    if (std::adjacent_find(events_.begin(), events_.end(), same) != events_.end()) look_for_equal_places();
    sort_or_cancel(sides_.begin(), sides_.end(), [&](const Side& s, const Side& t) {
        if (s.left != t.left) return before(s.left, t.left);
        const int turn = orient2d(points_[s.left], points_[s.right], points_[t.right]);
        return turn != 0 ? turn > 0 : before(s.right, t.right);
    });
}

void Judge::add_touch(uint32_t v, uint32_t side) {
    const Side& s = sides_[side];
    faults_.add([&] {
        return "vertex " + std::to_string(v) + " at " + place_in_brackets(points_[v]) + " lies on the edge " +
               edge_text(s.left, s.right) + " of " + triangle_text(s.triangle);
    });
    crossed_ = true;
}

/// Whether two neighbours in the status meet where they must not; adds the fault if so. They may share their right
/// ends. On one line they cannot be: then the later left end would lie on the other one, and visit() looks at that.
bool Judge::meet(uint32_t a, uint32_t b) {
    const Side &s = sides_[a], &t = sides_[b];
    if (s.right == t.right || s.left == t.left) return false;
    const Below side_of{this};
    const int sl = side_of.side_of(b, s.left), sr = side_of.side_of(b, s.right);
    const int tl = side_of.side_of(a, t.left), tr = side_of.side_of(a, t.right);
    if (sl * sr > 0 || tl * tr > 0) return false;
    for (const auto& [sign, v, side] : {std::tuple(sl, s.left, b), std::tuple(sr, s.right, b),
                                        std::tuple(tl, t.left, a), std::tuple(tr, t.right, a)}) {
        if (sign) continue;
        add_touch(v, side);
        return true;
    }
    faults_.add([&] {
        return "edge " + edge_text(s.left, s.right) + " of " + triangle_text(s.triangle) + " crosses edge " +
               edge_text(t.left, t.right) + " of " + triangle_text(t.triangle) + ", right of " +
               place_in_brackets(points_[before(s.left, t.left) ? t.left : s.left]);
    });
    crossed_ = true;
    return true;
}

/// Interiors of counter-clockwise triangles are disjoint if and only if an edge of one has the other on its right.
bool Judge::overlap(const Triangle& s, const Triangle& t) const {
    const auto parts = [&](const Triangle& c, const Triangle& other) {
        for (uint32_t k = 0; k < 3; ++k) {
            const Point from = points_[c[k]], to = points_[c[(k + 1) % 3]];
            if (std::all_of(other.begin(), other.end(),
                            [&](uint32_t v) { return orient2d(from, to, points_[v]) <= 0; }))
                return true;
        }
        return false;
    };
    return !parts(s, t) && !parts(t, s);
}

/// Whether the place of vertex v is in the counter-clockwise triangle, or on its outline.
bool Judge::holds(const Triangle& c, uint32_t v) const {
    for (uint32_t k = 0; k < 3; ++k)
        if (orient2d(points_[c[k]], points_[c[(k + 1) % 3]], points_[v]) < 0) return false;
    return true;
}

/// The triangle at this side lies where another one does: where the side begins. Of all that it overlaps, the one to
/// name is there, too; as both are convex, they then overlap as near to that place as one likes.
void Judge::add_overlap(uint32_t side) {
    const uint32_t t = sides_[side].triangle, v = sides_[side].left;
    faults_.add([&] {
        uint32_t other = 0;
        const auto meets = [&] {
            return other != t && holds(triangles_[other], v) && overlap(triangles_[t], triangles_[other]);
        };
        while (other < triangles_.size() && !meets()) ++other;
        return triangle_text(t) + " at " + place_in_brackets(points_[v]) +
               (other < triangles_.size() ? " overlaps " + triangle_text(other) : " overlaps others");
    });
}

/// The sweep arrives at v: sides that end here go, those that start here come, and new neighbours are looked at.
void Judge::visit(uint32_t v, std::vector<uint32_t>& starting) {
    auto [low, high] = status_.equal_range(points_[v]);
    for (auto i = low; i != high; ++i)
        if (sides_[*i].right != v) add_touch(v, *i);
    high = status_.erase(low, high);
    // Of sides with a common start and direction, the shortest comes first; its end lies on the others.
    size_t kept = 0;
    for (const uint32_t side : starting) {
        if (kept && Below{this}.side_of(starting[kept - 1], sides_[side].right) == 0)
            add_touch(sides_[starting[kept - 1]].right, side);
        else
            starting[kept++] = side;
    }
    starting.resize(kept);
    int32_t depth = high == status_.begin() ? 0 : sides_[*std::prev(high)].depth;
    auto first = high;
    for (const uint32_t side : starting) {
        Side& s = sides_[side];
        if (s.raises && depth > 0 && !crossed_) add_overlap(side);
        s.depth = depth += s.raises ? 1 : -1;
        const auto at = status_.insert(high, side);
        if (first == high) first = at;
    }
    // A neighbour that meets another is left out, and the next one becomes the neighbour.
    while (first != status_.begin() && first != status_.end() && meet(*std::prev(first), *first))
        status_.erase(std::prev(first));
    if (starting.empty()) return;
    while (high != status_.end() && meet(*std::prev(high), *high)) high = status_.erase(high);
}

void Judge::sweep() {
    std::vector<uint32_t> starting;
    uint32_t next = 0;
    CancelPoll poll(1024);
    for (const uint32_t v : events_) {
        poll();
        starting.clear();
        while (next < sides_.size() && sides_[next].left == v) starting.push_back(next++);
        visit(v, starting);
    }
    if (!faults_.any()) return;
    look_for_equal_places();  // gives the better message if duplicates are the cause
    faults_.raise_if_any(geometry_, "triangulation");
}

}  // namespace

std::string triangle_name(uint32_t triangle, const std::array<uint32_t, 3>& corners) {
    const auto name = [](uint32_t v) { return v == kNone ? "none" : std::to_string(v); };
    return "triangle " + std::to_string(triangle) + " (vertices " + name(corners[0]) + ", " + name(corners[1]) + ", " +
           name(corners[2]) + ")";
}

bool all_clockwise(const Geometry& geometry) {
    const std::vector<Point>& at = geometry.points;
    CancelPoll poll;
    return !geometry.triangles.empty() &&
           std::all_of(geometry.triangles.begin(), geometry.triangles.end(), [&](const Triangle& c) {
               poll();
               return std::max({c[0], c[1], c[2]}) < at.size() && orient2d(at[c[0]], at[c[1]], at[c[2]]) < 0;
           });
}

void turn_all(Geometry& geometry) {
    for (Triangle& c : geometry.triangles) std::swap(c[1], c[2]);
}

void require_triangulation(const Geometry& geometry) {
    require_sound_triangles(geometry, "triangulation");
    Judge judge(geometry);
    judge.orient();
    judge.look_at_edges();
    judge.order_boundary();
    judge.sweep();
}

uint64_t require_surface(const Geometry& geometry) {
    require_sound_triangles(geometry, "surface");
    uint64_t empty = 0;
    CancelPoll poll(1024);
    for (const Triangle& c : geometry.triangles) {
        poll();
        empty += collinear(geometry.at(c[0]), geometry.at(c[1]), geometry.at(c[2]));
    }
    return empty;
}

}  // namespace flipscope
