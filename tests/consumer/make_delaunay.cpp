// Two triangles over a kite: their common edge is not Delaunay, and flips.
#include <flipscope/error.h>
#include <flipscope/make_delaunay.h>

#include <cstdio>

int main() {
    const std::vector<flipscope::Point> kite{{0, 0}, {4, -1}, {8, 0}, {4, 1}};
    std::vector<std::array<uint32_t, 3>> triangles{{0, 1, 2}, {0, 2, 3}};
    const flipscope::FlippedTriangulation made = flipscope::make_delaunay(kite, triangles);
    std::printf("%llu flip in %u iterations\n", static_cast<unsigned long long>(made.flips), made.iterations);

    // Triangles that are not a triangulation are an error, which names the place.
    triangles.push_back({0, 1, 3});
    try {
        flipscope::make_delaunay(kite, triangles);
    } catch (const flipscope::Error& error) {
        std::printf("%s\n", error.what());
        return made.flips == 1 && made.triangles.size() == 2 ? 0 : 1;
    }
    return 1;
}
