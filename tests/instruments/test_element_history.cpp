// The history of an element, compared with a run that is stepped and inspected after every pass.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "delaunay/flip_films.h"
#include "instruments/element_history.h"
#include "lab/element_labels.h"

using namespace flipscope;

namespace {

using What = ElementChange::What;

std::vector<uint64_t> positions(const ElementHistory& history, What what) {
    std::vector<uint64_t> found;
    for (const ElementChange& change : history.changes)
        if (change.what == what) found.push_back(change.position);
    return found;
}

std::pair<uint32_t, uint32_t> ends_of(const HostMesh& mesh, uint32_t edge) {
    return std::minmax(mesh.edges[2 * size_t(edge)], mesh.edges[2 * size_t(edge) + 1]);
}

}  // namespace

TEST_CASE("element history: an edge has flipped in the passes after which it has other ends") {
    for (const DeviceUnderTest& device : devices_under_test()) {
        Context context(device.request, device.threads);
        const Input input = generated("uniform:150");
        StartedTimeline timeline(context, input, "flip", {"start=sweep"});
        Context other(device.request, device.threads);
        const auto beside = started(other, input, "flip", {"start=sweep"});
        std::vector<HostMesh> film{download_mesh(*beside->scene().mesh)};
        while (!beside->done()) {
            beside->step();
            film.push_back(download_mesh(*beside->scene().mesh));
        }
        timeline.run_to_end();
        const uint64_t hash = timeline.lab().state_hash(), end = timeline.position();
        REQUIRE(end + 1 == film.size());
        size_t several = 0;
        for (uint32_t edge = 0; edge < film[0].edge_count(); edge += 13) {
            std::vector<uint64_t> expected;
            for (size_t i = 1; i < film.size(); ++i)
                if (ends_of(film[i], edge) != ends_of(film[i - 1], edge)) expected.push_back(i);
            const ElementHistory history = trace_element(timeline, {ElementKind::kEdge, edge}, {});
            CHECK(positions(history, What::kFlipped) == expected);
            CHECK(history.from == 0);
            CHECK(history.to == end);
            CHECK(timeline.position() == end);
            several += expected.size() > 1;
            const Properties words = properties_of(history);
            if (expected.empty()) {
                CHECK(words.find("History"));
            } else {
                const Property& flipped = *words.find("Flipped in pass");
                CHECK(flipped.links.size() == expected.size());
                CHECK(flipped.links.front().position == expected.front());
                CHECK(flipped.links.front().element.id == kNone);
            }
        }
        CHECK(several > 0);
        CHECK(timeline.lab().state_hash() == hash);
    }
}

TEST_CASE("element history: a point was inserted once, and triangles come into being in one pass") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, generated("uniform:40"), "serial");
    timeline.run_to_end();
    size_t inserted = 0;
    for (uint32_t v = 0; v < 40; ++v) {
        const auto found = positions(trace_element(timeline, {ElementKind::kVertex, v}, {}), What::kInserted);
        CHECK(found.size() == 1);
        inserted += !found.empty() && found[0] > 0;
    }
    CHECK(inserted == 40);
    const ElementHistory triangle = trace_element(timeline, {ElementKind::kTriangle, 50}, {});
    CHECK(positions(triangle, What::kMade).size() == 1);
}

TEST_CASE("element history: told to stop, it stands where it is and tells what it has found so far") {
    Context context(DeviceRequest::kCpu, 2);
    StartedTimeline timeline(context, generated("uniform:150"), "flip", {"start=sweep"});
    timeline.run_to_end();
    const uint64_t end = timeline.position();
    int asked = 0;
    const ElementHistory history = trace_element(timeline, {ElementKind::kEdge, 5}, [&] { return ++asked < 4; });
    CHECK(history.to < end);
    CHECK(timeline.position() == history.to);
    CHECK(timeline.usable());
    CHECK(timeline.seek(end));
}

TEST_CASE("element labels: points have their names or indices, and edges and triangles follow where these are few") {
    auto input = std::make_shared<Geometry>(*generated("uniform:1000"));
    Stage stage(one_device(), input, {}, "build");
    stage.lab->finish({});
    const Scene scene = stage.lab->scene();
    std::vector<std::string> names(1000);
    const auto near = [&](double half) {
        return labels_in_view(stage.context, scene, names, {{0, {0.5 - half, 0.5 - half}, {0.5 + half, 0.5 + half}}});
    };
    CHECK(near(0.5).empty());  // a thousand points
    const auto some = near(0.18), few = near(0.05);
    CHECK(some.size() > kMostWithEdges);
    CHECK(some.size() < kMostLabels);
    for (const ElementLabel& label : some) CHECK(label.element.kind == ElementKind::kVertex);
    size_t edges = 0, triangles = 0;
    for (const ElementLabel& label : few) {
        edges += label.element.kind == ElementKind::kEdge;
        triangles += label.element.kind == ElementKind::kTriangle;
        if (label.element.kind == ElementKind::kVertex) names.at(std::stoul(label.text)) = "n" + label.text;
        if (label.element.kind == ElementKind::kEdge) CHECK(label.text == "e" + std::to_string(label.element.id));
    }
    CHECK(edges > triangles);
    CHECK(triangles > 3);
    for (const ElementLabel& label : near(0.05))
        if (label.element.kind == ElementKind::kVertex) CHECK(label.text[0] == 'n');
}

TEST_CASE("element labels: in a periodic box they lie where its points do") {
    auto input = std::make_shared<Geometry>();
    input->points = {{101, -39}, {110, -30}, {120, -35}, {125, -29}};
    input->box = {30, 12};
    input->box_low = {100, -40};
    Stage stage(one_device(), input, {"domain=torus"}, "build");
    stage.lab->finish({});
    const auto labels = labels_in_view(stage.context, stage.lab->scene(), {}, {{0, {100, -40}, {115, -28}}});
    std::set<std::string> points;
    for (const ElementLabel& label : labels) {
        if (label.element.kind != ElementKind::kVertex) continue;
        points.insert(label.text);
        CHECK(label.place == input->points.at(std::stoul(label.text)));
    }
    CHECK(points == std::set<std::string>{"0", "1"});
}
