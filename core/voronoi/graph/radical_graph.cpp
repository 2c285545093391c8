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

namespace flipscope {

namespace {

/// An exact number as a sum of doubles that do not overlap, ascending in size (J. R. Shewchuk 1997).
class ExactSum {
  public:
    explicit ExactSum(double value = 0) { add(value); }
    void add(double value) {
        size_t kept = 0;
        for (const double part : parts_) {
            const double sum = value + part, added = sum - value;
            const double error = (value - (sum - added)) + (part - added);
            if (error != 0) parts_[kept++] = error;
            value = sum;
        }
        parts_.resize(kept);
        if (value != 0) parts_.push_back(value);
    }
    int sign() const { return parts_.empty() ? 0 : exact::sign_of(parts_.back()); }
    friend ExactSum operator+(ExactSum a, const ExactSum& b) {
        for (const double part : b.parts_) a.add(part);
        return a;
    }
    friend ExactSum operator-(ExactSum a, const ExactSum& b) {
        for (const double part : b.parts_) a.add(-part);
        return a;
    }
    friend ExactSum operator*(const ExactSum& a, const ExactSum& b) {
        ExactSum product;
        for (const double x : a.parts_)
            for (const double y : b.parts_) {
                product.add(std::fma(x, y, -(x * y)));
                product.add(x * y);
            }
        return product;
    }

  private:
    std::vector<double> parts_;
};

/// Sites with radii, and their copies across periodic borders. Their order decides ties: by the perturbation rank of
/// the site, then by the shift, so that four copies are decided alike however they are shifted together.
class WeightedCopies {
  public:
    struct Copy {
        uint32_t site;
        int turn_x, turn_y;  // periods
        bool own() const { return turn_x == 0 && turn_y == 0; }
    };

    /// Copies farther than `margin` outside the box are left out.
    WeightedCopies(const Lattice& lattice, const std::vector<Point>& at, const std::vector<double>& radii,
                   double margin)
        : at_(at), radii_(radii), width_(lattice.width), height_(lattice.height) {
        std::vector<uint32_t> sites(at.size());
        double farthest = 0;
        for (uint32_t i = 0; i < sites.size(); ++i) {
            sites[i] = i;
            farthest = std::max({farthest, std::fabs(at[i].x), std::fabs(at[i].y)});
        }
        std::sort(sites.begin(), sites.end(),
                  [](uint32_t i, uint32_t j) { return perturbation_rank(i) < perturbation_rank(j); });
        if (lattice.periodic.any()) slack_ = 16 * detail::kHalfUlp * (farthest + width_ + height_);
        const int turns_x = lattice.periodic.x, turns_y = lattice.periodic.y;
        for (const uint32_t i : sites)
            for (int x = -turns_x; x <= turns_x; ++x)
                for (int y = -turns_y; y <= turns_y; ++y) {
                    const Point p{at[i].x + x * width_, at[i].y + y * height_};
                    const bool near =
                        p.x >= -margin && p.y >= -margin && p.x <= width_ + margin && p.y <= height_ + margin;
                    if (near || (x == 0 && y == 0)) copies_.push_back({i, x, y});
                }
    }
    uint32_t size() const { return static_cast<uint32_t>(copies_.size()); }
    const Copy& operator[](uint32_t i) const { return copies_[i]; }
    double weight(uint32_t i) const { return radii_[copies_[i].site] * radii_[copies_[i].site]; }

