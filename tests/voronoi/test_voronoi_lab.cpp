// The Voronoi lab as a machine: the results of its passes, that finishing equals stepping, and its results for few,
// equal and collinear sites.
#include <cmath>
#include <set>

#include "delaunay/runs.h"
#include "geometry/frames.h"
#include "voronoi/voronoi_machine.h"

using namespace flipscope;

namespace {

uint64_t hash_of_sites(const Lab& lab) {
    const Scene scene = lab.scene();
    uint64_t hash = 14695981039346656037ull;
    if (scene.lattice().states)
        for (const State word : scene.lattice().states->download()) hash = (hash ^ (word + 1u)) * 1099511628211ull;
    return hash;
}

std::vector<Settings> variants() {
    return {{"count=60", "width=96", "height=64"},
            {"count=300", "width=128", "height=96", "borders=periodic", "lloyd=4"},
            {"count=40", "width=80", "height=80", "method=jump-flooding", "obstacles=posts", "obstacle_height=20"},
            {"count=50", "width=64", "height=64", "method=every-site", "lloyd=3", "density=ring"},
            {"count=50", "width=100", "height=64", "lloyd=5", "graph_rounds=last", "obstacles=walls", "density=hill",
             "borders=periodic"},
            {"count=200", "width=100", "height=90", "borders=periodic_x", "lloyd=4"},
            {"count=90", "width=70", "height=100", "borders=periodic_y", "lloyd=3", "obstacles=posts",
             "obstacle_height=20", "method=jump-flooding", "density=ramp"},
            {"count=0", "width=16", "height=16", "lloyd=2"}};
}

}  // namespace

TEST_CASE("Voronoi lab: finishing ends in the state of stepping, on every device") {
    for (const Settings& settings : variants()) {
        std::string text;
        for (const std::string& setting : settings) text += setting + " ";
        INFO(text);
        uint64_t expected = 0, drawn = 0;
        on_every_device([&](Context& context) {
            const auto steps = stepped(context, nothing(), "voronoi", settings);
            if (expected == 0) expected = steps->state_hash(), drawn = hash_of_sites(*steps);
            CHECK(steps->state_hash() == expected);
            CHECK(hash_of_sites(*steps) == drawn);
            const auto whole = finished(context, nothing(), "voronoi", settings);
            CHECK(whole->state_hash() == expected);
            CHECK(hash_of_sites(*whole) == drawn);
            CHECK(hash_of_states(*whole) == hash_of_states(*steps));
            CHECK(facet<Checkable>(*whole).check().passed);
        });
    }
}

TEST_CASE("Voronoi lab: a comparison that finds differences is one to stop at, whether another round follows or not") {
    Context context(DeviceRequest::kCpu, 2);
    for (const char* width : {"width=64", "width=400"}) {
        INFO(width);
        const auto lab =
            lab_with("voronoi", {"count=100", width, "height=64", "lloyd=4", "graph_rounds=every", "exact_cells=none"});
        lab->reset(context, nothing());
        size_t comparisons = 0, with_differences = 0;
        while (!lab->done()) {
            const StepResult result = lab->step();
            if (lab->info().passes[result.pass].name != "compare") {
                CHECK_FALSE(result.breakpoint_hit);
                continue;
            }
            const bool differs =
                result.counters[VoronoiMachine::kMissed] + result.counters[VoronoiMachine::kSpurious] > 0;
            CHECK(result.breakpoint_hit == differs);
            ++comparisons;
            with_differences += differs;
        }
        CHECK(comparisons == 5);
        CHECK(with_differences > 1);
    }
}

