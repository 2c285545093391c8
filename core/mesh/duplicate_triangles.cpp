#include "mesh/duplicate_triangles.h"

#include <algorithm>

#include "compute/cancel.h"
#include "mesh/edge_bundles.h"

namespace flipscope {

std::vector<DuplicateTriangle> find_duplicate_triangles(std::span<const std::array<uint32_t, 3>> triangles,
                                                        uint32_t vertex_count, Context* context) {
    struct Key {
        uint32_t middle, greatest, triangle;
        bool operator<(const Key& other) const {
            return middle != other.middle       ? middle < other.middle
                   : greatest != other.greatest ? greatest < other.greatest
                                                : triangle < other.triangle;
        }
    };
    std::vector<uint32_t> start(size_t(vertex_count) + 2, 0);  // by the least vertex
    const auto each = [&](const auto& what) {
        CancelPoll poll;
        for (uint32_t t = 0; t < triangles.size(); ++t) {
            poll();
            std::array<uint32_t, 3> c = triangles[t];
            if (c[0] > c[1]) std::swap(c[0], c[1]);
            if (c[1] > c[2]) std::swap(c[1], c[2]);
            if (c[0] > c[1]) std::swap(c[0], c[1]);
            if (c[2] < vertex_count) what(c, t);
        }
    };
    each([&](const std::array<uint32_t, 3>& c, uint32_t) { ++start[c[0] + 2]; });
    for (size_t v = 2; v < start.size(); ++v) start[v] += start[v - 1];
    std::vector<Key> keys(start.back());
    each([&](const std::array<uint32_t, 3>& c, uint32_t t) { keys[start[c[0] + 1]++] = {c[1], c[2], t}; });
    std::vector<std::vector<DuplicateTriangle>> parts((size_t(vertex_count) + kPart - 1) / kPart);
    in_parallel(context, vertex_count, [&](uint32_t first, uint32_t last) {
        for (uint32_t v = first; v < last; ++v) {
            const auto begin = keys.begin() + start[v], end = keys.begin() + start[v + 1];
            std::sort(begin, end);
            for (auto key = begin, group = begin; key != end; ++key) {
                if (key->middle != group->middle || key->greatest != group->greatest) group = key;
                if (key != group) parts[first / kPart].push_back({key->triangle, group->triangle});
            }
        }
    });
    std::vector<DuplicateTriangle> found;
    for (const auto& part : parts) found.insert(found.end(), part.begin(), part.end());
    sort_or_cancel(found.begin(), found.end(),
                   [](const DuplicateTriangle& a, const DuplicateTriangle& b) { return a.triangle < b.triangle; });
    return found;
}

}  // namespace flipscope
