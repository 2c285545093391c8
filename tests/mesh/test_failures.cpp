// The failures that a check lists, against a count on the host; and their marks in state words.
#include "mesh/failures.h"

#include <algorithm>
#include <map>
#include <set>

#include "delaunay/constructions/host_mesh.h"
#include "delaunay/runs.h"
#include "instruments/failure_marks.h"
#include "mesh/checks.h"
#include "mesh/illegal_reason.h"
#include "mesh/legality.h"

using namespace flipscope;

namespace {

using Ids = std::map<std::string, std::vector<uint32_t>>;  // by code

Ids failing_ids(const TriangleMesh& mesh, bool fixed_outline = false) {
    HostMesh host = download_mesh(mesh);
    const MeshView view = host.view();
    Ids ids;
    std::set<uint32_t> used;
    for (uint32_t t = 0; t < mesh.triangle_count; ++t) {
        for (uint32_t k = 0; k < 3; ++k) used.insert(view.triangles[3 * t + k]);
        if (view.is_ghost(t)) continue;
        const int turn = orient2d(view.positions[view.triangles[3 * t]], view.positions[view.triangles[3 * t + 1]],
                                  view.positions[view.triangles[3 * t + 2]]);
        if (turn <= 0) ids[turn < 0 ? "inverted-triangle" : "flat-triangle"].push_back(t);
    }
    for (uint32_t e = 0; e < mesh.edge_count; ++e) {
        const Quad q = quad_at(view, e);
        if (fixed_outline && touches_infinity(view, q)) continue;
        if (!is_illegal(view, q, PredicateMode::kExact)) continue;
        if (q.from == view.infinite || q.to == view.infinite)
            ids["reflex-hull"].push_back(q.from == view.infinite ? q.to : q.from);
        else
            ids[is_tied(view, q) ? "tied-edge" : "illegal-edge"].push_back(e);
    }
    for (uint32_t v = 0; v < view.infinite; ++v)
        if (!used.count(v)) ids["unused-point"].push_back(v);
    return ids;
}

Ids listed_ids(const CheckReport& report) {
    Ids ids;
    for (const CheckFailure& failure : report.failures)
        if (!failure.elements.empty()) ids[failure.code].push_back(failure.elements[0].id);
    return ids;
}

}  // namespace

TEST_CASE("failures: a naive run that ends wrong lists every element at fault, on every device alike") {
    size_t failed = 0;
    std::map<std::string, std::string> sentences;  // of all failures, by run
    on_every_device([&](Context& context) {
        for (const Settings& settings :
             {Settings{"predicate=float-circumcentre"}, Settings{"predicate=double-circumcentre"},
              Settings{"predicate=float"}, Settings{"predicate=double"},
              Settings{"predicate=float-circumcentre", "flips=off"}})
            for (const Input& input : {make_input("grid of 0.1", lattice(30, 30, 0.1, {0, 0})), generated("ring:500"),
                                       generated("uniform:3000@x=1e6,y=1e6"), generated("near-grid:900@x=1e6,y=1e6"),
                                       generated("line:50"), generated("uniform:2"), make_input("nothing", {})}) {
                INFO(input->name, " ", settings.back());
                const auto lab = finished(context, input, "build", settings);
                CHECK_FALSE(facet<Checkable>(*lab).is_exact());
                const CheckReport report = facet<Checkable>(*lab).check();
                CHECK(report.failure_count == report.failures.size());
                CHECK(report.passed == report.failures.empty());
                failed += !report.passed;
                if (lab->scene().mesh && lab->scene().mesh->triangle_count > 0)
                    CHECK(listed_ids(report) == failing_ids(*lab->scene().mesh));
                std::string all;
                for (const CheckFailure& failure : report.failures) {
                    all += failure.code + failure.sentence + "\n";
                    CHECK(failure.vertices.size() == failure.places.size());
                    for (size_t k = 0; k < failure.vertices.size(); ++k) {
                        const Point at = input->points.at(static_cast<size_t>(failure.vertices[k]));
                        CHECK(failure.places[k] == Point3{at.x, at.y, 0});
                    }
                    if (failure.code == "inverted-triangle") CHECK(failure.value <= 0);
                }
                const std::string run = input->name + settings.front() + settings.back();
                const std::string first = sentences.emplace(run, all).first->second;
                CHECK(first == all);
            }
    });
    if (!devices_under_test().empty()) CHECK(failed > 5 * devices_under_test().size());
}

