// Sites on a plane, a torus or a cylinder with their copies across periodic borders, and exact predicates of these.
// Shared by exact_graph.cpp and radical_graph.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "geometry/filtered.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// Sites, perhaps with radii, and their copies, in an order by which the plane's rule for ties is also one for the
/// torus or the cylinder. The rule decides by the point whose index has the greatest rank; so the k-th index by rank
/// gets the k-th copy by (rank of its site, turns). Then the same one of any four copies decides, however they are
/// shifted together.
class SiteCopies {
  public:
    /// The site, and the shift in periods, -1, 0 or 1 each.
    struct Copy {
        uint32_t site;
        int turn_x, turn_y;
        bool own() const { return turn_x == 0 && turn_y == 0; }
    };

    /// Copies farther than `margin` outside the box are left out. `radii`: of the sites, all 0 if empty; borrowed, as
    /// `at`.
    SiteCopies(const Lattice& lattice, const std::vector<Point>& at, const std::vector<double>& radii, double margin);

    uint32_t size() const { return static_cast<uint32_t>(copies_.size()); }
    const Copy& operator[](uint32_t i) const { return copies_[i]; }
    /// Their places, up to rounding.
    const std::vector<Point>& points() const { return points_; }
    /// Whether some places were rounded.
    bool rounded() const { return rounded_; }
    double radius(uint32_t i) const { return radii_.empty() ? 0 : radii_[copies_[i].site]; }
    double weight(uint32_t i) const { return radius(i) * radius(i); }
    /// b - a, rounded.
    Point difference(uint32_t a, uint32_t b) const;

    // Of the unrounded places, and exact:
    /// +1 if a, b, c turn counter-clockwise, 0 if they are collinear.
    int orient(uint32_t a, uint32_t b, uint32_t c) const;
    /// For counter-clockwise a, b, c: +1 if d lies below the plane of the three, lifted to x² + y² - r², and -1 above
    /// it. The in-circle determinant with liftings reduced by the weights, with ties as incircle_tied().
    int power(uint32_t a, uint32_t b, uint32_t c, uint32_t d) const;
    /// For collinear a, b, c: whether b has no cell between those of a and c.
    bool covered(uint32_t a, uint32_t b, uint32_t c) const;
    /// By x, then by y.
    bool before(uint32_t a, uint32_t b) const;

  private:
    using WholePair = std::pair<Whole, Whole>;  // x, y in units of 2^unit_
    WholePair whole_difference(uint32_t a, uint32_t b) const;
    Whole whole_lift(const WholePair& way, uint32_t p, uint32_t d) const;
    int whole_power(const std::array<uint32_t, 3>& corners, uint32_t d) const;
    int tie(const std::array<uint32_t, 4>& v) const;

    const std::vector<Point>& at_;
    const std::vector<double>& radii_;
    double width_, height_;
    double slack_ = 0;  // greatest rounding error of a difference, beyond its own half ulp
    int unit_;          // all coordinates, radii and periods are multiples of 2^unit_
    bool rounded_ = false;
    std::vector<Copy> copies_;
    std::vector<Point> points_;
};

}  // namespace flipscope
