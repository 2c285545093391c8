#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>

#include "app/figures/picture.h"
#include "app/gl/gl_context.h"
#include "bench/experiments.h"
#include "delaunay/constructions/strips.h"
#include "instruments/kept_scene.h"
#include "instruments/side_by_side.h"
#include "lab/scene.h"

namespace flipscope::bench {

namespace {

/// A camera movement: zoom and distance from the middle, as shares of the extent, at `t` from 0 to 1.
struct Move {
    const char* name;
    double zoom_from, zoom_to;
    double reach;
};
constexpr Move kMoves[] = {
    {"pan, all of it", 1, 1, 0.2},      {"zoom 1 to 8", 1, 8, 0},    {"pan at 8", 8, 8, 0.05},
    {"zoom 8 to 64", 8, 64, 0},         {"pan at 16", 16, 16, 0.03}, {"pan at 64", 64, 64, 0.008},
    {"zoom 64 to 1000", 64, 1000, 0.0},
};

constexpr int kFrameWidth = 1280, kFrameHeight = 800;  // pixels

void colour_by_areas(Context& context, const TriangleMesh& mesh, const Geometry& input, Scene& scene,
                     Buffer<float>& areas) {
    const std::vector<uint32_t> corners = mesh.triangles.download();
    const std::vector<Point> places = mesh.positions.download();
    std::vector<float> values(mesh.triangle_count, std::nanf(""));  // NaN for ghosts
    for (size_t t = 0; t < values.size(); ++t) {
        const uint32_t* v = &corners[3 * t];
        if (std::max({v[0], v[1], v[2]}) >= mesh.infinite()) continue;
        const Point &a = places[v[0]], &b = places[v[1]], &c = places[v[2]];
        values[t] = static_cast<float>(0.5 * ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)));
    }
    areas.upload(context, values.data(), values.size());
    Layer& layer = *scene.layer("triangles");
    layer.scalars = &areas;
    layer.scale.high = 1.0 / static_cast<double>(input.points.size());  // twice the mean in a unit square
}

}  // namespace

bool run_frames(const Task& task, Json& json) {
    const int frames = task.runs > 0 ? task.runs : 120;  // of each movement
    for (const uint64_t size : task.sizes({1'000'000})) {
        app::Offscreen offscreen;
        Context context(task.device, task.threads);
        context.set_timed(false);
        offscreen.share_with(context);
        json["opengl"] = offscreen.gl_renderer();
        std::printf("Frames of %d x %d pixels of a triangulation of uniform points, drawn by %s (%s)\n", kFrameWidth,
                    kFrameHeight, offscreen.gl_renderer().c_str(), offscreen.make_of_sharing().c_str());
        const auto input = std::make_shared<const Geometry>(made_points("uniform", size, task.seed));
        Strips strips;
        strips.set_records_states(false);
        strips.reset(context, input, {});
        strips.finish({});
        Scene scene;
        scene.add_mesh(strips.mesh(), strips.distinct());
        scene.point_count = strips.distinct();
        scene.low = strips.bounds().low;
        scene.high = strips.bounds().high;
        Buffer<float> areas{"areas", Residence::kDrawn};
        if (task.coloured) colour_by_areas(context, strips.mesh(), *input, scene, areas);
        std::unique_ptr<KeptScene> kept;
        if (task.beside) {
            const auto begin = Clock::now();
            kept = std::make_unique<KeptScene>(context, scene);
            const double ms = ms_since(begin);
            std::printf("Beside a kept copy of %.1f MB, made in %.1f ms\n", static_cast<double>(kept->bytes()) / 1e6,
                        ms);
            json["kept"].push_back({{"points", size}, {"bytes", kept->bytes()}, {"ms", ms}});
            scene = side_by_side({kept->scene(), scene});
        }
        offscreen.set_revision(1);
        const bool hurries = app::gl_is_software();  // as in the window
        const Point extent{scene.high.x - scene.low.x, scene.high.y - scene.low.y};
        const auto draw = [&](const Move& move, double t) {
            app::CloseUp close;
            close.zoom = move.zoom_from * std::pow(move.zoom_to / move.zoom_from, t);
            close.center = Point{scene.low.x + extent.x * (0.5 + move.reach * (t - 0.5)),
                                 scene.low.y + extent.y * (0.5 + 0.7 * move.reach * (t - 0.5))};
            const auto begin = Clock::now();
            offscreen.render(scene, kFrameWidth, kFrameHeight, close, !hurries);
            offscreen.finish();
            return ms_since(begin);
        };
        const double first_ms = draw(kMoves[0], 0);  // includes the driver's compilation of shaders
        std::printf("The first picture takes %.1f ms\n", first_ms);
        json["first_pictures"].push_back({{"points", size}, {"ms", first_ms}});
        Table table(json["frames"], "Milliseconds a frame", 18);
        for (const Move& move : kMoves) {
            std::vector<double> ms;
            for (int i = 0; i < frames; ++i) ms.push_back(draw(move, frames > 1 ? double(i) / (frames - 1) : 0));
            std::sort(ms.begin(), ms.end());
            const double sum = std::accumulate(ms.begin(), ms.end(), 0.0);
            table.add({{"points", size},
                       {"way", move.name},
                       {"median_ms", ms[ms.size() / 2]},
                       {"p95_ms", ms[size_t(0.95 * double(ms.size()))]},
                       {"worst_ms", ms.back()},
                       {"frames_per_second", 1000 * double(ms.size()) / sum}});
        }
    }
    return true;
}

}  // namespace flipscope::bench
