// The Build lab: the same exact triangulation from every generator, device, number of threads and way to run it; every
// pass, every parameter, and difficult inputs.
#include "delaunay/constructions/insertion.h"

#include <functional>
#include <map>
#include <random>
#include <set>

#include "delaunay/engines.h"
#include "delaunay/flip_films.h"
#include "delaunay/oracle.h"

using namespace flipscope;

namespace {

constexpr size_t kMostBytesPerPoint = 250;

/// Working memory of a run on CPU threads that records states, bytes; runs that do not take less.
size_t peak_of(const Input& input) {
    Context context(DeviceRequest::kCpu, 2);
    run_engine<Insertion>(context, input, InsertionOptions{});
    return context.peak_bytes();
}

}  // namespace

TEST_CASE("insertion: every generator, small: stepped or finished, any device, any threads, the serial one: the same") {
    for_each_generated({0, 1, 2, 3, 10, 1000},
                       [](const Input& input) { check_on_every_device<Insertion>(input, InsertionOptions{}); });
}

TEST_CASE("insertion: every generator with a hundred thousand points, and a million, within 250 bytes a point") {
    double worst = 0;
    std::string worst_name;
    const auto check = [&](const Input& input) {
        check_on_every_device<Insertion>(input, InsertionOptions{}, false);
        const size_t n = input->points.size();
        if (n < 50'000) return;
        const double bytes = double(peak_of(input)) / double(n);
        CHECK(bytes <= kMostBytesPerPoint);
        if (bytes > worst) worst = bytes, worst_name = input->name;
    };
    for_each_generated({case_count(100'000)}, check);
    for (const char* name : {"uniform:", "normal:"}) check(generated(name + std::to_string(case_count(1'000'000))));
    MESSAGE("most memory: ", worst, " bytes a point, ", worst_name);
}

TEST_CASE("insertion: hard inputs, as they are, turned, and with every point twice") {
    const std::vector<Input> inputs = hard_inputs();
    for (size_t i = 0; i < inputs.size(); i += case_stride(4)) {
        const Input& input = inputs[i];
        std::vector<Point> turned = input->points, twice = input->points;
        for (Point& p : turned) p = {-p.y, p.x};
        twice.insert(twice.end(), input->points.rbegin(), input->points.rend());
        for (const Input& each :
             {input, make_input(input->name + ", turned", turned), make_input(input->name + ", twice", twice)})
            check_on_every_device<Insertion>(each, InsertionOptions{});
    }
}

TEST_CASE("insertion: started from a sample of however few points, it ends in the same triangles") {
    const InsertionOptions options{.fewest_sampled = 1};
    for_each_generated({1, 2, 3, 4, 5, 10, 100}, [&](const Input& input) {
        check_on_every_device<Insertion>(input, options);
        check_on_every_device<Insertion>(input, InsertionOptions{.start = InsertionStart::kTriangle}, false);
    });
    for (const Input& input : hard_inputs()) check_on_every_device<Insertion>(input, options);
    check_degenerate_sets<Insertion>(
        23, [&](size_t, std::mt19937_64&) { return options; }, 80);
    std::mt19937_64 random(23);
    Context context(DeviceRequest::kCpu, 1);
    uint64_t sampled = 0;
    for (size_t i = 0; i < case_count(10000); ++i) {
        const Input input = few_coordinates(random, 80);
        Insertion insertion;
        insertion.reset(context, input, options);
        insertion.finish({}, 0);
        sampled += insertion.mesh().triangle_count > 4;
    }
    CHECK(sampled > case_count(1000));
}

TEST_CASE("insertion: the state and the marks after every step are the same on every device") {
    for (const char* text : {"uniform:1000", "ring:1000", "grid:1000", "clusters:1000", "line:1000", "duplicates:1000"})
        compare_films("build", generated(text), {});
    const std::string n = std::to_string(case_count(8000));  // enough for several tasks a pass
    for (const char* name : {"uniform:", "grid:", "rings:"}) compare_films("build", generated(name + n), {});
    compare_films("build", generated("spiral:" + n), {"conflict=hashed", "vote=lowest", "flip_limit=2"});
    compare_films("build", generated("uniform:" + n), {"enclosure=supertriangle", "flip_limit=1"});
    compare_films("build", generated("near-grid:" + n), {"predicate=float-circumcentre"});
    compare_films("build", generated("near-grid:" + n), {"predicate=float"});
    compare_films("build", generated("clusters:" + n), {"flips=off"});
}

/// On a tiny grid, which may be moved and scaled without rounding: other filters fail, other cells of the curve.
static std::vector<Point> tiny_grid(const std::function<int(int)>& below) {
    const int width = 2 + below(5), height = 1 + below(5);
    std::vector<Point> points(1 + below(12));
    for (Point& p : points) p = {double(below(width)), double(below(height))};
    return points;
}

/// Collinear or cocircular, except for an ulp of some points.
static std::vector<Point> nearly_degenerate(const std::function<int(int)>& below) {
    const std::vector<Point> ring = lattice_circle_points(48);
    const int kind = below(3);
    std::vector<Point> points(4 + below(6));
    for (Point& p : points) {
        if (kind == 0)
            p = {below(5) * 0.1, below(5) * 0.1};
        else if (kind == 1)
            p = ring[below(48)];
        else
            p = {1 + below(8) * 0.1, (1 + below(8) * 0.1) / 3};
        if (below(2)) p.x = std::nextafter(p.x, below(2) ? 1e9 : -1e9);
        if (std::fabs(p.x) < 0x1p-7) p.x = 0;
    }
    return points;
}

TEST_CASE("insertion: a few points: exactly the triangles with an empty circle, ties by rank") {
    std::mt19937_64 random(7);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    Context context(DeviceRequest::kCpu, 1);
    const auto build = lab_with("build"), serial = lab_with("serial");
    for (size_t i = 0; i < case_count(6400); ++i) {
        const bool nearly = i % 16 == 0;
        std::vector<Point> points = nearly ? nearly_degenerate(below) : tiny_grid(below);
        const Triangles expected = delaunay_by_definition(points);
        const double scale[] = {1, 1, 0x1p-150, 0x1p150, 3};
        const double s = nearly ? 1 : scale[below(5)],
                     shift = !nearly && below(2) && (s == 1 || s == 3) ? double(below(1000) - 500) * 0x1p40 : 0;
        for (Point& p : points) p = {p.x * s + shift, p.y * s - shift};
        set_parameter(*build, "conflict", below(2) ? "lowest" : "hashed");
        set_parameter(*build, "vote", below(2) ? "circumcentre" : "lowest");
        const int flip_limit = below(4);  // 0: none
        set_parameter(*build, "flip_limit", flip_limit == 0 ? "none" : std::to_string(flip_limit));
        std::string text;
        for (const Point& p : points) text += "{" + std::to_string(p.x) + "," + std::to_string(p.y) + "} ";
        for (Lab* lab : {build.get(), serial.get()}) {
            INFO(lab->info().id, ": ", text);
            lab->set_records_states(below(2));
            lab->reset(context, make_input("a few", points));
            run_to_end(*lab, below(2));
            CHECK(triangles_of(*lab) == expected);
            check_passes(*lab);
        }
    }
}

TEST_CASE("insertion: whatever the parameters, the result is the same, and a supertriangle's losses are counted") {
    const std::vector<Input> inputs{generated("uniform:300"),
                                    generated("grid:289"),
                                    generated("ring:200"),
                                    generated("near-grid:200"),
                                    make_input("cross", radial_lattice(3, 6)),
                                    make_input("row", {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 5}, {1, -5e6}, {2, 2}})};
    Context context(DeviceRequest::kCpu, 2);
    for (size_t i = 0; i < inputs.size(); i += case_stride(3)) {
        const Input& input = inputs[i];
        const auto reference = finished(context, input);
        const uint64_t hash = reference->result().triangulation_hash;
        std::map<std::pair<uint32_t, uint32_t>, int> sides;
        for (const auto& t : reference->soup().triangles)
            for (int k = 0; k < 3; ++k) ++sides[std::minmax(t[k], t[(k + 1) % 3])];
        for (const char* conflict : {"lowest", "hashed", "first"})
            for (const char* vote : {"circumcentre", "lowest"})
                for (const char* limit : {"none", "1", "2", "5"})
                    for (const char* flips : {"on", "off"})
                        for (const char* enclosure : {"infinity", "supertriangle"}) {
                            const Settings settings{std::string("conflict=") + conflict, std::string("vote=") + vote,
                                                    std::string("flip_limit=") + limit, std::string("flips=") + flips,
                                                    std::string("enclosure=") + enclosure};
                            INFO(input->name, ": ", conflict, " ", vote, " ", limit, " ", flips, " ", enclosure);
                            const auto lab = finished(context, input, "build", settings);
                            CHECK(lab->done());
                            const CheckReport report = facet<Checkable>(*lab).check();
                            CHECK(report.broken_references == 0);
                            CHECK(report.inverted_triangles == 0);
                            CHECK(report.euler);
                            if (std::string(flips) == "off") continue;
                            const Result result = lab->result();
                            if (std::string(enclosure) == "infinity") {
                                CHECK(result.triangulation_hash == hash);
                                CHECK(report.passed);
                                continue;
                            }
                            std::set<std::pair<uint32_t, uint32_t>> lost;
                            for (const auto& [edge, count] : sides)
                                if (count == 1) lost.insert(edge);
                            const TriangleMesh& mesh = *lab->scene().mesh;
                            const auto edges = mesh.edges.download(), ids = mesh.inputs.download();
                            for (size_t e = 0; e < mesh.edge_count; ++e)
                                if (std::max(edges[2 * e], edges[2 * e + 1]) < mesh.infinite())
                                    lost.erase(std::minmax(ids[edges[2 * e]], ids[edges[2 * e + 1]]));
                            CHECK(result.lost_hull_edges == lost.size());
                            CHECK(report.passed == lost.empty());
                            if (lost.empty()) CHECK(result.hull_edges == reference->result().hull_edges);
                        }
    }
}

TEST_CASE("insertion: a supertriangle loses hull edges of a flat hull, and none where there is no hull") {
    Context context(DeviceRequest::kCpu, 1);
    const Settings super{"enclosure=supertriangle"};
    const auto flat = finished(context, make_input("flat", {{0, 0}, {1, 1e-9}, {2, 0}, {1, 1}}), "build", super);
    CHECK(facet<Checkable>(*flat).check().inverted_triangles == 0);
    const auto lossy =
        finished(context, make_input("lossy", {{-1, 0}, {1, 0}, {0, 0x1p-20}, {0, 5}, {0.5, 0x1p-21}, {-0.5, 0x1p-21}}),
                 "build", super);
    CHECK(lossy->result().lost_hull_edges > 0);
    REQUIRE(lossy->scene().layer("lost_edges"));
    const Scene drawn = lossy->scene();
    CHECK(std::get<SegmentsLayer>(drawn.layer("lost_edges")->shape).element_count() == lossy->result().lost_hull_edges);
    CHECK(drawn.layer("lost_edges")->legend.front().bit == kStateMissing);
    CHECK_FALSE(facet<Checkable>(*lossy).check().passed);
    for (const std::vector<Point>& points :
         {std::vector<Point>{{2, 1}}, std::vector<Point>{{0, 0}, {1, 0}}, std::vector<Point>{{0, 0}, {1, 0}, {2, 0}},
          std::vector<Point>{{0, 0}, {3, 3}, {1, 1}, {2, 2}}}) {
        INFO(points.size(), " points on a line");
        const auto lab = finished(context, make_input("line", points), "build", super);
        CHECK(lab->result().lost_hull_edges == 0);
        CHECK(lab->result().triangles == 0);
        CHECK(facet<Checkable>(*lab).check().passed);
    }
    const auto lab = lab_with("build", super);
    CHECK_THROWS_AS(lab->reset(context, make_input("large", {{0, 0}, {1, 0}, {0, 0x1p199}})), Error);
}

TEST_CASE("insertion: after every pass that promises it the references agree, and no triangle is ever inverted") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<Input> inputs = hard_inputs();
    inputs.push_back(generated("uniform:1000"));
    inputs.push_back(generated("grid:900"));
    for (size_t i = 0; i < inputs.size(); i += case_stride(9)) {  // a check a pass takes a sanitizer long
        const Input& input = inputs[i];
        for (const Settings& settings : {Settings{}, Settings{"flips=off"}, Settings{"flip_limit=1", "conflict=hashed"},
                                         Settings{"flip_limit=1", "vote=lowest"}}) {
            const auto lab = started(context, input, "build", settings);
            uint64_t waiting = 0;
            while (!lab->done()) {
                const StepResult result = lab->step();
                INFO(input->name, ", round ", result.round, ", pass ", lab->info().passes[result.pass].name);
                const TriangleMesh* mesh = lab->scene().mesh;
                if (!mesh || mesh->triangle_count == 0) continue;
                CHECK(count_negative(*mesh) == 0);
                const auto pass = static_cast<Insertion::Pass>(result.pass);
                if (pass == Insertion::kSplit || pass == Insertion::kFlip) continue;
                const CheckReport report = check_mesh(context, *mesh);
                CHECK(report.broken_references == 0);
                if (pass == Insertion::kRelocate || pass == Insertion::kSeed) {
                    CHECK(report.inverted_triangles == 0);  // not even a flat one at the end of a round
                    const auto left = static_cast<uint64_t>(result.counters[Insertion::kUninserted]);
                    if (pass == Insertion::kRelocate) CHECK(left < waiting);
                    waiting = left;
                    CHECK(count_edges_in_state(*lab, kStateStale) == 0);
                }
                if (settings.empty() && pass == Insertion::kRelocate)
                    CHECK(report.illegal_edges + report.reflex_hull + report.tied_edges == 0);
            }
        }
    }
}

TEST_CASE("insertion: counters add up") {
    Context context(DeviceRequest::kCpu, 2);
    bool some_ghosts = false;
    for (const char* text : {"uniform:3000", "grid:2500", "duplicates:3000", "ring:500"}) {
        const Input input = generated(text);
        const auto lab = started(context, input, "build");
        std::vector<int64_t> sums(Insertion::kCounters, 0);
        uint64_t illegal = 0;
        uint32_t round = 0;
        while (!lab->done()) {
            const StepResult result = lab->step();
            CHECK(result.round >= round);
            round = result.round;
            for (size_t k = 0; k < Insertion::kCounters; ++k)
                if (result.counters[k] != kNotCounted) sums[k] += result.counters[k];
            if (result.pass == Insertion::kClaim) {
                illegal = uint64_t(result.counters[Insertion::kIllegal]);
                CHECK(illegal <= uint64_t(result.counters[Insertion::kQueued]));
                CHECK(count_edges_in_state(*lab, kStateIllegal) == illegal);
                some_ghosts = some_ghosts || lab->scene().layer("illegal_ghosts");
            }
            if (result.pass == Insertion::kFlip) {
                CHECK(uint64_t(result.counters[Insertion::kGranted] + result.counters[Insertion::kDeferred]) ==
                      illegal);
                if (illegal) CHECK(result.counters[Insertion::kGranted] > 0);  // every pass makes progress
            }
        }
        CHECK(sums[Insertion::kInserted] == int64_t(input->points.size() - lab->result().duplicates));
        std::vector<int64_t> told(Insertion::kCounters, 0);
        uint32_t rounds = 0;
        lab->reset(context, input);
        lab->finish([&](const StepResult& result) {
            for (size_t k = 0; k < Insertion::kUninserted; ++k)
                if (result.counters[k] != kNotCounted) told[k] += result.counters[k];
            rounds = result.round;
        });
        CHECK(rounds == round);
        for (size_t k = 0; k < Insertion::kUninserted; ++k) CHECK(told[k] == sums[k]);
    }
    CHECK(some_ghosts);
}

TEST_CASE("insertion: points on a line give a sorted path and a message") {
    Context context(DeviceRequest::kCpu, 2);
    const Input input = make_input("line", {{3, 9}, {1, 3}, {2, 6}, {0, 0}, {1, 3}, {-1, -3}});
    for (const char* id : {"build", "serial"}) {
        const auto lab = started(context, input, id);
        std::string message;
        lab->finish([&](const StepResult& result) { message += result.message.text(); });
        CHECK(contains(message, "1 of 6 points is a duplicate"));
        CHECK(contains(message, "All 5 points lie on one line"));
        CHECK(lab->soup().path == std::vector<uint32_t>{5, 3, 1, 2, 0});
        CHECK(lab->soup().triangles.empty());
        CHECK(lab->result().edges == 4);
        CHECK(facet<Checkable>(*lab).check().passed);
    }
    const auto upright = finished(context, make_input("upright", {{5, 2}, {5, -1}, {5, 0}}));
    CHECK(upright->soup().path == std::vector<uint32_t>{1, 2, 0});
}

TEST_CASE("insertion: a ring whose indices run around it takes few passes, however large") {
    Context context(DeviceRequest::kCpu, 2);
    std::vector<uint64_t> flip_passes;
    for (const size_t n : {case_count(1000), case_count(100'000)})
        for (const bool backwards : {false, true}) {
            std::vector<Point> ring = lattice_circle_points(n);
            if (backwards) std::reverse(ring.begin(), ring.end());
            for (const char* conflict : {"conflict=lowest", "conflict=hashed"}) {
                const auto lab = started(context, make_input("ring in order", ring), "build", {conflict});
                uint64_t passes = 0;
                uint32_t longest = 0;
                while (!lab->done()) {
                    const StepResult result = lab->step();
                    passes += result.pass == Insertion::kFlip;
                    longest = std::max(longest, result.iteration);
                }
                CHECK(facet<Checkable>(*lab).check().passed);
                CHECK(passes <= 60 * uint64_t(std::ceil(std::log2(double(n + 2)))));
                CHECK(longest <= 100);
                flip_passes.push_back(passes);
            }
        }
    MESSAGE("flip passes of the largest rings: ", flip_passes[4], ", ", flip_passes[5], ", ", flip_passes[6], ", ",
            flip_passes[7]);
}

TEST_CASE("insertion: very many points in one cell of the curve, with copies") {
    const size_t n = case_count(100'000);
    std::mt19937_64 random(5);
    std::uniform_int_distribution<int> place(0, std::max(2, int(std::sqrt(double(n)))));
    std::vector<Point> points{{-1e12, 3}, {1e12, 0}};
    while (points.size() < n) points.push_back({double(place(random)), double(place(random))});
    check_on_every_device<Insertion>(make_input("one cell", points), InsertionOptions{}, false);
    for (Point& p : points) p = {p.x / 16384, p.y / 16384};
    points[0] = points[1];
    points[1] = {0x1p200, -0x1p200};
    check_on_every_device<Insertion>(make_input("one cell, the far point at the border of the range", points),
                                     InsertionOptions{}, false);
}
