#include <cmath>
#include <cstdio>

#include "bench/experiments.h"
#include "delaunay/constructions/strips.h"
#include "flipscope/spatial.h"
#include "instruments/scene_statistics.h"
#include "statistics/element_measures.h"
#include "statistics/point_statistics.h"
#include "statistics/structures.h"

namespace flipscope::bench {

bool run_statistics(const Task& task, Json& json) {
    Context context(task.device, task.threads);
    context.set_timed(false);
    Table table(json["statistics"], "Statistics of uniform points", 27);
    for (const uint64_t size : task.sizes({100'000, 1'000'000})) {
        const auto input = std::make_shared<const Geometry>(made_points("uniform", size, task.seed));
        Strips strips;
        strips.set_records_states(false);
        strips.reset(context, input, {});
        strips.finish({});
        Scene scene;
        scene.add_mesh(strips.mesh(), strips.distinct());
        const Window window{strips.bounds().low, strips.bounds().high};
        const View<const Point> points = strips.mesh().positions.view(strips.distinct());
        const double spacing = std::sqrt(window.area() / double(size));
        ElementMeasures elements;
        SceneStatistics all;
        std::vector<Contestant> contestants;
        const auto add = [&](std::string name, std::function<void()> work) {
            contestants.push_back(timed(std::move(name), [&context, work = std::move(work)] {
                work();
                context.synchronize();
            }));
        };
        Strips again;
        again.set_records_states(false);
        add("triangulate", [&] {
            again.reset(context, input, {});
            again.finish({});
        });
        add("elements and cells",
            [&] { elements.measure(context, measured(strips.mesh(), strips.distinct(), window)); });
        const StudyArea area = area_of_rectangle(window.low, window.high);
        SpatialStatistics spatial(context, area);
        SpatialOptions options, of_bins;
        of_bins.corrections = options.corrections = {EdgeCorrection::kTranslation};
        of_bins.bins = true;
        for (int k = 0; k <= 80; ++k) of_bins.radii.push_back(6 * k * spacing / 80);
        add("grid of cells", [&] { spatial.set_points(points); });
        add("pair correlation", [&] { spatial.measure(SpatialFunction::kPairCorrelation, of_bins); });
        add("number variance", [&] { number_variance(context, area, spatial.grid(), 10 * spacing); });
        add("structure factor", [&] { structure_factor(context, area, points, &spatial.grid()); });
        add("discrepancy", [&] { l2_star_discrepancy(context, window, points); });
        for (int k = 0; k <= 100; ++k) options.radii.push_back(0.06 * k * spacing);
        add("spatial: K, translation", [&] {
            spatial.set_points(points);
            spatial.measure(SpatialFunction::kK, options);
        });
        add("spatial: g, translation", [&] { spatial.measure(SpatialFunction::kPairCorrelation, options); });
        const std::vector<Point> few = simulate({}, area, std::vector<Point>(10'000), task.seed, 0);
        add("spatial: 99 envelopes of L", [&] {
            SpatialOptions of_few = options;
            for (double& r : of_few.radii) r *= std::sqrt(double(size) / double(few.size()));
            SpatialStatistics small(context, area);
            small.set_points(few);
            const PointPattern pattern{few};
            envelopes(small, {&pattern, 1}, {{SpatialFunction::kL, of_few}},
                      {small.measure(SpatialFunction::kL, of_few)}, {99, task.seed, {}});
        });
        const StructureMesh whole = structure_mesh(strips.mesh(), strips.distinct());
        EdgeStructures structures;
        Buffer<double> of_edges("bench α or β"), of_triangles("bench α");
        of_edges.resize(context, whole.edge_count);
        of_triangles.resize(context, whole.triangle_count);
        const auto find_graphs = [&] { structures.find(context, whole, true); };
        const auto find_skeleton = [&] { structures.find_skeleton(context, whole, 1.5); };
        const auto find_alpha = [&] { write_alpha(context, whole, of_edges, of_triangles); };
        add("structures: graphs and tree", find_graphs);
        add("structures: β-skeleton", find_skeleton);
        add("structures: α-complex", find_alpha);
        add("structures: greatest β", [&] { write_beta(context, whole, of_edges); });
        add("structures: all but β", [&] {
            find_graphs();
            find_skeleton();
            find_alpha();
        });
        // A coast of 1,000 sides with ten islands left out of it.
        StudyArea coast;
        const auto add_ring = [&](Point centre, double radius, double roughness, int count) {
            std::vector<Point>& ring = coast.rings.emplace_back();
            for (int k = 0; k < count; ++k) {
                const double angle = 2 * 3.14159265358979323846 * k / count,
                             r = radius * (1 + roughness * std::sin(7 * angle) + 0.2 * roughness * std::cos(61 * k));
                ring.push_back({centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)});
            }
        };
        add_ring({0.5, 0.5}, 0.4, 0.1, 1000);
        for (int k = 0; k < 10; ++k) {
            const double angle = 2 * 3.14159265358979323846 * k / 10;
            add_ring({0.5 + 0.25 * std::cos(angle), 0.5 + 0.25 * std::sin(angle)}, 0.03, 0.1, 40);
        }
        coast = area_of_rings(std::move(coast.rings));
        const VertexRows rows = *rows_of(context, measured(strips.mesh(), strips.distinct(), window));
        const std::vector<Point> places = strips.mesh().positions.download(strips.distinct());
        add("cells in a polygon", [&] { cells_in(context, places, rows, coast); });
        add("elements in a polygon", [&] {
            MeasuredMesh within = measured(strips.mesh(), strips.distinct(), window_of(coast));
            within.polygon = std::make_shared<const StudyArea>(coast);
            within.within_window = true;
            elements.measure(context, within);
        });
        add("all statistics", [&] { all.measure(context, scene, {}); });
        for (const Measurement& one : measure(contestants, task.patience))
            table.add({{"points", size}, {"what", one.name}, {"ms", one.median()}, {"samples_ms", one.samples_ms}});
    }
    return true;
}

}  // namespace flipscope::bench
