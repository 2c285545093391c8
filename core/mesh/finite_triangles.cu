#include "mesh/finite_triangles.h"

#include <algorithm>

#include "compute/primitives.h"

namespace flipscope {

namespace {

/// The number of a finite triangle is how many finite ones come before it; the rest are ghosts, which are numbered,
/// too.
struct NumberTriangles {
    MeshView mesh;
    View<uint32_t> numbers, triangles;
    FLIPSCOPE_HD uint32_t code(uint32_t t) const { return !mesh.is_ghost(t); }
    FLIPSCOPE_HD void emit(uint32_t t, uint32_t rank, uint32_t code) const {
        numbers[t] = rank;
        if (!code) return;
        for (uint32_t k = 0; k < 3; ++k) triangles[3 * size_t(rank) + k] = mesh.inputs[mesh.triangles[3 * t + k]];
    }
};

struct FindNeighbours {
    MeshView mesh;
    View<const uint32_t> numbers;
    View<uint32_t> neighbours;
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        if (mesh.is_ghost(t)) return;
        for (uint32_t k = 0; k < 3; ++k) {
            // The edge opposite to corner k begins at the next corner.
            const uint32_t across = triangle_of(mesh.across(next_corner(3 * t + k)));
            neighbours[3 * size_t(numbers[t]) + k] = mesh.is_ghost(across) ? kNone : numbers[across];
        }
    }
};

/// A ghost b a ∞ lies beyond the edge a → b of the outline. By ghosts: the point a, and the ghost beyond the next edge,
/// which lies across ∞ → b.
struct LinkOutline {
    MeshView mesh;
    View<const uint32_t> numbers;
    View<uint32_t> ring;  // (h, 2)
    FLIPSCOPE_HD void operator()(uint32_t t) const {
        const uint32_t place = mesh.infinite_place(t);
        if (place == 3) return;
        const uint32_t infinite = 3 * t + place, next = triangle_of(mesh.across(infinite));
        const uint32_t ghost = t - numbers[t];
        ring[2 * size_t(ghost)] = mesh.inputs[mesh.from(previous_corner(infinite))];
        ring[2 * size_t(ghost) + 1] = next - numbers[next];
    }
};

}  // namespace

uint32_t FiniteTriangles::collect(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& triangles) {
    const uint32_t all = mesh.triangle_count;
    numbers_.resize(context, all, false);
    total_.resize(context, 1, false);
    triangles.resize(context, 3 * size_t(all), false);
    compact(context, "result.triangles", all, NumberTriangles{mesh.view(), numbers_.view(), triangles.view()},
            total_.view());
    finite_ = total_.read(0);
    triangles.resize(context, 3 * size_t(finite_));
    return finite_;
}

void FiniteTriangles::find_neighbours(Context& context, const TriangleMesh& mesh, Buffer<uint32_t>& neighbours) {
    neighbours.resize(context, 3 * size_t(finite_), false);
    launch(context, "result.neighbours", mesh.triangle_count,
           FindNeighbours{mesh.view(), numbers_.view(), neighbours.view()});
}

std::vector<uint32_t> FiniteTriangles::outline(Context& context, const TriangleMesh& mesh) {
    const uint32_t ghosts = mesh.triangle_count - finite_;
    ring_.resize(context, 2 * size_t(ghosts), false);
    launch(context, "result.outline", mesh.triangle_count, LinkOutline{mesh.view(), numbers_.view(), ring_.view()});
    const std::vector<uint32_t> links = ring_.download(2 * size_t(ghosts));
    std::vector<uint32_t> outline;
    outline.reserve(ghosts);
    CancelPoll poll;
    for (uint32_t ghost = 0; outline.size() < ghosts; ghost = links[2 * size_t(ghost) + 1]) {
        poll();
        outline.push_back(links[2 * size_t(ghost)]);
    }
    std::rotate(outline.begin(), std::min_element(outline.begin(), outline.end()), outline.end());
    return outline;
}

}  // namespace flipscope