TEST_CASE("Voronoi lab: no site, one, two, equal ones and a line of them run to their end") {
    Context context(DeviceRequest::kCpu, 2);
    const std::vector<std::vector<Point>> inputs{{},
                                                 {{3, 4}},
                                                 {{3, 4}, {10, 4}},
                                                 {{5, 5}, {5, 5}, {5, 5}},
                                                 {{1, 1}, {3, 3}, {9, 9}, {12, 12}, {3, 3}},
                                                 {{0, 0}, {4, 0}, {4, 4}, {0, 4}}};
    for (const std::string borders : {"open", "periodic", "periodic_x", "periodic_y"})
        for (const auto& points : inputs) {
            INFO(points.size() << " points, " << borders);
            const Settings settings{"width=16", "height=16", "fit=off", "count=0", "lloyd=2", "borders=" + borders};
            const auto lab = finished(context, make_input("few", points), "voronoi", settings);
            CHECK(facet<Checkable>(*lab).check().passed);
            CHECK(number_of(*lab, "sites") == double(points.size()));
            const auto colours = values_of<uint32_t>(*lab, "colours");
            for (const uint32_t colour : colours) REQUIRE(colour == (points.empty() ? kNone : std::min(colour, 4u)));
            for (const Distribution& histogram : facet<Measurable>(*lab).statistics().all<Distribution>())
                CHECK(histogram.low < histogram.high);
        }
    const auto line = finished(context, make_input("line", {{2, 5}, {5, 5}, {9, 5}, {13, 5}}), "voronoi",
                               {"width=16", "height=16", "fit=off"});
    CHECK(values_of<uint32_t>(*line, "links") == std::vector<uint32_t>{0, 1, 1, 2, 2, 3});
}

TEST_CASE("Voronoi lab: points are scaled to the lattice, or taken as they are, and what lies outside is said") {
    Context context(DeviceRequest::kCpu, 1);
    const auto points = make_input("far", {{1e6, -3}, {1e6 + 4, -3}, {1e6 + 4, -1}, {1e6, -1}});
    auto lab = started(context, points, "voronoi", {"width=200", "height=100"});
    CHECK(contains(lab->step().message.text(), "scaled to fit"));
    const auto sites = values_of<double>(*lab, "sites");
    REQUIRE(sites.size() == 8);
    const Result result = lab->result();
    REQUIRE(result.lattice);
    CHECK(result.lattice->width == 200);
    for (size_t i = 0; i < 4; ++i) {
        // They are saved as they were given.
        CHECK(sites[2 * i] == doctest::Approx(points->points[i].x).epsilon(1e-12));
        CHECK(sites[2 * i + 1] == doctest::Approx(points->points[i].y).epsilon(1e-9));
        const Point at = result.lattice->units.on_lattice(points->points[i]);
        CHECK((at.x >= 0 && at.x <= 199 && at.y >= 0 && at.y <= 99));
        // Proportions stay: four to two.
        CHECK(std::abs(at.x - 99.5) == doctest::Approx(2 * std::abs(at.y - 49.5)));
    }
    set_parameter(*lab, "fit=off");
    CHECK_THROWS_WITH_AS(lab->reset(context, points), doctest::Contains("point 0 lies at 1000000, -3,"), Error);
    CHECK(values_of<double>(*lab, "sites") == sites);  // as before
    lab->reset(context, make_input("beside", {{10, 10}, {250, 50}}));
    CHECK(contains(lab->step().message.text(), "1 point lies outside"));
    lab->finish({});
    CHECK(facet<Checkable>(*lab).check().passed);
    set_parameter(*lab, "borders=periodic");
    lab->reset(context, make_input("beside", {{10, 10}, {250, 50}}));
    CHECK(contains(lab->step().message.text(), "1 point was wrapped"));
    CHECK(values_of<double>(*lab, "sites")[2] == 50);
}

TEST_CASE("Voronoi lab: the energy is in lattice units for every density, which is 1 at most") {
    Context context(DeviceRequest::kCpu, 1);
    const Settings settings{"width=60", "height=40", "count=20", "compare=off", "placement=uniform"};
    const auto energy = [&](const char* density) {
        Settings all = settings;
        all.push_back(density);
        return number_of(*finished(context, nothing(), "voronoi", all), "energy");
    };
    const double even = energy("density=uniform");
    CHECK(energy("density=hill") < even);
    CHECK(energy("density=ramp") < even);
    CHECK(energy("density=ramp") > even / 4);
    Settings dark = settings;  // a ramp without contrast: one half everywhere
    dark.insert(dark.end(), {"density=ramp", "contrast=0"});
    CHECK(number_of(*finished(context, nothing(), "voronoi", dark), "energy") ==
          doctest::Approx(even / 2).epsilon(1e-3));
}

