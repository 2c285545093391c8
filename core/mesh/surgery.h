// The two changes of a triangulation, each in two steps: first the writes that are safe while other threads change
// other triangles; then, after all threads are done, the references of edges that moved to another triangle.
#pragma once

#include "compute/atomics.h"
#include "mesh/triangle_mesh.h"

namespace flipscope {

/// Flips `edge`. With x → y the edge, p its left and q its right apex, y is exchanged for q in the left triangle and x
/// for p in the right one; the edge becomes q → p, one corner further on both sides. Writes the two triangles and the
/// edge itself. The edges y-p and x-q go to the other triangle and are stale until repair_flipped(). On a torus the
/// images that edges lead to move along with them.
FLIPSCOPE_HD inline void flip_edge(const MeshView& mesh, uint32_t edge) {
    const uint32_t left = mesh.corner_of[2 * edge], right = mesh.corner_of[2 * edge + 1];
    const uint32_t left_next = next_corner(left), right_next = next_corner(right);
    const uint32_t p = mesh.triangles[next_corner(left_next)], q = mesh.triangles[next_corner(right_next)];
    const uint32_t left_moves = mesh.half_edge_at[left_next], right_moves = mesh.half_edge_at[right_next];
    if (mesh.shifts) {
        const ImageShift to_p = mesh.shifts[left_next], to_q = mesh.shifts[right_next];  // from y, from x
        const ImageShift q_to_p = mesh.shifts[next_corner(right_next)] + to_p;
        mesh.shifts[left] = to_q;
        mesh.shifts[right] = to_p;
        mesh.shifts[left_next] = q_to_p;
        mesh.shifts[right_next] = -q_to_p;
    }
    mesh.triangles[left_next] = q;
    mesh.triangles[right_next] = p;
    mesh.half_edge_at[left] = right_moves;
    mesh.half_edge_at[right] = left_moves;
    mesh.half_edge_at[left_next] = 2 * edge;
    mesh.half_edge_at[right_next] = 2 * edge + 1;
    mesh.corner_of[2 * edge] = left_next;
    mesh.corner_of[2 * edge + 1] = right_next;
    mesh.edges[2 * edge] = q;
    mesh.edges[2 * edge + 1] = p;
}

/// The corner of the edge that flip_edge(edge) moved to the triangle on `side`.
FLIPSCOPE_HD inline uint32_t moved_corner(const MeshView& mesh, uint32_t edge, uint32_t side) {
    return previous_corner(mesh.corner_of[2 * edge + side]);
}

/// Updates the incidence of the half-edge at `corner`.
FLIPSCOPE_HD inline void repair_corner(const MeshView& mesh, uint32_t corner) {
    atomic_store(mesh.corner_of[mesh.half_edge_at[corner]], corner);  // a deferred edge may be reading it (FlipEdge)
}

FLIPSCOPE_HD inline void repair_flipped(const MeshView& mesh, uint32_t edge) {
    repair_corner(mesh, moved_corner(mesh, edge, 0));
    repair_corner(mesh, moved_corner(mesh, edge, 1));
}

/// Splits triangle t = a b c at p into a b p, which stays, and the new ones u = b c p and w = c a p, with the new edges
/// e[0…2] from b, c and a to p. The edges b-c and c-a are stale until link_split(u, w).
FLIPSCOPE_HD inline void split_triangle(const MeshView& mesh, uint32_t t, uint32_t p, uint32_t u, uint32_t w,
                                        const uint32_t e[3]) {
    const uint32_t corners[3] = {mesh.triangles[3 * t], mesh.triangles[3 * t + 1], mesh.triangles[3 * t + 2]};
    mesh.half_edge_at[3 * u] = mesh.half_edge_at[3 * t + 1];
    mesh.half_edge_at[3 * w] = mesh.half_edge_at[3 * t + 2];
    mesh.triangles[3 * t + 2] = p;
    const uint32_t made[2] = {u, w};
    for (uint32_t k = 0; k < 2; ++k) {
        mesh.triangles[3 * made[k]] = corners[k + 1];
        mesh.triangles[3 * made[k] + 1] = corners[k == 0 ? 2 : 0];
        mesh.triangles[3 * made[k] + 2] = p;
    }
    const uint32_t ends[3] = {corners[1], corners[2], corners[0]};
    const uint32_t towards[3] = {3 * t + 1, 3 * u + 1, 3 * w + 1}, back[3] = {3 * u + 2, 3 * w + 2, 3 * t + 2};
    for (uint32_t k = 0; k < 3; ++k) {
        mesh.edges[2 * e[k]] = ends[k];
        mesh.edges[2 * e[k] + 1] = p;
        mesh.corner_of[2 * e[k]] = towards[k];
        mesh.corner_of[2 * e[k] + 1] = back[k];
        mesh.half_edge_at[towards[k]] = 2 * e[k];
        mesh.half_edge_at[back[k]] = 2 * e[k] + 1;
    }
}

FLIPSCOPE_HD inline void link_split(const MeshView& mesh, uint32_t u, uint32_t w) {
    repair_corner(mesh, 3 * u);
    repair_corner(mesh, 3 * w);
}

/// The same with new triangles u and u + 1 and new edges e … e + 2.
FLIPSCOPE_HD inline void split_triangle(const MeshView& mesh, uint32_t t, uint32_t p, uint32_t u, uint32_t e) {
    const uint32_t edges[3] = {e, e + 1, e + 2};
    split_triangle(mesh, t, p, u, u + 1, edges);
}
FLIPSCOPE_HD inline void link_split(const MeshView& mesh, uint32_t u) { link_split(mesh, u, u + 1); }

/// Takes p, which has three triangles around it, out of the mesh: the reverse of a split. `spoke` starts at p; its
/// triangle becomes the one of the three outer corners. What is free then: two triangles and three edges.
struct FreedBySplit {
    uint32_t triangles[2], edges[3];
};
FLIPSCOPE_HD inline FreedBySplit merge_three(const MeshView& mesh, uint32_t spoke) {
    uint32_t corners[3], half_edges[3], triangles[3];
    FreedBySplit freed{};
    for (uint32_t k = 0; k < 3; ++k) {  // counter-clockwise around p
        triangles[k] = triangle_of(spoke);
        corners[k] = mesh.to(spoke);
        half_edges[k] = mesh.half_edge_at[next_corner(spoke)];
        freed.edges[k] = mesh.half_edge_at[spoke] >> 1;
        spoke = mesh.across(previous_corner(spoke));
    }
    const uint32_t t = triangles[0];
    for (uint32_t k = 0; k < 3; ++k) {
        mesh.triangles[3 * t + k] = corners[k];
        mesh.half_edge_at[3 * t + k] = half_edges[k];
        mesh.corner_of[half_edges[k]] = 3 * t + k;
    }
    for (uint32_t k = 0; k < 2; ++k) {
        freed.triangles[k] = triangles[k + 1];
        for (uint32_t place = 0; place < 3; ++place) mesh.triangles[3 * triangles[k + 1] + place] = kNone;
    }
    return freed;
}

}  // namespace flipscope