    /// b - a, rounded.
    Point difference(uint32_t a, uint32_t b) const {
        const Copy &from = copies_[a], &to = copies_[b];
        const Point p = at_[from.site], q = at_[to.site];
        return {(q.x - p.x) + (to.turn_x - from.turn_x) * width_, (q.y - p.y) + (to.turn_y - from.turn_y) * height_};
    }
    /// +1 if a, b, c turn counter-clockwise, 0 if they are collinear. Exact.
    int orient(uint32_t a, uint32_t b, uint32_t c) const {
        const Point p = difference(c, a), q = difference(c, b);
        const double left = p.x * q.y, right = p.y * q.x;
        const double size = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(q.x), std::fabs(q.y)});
        const double error = 4 * detail::kHalfUlp * (std::fabs(left) + std::fabs(right)) + 8 * slack_ * (size + slack_);
        if (std::fabs(left - right) > error) return exact::sign_of(left - right);
        const auto [px, py] = exact_difference(c, a);
        const auto [qx, qy] = exact_difference(c, b);
        return (px * qy - py * qx).sign();
    }
    /// For counter-clockwise a, b, c: +1 if d lies below the plane of the three, lifted to x² + y² - r², and -1 above
    /// it. The in-circle determinant with liftings reduced by the weights; exact, with ties as incircle_tied().
    int power(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const {
        const std::array<uint32_t, 3> corners{a, b, c};
        Point p[3];
        double lift[3], size = 0, high = weight(d);
        for (int k = 0; k < 3; ++k) {
            p[k] = difference(d, corners[k]);
            size = std::max({size, std::fabs(p[k].x), std::fabs(p[k].y)});
            high = std::max(high, weight(corners[k]));
            lift[k] = p[k].x * p[k].x + p[k].y * p[k].y - weight(corners[k]) + weight(d);
        }
        const double value = lift[0] * (p[1].x * p[2].y - p[2].x * p[1].y) +
                             lift[1] * (p[2].x * p[0].y - p[0].x * p[2].y) +
                             lift[2] * (p[0].x * p[1].y - p[1].x * p[0].y);
        // The liftings are at most `top`, the minors 2 size²; each difference is off by at most slack_.
        const double top = 2 * size * size + 2 * high, off = size + slack_;
        const double error = 128 * (detail::kHalfUlp * top * off * off + slack_ * off * (off * off + top));
        if (std::fabs(value) > error) return exact::sign_of(value);
        const int sign = exact_power(corners, d);
        return sign != 0 ? sign : tie({a, b, c, d});
    }
    /// For collinear a, b, c: whether b has no cell between those of a and c. Exact.
    bool covered(uint32_t a, uint32_t b, uint32_t c) const {
        const auto [bx, by] = exact_difference(a, b);
        const auto [cx, cy] = exact_difference(a, c);
        const ExactSum along = bx * cx + by * cy, whole = cx * cx + cy * cy;
        return (exact_lift(bx, by, b, a) * whole - exact_lift(cx, cy, c, a) * along).sign() >= 0;
    }
    /// By x, then by y.
    bool before(uint32_t a, uint32_t b) const {
        const auto [x, y] = exact_difference(a, b);
        return x.sign() != 0 ? x.sign() > 0 : y.sign() > 0;
    }

  private:
    std::pair<ExactSum, ExactSum> exact_difference(uint32_t a, uint32_t b) const {
        const Copy &from = copies_[a], &to = copies_[b];
        ExactSum x(at_[to.site].x), y(at_[to.site].y);
        x.add(-at_[from.site].x);
        y.add(-at_[from.site].y);
        x.add((to.turn_x - from.turn_x) * width_);
        y.add((to.turn_y - from.turn_y) * height_);
        return {x, y};
    }
    /// The lifting of p at (x, y) from d, less that of d.
    ExactSum exact_lift(const ExactSum& x, const ExactSum& y, uint32_t p, uint32_t d) const {
        const ExactSum own(radii_[copies_[p].site]), other(radii_[copies_[d].site]);
        return x * x + y * y - own * own + other * other;
    }
    int exact_power(const std::array<uint32_t, 3>& corners, uint32_t d) const {
        ExactSum x[3], y[3], sum;
        for (int k = 0; k < 3; ++k) std::tie(x[k], y[k]) = exact_difference(d, corners[k]);
        for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            sum = sum + exact_lift(x[k], y[k], corners[k], d) * (x[l] * y[m] - x[m] * y[l]);
        }
        return sum.sign();
    }
    /// Raises the liftings by infinitesimals, see detail::resolve_tie().
    int tie(const std::array<uint32_t, 4>& v) const {
        std::array<int, 4> order{0, 1, 2, 3};
        std::sort(order.begin(), order.end(), [&](int k, int l) { return v[k] > v[l]; });
        for (const int top : order) {
            const int sign = orient(v[top == 0], v[top <= 1 ? 2 : 1], v[top <= 2 ? 3 : 2]);
            if (sign != 0) return top % 2 == 0 ? sign : -sign;
        }
        return 0;
    }

    const std::vector<Point>& at_;
    const std::vector<double>& radii_;
    double width_, height_;
    double slack_ = 0;  // greatest rounding error of a difference, beyond its own half ulp
    std::vector<Copy> copies_;
};

/// The regular triangulation of copies, built by inserting one after another: the triangles below whose plane the
/// lifted point lies are replaced by a fan around it (A. Bowyer, D. F. Watson 1981; B. Joe 1991 for weights). Triangles
/// with the vertex kNone, at infinity, lie outside the edges of the hull.
class RegularTriangulation {
  public:
    struct Face {
        uint32_t v[3];  // counter-clockwise; only the last can be kNone
        uint32_t n[3];  // faces across the opposite edges
    };

    explicit RegularTriangulation(const WeightedCopies& copies)
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

    const WeightedCopies& copies_;
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
        const WeightedCopies copies(lattice, at, kept, all ? INFINITY : margin);
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