TEST_CASE("Voronoi lab: the iteration ends by itself when no site moves any more") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab =
        started(context, nothing(), "voronoi", {"count=4", "width=64", "height=64", "lloyd=100000", "tolerance=0.01"});
    std::string said;
    while (!lab->done()) said += lab->step().message.text();
    CHECK(contains(said, "the iteration ends"));
    CHECK(number_of(*lab, "largest move") <= 0.01);
    CHECK(number_of(*lab, "links") >= 4);  // the last round has its graph
}

TEST_CASE("Voronoi lab: a picture's dark parts attract sites, and its lattice has the picture's size") {
    Context context(DeviceRequest::kCpu, 2);
    const auto stack = std::make_shared<FieldStack>();
    stack->name = "half.png";
    stack->width = 90, stack->height = 60;
    for (uint32_t y = 0; y < 60; ++y)
        for (uint32_t x = 0; x < 90; ++x) stack->values.push_back(x < 45 ? 0.1f : 0.9f);
    const auto picture = std::make_shared<Geometry>();
    picture->name = "half.png";
    picture->field = stack;
    const auto dark = [&](const Settings& settings) {
        const auto lab = finished(context, picture, "voronoi", settings);
        CHECK(lab->scene().lattice().width == 90);
        CHECK(lab->scene().lattice().height == 60);
        CHECK(facet<Checkable>(*lab).check().passed);
        size_t count = 0;
        const auto sites = values_of<double>(*lab, "sites");
        for (size_t i = 0; i < sites.size(); i += 2) count += sites[i] < 44.5;
        return count;
    };
    const size_t even = dark({"count=200", "placement=uniform", "compare=off"});
    CHECK(even < 120);
    CHECK(dark({"count=200", "placement=uniform", "lloyd=60", "compare=off"}) > even);
    CHECK(dark({"count=200", "lloyd=20", "compare=off"}) > 140);  // placed by the density to begin with
    CHECK(dark({"count=200", "lloyd=20", "density=uniform", "image_size=off", "width=90", "height=60"}) < 120);
    const auto fitted = finished(context, picture, "voronoi", {"image_size=off", "width=64", "height=64"});
    CHECK(fitted->scene().lattice().width == 64);
    const auto density = values_of<uint32_t>(*fitted, "density");
    CHECK(density[32 * 64 + 4] > density[32 * 64 + 60]);
    CHECK(density[32 * 64 + 60] > density[0]);  // above and below it is white
    CHECK_THROWS_WITH_AS(finished(context, nothing(), "voronoi", {"density=image"}),
                         doctest::Contains("density=image needs an image"), Error);
}

