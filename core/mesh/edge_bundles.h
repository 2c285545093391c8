// Groups the corners of a list of triangles by edge: corners (triangle_mesh.h) with the same two vertices. Used to
// build and to check meshes. Linear time and memory, whatever the order of the triangles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "compute/cancel.h"
#include "compute/context.h"
#include "compute/view.h"

namespace flipscope {

inline constexpr uint64_t kPart = 4096;

/// Runs body(first, last) over disjoint parts of [0, n), on the context's threads if there is a context.
template <class Body>
void in_parallel(Context* context, uint32_t n, const Body& body) {
    const auto run = [&](uint32_t part) {
        const uint64_t first = part * kPart;
        body(static_cast<uint32_t>(first), static_cast<uint32_t>(std::min<uint64_t>(n, first + kPart)));
    };
    const auto parts = static_cast<uint32_t>((uint64_t(n) + kPart - 1) / kPart);
    if (context) return context->run_chunks(parts, run);
    for (uint32_t part = 0; part < parts; ++part) {
        throw_if_cancelled();
        run(part);
    }
}

/// The corners of one edge, ascending.
struct EdgeBundle {
    uint32_t lesser, greater;  // vertex ids
    const uint64_t* packed;
    uint32_t count;  // 1 or more
    uint32_t corner(uint32_t i) const { return static_cast<uint32_t>(packed[i]); }
};

class EdgeBundles {
  public:
    /// `corners`: (t, 3) ids below `vertex_count`, different within a triangle. `context` may be nullptr: one thread.
    EdgeBundles(View<const uint32_t> corners, uint32_t vertex_count, Context* context) {
        const uint32_t count = static_cast<uint32_t>(corners.count);
        start_.assign(size_t(vertex_count) + 2, 0);
        const auto each_corner = [&](const auto& what) {
            CancelPoll poll;
            for (uint32_t s = 0; s < count; s += 3) {
                poll();
                const uint32_t a = corners[s], b = corners[s + 1], c = corners[s + 2];
                what(s, a, b);
                what(s + 1, b, c);
                what(s + 2, c, a);
            }
        };
        each_corner([&](uint32_t, uint32_t from, uint32_t to) { ++start_[std::min(from, to) + 2]; });
        for (size_t v = 2; v < start_.size(); ++v) start_[v] += start_[v - 1];
        packed_.resize(count);
        each_corner([&](uint32_t corner, uint32_t from, uint32_t to) {
            packed_[start_[std::min(from, to) + 1]++] = uint64_t(std::max(from, to)) << 32 | corner;
        });
        start_.pop_back();  // every start has moved to that of the next vertex
        in_parallel(context, vertex_count, [&](uint32_t first, uint32_t last) {
            for (uint32_t v = first; v < last; ++v)
                std::sort(packed_.begin() + start_[v], packed_.begin() + start_[v + 1]);
        });
    }

    /// Calls what(bundle) for every edge whose lesser vertex is in [first, last), by (lesser, greater) ascending.
    template <class What>
    void each(uint32_t first, uint32_t last, const What& what) const {
        CancelPoll poll;
        for (uint32_t v = first; v < last; ++v) {
            poll();
            for (uint32_t i = start_[v], end = start_[v + 1]; i < end;) {
                const uint64_t greater = packed_[i] >> 32;
                const uint32_t begin = i;
                while (i < end && packed_[i] >> 32 == greater) ++i;
                what(EdgeBundle{v, static_cast<uint32_t>(greater), &packed_[begin], i - begin});
            }
        }
    }

  private:
    std::vector<uint32_t> start_;   // (v + 1) the edges with this lesser vertex
    std::vector<uint64_t> packed_;  // (3t) greater vertex << 32 | corner
};

}  // namespace flipscope
