#include <flipscope/triangulate.h>
#include <cstdio>

int main() {
    const std::vector<flipscope::Point> points{{0, 0}, {4, 0}, {4, 3}, {0, 3}, {2, 1}, {2, 1}};
    const flipscope::Triangulation made = flipscope::triangulate(points);
    for (const auto& [a, b, c] : made.triangles) std::printf("%u %u %u\n", a, b, c);
    return made.triangles.size() == 4 && made.duplicate_of[5] == 4 ? 0 : 1;
}