TEST_CASE("Voronoi lab: k-means of the points of a file, from centres drawn among them") {
    Context context(DeviceRequest::kCpu, 2);
    const Input points = generated("clusters:900@seed=5");
    const auto lab =
        started(context, points, "voronoi", {"data=points", "count=12", "lloyd=1000", "tolerance=0", "seed=3"});
    lab->step();
    const auto names = values_of<uint32_t>(*lab, "names");
    CHECK(names.size() == 12);
    CHECK(std::set<uint32_t>(names.begin(), names.end()).size() == 12);
    double before = 1e300;
    while (!lab->done()) {
        const StepResult result = lab->step();
        if (result.measures.empty()) continue;
        CHECK(result.measures[0] <= before * (1 + 1e-9));
        before = result.measures[0];
    }
    CHECK(number_of(*lab, "largest move") == 0);  // it ended by itself
    const auto clusters = values_of<uint32_t>(*lab, "clusters");
    REQUIRE(clusters.size() == 900);
    // The same WCSS from the labels alone, in the units of the input.
    std::vector<Point> sums(12);
    std::vector<double> sizes(12);
    for (size_t i = 0; i < 900; ++i) {
        const uint32_t c = clusters[i];
        sums[c] = {sums[c].x + points->points[i].x, sums[c].y + points->points[i].y};
        ++sizes[c];
    }
    double wcss = 0;
    for (size_t i = 0; i < 900; ++i) {
        const uint32_t c = clusters[i];
        wcss += std::pow(points->points[i].x - sums[c].x / sizes[c], 2) +
                std::pow(points->points[i].y - sums[c].y / sizes[c], 2);
    }
    CHECK(number_of(*lab, "energy in the input's units") == doctest::Approx(wcss).epsilon(1e-5));
    CHECK_THROWS_WITH_AS(finished(context, nothing(), "voronoi", {"data=points"}),
                         doctest::Contains("the input has no points"), Error);
    const auto more = finished(context, make_input("two", {{0, 0}, {1, 0}}), "voronoi", {"data=points", "count=9"});
    CHECK(number_of(*more, "sites") == 2);
}

TEST_CASE("Voronoi lab: links across periodic borders are drawn within them") {
    Context context(DeviceRequest::kCpu, 2);
    for (const std::string borders : {"periodic", "periodic_x", "periodic_y"}) {
        const bool around_x = borders != "periodic_y", around_y = borders != "periodic_x";
        const auto lab =
            stepped(context, nothing(), "voronoi", {"count=30", "width=60", "height=40", "borders=" + borders});
        const Scene scene = lab->scene();
        const auto& drawn = std::get<SegmentsLayer>(scene.layer("links")->shape);
        const std::vector<Point> at = drawn.places->download();
        const std::vector<uint32_t> ends = drawn.ends->download();
        const uint32_t links = uint32_t(lab->result().edges);
        CHECK(drawn.count > links);  // some have two pieces or three
        for (uint32_t e = 0; e < drawn.count; ++e) {
            const Point a = at[ends[2 * e]], b = at[ends[2 * e + 1]];
            for (const Point& p : {a, b}) CHECK((p.x >= -0.5 && p.x <= 60 && p.y >= -0.5 && p.y <= 40));
            if (around_x) CHECK(std::abs(a.x - b.x) <= 30);
            if (around_y) CHECK(std::abs(a.y - b.y) <= 20);
        }
        CHECK_FALSE(scene.layer("overlay")->empty());
    }
}

TEST_CASE("Voronoi lab: what lies under the cursor is a site, a link or a site of the lattice, and can be explained") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = finished(context, make_input("four", {{20, 20}, {60, 20}, {20, 50}, {60, 50.5}}), "voronoi",
                              {"width=80", "height=64", "fit=off"});
    const auto pick = [&](double x, double y) {
        Probe probe;
        probe.place = {x, y};
        probe.radius = 2;
        return facet<Inspectable>(*lab).pick(probe);
    };
    const auto fact = [&](const Element& element, const std::string& name) {
        for (const Property& found : facet<Inspectable>(*lab).inspect(element).properties())
            if (found.name == name) return text_of(found.value);
        return std::string();
    };
    const Element pixel = pick(60.5, 20);
    CHECK(pixel.kind == ElementKind::kVertex);
    CHECK(fact(pixel, "Site") == "1");
    CHECK(!fact(pixel, "Neighbours").empty());
    const Element link = pick(40, 20.5);
    CHECK(link.kind == ElementKind::kEdge);
    CHECK(fact(link, "Link") == "site 0 to site 1");
    CHECK(fact(link, "In the exact graph") == "yes");
    const Element lattice = pick(40.2, 25.9);
    CHECK(lattice.kind == ElementKind::kPixel);
    CHECK(lattice.id == 26 * 80 + 40);
    CHECK(!facet<Inspectable>(*lab).inspect(lattice).empty());
    CHECK(facet<Inspectable>(*lab).inspect(lattice).has<Diagram>());
    CHECK(pick(-30, 5).id == kNone);
}
