#include "labs/voronoi/voronoi_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "compute/error.h"
#include "compute/random.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "labs/voronoi/stencil_inspect.h"
#include "mesh/hash.h"
#include "voronoi/box_lattice.h"

namespace flipscope {

namespace {

constexpr double kMargin = 0.04;     // of the shorter side, left free around scaled points
constexpr double kFarthest = 65536;  // lattice units from the origin
constexpr int kTries = 1000;         // to place a random site by the density, off obstacles
constexpr uint32_t kLeastSide = 16, kMostSide = 16384;

Override image_decides(const ParameterContext& now, const std::string& side) {
    const bool used = now.is("density", "auto") || now.is("density", "image") || now.is("obstacles", "image");
    if (!now.input.field || !now.is("image_size", "on") || !used) return {};
    return {now.input.field->name + " decides, as \"Size of the image\" is on.", side};
}

Override only_of_posts_and_walls(const ParameterContext& now) {
    if (now.is("obstacles", "posts") || now.is("obstacles", "walls")) return {};
    return {"The lattice has neither posts nor walls: obstacles is \"" + now.value_of("obstacles") + "\".", ""};
}

Override only_of_fitted_points(const ParameterContext& now) {
    if (!now.input.points.empty() && now.is("fit", "on")) return {};
    return {now.input.points.empty() ? "No points are given." : "The points are not fitted to the lattice.", ""};
}

Override box_decides_borders(const ParameterContext& now) {
    const Point box = now.is("box", "auto") ? now.input.box : size_of_text(now.value_of("box")).value_or(Point{});
    if (only_of_fitted_points(now) || (box.x == 0 && box.y == 0)) return {};
    return {"The points lie in a periodic box.", name_of_borders({box.x > 0, box.y > 0})};
}

DensityKind density_of(const VoronoiParameters& p, const Geometry& input) {
    if (p.density != kAutoDensity) return static_cast<DensityKind>(p.density - 1);
    const bool image_is_obstacles = p.obstacles == int(ObstacleKind::kImage);
    return input.field && !image_is_obstacles ? DensityKind::kImage : DensityKind::kUniform;
}

Lattice lattice_of(const VoronoiParameters& p, const Geometry& input, bool uses_image) {
    Lattice lattice{uint32_t(p.width), uint32_t(p.height), p.periodic};
    if (!uses_image || !p.image_size) return lattice;
    lattice.width = input.field->width;
    lattice.height = input.field->height;
    for (const uint32_t side : {lattice.width, lattice.height})
        if (side < kLeastSide || side > kMostSide)
            throw Error(
                input.field->name + ": the lattice cannot have the size of this image, " +
                std::to_string(lattice.width) + " by " + std::to_string(lattice.height) +
                "; switch image_size off, and the image is fitted to a lattice of the width and height you set");
    return lattice;
}

/// The periodic box of the input's points; 0: none, or not periodic along that axis.
Point box_of(const VoronoiParameters& p, const Geometry& input) {
    if (!p.fit || input.points.empty()) return {};
    return p.box.x > 0 || p.box.y > 0 ? p.box : input.box;
}

/// Makes the lattice from the box; along an open axis it spans the points.
void fit_box(const VoronoiParameters& p, const Geometry& input, Point box, VoronoiStart& start) {
    const bool is_given = p.box.x == 0 && p.box.y == 0;
    const BoxLattice found = lattice_of_box(input.name, double(p.width) * p.height, is_given ? input.box_low : Point{},
                                            box, bounds_of(input.points), input.points.size());
    start.lattice = found.lattice;
    start.units = found.units;
    start.scale = 1 / found.units.unit.x;
    start.given_middle = found.units.origin;
    const std::string of_name = is_given ? " of " + input.name : std::string();
    const std::string what =
        found.lattice.periodic.both()
            ? "The lattice is the periodic box" + of_name + ", " + format_short(box.x) + " by " + format_short(box.y)
            : "Along " + std::string(box.x > 0 ? "x" : "y") + " the lattice is the periodic box" + of_name + ", " +
                  format_short(std::max(box.x, box.y)) + (box.x > 0 ? " wide" : " high") +
                  "; the other way it reaches over all points";
    start.message.add("box", what + ", on " + std::to_string(found.lattice.width) + " × " +
                                 std::to_string(found.lattice.height) + " pixels: a lattice unit is " +
                                 format_short(found.units.unit.x) + " of the input's units" +
                                 (found.stretch > 0 ? ", and along y " + format_short(found.units.unit.y) : "") + ".");
}

/// Scales the points of the input to the lattice.
void fit(const VoronoiParameters& p, const std::vector<Point>& points, VoronoiStart& start) {
    if (!p.fit || points.empty() || start.units) return;
    const auto [low, high] = bounds_of(points);
    const Lattice& lattice = start.lattice;
    const double margin = kMargin * std::min(lattice.width, lattice.height);
    const double half_x = high.x / 2 - low.x / 2, half_y = high.y / 2 - low.y / 2;
    const double room_x = (lattice.width - 1) / 2.0 - margin, room_y = (lattice.height - 1) / 2.0 - margin;
    start.scale = 1;
    if (half_x > 0 || half_y > 0) start.scale = half_x * room_y > half_y * room_x ? room_x / half_x : room_y / half_y;
    start.given_middle = {low.x / 2 + high.x / 2, low.y / 2 + high.y / 2};
    start.middle = {(lattice.width - 1) / 2.0, (lattice.height - 1) / 2.0};
    const double unit = 1 / start.scale;
    start.units = {{start.given_middle.x - start.middle.x * unit, start.given_middle.y - start.middle.y * unit},
                   {unit, unit}};
    if (start.scale != 1)
        start.message.add("scaled", "The points are scaled to fit the lattice: a lattice unit is " +
                                        format_short(1 / start.scale) +
                                        " of the input's units, in which sites and differences are written.");
}

/// The points as placed on the lattice.
std::vector<Point> laid_out(const VoronoiParameters& p, const Geometry& input, VoronoiStart& start) {
    const Lattice& lattice = start.lattice;
    std::vector<Point> places;
    places.reserve(input.points.size());
    const Point box = box_of(p, input);
    const bool in_box = start.units.has_value() && (box.x > 0 || box.y > 0);
    const auto [around_x, around_y] = lattice.periodic;
    const double edge_x = in_box && around_x ? 0 : 0.5, edge_y = in_box && around_y ? 0 : 0.5;
    uint64_t wrapped = 0, outside = 0;
    CancelPoll poll;
    for (size_t i = 0; i < input.points.size(); ++i) {
        poll();
        Point at = input.points[i];
        if (in_box)
            at = start.units->on_lattice(at);
        else if (p.fit)
            at = {start.middle.x + (at.x - start.given_middle.x) * start.scale,
                  start.middle.y + (at.y - start.given_middle.y) * start.scale};
        const bool inside_x = at.x >= -edge_x && at.x < lattice.width - edge_x;
        const bool inside_y = at.y >= -edge_y && at.y < lattice.height - edge_y;
        if (in_box) at = lattice.wrapped(at);
        if (!(std::max(std::fabs(at.x), std::fabs(at.y)) <= kFarthest))
            throw Error(input.name + ": point " + std::to_string(i) + " lies at " + place_text(at) +
                        ", too far from a lattice of " + std::to_string(lattice.width) + " by " +
                        std::to_string(lattice.height) +
                        " pixels (65,536 at most); switch fit on to scale the points to it");
        wrapped += (around_x && !inside_x) || (around_y && !inside_y);
        outside += (!around_x && !inside_x) || (!around_y && !inside_y);
        if (!around_x && !inside_x) start.reach = std::max({start.reach, -at.x, at.x - lattice.width});
        if (!around_y && !inside_y) start.reach = std::max({start.reach, -at.y, at.y - lattice.height});
        places.push_back(lattice.wrapped(at));
    }
    if (wrapped)
        start.message.add("wrapped", count_text(wrapped, "point was", "points were") + " wrapped into the " +
                                         (lattice.periodic.both() ? "torus." : "cylinder."));
    if (outside)
        start.message.add("outside", count_text(outside, "point lies", "points lie") +
                                         " outside the lattice; of their cells only the part on the lattice is seen.");
    return places;
}

/// Number k of a random stream of this seed.
RandomPair random_of(int seed, uint64_t stream, uint64_t k) {
    return random_pair(mix64(mix64(uint64_t(seed)) ^ stream), k);
}

void place_at_random(const VoronoiParameters& p, VoronoiStart& start) {
    const Lattice& lattice = start.lattice;
    const uint16_t most = start.density.empty() ? 1 : *std::max_element(start.density.begin(), start.density.end());
    const double edge_x = lattice.periodic.x ? 0 : 0.5, edge_y = lattice.periodic.y ? 0 : 0.5;
    CancelPoll poll;
    for (int i = 0; i < p.sites; ++i) {
        Point at;
        for (int k = 0; k < kTries; ++k) {
            poll();
            const uint64_t number = uint64_t(i) * kTries + k;
            const RandomPair place = random_of(p.seed, 1, number);
            at = {place.first * lattice.width - edge_x, place.second * lattice.height - edge_y};
            const auto nearest = [](double v, uint32_t length) {
                return std::min(uint32_t(std::max(v + 0.5, 0.0)), length - 1);
            };
            const uint32_t pixel = lattice.pixel(nearest(at.x, lattice.width), nearest(at.y, lattice.height));
            if (!start.obstacles.empty() && start.obstacles[pixel]) continue;
            if (!p.by_density || start.density.empty()) break;
            if (random_of(p.seed, 2, number).first * most < start.density[pixel]) break;
        }
        start.sites.push_back(at);
        start.names.push_back(uint32_t(i));
    }
    start.message.add("random", count_text(uint64_t(p.sites), "random site.", "random sites."));
}

/// Chooses initial cluster centres among the points: as many as requested, drawn without replacement, in ascending
/// order.
void choose_sites(const VoronoiParameters& p, VoronoiStart& start) {
    const size_t n = start.points.size(), k = std::min<size_t>(p.sites, n);
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (size_t i = 0; i < k; ++i)
        std::swap(order[i], order[i + size_t(random_of(p.seed, 3, i).first * double(n - i))]);
    order.resize(k);
    sort_or_cancel(order.begin(), order.end());
    for (const uint32_t i : order) start.sites.push_back(start.points[i]);
    start.names = order;
    if (k < size_t(p.sites))
        start.message.add("few-points",
                          "There are only " + std::to_string(n) + " points, so each is a cluster of its own.");
}

void tell_of_coincident_sites(VoronoiStart& start) {
    std::vector<Point> sorted = start.sites;
    sort_or_cancel(sorted.begin(), sorted.end(),
                   [](Point a, Point b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    uint64_t copies = 0;
    for (size_t i = 1; i < sorted.size(); ++i) copies += sorted[i] == sorted[i - 1];
    if (copies)
        start.message.add("coincident", count_text(copies, "site lies", "sites lie") +
                                            " at the position of another one: of these the first has the cell.");
}

}  // namespace

VoronoiStart make_voronoi_start(const VoronoiParameters& p, const Geometry& input) {
    if (input.in_space())
        throw Error(
            input.name +
            ": this is a surface in space, and this lab takes points of the plane; the Flip lab takes surfaces");
    const DensityKind density = density_of(p, input);
    const auto obstacles = static_cast<ObstacleKind>(p.obstacles);
    const bool uses_image = density == DensityKind::kImage || obstacles == ObstacleKind::kImage;
    if (uses_image && (!input.field || input.field->frame_count() == 0))
        throw Error(std::string(density == DensityKind::kImage ? "density" : "obstacles") +
                    "=image needs an image, and " + (input.name.empty() ? "the input" : input.name) +
                    " is none; open one, or choose something else");
    VoronoiStart start;
    const Point box = box_of(p, input);
    if (box.x > 0 || box.y > 0)
        fit_box(p, input, box, start);
    else
        start.lattice = lattice_of(p, input, uses_image);
    const std::vector<float> shades = uses_image ? fit_image(start.lattice, *input.field, 0) : std::vector<float>{};
    if (uses_image && input.field->frame_count() > 1)
        start.message.add("frames",
                          "Of the " + std::to_string(input.field->frame_count()) + " frames the first one is used.");
    start.obstacles = make_obstacles(start.lattice,
                                     {obstacles, uint32_t(p.obstacle_count), uint32_t(p.obstacle_height),
                                      uint32_t(p.obstacle_width), p.obstacle_threshold},
                                     shades);
    start.density = make_density(start.lattice, {density, p.contrast, p.gamma}, shades);
    start.image = shades;

    const bool clusters = p.data == int(VoronoiData::kPoints);
    if (clusters && input.points.empty())
        throw Error(
            "data=points assigns points to clusters, and the input has no points; give some, or set data=lattice");
    if (clusters || !input.points.empty()) {
        fit(p, input.points, start);
        std::vector<Point> places = laid_out(p, input, start);
        if (clusters) {
            start.points = std::move(places);
            choose_sites(p, start);
        } else {
            start.sites = std::move(places);
            start.names.resize(start.sites.size());
            std::iota(start.names.begin(), start.names.end(), 0u);
            if (p.sites != VoronoiParameters{}.sites)
                start.message.add("given",
                                  "The points of the input are the sites, " + std::to_string(start.sites.size()) +
                                      " of them: \"count\" is the number of random ones, where there are no points.");
        }
    } else {
        place_at_random(p, start);
        if (uses_image && input.field->pixel > 0 && start.lattice.width == input.field->width &&
            start.lattice.height == input.field->height) {
            start.units = {{0, 0}, {input.field->pixel, input.field->pixel}};
            start.scale = 1 / input.field->pixel;
        }
    }
    start.next_name = uint32_t(clusters ? start.points.size() : start.sites.size());
    tell_of_coincident_sites(start);
    return start;
}

void visit_voronoi_parameters(ParameterVisitor& visitor, VoronoiParameters& p) {
    visitor.group("Lattice");
    visit_lattice_size(visitor, p.width, p.height, image_decides);
    visit_borders(visitor, "borders", "Borders", "The boundary conditions of the lattice.", p.periodic);
    visitor.overridden_by(box_decides_borders);
    visit_box(visitor,
              "Of the points of an input, in its units: the lattice is the box, and has about as many pixels as width "
              "and height say. 30x0: periodic along x alone, and along y the lattice reaches over the points. auto: "
              "the input's own; without one the borders are as they are set.",
              p.box, 1e30);
    visitor.overridden_by(only_of_fitted_points, [](const ParameterContext& now) -> Override {
        if (!now.is("box", "auto") || (now.input.box.x == 0 && now.input.box.y == 0)) return {};
        return {"auto stands for that of " + now.input.name + ".", text_of_size(now.input.box), true};
    });
    visitor.toggle("image_size", "Size of the image",
                   "An image that is used as density or obstacles gives the lattice its width and height.",
                   p.image_size);
    visitor.overridden_by(override_if([](const auto& now) { return !now.input.field; }, "No image is given."));
    visitor.group("Sites");
    visitor.toggle("fit", "Fit points to the lattice",
                   "Points are scaled, and keep their proportions. Off: their coordinates are lattice units.", p.fit);
    visitor.overridden_by(
        override_if([](const auto& now) { return now.input.points.empty(); }, "No points are given."));
    visit_count(visitor, "Random sites", " With data=points: the number of clusters.", p.sites, 0, 4000000);
    visitor.overridden_by([](const ParameterContext& now) -> Override {
        if (now.input.points.empty() || now.is("data", "points")) return {};
        return {"The points of the input are the sites.", std::to_string(now.input.points.size())};
    });
    visit_seed(visitor, "Seed of the sites", p.seed);
    visit_either(visitor, "placement", "Random sites are placed", "How random sites are distributed at first.",
                 p.by_density,
                 {{"uniform", "anywhere, with equal probability"}, {"density", "in proportion to the density"}});
    visitor.choice("data", "Cells are made of", "What Lloyd's iteration assigns to cells, and takes centroids of.",
                   p.data,
                   {{"lattice", "pixels, weighed by the density: a centroidal Voronoi diagram"},
                    {"points", "the points of the input: k-means, with as many clusters as `count` says"}});
    visitor.group("Colouring");
    visit_colouring_method(visitor, p.method);
    visitor.group("Density");
    visitor.choice("density", "Density", "What attracts sites: the population of equation 1.", p.density,
                   {{"auto", "the image, if there is one; else uniform"},
                    {"uniform", "all pixels weigh the same"},
                    {"ramp", "increasing from left to right"},
                    {"hill", "a Gaussian hill in the middle"},
                    {"ring", "a ring around the middle"},
                    {"image", "the image: dark attracts, which is stippling"}});
    visitor.number("contrast", "Contrast", "Of the density, about its mean: 0 makes all pixels alike.", p.contrast, 0,
                   10);
    visitor.number("gamma", "Gamma", "The density is raised to this power: more than 1 leaves the light parts empty.",
                   p.gamma, 0.1, 10);
    visitor.group("Obstacles");
    visitor.choice("obstacles", "Obstacles", "Pixels without colour, besides those painted manually.", p.obstacles,
                   {{"none", "none"},
                    {"posts", "posts on the left border, at equal distances"},
                    {"walls", "walls that alternate between the bottom and the top border"},
                    {"image", "the dark parts of the image"}});
    visit_obstacle_count(visitor, p.obstacle_count, 1000);
    visitor.overridden_by(only_of_posts_and_walls);
    visitor.integer("obstacle_height", "Height of obstacles", "How far they stand out from the border, pixels.",
                    p.obstacle_height, 0, kMostSide);
    visitor.overridden_by(only_of_posts_and_walls);
    visitor.integer("obstacle_width", "Width of obstacles", "Along the border, pixels.", p.obstacle_width, 0,
                    kMostSide);
    visitor.overridden_by(only_of_posts_and_walls);
    visitor.number("obstacle_threshold", "Obstacles are darker than", "Of an image: 0 is black, 1 is white.",
                   p.obstacle_threshold, 0, 1);
    visitor.overridden_by([](const ParameterContext& now) -> Override {
        if (now.is("obstacles", "image")) return {};
        return {"The obstacles do not come from an image: obstacles is \"" + now.value_of("obstacles") + "\".", ""};
    });
    visitor.group("Lloyd's iteration");
    visitor.integer("lloyd", "Lloyd iterations",
                    "The most times that every site moves to the centroid of its cell. 0: one colouring, one graph.",
                    p.lloyd, 0, 100000);
    visitor.number("tolerance", "Stop below",
                   "The iteration ends when no site is farther from its centroid than this, in lattice units.",
                   p.tolerance, 0, 100);
    visitor.group("Graph");
    visitor.choice("graph_rounds", "The graph is made", "In which rounds the passes from \"corners\" on run.", p.graph,
                   {{"every", "in every round"}, {"last", "in the last round only"}});
    visitor.toggle(
        "compare", "Compare with the exact graph",
        "The exact Delaunay triangulation of the same sites shows which links are missing, and which are spurious.",
        p.compare);
    visit_stencil_rules(visitor, p.rules);
    visitor.group("Editing");
    visitor.choice("after_edit", "After a manual edit", "What happens after a site or an obstacle was changed.",
                   p.after_edit,
                   {{"at-once", "colouring and graph are recomputed at once, as part of the edit"},
                    {"step", "everything is uncoloured, and the passes recompute it one by one"}});
    visit_block_size(visitor, p.block_size);
}

}  // namespace flipscope
