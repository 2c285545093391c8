// Channels: a torus closed by a wall, with no links through it.
#include <cmath>
#include <string>

#include "delaunay/runs.h"
#include "events/inputs.h"

using namespace flipscope;

namespace {

/// Links of the present frame whose shortest way leads over a border of the torus.
size_t links_over(const Lab& lab, double width, double height, size_t& links) {
    const auto sites = values_of<Point>(lab, "sites");
    const auto ends = values_of<uint32_t>(lab, "links");
    links = ends.size() / 2;
    size_t over = 0;
    for (size_t i = 0; i < links; ++i) {
        const Point a = sites[ends[2 * i]], b = sites[ends[2 * i + 1]];
        over += std::abs(a.x - b.x) > width / 2 || std::abs(a.y - b.y) > height / 2;
    }
    return over;
}

}  // namespace

TEST_CASE("events: no link leads through the wall of a channel, however wide the gaps between its droplets") {
    struct Walled {
        std::string source, graph;
        double width, height;  // periods; huge: along the wall links do lead over the border
    };
    on_every_device([&](Context& context) {
        for (const Walled& one : {Walled{"channel", "lattice", 160, 1e9}, Walled{"channel", "delaunay", 160, 1e9},
                                  Walled{"shear", "lattice", 1e9, 96}, Walled{"shear", "delaunay", 1e9, 96}}) {
            INFO("source ", one.source, ", graph ", one.graph);
            const auto lab = finished(context, nothing(), "events",
                                      {"width=160", "height=96", "count=24", "comparisons=4", "packing=0.3",
                                       "source=" + one.source, "graph=" + one.graph});
            size_t links = 0;
            CHECK(links_over(*lab, one.width, one.height, links) == 0);
            CHECK(links > 30);
            CHECK(links_over(*lab, one.width == 1e9 ? 160 : 1e9, one.height == 1e9 ? 96 : 1e9, links) > 0);
            CHECK(facet<Checkable>(*lab).check().passed);
        }
    });
}
