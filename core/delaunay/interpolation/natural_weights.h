// Weights of the natural neighbours of a point, by R. Sibson or by N. Christ, R. Friedberg and T. D. Lee (see
// flipscope/interpolate.h).
//
// The circle test decides exactly which triangles have the point inside their circles. No circumcentre is computed: the
// centres of two circles through an edge e are s e, turned by a right angle, apart, where s is the in-circle
// determinant of the four points over the areas of the two triangles. So the corners of the area taken from one vertex
// are a chain of steps s e, all s >= 0, and it is a sum of products s s' (e x e'). Each factor has a small relative
// error in triangles of any shape, whereas circumcentres of slivers have none of their digits.
#pragma once

#include "delaunay/interpolation/tour.h"
#include "geometry/accurate_determinants.h"

namespace flipscope {

/// The part of a Voronoi cell that a new point takes. Steps come clockwise around the vertex.
class StolenArea {
  public:
    FLIPSCOPE_HD void start(Point vertex) {
        vertex_ = vertex;
        early_ = {0, 0};
        area_ = count_ = 0;
    }
    /// A step on the bisector with `neighbour`, `length` times the distance of the two.
    FLIPSCOPE_HD void add(Point neighbour, double length) {
        if (!(length > 0)) return;
        const Point to{neighbour.x - vertex_.x, neighbour.y - vertex_.y};
        double width = to.x * early_.y - to.y * early_.x;
        for (uint32_t k = 0; k < count_; ++k)
            width += lengths_[k] * accurate_orient2d(neighbour, {x_[k], y_[k]}, vertex_);
        area_ += length * width;
        if (count_ < kMost) {
            x_[count_] = neighbour.x;
            y_[count_] = neighbour.y;
            lengths_[count_++] = length;
        } else {
            early_ = {early_.x + length * to.x, early_.y + length * to.y};
        }
    }
    /// In units that are the same for all vertices.
    FLIPSCOPE_HD double area() const { return area_ > 0 ? area_ : 0; }

  private:
    static constexpr uint32_t kMost = 12;  // steps that are kept one by one; more are rare, and added up
    Point vertex_, early_;
    double x_[kMost], y_[kMost], lengths_[kMost], area_;
    uint32_t count_;
};

/// Calls add(vertex, weight) once for each natural neighbour of `query`, counter-clockwise; the weights are not
/// negative, but they are not yet divided by their sum.
template <bool kLaplace, class Add>
class NaturalWeights {
  public:
    FLIPSCOPE_HD NaturalWeights(const LocatorView& mesh, Point query, const Add& add)
        : mesh_(mesh), query_(query), add_(add) {}
    /// `t`: the triangle that contains the query, which is no site and on no edge of the hull.
    FLIPSCOPE_HD void find(uint32_t t) {
        if (!enters(t)) return;
        here_ = next_;
        tour(mesh_, t, *this);
    }

    FLIPSCOPE_HD bool enters(uint32_t t) {
        for (uint32_t k = 0; k < 3; ++k) next_.corners[k] = mesh_.points[mesh_.triangles[3 * t + k]];
        next_.depth = accurate_incircle(next_.corners[0], next_.corners[1], next_.corners[2], query_);
        return next_.depth > 0;
    }
    FLIPSCOPE_HD void cross(uint32_t c) {
        if (!kLaplace && vertex_ != kNone) {
            const Point(&of)[3] = here_.corners;
            const double outside = -accurate_incircle(of[0], of[1], of[2], next_.corners[(c + 2) % 3]);
            if (outside > 0) cell_.add(next_.corners[c % 3], outside / (here_.area() * next_.area()));
        }
        here_ = next_;
    }
    FLIPSCOPE_HD void leave(uint32_t c) {
        const Point from = here_.corners[c % 3], to = here_.corners[(c + 1) % 3];
        const double area = accurate_orient2d(from, to, query_);  // twice
        // Between the centres of the circles of this triangle and of the edge's with the query.
        const double step = kLaplace ? 0 : here_.depth / (here_.area() * area);
        if (vertex_ != kNone) {
            if (!kLaplace) cell_.add(to, step);
            add_(vertex_, kLaplace ? -accurate_incircle(query_, from_, from, to) / (area_ * area) : cell_.area());
        }
        vertex_ = mesh_.triangles[next_corner(c)];
        from_ = from;
        area_ = area;
        cell_.start(to);
        cell_.add(from, step);
    }

  private:
    struct Triangle {
        Point corners[3];
        double depth;  // > 0: of the query in its circle
        FLIPSCOPE_HD double area() const { return accurate_orient2d(corners[0], corners[1], corners[2]); }  // twice
    };

    const LocatorView& mesh_;
    const Point query_;
    const Add& add_;
    Triangle here_, next_;
    uint32_t vertex_ = kNone;  // that the last edge of the boundary ends at
    Point from_;               // where that edge begins
    double area_ = 0;          // twice that of its triangle with the query
    StolenArea cell_;          // of the vertex
};

}  // namespace flipscope
