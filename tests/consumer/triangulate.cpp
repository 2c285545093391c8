// The Delaunay triangulation of six points, two of them equal.
#include <delaunay/triangulate.h>

#include <cstdio>

int main() {
    const std::vector<flipscope::Point> points{{0, 0}, {4, 0}, {4, 3}, {0, 3}, {2, 1}, {2, 1}};
    const flipscope::Triangulation made = flipscope::triangulate(points);

    for (size_t t = 0; t < made.triangles.size(); ++t) {
        const auto [a, b, c] = made.triangles[t];  // counter-clockwise
        std::printf("triangle %zu: %u %u %u, neighbours:", t, a, b, c);
        for (const uint32_t neighbour : made.neighbours[t])  // [k] lies opposite to corner k
            if (neighbour == flipscope::kNone)
                std::printf(" hull");
            else
                std::printf(" %u", neighbour);
        std::printf("\n");
    }
    std::printf("hull:");
    for (const uint32_t vertex : made.hull) std::printf(" %u", vertex);
    std::printf("\npoint 5 equals point %u\n", made.duplicate_of[5]);
    return made.triangles.size() == 4 && made.hull.size() == 4 && made.duplicate_of[5] == 4 ? 0 : 1;
}