TEST_CASE("failures: of the Flip lab by angles every edge that is not Delaunay is listed, in the race on either side") {
    Context context(DeviceRequest::kCpu, 2);
    const Settings loose{"criterion=angles-float", "epsilon=0.2"};
    const auto flip = finished(context, generated("uniform:500"), "flip", loose);
    CHECK_FALSE(facet<Checkable>(*flip).is_exact());
    const CheckReport report = facet<Checkable>(*flip).check();
    REQUIRE_FALSE(report.passed);
    CHECK(report.illegal_edges == report.failures.size());
    CHECK(listed_ids(report) == failing_ids(*flip->scene().mesh));
    for (const CheckFailure& failure : report.failures) CHECK(failure.value > 0);

    const auto race = finished(context, generated("uniform:500"), "race", loose);
    CHECK_FALSE(facet<Checkable>(*race).is_exact());
    const CheckReport both = facet<Checkable>(*race).check();
    REQUIRE_FALSE(both.passed);
    std::vector<uint32_t> of_part[2];
    for (const CheckFailure& failure : both.failures)
        of_part[failure.elements.at(0).part].push_back(failure.elements[0].id);
    const Scene scene = race->scene();
    CHECK(of_part[0] == failing_ids(*scene.mesh)["illegal-edge"]);
    CHECK(of_part[1] == failing_ids(*scene.beside.at(0).mesh)["illegal-edge"]);
    // Counts are those of both sides together, and the sentence says what each has.
    CHECK(of_part[0] != of_part[1]);
    CHECK(both.illegal_edges == of_part[0].size() + of_part[1].size());
    CHECK(both.failure_count == both.illegal_edges);
    CHECK(both.sentence.find("left: ") == 0);
    CHECK(contains(both.sentence, "; right: "));
}

TEST_CASE("failures: a Build run that is not finished lists the points that wait, and the supertriangle's lost edges") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, generated("uniform:200"), "build");
    while (lab->result().triangles < 60) lab->step();
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK(listed_ids(report)["unused-point"] == failing_ids(*lab->scene().mesh)["unused-point"]);
    CHECK_FALSE(listed_ids(report)["unused-point"].empty());

    const auto lossy = finished(context, generated("disk-rim:3000"), "build", {"enclosure=supertriangle"});
    const CheckReport lost = facet<Checkable>(*lossy).check();
    const uint64_t edges = lossy->result().lost_hull_edges;
    uint64_t listed = 0;
    for (const CheckFailure& failure : lost.failures)
        if (failure.code == "lost-hull-edge") {
            ++listed;
            CHECK(failure.places.size() == 2);
        }
    CHECK(listed == edges);
}

