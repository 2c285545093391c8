#include "voronoi/graph/radical_graph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/text.h"
#include "flipscope/predicates.h"
#include "voronoi/graph/site_copies.h"

namespace flipscope {

namespace {

/// The regular triangulation of copies, built by inserting one after another: the triangles below whose plane the
/// lifted point lies are replaced by a fan around it (A. Bowyer, D. F. Watson 1981; B. Joe 1991 for weights). Triangles
/// with the vertex kNone, at infinity, lie outside the edges of the hull.
class RegularTriangulation {
  public:
    struct Face {
        uint32_t v[3];  // counter-clockwise; only the last can be kNone
        uint32_t n[3];  // faces across the opposite edges
    };

    explicit RegularTriangulation(const SiteCopies& copies)
        : copies_(copies), is_linked_(copies.size()), first_(size_t(copies.size()) + 1) {
        const std::vector<uint32_t> order = order_of_insertion();
        uint32_t third = 2;
        while (third < order.size() && copies.orient(order[0], order[1], order[third]) == 0) ++third;
        if (third >= order.size()) {
            make_path(order);
            return;
        }
        start(order[0], order[1], order[third]);
        for (uint32_t i = 2; i < order.size(); ++i)
            if (i != third) insert(order[i]);
        for (const Face& face : faces_)
            for (const uint32_t v : face.v)
                if (v != kNone && face.n[0] != kNone) is_linked_[v] = true;
    }
    template <class Visit>
    void each_edge(const Visit& visit) const {
        for (size_t k = 1; k < path_.size(); ++k) visit(path_[k - 1], path_[k]);
        for (const Face& face : faces_)
            for (int k = 0; k < 3; ++k)
                if (face.n[0] != kNone && face.v[2] != kNone) visit(face.v[k], face.v[(k + 1) % 3]);
    }
    /// Whether it is a vertex.
    bool has(uint32_t copy) const { return is_linked_[copy]; }
    /// Whether sites outside a margin of the box leave the triangles around the box's own copies as they are.
    bool is_safe(double margin, double most_weight) const {
        if (faces_.empty()) return false;
        for (const Face& face : faces_)
            for (int k = 0; k < 3; ++k) {
                if (face.n[0] == kNone || face.v[k] == kNone || !copies_[face.v[k]].own()) continue;
                if (face.v[2] == kNone) return false;
                // The centre of the circle orthogonal to the three, relative to the corner.
                const uint32_t a = face.v[k], b = face.v[(k + 1) % 3], c = face.v[(k + 2) % 3];
                const Point p = copies_.difference(a, b), q = copies_.difference(a, c);
                const double of_b = p.x * p.x + p.y * p.y - copies_.weight(b) + copies_.weight(a),
                             of_c = q.x * q.x + q.y * q.y - copies_.weight(c) + copies_.weight(a);
                const double twice = 2 * (p.x * q.y - p.y * q.x);
                const double away = std::hypot((of_b * q.y - of_c * p.y) / twice, (p.x * of_c - q.x * of_b) / twice);
                const double rest = margin * (1 - 1e-6) - away * (1 + 1e-6);
                if (!(rest > 0 && rest * rest > away * away - copies_.weight(a) + most_weight)) return false;
            }
        return true;
    }

