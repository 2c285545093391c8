// The digital Voronoi diagram of four sites on a periodic lattice, and which cells touch.
#include <flipscope/colour_lattice.h>

#include <cstdio>

int main() {
    const flipscope::Lattice lattice{.width = 32, .height = 16, .periodic = true};
    const std::vector<flipscope::Point> sites{{4, 4}, {20, 4}, {12, 12}, {28, 12}};
    const flipscope::ColouredLattice made =
        flipscope::colour_lattice(lattice, sites, {.neighbours = flipscope::LatticeNeighbours::kColours});

    for (uint32_t y = lattice.height; y-- > 0;) {
        for (uint32_t x = 0; x < lattice.width; ++x) std::printf("%u", made.colours[lattice.pixel(x, y)]);
        std::printf("\n");
    }
    for (uint32_t site = 0; site < sites.size(); ++site) {
        std::printf("cell %u touches", site);
        for (uint32_t e = made.row_starts[site]; e < made.row_starts[site + 1]; ++e)
            std::printf(" %u", made.neighbours[e]);
        std::printf("\n");
    }
    return made.colours[lattice.pixel(4, 4)] == 0 && made.neighbours.size() >= 8 ? 0 : 1;
}
