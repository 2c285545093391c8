// Voronoi cells by half-planes, without a triangulation: the reference for cells.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "flipscope/view.h"
#include "geometry/point.h"

namespace flipscope {

struct CutCell {
    double area = 0, perimeter = 0;
    std::vector<uint32_t> across;  // of which others it has sides
};

/// The cell of a site at the origin among others, within a box: a half-plane for every other one cuts it out.
inline CutCell cell_among(const std::vector<Point>& others, Point low, Point high) {
    struct Corner {
        Point at;
        uint32_t across;  // of the side that begins here; kNone: the box
    };
    std::vector<Corner> corners{{low, kNone}, {{high.x, low.y}, kNone}, {high, kNone}, {{low.x, high.y}, kNone}};
    for (uint32_t i = 0; i < others.size(); ++i) {
        const Point d = others[i];
        const auto beyond = [&](Point p) { return p.x * d.x + p.y * d.y - (d.x * d.x + d.y * d.y) / 2; };
        std::vector<Corner> rest;
        for (size_t k = 0; k < corners.size(); ++k) {
            const Corner &a = corners[k], &b = corners[(k + 1) % corners.size()];
            const double u = beyond(a.at), v = beyond(b.at);
            if (u <= 0) rest.push_back(a);
            if ((u <= 0) == (v <= 0)) continue;
            const double t = u / (u - v);
            rest.push_back({{a.at.x + t * (b.at.x - a.at.x), a.at.y + t * (b.at.y - a.at.y)}, u <= 0 ? i : a.across});
        }
        corners = rest;
    }
    CutCell cell;
    for (size_t k = 0; k < corners.size(); ++k) {
        const Point a = corners[k].at, b = corners[(k + 1) % corners.size()].at;
        const double length = std::hypot(b.x - a.x, b.y - a.y);
        cell.area += (a.x * b.y - a.y * b.x) / 2;
        cell.perimeter += length;
        if (length > 1e-9 && corners[k].across != kNone) cell.across.push_back(corners[k].across);
    }
    return cell;
}

}  // namespace flipscope