  private:
    /// Few first, spread over all; then twice as many, and so on; each time along rows.
    std::vector<uint32_t> order_of_insertion() const {
        std::vector<uint32_t> order(copies_.size());
        std::vector<std::tuple<int, int64_t, double>> keys(order.size());
        double low = INFINITY, high = -INFINITY;
        std::vector<Point> places(order.size());
        for (uint32_t i = 0; i < order.size(); ++i) {
            order[i] = i;
            places[i] = copies_.difference(0, i);
            low = std::min(low, places[i].y);
            high = std::max(high, places[i].y);
        }
        const double rows = std::ceil(std::sqrt(double(order.size()) / 2));
        for (uint32_t i = 0; i < order.size(); ++i) {
            const auto row = static_cast<int64_t>(high > low ? (places[i].y - low) / (high - low) * rows : 0);
            keys[i] = {-std::countr_zero(perturbation_rank(i) | 1u << 20), row, row % 2 ? -places[i].x : places[i].x};
        }
        sort_or_cancel(order.begin(), order.end(),
                       [&](uint32_t i, uint32_t j) { return keys[i] != keys[j] ? keys[i] < keys[j] : i < j; });
        return order;
    }
    void make_path(std::vector<uint32_t> line) {
        sort_or_cancel(line.begin(), line.end(), [&](uint32_t a, uint32_t b) { return copies_.before(a, b); });
        for (const uint32_t p : line) {
            poll_();
            while (path_.size() > 1 && copies_.covered(path_[path_.size() - 2], path_.back(), p)) path_.pop_back();
            path_.push_back(p);
        }
        for (const uint32_t p : path_) is_linked_[p] = true;
    }
    void start(uint32_t a, uint32_t b, uint32_t c) {
        if (copies_.orient(a, b, c) < 0) std::swap(b, c);
        const uint32_t v[3] = {a, b, c};
        faces_.push_back({{a, b, c}, {1, 2, 3}});
        for (uint32_t k = 0; k < 3; ++k)
            faces_.push_back({{v[(k + 2) % 3], v[(k + 1) % 3], kNone}, {1 + (k + 2) % 3, 1 + (k + 1) % 3, 0}});
        marks_.resize(faces_.size());
    }
    bool conflicts(uint32_t f, uint32_t p) const {
        const Face& face = faces_[f];
        if (face.v[2] != kNone) return copies_.power(face.v[0], face.v[1], face.v[2], p) > 0;
        const int side = copies_.orient(face.v[0], face.v[1], p);
        return side != 0 ? side > 0 : conflicts(face.n[2], p);  // in line with the edge both its faces agree
    }
    /// The face that contains p, or one outside of the hull from which p is seen. The walk ends, because every step
    /// leads to a face that lies in front as seen from p (H. Edelsbrunner 1990).
    uint32_t locate(uint32_t p) const {
        uint32_t f = last_;
        for (bool moved = true; moved && faces_[f].v[2] != kNone;) {
            moved = false;
            for (int k = 0; k < 3 && !moved; ++k)
                if (copies_.orient(faces_[f].v[(k + 1) % 3], faces_[f].v[(k + 2) % 3], p) < 0) {
                    f = faces_[f].n[k];
                    moved = true;
                }
        }
        return f;
    }
    void insert(uint32_t p) {
        poll_();
        const uint32_t seed = locate(p);
        if (!conflicts(seed, p)) {
            last_ = seed;
            return;
        }
        struct Side {
            uint32_t from, to, outside, place;  // of the edge in `outside`
        };
        std::vector<Side> border;
        std::vector<uint32_t> removed{seed};
        turn_ += 2;  // marks: turn_ for faces in conflict, turn_ + 1 for others
        marks_[seed] = turn_;
        for (size_t i = 0; i < removed.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                const Face face = faces_[removed[i]];
                const uint32_t g = face.n[k];
                if (marks_[g] < turn_) {
                    marks_[g] = turn_ + !conflicts(g, p);
                    if (marks_[g] == turn_) removed.push_back(g);
                }
                if (marks_[g] == turn_) continue;
                const uint32_t from = face.v[(k + 1) % 3];
                uint32_t place = 0;  // the corner of g after which the edge follows: its opposite one
                while (faces_[g].v[(place + 2) % 3] != from) ++place;
                border.push_back({from, face.v[(k + 2) % 3], g, place});
            }
        for (const uint32_t f : removed) faces_[f].n[0] = kNone;
        free_.insert(free_.end(), removed.begin(), removed.end());
        const auto slot = [&](uint32_t v) { return v == kNone ? copies_.size() : v; };
        for (const Side& side : border) {
            uint32_t f = static_cast<uint32_t>(faces_.size());
            if (free_.empty()) {
                faces_.emplace_back();
                marks_.push_back(0);
            } else {
                f = free_.back();
                free_.pop_back();
            }
            first_[slot(side.from)] = f;
            // Places of from, to and p, so that infinity comes last.
            const int shift = side.from == kNone ? 2 : side.to == kNone ? 1 : 0;
            Face& face = faces_[f];
            face.v[shift] = side.from;
            face.v[(shift + 1) % 3] = side.to;
            face.v[(shift + 2) % 3] = p;
            face.n[(shift + 2) % 3] = side.outside;
            faces_[side.outside].n[side.place] = f;
            if (face.v[2] != kNone) last_ = f;
        }
        for (const Side& side : border) {
            const uint32_t f = first_[slot(side.from)], next = first_[slot(side.to)];
            const auto place_of = [&](uint32_t face, uint32_t v) {
                return faces_[face].v[0] == v ? 0 : faces_[face].v[1] == v ? 1 : 2;
            };
            faces_[f].n[place_of(f, side.from)] = next;
            // In the next face the edge from `to` to p lies opposite to its own end.
            faces_[next].n[(place_of(next, p) + 2) % 3] = f;
        }
    }

