// A program under test: Bowyer and Watson's construction as it is written in an evening, in doubles, with a large
// triangle around everything. It is right on most inputs. Writes three indices a line, from 0.
//
//     g++ -O2 -std=c++17 mine.cpp -o mine
//     ./mine POINTS TRIANGLES
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

struct Point {
    double x, y;
};
using Triangle = std::array<int, 3>;

double orientation(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// Above 0: d lies in the circle through a, b, c, which turn counter-clockwise. Rounded at every step.
double in_circle(Point a, Point b, Point c, Point d) {
    const double ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    return (ax * ax + ay * ay) * (bx * cy - cx * by) - (bx * bx + by * by) * (ax * cy - cx * ay) +
           (cx * cx + cy * cy) * (ax * by - bx * ay);
}

int main(int count, char** words) {
    if (count != 3) return std::fprintf(stderr, "usage: mine POINTS TRIANGLES\n"), 2;
    std::vector<Point> points;
    std::ifstream in(words[1]);
    for (Point p; in >> p.x >> p.y;) points.push_back(p);
    const int n = static_cast<int>(points.size());
    if (n < 3) return std::fprintf(stderr, "mine: %d points make no triangle\n", n), 1;

    Point low = points[0], high = points[0];
    for (const Point& p : points) {
        low = {std::fmin(low.x, p.x), std::fmin(low.y, p.y)};
        high = {std::fmax(high.x, p.x), std::fmax(high.y, p.y)};
    }
    const double size = 20 * std::fmax(high.x - low.x, high.y - low.y);  // "large enough"
    const Point middle{(low.x + high.x) / 2, (low.y + high.y) / 2};
    points.push_back({middle.x - size, middle.y - size});
    points.push_back({middle.x + size, middle.y - size});
    points.push_back({middle.x, middle.y + size});

    std::vector<Triangle> triangles{{n, n + 1, n + 2}};
    for (int i = 0; i < n; ++i) {
        std::map<std::pair<int, int>, int> edges;  // of triangles that go: those that no other one shares stay
        std::vector<Triangle> kept;
        for (const Triangle& t : triangles) {
            if (in_circle(points[t[0]], points[t[1]], points[t[2]], points[i]) <= 0) {
                kept.push_back(t);
                continue;
            }
            for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
        }
        for (const auto& [edge, times] : edges)
            if (!edges.count({edge.second, edge.first}) &&
                orientation(points[edge.first], points[edge.second], points[i]) != 0)
                kept.push_back({edge.first, edge.second, i});
        triangles = std::move(kept);
    }

    std::ofstream out(words[2]);
    for (const Triangle& t : triangles)
        if (t[0] < n && t[1] < n && t[2] < n) out << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
    return out.flush() ? 0 : (std::fprintf(stderr, "mine: %s cannot be written\n", words[2]), 1);
}
