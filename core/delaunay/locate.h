// Point location by walking. A waiting point remembers the triangle it was last seen in and walks from there, across
// edges that it lies beyond; after a round that is a step or two. Outside the hull the ghosts divide the plane into the
// sectors that the hull edges span as seen from one fixed interior point, the centre of the star, so that points
// inserted into different ghosts at once never cross.
#pragma once

#include "geometry/predicates.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// The centre of the star: infinitely close to corner a of the first triangle, inside it: a + ε(b - a) + ε²(c - a). It
/// has no coordinates; which side of a ray from it a point lies on is settled by orientation tests alone, and never a
/// tie.
struct StarCentre {
    Point a, b, c;

    /// Sign of the orientation (centre, v, p): +1 when p lies counter-clockwise of the ray from the centre through v.
    /// v and p differ, and p is not a.
    FLIPSCOPE_HD int side(PredicateMode mode, Point v, Point p) const {
        if (v == a) {
            const int first = orient(mode, a, b, p);
            return first ? -first : -orient(mode, a, c, p);
        }
        if (const int far = orient(mode, a, v, p)) return far;
        // a, v and p on a line: the tie is settled by where the centre moves, and by whether p is beyond v or before
        // it.
        const int along = v.x != a.x ? compare(p.x, v.x) * compare(v.x, a.x) : compare(p.y, v.y) * compare(v.y, a.y);
        const int first = orient(mode, a, b, v);
        return -along * (first ? first : orient(mode, a, c, v));
    }
    FLIPSCOPE_HD static int compare(double p, double q) { return (p > q) - (p < q); }
};

/// Where a point lies: in the triangle, or on the edge at its place 0…2. Packed so that a list stays one word a point.
struct Location {
    uint32_t word = kNone;
    FLIPSCOPE_HD static Location inside(uint32_t t) { return {t << 2}; }
    FLIPSCOPE_HD static Location on_edge(uint32_t t, uint32_t place) { return {t << 2 | (place + 1)}; }
    FLIPSCOPE_HD uint32_t triangle() const { return word >> 2; }
    FLIPSCOPE_HD bool is_on_edge() const { return (word & 3) != 0; }
    FLIPSCOPE_HD uint32_t slot() const { return 3 * triangle() + (word & 3) - 1; }  // only on an edge
};
inline constexpr uint32_t kMostTriangles = 1u << 30;  // what a Location can name

/// Where p lies, starting from triangle t. Never fails in a valid triangulation with exact predicates; with naive ones
/// it gives up after `most_steps` and answers where it then is.
FLIPSCOPE_HD inline Location walk_to(const MeshView& mesh, const StarCentre& star, PredicateMode mode, Point p,
                                     uint32_t t, uint32_t most_steps) {
    uint32_t entered = kNone;  // slot through which we came, when p is known to lie strictly on this side of it
    for (uint32_t step = 0; step < most_steps; ++step) {
        const uint32_t v[3] = {mesh.triangles[3 * t], mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]};
        uint32_t leave = kNone;
        bool strictly_beyond = true;
        if (v[0] == mesh.infinite || v[1] == mesh.infinite || v[2] == mesh.infinite) {
            const uint32_t k = v[0] == mesh.infinite ? 0 : v[1] == mesh.infinite ? 1 : 2;
            // The ghost of hull edge x → y runs ∞ → y → x.
            const uint32_t slot = 3 * t + k;
            const Point y = mesh.positions[v[k == 2 ? 0 : k + 1]], x = mesh.positions[v[k == 0 ? 2 : k - 1]];
            if (star.side(mode, x, p) < 0)
                leave = previous_slot(slot);
            else if (star.side(mode, y, p) > 0)
                leave = slot;
            else if (orient(mode, x, y, p) >= 0)
                leave = next_slot(slot), strictly_beyond = false;  // p may lie on the hull edge itself
            else
                return Location::inside(t);
        } else {
            uint32_t on = 3;
            // A scrambled first edge: a walk that always turns the same way can circle in a triangulation that is not
            // Delaunay yet (Devillers, Pion and Teillaud 2001).
            uint32_t k = ((t + step) * 0x9E3779B1u >> 16) % 3;
            for (uint32_t tried = 0; tried < 3; ++tried, k = k == 2 ? 0 : k + 1) {
                if (3 * t + k == entered) continue;
                const int side = orient(mode, mesh.positions[v[k]], mesh.positions[v[k == 2 ? 0 : k + 1]], p);
                if (side < 0) {
                    leave = 3 * t + k;
                    break;
                }
                if (side == 0) on = k;
            }
            if (leave == kNone) return on < 3 ? Location::on_edge(t, on) : Location::inside(t);
        }
        const uint32_t across = mesh.across(leave);
        entered = strictly_beyond ? across : kNone;
        t = triangle_of(across);
    }
    return Location::inside(t);
}

}  // namespace flipscope