    const SiteCopies& copies_;
    std::vector<Face> faces_;  // n[0] = kNone: removed
    std::vector<uint64_t> marks_;
    std::vector<uint32_t> free_, path_;
    std::vector<bool> is_linked_;
    std::vector<uint32_t> first_;  // by vertex, infinity last: the new face whose edge begins there
    uint32_t last_ = 0;
    uint64_t turn_ = 0;
    mutable CancelPoll poll_;
};

}  // namespace

RadicalGraph radical_graph(const std::vector<Point>& sites, const std::vector<double>& radii, const Lattice& lattice) {
    if (sites.size() != radii.size())
        throw Error(std::to_string(radii.size()) + " radii for " + std::to_string(sites.size()) + " sites");
    RadicalGraph found;
    found.graph.lattice = lattice;
    found.graph.count = static_cast<uint32_t>(sites.size());
    std::vector<uint32_t> order(sites.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
        order[i] = i;
        const std::string where = "site " + std::to_string(i) + ": its ";
        if (!coordinate_in_range(sites[i].x) || !coordinate_in_range(sites[i].y))
            throw Error(where + "coordinates are not numbers that can be triangulated exactly");
        if (!(radii[i] >= 0) || !coordinate_in_range(radii[i]))
            throw Error(where + "radius is " + format_short(radii[i]) + "; expected 0, or from 2^-200 to 2^200");
    }
    // Of several at one place the one to keep comes first.
    sort_or_cancel(order.begin(), order.end(), [&](uint32_t i, uint32_t j) {
        return std::tuple(sites[i].x, sites[i].y, -radii[i], i) < std::tuple(sites[j].x, sites[j].y, -radii[j], j);
    });
    std::vector<uint32_t> labels;
    for (size_t k = 0; k < order.size(); ++k)
        (k > 0 && sites[order[k]] == sites[order[k - 1]] ? found.hidden : labels).push_back(order[k]);
    std::sort(labels.begin(), labels.end());
    std::vector<Point> at;
    std::vector<double> kept;
    double most = 0;
    for (const uint32_t label : labels) {
        at.push_back(sites[label]);
        kept.push_back(radii[label]);
        most = std::max(most, radii[label]);
    }
    // As in exact_graph(): copies within a margin do if no other can reach the triangles around the box's own sites,
    // and all 3 × 3 always do, because a cell is part of the Voronoi cell of its site among its own copies.
    const double w = lattice.width, h = lattice.height;
    double margin = lattice.periodic.both() ? 5 * std::sqrt(w * h / std::max<double>(1, double(at.size()))) : INFINITY;
    for (; !at.empty(); margin *= 2) {
        const bool all = margin >= std::max(w, h);
        const SiteCopies copies(lattice, at, kept, all ? INFINITY : margin);
        const RegularTriangulation mesh(copies);
        if (!all && !mesh.is_safe(margin, most * most)) continue;
        for (uint32_t i = 0; i < copies.size(); ++i)
            if (copies[i].own() && !mesh.has(i)) found.hidden.push_back(labels[copies[i].site]);
        mesh.each_edge([&](uint32_t i, uint32_t j) {
            const uint32_t a = labels[copies[i].site], b = labels[copies[j].site];
            if ((copies[i].own() || copies[j].own()) && a != b && !lattice.parted(sites[a], sites[b]))
                found.graph.edges.push_back({std::min(a, b), std::max(a, b)});
        });
        break;
    }
    std::sort(found.hidden.begin(), found.hidden.end());
    sort_distinct_or_cancel(found.graph.edges);
    return found;
}

}  // namespace flipscope
