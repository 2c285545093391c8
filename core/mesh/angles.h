// Angles of triangles without trigonometry: as cosine and sine with a common factor, so that products suffice to
// compare sums with π + ε. Only +, −, ×, / and √ are used, so CUDA and CPU threads get the same results.
#pragma once

#include <cmath>

#include "mesh/triangle_mesh.h"

namespace flipscope {

/// An angle in [0, π] as (cosine, sine) times a positive factor.
template <class Real>
struct Angle {
    Real cosine, sine;
};

FLIPSCOPE_HD inline double length(Point3 a) { return sqrt(dot(a, a)); }

/// The angle at `apex` between the directions to `a` and `b`. Lengths: world units squared.
FLIPSCOPE_HD inline Angle<double> angle_at(Point3 apex, Point3 a, Point3 b) {
    const Point3 u = a - apex, v = b - apex;
    return {dot(u, v), length(cross(u, v))};
}

/// The same in the plane; negative where a → b turns clockwise around the apex.
template <class Real>
FLIPSCOPE_HD inline Angle<Real> angle_at(Point apex, Point a, Point b) {
    const Real ux = Real(a.x) - Real(apex.x), uy = Real(a.y) - Real(apex.y);
    const Real vx = Real(b.x) - Real(apex.x), vy = Real(b.y) - Real(apex.y);
    return {ux * vx + uy * vy, ux * vy - uy * vx};
}

/// ε of the angle criterion, radians, as cosine and sine.
struct Slack {
    double cosine = 1, sine = 0;
};

/// Whether λ + γ > π + ε, for ε in [0, π/2): sin(λ + γ − π) > 0 and sin(λ + γ − π − ε) > 0.
template <class Real>
FLIPSCOPE_HD inline bool exceeds_pi(Angle<Real> lambda, Angle<Real> gamma, const Slack& slack) {
    const Real sine = -(lambda.sine * gamma.cosine + lambda.cosine * gamma.sine);
    const Real cosine = lambda.sine * gamma.sine - lambda.cosine * gamma.cosine;
    return sine > 0 && sine * Real(slack.cosine) > cosine * Real(slack.sine);
}

/// Twice the area of a b c as a vector at right angles to it, world units squared.
FLIPSCOPE_HD inline Point3 normal_of(Point3 a, Point3 b, Point3 c) { return cross(b - a, c - a); }

/// The unit vector; 0 for 0.
FLIPSCOPE_HD inline Point3 unit_of(Point3 a) {
    const double l = length(a);
    return l > 0 ? (1 / l) * a : a;
}

/// Whether two surfaces with these normals (of any length) meet at a dihedral angle of at most `limit`, given as its
/// cosine: 0 is flat.
FLIPSCOPE_HD inline bool meets_flatly(Point3 m, Point3 n, double limit_cosine) {
    return dot(m, n) >= limit_cosine * (length(m) * length(n));  // not of the product: it could overflow
}

/// The same for normals of length 1 or 0; a normal of length 0 meets every other flatly.
FLIPSCOPE_HD inline bool units_meet_flatly(Point3 m, Point3 n, double limit_cosine) {
    return dot(m, n) >= limit_cosine * dot(m, m) * dot(n, n);
}

/// A triangle without area, as far as doubles can tell: its height is below 10⁻¹⁰ of its longest side.
FLIPSCOPE_HD inline bool is_degenerate(Point3 a, Point3 b, Point3 c) {
    const Point3 n = normal_of(a, b, c);
    const double ab = dot(b - a, b - a), bc = dot(c - b, c - b), ca = dot(a - c, a - c);
    const double longest = ab > bc ? (ab > ca ? ab : ca) : (bc > ca ? bc : ca);
    return !(dot(n, n) > 1e-20 * longest * longest);
}

}  // namespace flipscope
