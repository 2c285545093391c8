#include "labs/race_predicates/soup_edges.h"

#include <algorithm>
#include <iterator>

namespace flipscope {

std::vector<SoupEdge> edges_of(const TriangleSoup& soup) {
    std::vector<SoupEdge> sides;  // of triangles; each with one apex
    sides.reserve(3 * soup.triangles.size() + soup.path.size());
    for (const auto& corners : soup.triangles)
        for (size_t k = 0; k < 3; ++k) {
            const uint32_t a = corners[k], b = corners[(k + 1) % 3], apex = corners[(k + 2) % 3];
            if (a < b)
                sides.push_back({{a, b}, {apex, kNone}});
            else
                sides.push_back({{b, a}, {kNone, apex}});
        }
    for (size_t i = 0; i + 1 < soup.path.size(); ++i)
        sides.push_back({{std::min(soup.path[i], soup.path[i + 1]), std::max(soup.path[i], soup.path[i + 1])}});
    std::sort(sides.begin(), sides.end(), [](const SoupEdge& a, const SoupEdge& b) {
        return a.ends != b.ends ? a.ends < b.ends : a.apexes < b.apexes;
    });
    std::vector<SoupEdge> edges;
    for (const SoupEdge& side : sides) {
        if (edges.empty() || edges.back().ends != side.ends) {
            edges.push_back(side);
            continue;
        }
        for (size_t k = 0; k < 2; ++k)
            if (edges.back().apexes[k] == kNone) edges.back().apexes[k] = side.apexes[k];
    }
    return edges;
}

std::array<std::vector<SoupEdge>, 2> differing_edges(const std::vector<SoupEdge>& first,
                                                     const std::vector<SoupEdge>& second) {
    const auto before = [](const SoupEdge& a, const SoupEdge& b) { return a.ends < b.ends; };
    std::array<std::vector<SoupEdge>, 2> only;
    std::set_difference(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(only[0]), before);
    std::set_difference(second.begin(), second.end(), first.begin(), first.end(), std::back_inserter(only[1]), before);
    return only;
}

}  // namespace flipscope