TEST_CASE("failures: the list ends where it is long enough, and the true count is said") {
    Context context(DeviceRequest::kCpu, 2);
    const auto n = static_cast<uint32_t>(case_count(120'000));
    const auto lab = finished(context, generated("uniform:" + std::to_string(n)), "build", {"flips=off"});
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK(report.failure_count == report.illegal_edges + report.inverted_triangles + report.reflex_hull);
    if (n >= 120'000) CHECK(report.failure_count > kMostOfOneCode);
    Ids all = failing_ids(*lab->scene().mesh), listed = listed_ids(report);
    for (auto& [code, ids] : listed) {
        CHECK(ids.size() == std::min(all[code].size(), kMostOfOneCode));
        all[code].resize(ids.size());  // the first of them
        CHECK(ids == all[code]);
    }
}

TEST_CASE("failures: marks stand in the state words of what fails, and go again") {
    on_every_device([&](Context& context) {
        const auto lab = finished(context, make_input("grid of 0.1", lattice(30, 30, 0.1, {0, 0})), "build",
                                  {"predicate=float-circumcentre"});
        const Scene scene = lab->scene();
        const uint64_t before = hash_of_states(*lab), state = lab->state_hash();
        const CheckReport report = facet<Checkable>(*lab).check();
        mark_failures(context, scene, report);
        Ids ids = failing_ids(*scene.mesh);
        CHECK(count_edges_in_state(*lab, kStateFailed) == ids.at("illegal-edge").size() + ids["tied-edge"].size());
        std::vector<State> words = scene.mesh->triangle_states.download();
        uint64_t marked = 0;
        for (uint32_t t = 0; t < scene.mesh->triangle_count; ++t) marked += (words[t] & kStateFailed) != 0;
        CHECK(marked == ids.at("inverted-triangle").size() + ids.at("flat-triangle").size());
        CHECK(lab->state_hash() == state);  // marks are no part of the state
        unmark_failures(context, scene);
        CHECK(hash_of_states(*lab) == before);
        const std::vector<LegendEntry> legend = failure_legend(report);
        CHECK(legend.size() == 2);
        for (const LegendEntry& entry : legend) CHECK(entry.role == Role::kFailed);
    });
    Context context(DeviceRequest::kCpu, 1);
    CHECK(failure_legend(facet<Checkable>(*finished(context, generated("uniform:50"))).check()).empty());
}

TEST_CASE("failures: what a check only notes is not marked as failing, beside failures either") {
    Context context(DeviceRequest::kCpu, 2);
    const Geometry twice{"copies", {{0, 0}, {4, 0}, {1, 3}, {4, 0}}, {}, {{0, 1, 2}}};
    const auto lab = started(context, std::make_shared<const Geometry>(twice), "judge");
    lab->step();
    CHECK(lab->soup().level == 0);
    CheckReport report = facet<Checkable>(*lab).check();
    CHECK(report.passed);
    REQUIRE(report.failures.size() == 1);
    CHECK(report.failures[0].code == "duplicate-point");
    const Scene scene = lab->scene();
    const uint64_t before = hash_of_states(*lab);
    mark_failures(context, scene, report);
    CHECK(hash_of_states(*lab) == before);
    CHECK(failure_legend(report).empty());
    report.passed = false;
    mark_failures(context, scene, report);
    CHECK(hash_of_states(*lab) == before);
    CHECK(failure_legend(report).empty());
    // With a point in no triangle: that is marked, and the equal points are not.
    Geometry more = twice;
    more.points.push_back({5, 5});
    lab->reset(context, std::make_shared<const Geometry>(more));
    lab->step();
    report = facet<Checkable>(*lab).check();
    CHECK_FALSE(report.passed);
    const Scene judged = lab->scene();
    mark_failures(context, judged, report);
    const std::vector<State> states = judged.states_of(ElementKind::kVertex)->download();
    for (uint32_t v = 0; v < 5; ++v) {
        CAPTURE(v);
        CHECK(((states.at(v) & kStateFailed) != 0) == (v == 4));
    }
    CHECK(failure_legend(report).size() == 1);
    const Properties told = faults_of(report, {ElementKind::kVertex, 3});
    REQUIRE(told.find("Noted"));
    CHECK(told.find("Noted")->value == Value("duplicate-point"));
    CHECK_FALSE(told.find("At fault"));
    unmark_failures(context, judged);
}

TEST_CASE("failures: of a surface what was no surface in the input is listed with its place, and spoils no run") {
    Context context(DeviceRequest::kCpu, 1);
    // Three pages at the edge 0-1, one of them cut in two by a triangle without area.
    auto book = std::make_shared<Geometry>();
    book->name = "a book";
    book->points = {{0, 0}, {0, 1}, {1, 0}, {-1, 0}, {0, 0}, {0, 0}};
    book->heights = {0, 0, 0, 0, 2, 4};
    book->triangles = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}, {0, 4, 5}};
    const auto lab = finished(context, book, "flip");
    const CheckReport report = facet<Checkable>(*lab).check();
    CHECK(report.passed);
    std::map<std::string, uint64_t> codes;
    for (const CheckFailure& failure : report.failures) {
        ++codes[failure.code];
        CHECK(failure.vertices.size() == failure.places.size());
        for (size_t k = 0; k < failure.places.size(); ++k) {
            const Point3 place = book->at(static_cast<uint32_t>(failure.vertices[k]));
            CHECK(failure.places[k].x == place.x);
            CHECK(failure.places[k].y == place.y);
            CHECK(failure.places[k].z == place.z);
        }
        if (failure.code == "non-manifold-edge")
            CHECK(std::set<int64_t>(failure.vertices.begin(), failure.vertices.end()) == std::set<int64_t>{0, 1});
    }
    CHECK(codes["non-manifold-edge"] == 3);  // as often as it was cut
    CHECK(codes["flat-triangle"] == report.flat_triangles);
    CHECK(report.flat_triangles == 1);
    CHECK(report.failure_count == 4);
    CHECK(contains(report.sentence, "; 1 triangle without area; 3 edges cut where the surface is non-manifold"));
}

TEST_CASE("failures: numbers that a lab stores at pixels are never taken for marks, and what fails is marked") {
    on_every_device([&](Context& context) {
        const std::vector<State> numbers{0x8000, 0x7FFF, 0xFFFF, 5};
        Buffer<State> words("numbers"), flags("flags");
        words.upload(context, numbers.data(), numbers.size());
        const std::vector<State> none(4);
        flags.upload(context, none.data(), none.size());
        using E = LegendEntry::Element;
        Scene scene;
        scene.high = {2, 2};
        scene.layers = {{"classes", "Classes", "", true, LatticeLayer{2, 2, nullptr, nullptr, nullptr, &words}}};
        for (uint32_t i = 0; i < 4; ++i)
            scene.layers[0].legend.push_back(
                {E::kPixel, numbers[i], Role::kNumbered, "class " + std::to_string(i), "", 1, 0xFFFF, i});
        CheckReport report;
        report.passed = false;
        CheckFailure failure;
        failure.elements = {{ElementKind::kPixel, 3, 0}};
        report.failures = {failure};
        mark_failures(context, scene, report);
        context.synchronize();
        CHECK(words.download() == numbers);
        Scene shown = scene;
        put_failures_into_legend(shown, report);
        CHECK(shown.layers[0].legend == scene.layers[0].legend);  // no number means that it fails
        const Layer* const marks = shown.layer("failures");
        REQUIRE(marks);
        CHECK(marks->role == Role::kFailed);
        const auto& labels = std::get<LabelsLayer>(marks->shape).labels;
        REQUIRE(labels.size() == 1);
        CHECK(labels[0].place == Point{1, 1});
        unmark_failures(context, scene);
        context.synchronize();
        CHECK(words.download() == numbers);

        // Where words are flags, or numbers that end below the mark's bit, that bit is set as ever.
        scene.layers[0].shape = LatticeLayer{2, 2, nullptr, nullptr, nullptr, &flags};
        scene.layers[0].legend = {{E::kPixel, 3, Role::kNumbered, "three", "", 1, 0x7FFF, 1}};
        mark_failures(context, scene, report);
        context.synchronize();
        CHECK(flags.read(3) == kStateFailed);
        shown = scene;
        put_failures_into_legend(shown, report);
        CHECK(shown.layers[0].legend.size() == 2);
        CHECK_FALSE(shown.layer("failures"));
        unmark_failures(context, scene);
        context.synchronize();
        CHECK(flags.read(3) == 0);
    });
}
