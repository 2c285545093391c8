// The Subdivision lab: drawings and reports pass by pass, and its manual edits.
#include <map>

#include "delaunay/constructions/subdivision.h"
#include "delaunay/runs.h"
using namespace flipscope;

namespace {

template <class Shape>
const Shape& shape_of(const Scene& scene, const char* id) {
    const Layer* const layer = scene.layer(id);
    REQUIRE(layer);
    return std::get<Shape>(layer->shape);
}

}  // namespace

TEST_CASE("Subdivision lab: cells, candidates and Voronoi vertices are drawn after every pass, on every device") {
    on_every_device([&](Context& context) {
        const auto lab = started(context, generated("uniform:150"), "subdivide");
        std::map<uint32_t, uint32_t> passes;
        int64_t found = 0;
        while (!lab->done()) {
            const StepResult result = lab->step();
            ++passes[result.pass];
            if (result.counters[Subdivision::kFound] != kNotCounted) found += result.counters[Subdivision::kFound];
            const Scene scene = lab->scene();
            if (lab->done()) break;
            const auto& cells = shape_of<TrianglesLayer>(scene, "cells");
            const auto& vertices = shape_of<PointsLayer>(scene, "voronoi");
            const auto& labels = shape_of<LabelsLayer>(scene, "counts");
            CHECK(vertices.count == found);
            if (result.pass < Subdivision::kOutside && result.pass != Subdivision::kSolve)
                CHECK(cells.count == 2 * result.counters[Subdivision::kCells]);
            if (cells.count == 0 || cells.count / 2 > 400) continue;
            CHECK(labels.labels.size() == cells.count / 2);
            // The numbers in the picture are those of the array.
            int64_t all = 0;
            for (const LabelsLayer::Label& label : labels.labels) all += std::stol(label.text);
            if (result.pass < Subdivision::kOutside && result.pass != Subdivision::kSolve)
                CHECK(all == result.counters[Subdivision::kCandidates]);
        }
        CHECK(passes.size() == 8);
        CHECK(passes[Subdivision::kPack] + 1 == passes[Subdivision::kSolve]);
        CHECK(facet<Checkable>(*lab).check().passed);
        CHECK(shape_of<PointsLayer>(lab->scene(), "voronoi").count == lab->result().triangles);
        CHECK(shape_of<SegmentsLayer>(lab->scene(), "voronoi_edges").count == lab->scene().mesh->edge_count);
        CHECK_FALSE(lab->scene().layer("voronoi")->shown);
    });
}

TEST_CASE("Subdivision lab: a cell that is clicked tells its candidates, and which of them are superfluous") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = started(context, generated("uniform:300"), "subdivide");
    const auto& inspectable = facet<Inspectable>(*lab);
    Probe probe;
    probe.place = {0.3, 0.6};
    CHECK(inspectable.pick(probe).id == kNone);  // there are no cells yet
    bool superfluous = false, verdict = false;
    for (int i = 0; i < 23; ++i) {
        lab->step();
        const Element element = inspectable.pick(probe);
        if (element.id == kNone) continue;  // its cell has left
        CHECK(element.kind == ElementKind::kTriangle);
        const Report report = inspectable.inspect(element);
        REQUIRE(report.find("Candidates"));
        CHECK(report.find("Candidates")->value.number() >= 1);
        CHECK(!report.highlights.empty());
        superfluous |= report.find("Superfluous") != nullptr;
        verdict |= report.find("Verdict") != nullptr;
    }
    CHECK(superfluous);
    CHECK(verdict);
    CHECK(inspectable.inspect({ElementKind::kTriangle, 1u << 30}).empty());
    CHECK_FALSE(facet<Checkable>(*lab).check().passed);
    lab->finish({});
    CHECK(inspectable.pick(probe).kind == ElementKind::kTriangle);
    CHECK(facet<Checkable>(*lab).check().passed);
}
