#include "flipscope/structures.h"

#include <cmath>

#include "compute/error.h"
#include "flipscope/triangulate.h"
#include "statistics/structures.h"

namespace flipscope {

namespace {

/// Of points on one line, in order along it: every edge is in all graphs.
Structures structures_of_path(std::span<const Point> points, const std::vector<uint32_t>& path) {
    Structures made;
    for (size_t k = 0; k + 1 < path.size(); ++k) {
        made.edges.push_back({path[k], path[k + 1]});
        made.words.push_back(kFiniteEdge | kInGabriel | kInRelative | kInSkeleton | kInTree);
        made.alpha.push_back(std::sqrt(squared_length(points[path[k]], points[path[k + 1]])) / 2);
        made.beta.push_back(kMostBeta);
    }
    for (size_t k = 0; k < path.size() && path.size() > 1; ++k) {
        int sign = k == 0 ? 1 : k + 1 == path.size() ? -1 : 0;  // below 0: the one before it is nearer
        if (sign == 0)
            sign = compare_lengths(points[path[k - 1]], points[path[k]], points[path[k]], points[path[k + 1]]);
        if (sign == 0) sign = path[k - 1] < path[k + 1] ? -1 : 1;
        made.words[sign < 0 ? k - 1 : k] |= sign < 0 ? kNearestOfTo : kNearestOfFrom;
    }
    return made;
}

}  // namespace

Structures find_structures(Context& context, std::span<const Point> points, double beta) {
    if (!(beta >= kLeastBeta && beta <= kMostBeta))
        throw Error("beta: expected a number from 1/1024 to 1024, found " + std::to_string(beta));
    Triangulator triangulator(context, {.neighbours = false, .hull = false, .duplicates = false, .hash = false});
    const Triangulation made = triangulator.triangulate(points);
    if (made.triangles.empty()) return structures_of_path(points, made.path);
    const DeviceMesh mesh = triangulator.mesh();
    const auto writable = [](View<const uint32_t> of) {
        return View<uint32_t>{const_cast<uint32_t*>(of.data), of.count};
    };
    StructureMesh seen;  // which no kernel writes
    seen.mesh.positions = mesh.positions;
    seen.mesh.inputs = mesh.inputs;
    seen.mesh.triangles = writable(mesh.triangles);
    seen.mesh.half_edge_at = writable(mesh.half_edge_at);
    seen.mesh.edges = writable(mesh.edges);
    seen.mesh.corner_of = writable(mesh.corner_of);
    seen.mesh.infinite = seen.inside = mesh.infinite;
    seen.triangle_count = static_cast<uint32_t>(mesh.triangles.count / 3);
    seen.edge_count = static_cast<uint32_t>(mesh.edges.count / 2);
    EdgeStructures found;
    found.find(context, seen, true);
    found.find_skeleton(context, seen, beta);
    Buffer<double> alpha("alpha"), triangle_alpha("triangle alpha"), betas("beta");
    alpha.resize(context, seen.edge_count);
    triangle_alpha.resize(context, seen.triangle_count);
    betas.resize(context, seen.edge_count);
    write_alpha(context, seen, alpha, triangle_alpha);
    write_beta(context, seen, betas);
    const std::vector<uint32_t> inputs = download(context, mesh.inputs), edges = download(context, mesh.edges),
                                triangles = download(context, mesh.triangles), words = found.words().download();
    const std::vector<double> edge_alpha = alpha.download(), of_triangles = triangle_alpha.download(),
                              edge_beta = betas.download();
    Structures result;
    for (uint32_t e = 0; e < seen.edge_count; ++e) {
        if (!(words[e] & kFiniteEdge)) continue;
        result.edges.push_back({inputs[edges[2 * size_t(e)]], inputs[edges[2 * size_t(e) + 1]]});
        result.words.push_back(words[e]);
        result.alpha.push_back(edge_alpha[e]);
        result.beta.push_back(edge_beta[e]);
    }
    for (uint32_t t = 0; t < seen.triangle_count; ++t) {
        if (std::isnan(of_triangles[t])) continue;
        const uint32_t* const v = &triangles[3 * size_t(t)];
        result.triangles.push_back({inputs[v[0]], inputs[v[1]], inputs[v[2]]});
        result.triangle_alpha.push_back(of_triangles[t]);
    }
    return result;
}

}  // namespace flipscope
