#include "instruments/mesh_motion.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace flipscope {

namespace {

uint64_t key_of(uint32_t a, uint32_t b) { return uint64_t(std::min(a, b)) << 32 | std::max(a, b); }

std::vector<uint64_t> sorted_edges(const std::vector<uint32_t>& ends, uint32_t place_count) {
    std::vector<uint64_t> keys;
    for (size_t e = 0; e < ends.size(); e += 2)
        if (std::max(ends[e], ends[e + 1]) < place_count) keys.push_back(key_of(ends[e], ends[e + 1]));
    std::ranges::sort(keys);
    return keys;
}

bool has(const std::vector<uint64_t>& sorted, uint64_t key) { return std::ranges::binary_search(sorted, key); }

std::vector<bool> ends_of(const std::vector<uint64_t>& edges, uint32_t place_count) {
    std::vector<bool> are(place_count);
    for (const uint64_t key : edges) are[key >> 32] = are[static_cast<uint32_t>(key)] = true;
    return are;
}

/// The triangles left and right of an edge, and their apexes.
struct Sides {
    std::array<uint32_t, 2> apexes{kNone, kNone}, triangles{kNone, kNone};
};

}  // namespace

void MeshMotionFinder::update(const SceneView& view) {
    const TriangleMesh* const mesh = view.mesh && !view.mesh->on_torus() ? view.mesh : nullptr;
    if (!mesh || mesh->vertex_count == 0 || mesh->edge_count > MeshMotion::kMost) {
        *this = {};
        return;
    }
    const uint32_t count = mesh->infinite();
    std::vector<uint32_t> ends = mesh->edges.download(2 * size_t(mesh->edge_count));
    if (mesh == mesh_ && count == place_count_ && ends == ends_) return;
    std::vector<uint64_t> edges = sorted_edges(ends, count);
    const std::vector<uint64_t> before = std::exchange(edges_, edges);
    const bool follows = mesh == mesh_ && count >= place_count_;
    mesh_ = mesh;
    place_count_ = count;
    ends_ = ends;
    last_ = nullptr;
    if (!follows || edges == before) return;

    MeshMotion made{&mesh->positions, &mesh->edges, &mesh->triangles, count};
    made.corners = mesh->triangles.download(3 * size_t(mesh->triangle_count));
    std::vector<State> states;
    if (mesh->records_states()) states = mesh->triangle_states.download(mesh->triangle_count);
    std::map<uint64_t, Sides> sides;  // of new edges
    for (const uint64_t key : edges)
        if (!has(before, key)) sides.emplace(key, Sides());
    for (uint32_t corner = 0; corner < made.corners.size(); ++corner) {
        const uint32_t a = made.corners[corner], b = made.corners[next_corner(corner)];
        const auto found = sides.find(key_of(a, b));
        if (found == sides.end()) continue;
        const size_t side = a < b ? 0 : 1;
        found->second.apexes[side] = made.corners[previous_corner(corner)];
        found->second.triangles[side] = triangle_of(corner);
    }
    for (size_t e = 0; e < ends.size(); e += 2) {
        if (std::max(ends[e], ends[e + 1]) >= count) {
            ends[e] = ends[e + 1] = kNone;  // beyond all moving places
            continue;
        }
        const auto found = sides.find(key_of(ends[e], ends[e + 1]));
        if (found == sides.end()) continue;
        const auto [a, b] = std::minmax(ends[e], ends[e + 1]);
        const auto [c, d] = found->second.apexes;
        const bool turned = std::max(c, d) < count && has(before, key_of(c, d)) && !has(edges, key_of(c, d));
        if (!turned) {
            ends[e] |= MeshMotion::kArrives;
            continue;
        }
        const uint32_t p = count + static_cast<uint32_t>(made.ways.size() / 2), q = p + 1;
        made.ways.insert(made.ways.end(), {c, a, d, b});
        // Where p and q are the vertices c and d, or a and b, two of these four are empty.
        made.faces.insert(made.faces.end(), {p, a, d, p, d, q, q, b, c, q, c, p});
        made.diagonals.insert(made.diagonals.end(), {c, d | MeshMotion::kLeaves, a | MeshMotion::kArrives, b});
        const auto [left, right] = found->second.triangles;
        if (!states.empty())
            made.face_states.insert(made.face_states.end(), {states[right], states[right], states[left], states[left]});
        for (const uint32_t t : {left, right})
            std::fill_n(made.corners.begin() + 3 * std::ptrdiff_t(t), 3, made.corners[3 * size_t(t)]);
        ends[e] = p;
        ends[e + 1] = q;
    }
    made.ends = std::move(ends);
    made.fresh.resize((count + 31) / 32);
    const std::vector<bool> had = ends_of(before, count), have = ends_of(edges, count);
    for (uint32_t v = 0; v < count; ++v)
        if (have[v] && !had[v]) made.fresh[v / 32] |= 1u << v % 32;
    last_ = std::make_shared<const MeshMotion>(std::move(made));
}

}  // namespace flipscope
