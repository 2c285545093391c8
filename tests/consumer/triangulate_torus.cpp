// Three points in a periodic box of side 10, two of them neighbours across its border.
#include <flipscope/triangulate_torus.h>

#include <cstdio>

int main() {
    flipscope::Context context;
    const std::vector<flipscope::Point> points{{0.5, 5}, {9.5, 5}, {5, 1}};
    const flipscope::TorusTriangles made = flipscope::triangulate_torus(context, points, {10, 10});

    for (size_t t = 0; t < made.triangles.size(); ++t) {
        std::printf("triangle %zu:", t);
        for (size_t k = 0; k < 3; ++k) {
            const flipscope::Point p = made.points[made.triangles[t][k]];
            const flipscope::ImageShift image = made.images[t][k];
            std::printf(" (%g, %g)", p.x + made.sides.x * image.x, p.y + made.sides.y * image.y);
        }
        std::printf("\n");
    }
    return made.triangles.size() == 6 ? 0 : 1;
}
