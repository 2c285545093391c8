#include "mesh/soup_survey.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/cancel.h"
#include "flipscope/predicates.h"
#include "mesh/edge_bundles.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

using Triangle = std::array<uint32_t, 3>;

bool has_three_corners(const Triangle& c) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; }

/// The same triangle from its lowest vertex on.
Triangle from_lowest(Triangle c) {
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    return c;
}

double minimum_angle_of(Point a, Point b, Point c) {
    const Point p[3] = {a, b, c};
    double least = 180;
    for (uint32_t k = 0; k < 3; ++k) {
        const Point o = p[k], u = p[(k + 1) % 3], v = p[(k + 2) % 3];
        const double ux = u.x - o.x, uy = u.y - o.y, vx = v.x - o.x, vy = v.y - o.y;
        least =
            std::min(least, std::atan2(std::fabs(ux * vy - uy * vx), ux * vx + uy * vy) * 180 / 3.14159265358979323846);
    }
    return least;
}

}  // namespace

const SoupSurvey::Edge* SoupSurvey::find(uint32_t a, uint32_t b) const {
    if (a > b) std::swap(a, b);
    const auto before = [](const Edge& edge, const std::array<uint32_t, 2>& ends) {
        return edge.lesser != ends[0] ? edge.lesser < ends[0] : edge.greater < ends[1];
    };
    const auto found = std::lower_bound(edges.begin(), edges.end(), std::array<uint32_t, 2>{a, b}, before);
    return found != edges.end() && found->lesser == a && found->greater == b ? &*found : nullptr;
}

SoupSurvey survey_soup(const std::vector<Point>& points, const SoupTriangles& triangles, Context* context,
                       bool all_angles) {
    const auto n = static_cast<uint32_t>(points.size()), t = static_cast<uint32_t>(triangles.size());
    SoupSurvey survey;
    survey.corners = triangles;
    std::vector<int8_t> turns(t);
    std::vector<double> angles(t);
    in_parallel(context, t, [&](uint32_t first, uint32_t last) {
        for (uint32_t i = first; i < last; ++i) {
            Triangle& c = survey.corners[i];
            if (!has_three_corners(c)) continue;
            const Point a = points[c[0]], b = points[c[1]], d = points[c[2]];
            turns[i] = static_cast<int8_t>(orient2d(a, b, d));
            if (turns[i] < 0) std::swap(c[1], c[2]);
            if (turns[i] != 0) angles[i] = minimum_angle_of(a, b, d);
        }
    });
    survey.used.assign(n, 0);
    uint64_t hashes = 0;
    std::vector<uint32_t> sound;  // indices
    SoupTriangles upright;
    sound.reserve(t);
    upright.reserve(t);
    CancelPoll poll;
    for (uint32_t i = 0; i < t; ++i) {
        poll();
        const Triangle& c = survey.corners[i];
        for (const uint32_t v : c) survey.used[v] = 1;
        hashes += hash_triangle(c[0], c[1], c[2]);
        if (!has_three_corners(c)) continue;
        sound.push_back(i);
        upright.push_back(c);
    }
    survey.hash = t > 0 ? mix64(hashes) : 0;
    survey.unused = static_cast<uint64_t>(std::count(survey.used.begin(), survey.used.end(), 0));
    survey.minimum_angle =
        t > 0 ? *std::min_element(angles.begin(), angles.end()) : std::numeric_limits<double>::quiet_NaN();
    if (all_angles) survey.minimum_angles = std::move(angles);

    const EdgeBundles bundles({upright.empty() ? nullptr : upright[0].data(), 3 * upright.size()}, n, context);
    survey.edges.reserve(3 * upright.size() / 2 + 3);
    bundles.each(0, n, [&](const EdgeBundle& bundle) {
        SoupSurvey::Edge edge{bundle.lesser, bundle.greater, bundle.count};
        for (uint32_t k = 0; k < std::min(bundle.count, 2u); ++k) {
            const uint32_t corner = bundle.corner(k), triangle = corner / 3, place = corner % 3;
            const bool forward = upright[triangle][place] == bundle.lesser;
            (forward ? edge.left : edge.right) = sound[triangle];
            (forward ? edge.left_apex : edge.right_apex) = upright[triangle][(place + 2) % 3];
        }
        survey.outline += bundle.count == 1;
        survey.edges.push_back(edge);
    });
    in_parallel(context, static_cast<uint32_t>(survey.edges.size()), [&](uint32_t first, uint32_t last) {
        for (uint32_t e = first; e < last; ++e) {
            SoupSurvey::Edge& edge = survey.edges[e];
            if (edge.triangle_count != 2 || edge.left == kNone || edge.right == kNone) continue;
            edge.illegal = incircle(points[edge.lesser], points[edge.greater], points[edge.left_apex],
                                    points[edge.right_apex]) > 0;
        }
    });
    for (const SoupSurvey::Edge& edge : survey.edges) survey.illegal += edge.illegal;
    return survey;
}

SoupChanges compare_soups(const SoupTriangles& before, const SoupTriangles& now, const SoupSurvey& survey_of_now) {
    SoupChanges changes;
    if (&before == &now) return changes;
    // The two lists usually have a long common prefix.
    size_t same = 0;
    while (same < before.size() && same < now.size() && before[same] == now[same]) ++same;
    using Named = std::pair<Triangle, uint32_t>;
    const auto sorted_rest = [&](const SoupTriangles& triangles) {
        std::vector<Named> names;
        names.reserve(triangles.size() - same);
        for (size_t i = same; i < triangles.size(); ++i)
            names.emplace_back(from_lowest(triangles[i]), static_cast<uint32_t>(i));
        sort_or_cancel(names.begin(), names.end());
        return names;
    };
    const std::vector<Named> old = sorted_rest(before), fresh = sorted_rest(now);
    size_t i = 0, j = 0;
    while (i < old.size() || j < fresh.size()) {
        if (j == fresh.size() || (i < old.size() && old[i].first < fresh[j].first))
            changes.removed.push_back(old[i++].second);
        else if (i == old.size() || fresh[j].first < old[i].first)
            changes.fresh.push_back(fresh[j++].second);
        else
            ++i, ++j;
    }
    std::sort(changes.fresh.begin(), changes.fresh.end());
    std::sort(changes.removed.begin(), changes.removed.end());
    std::vector<uint32_t> kept, touched;  // edges of now: that were before; of fresh triangles, once for each
    for (const uint32_t t : changes.removed)
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t a = before[t][k], b = before[t][(k + 1) % 3];
            if (a == b) continue;
            if (const auto* edge = survey_of_now.find(a, b))
                kept.push_back(survey_of_now.index_of(edge));
            else
                changes.lost_edges.push_back({std::min(a, b), std::max(a, b)});
        }
    sort_distinct_or_cancel(kept);
    sort_distinct_or_cancel(changes.lost_edges);
    for (const uint32_t t : changes.fresh)
        for (uint32_t k = 0; k < 3; ++k)
            if (const auto* edge = survey_of_now.find(now[t][k], now[t][(k + 1) % 3]))
                touched.push_back(survey_of_now.index_of(edge));
    sort_or_cancel(touched.begin(), touched.end());
    for (size_t first = 0, last = 0; first < touched.size(); first = last) {
        const uint32_t edge = touched[first];
        while (last < touched.size() && touched[last] == edge) ++last;
        // An edge of an earlier triangle is not new.
        if (last - first == survey_of_now.edges[edge].triangle_count &&
            !std::binary_search(kept.begin(), kept.end(), edge))
            changes.fresh_edges.push_back(edge);
    }
    return changes;
}

}  // namespace flipscope
