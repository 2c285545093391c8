// sanitizers: none
// The Particles lab with radii of the input's column, with spread radii and with soft repulsion, from its callers'
// view.
#include <cmath>
#include <fstream>

#include "delaunay/hands.h"
#include "io/geometry.h"
#include "io/scratch.h"
#include "labs/particles.h"

using namespace flipscope;

namespace {

Input input_with(const std::string& column, std::vector<double> values) {
    auto input = std::make_shared<Geometry>();
    input->name = "discs.csv";
    input->points = {{3, 3}, {9, 3}, {3, 3}, {3, 9}, {9, 9}};  // one is a duplicate
    input->box = {14, 14};
    input->attributes = std::make_shared<const std::vector<Attribute>>(
        std::vector<Attribute>{{"mass", {1, 2, 3, 4, 5}}, {column, std::move(values)}});
    return input;
}
std::vector<double> radii_of(const Lab& lab) {
    return facet<TrajectoryExporter>(lab).trajectory().frames.back().numbers.front();
}

}  // namespace

TEST_CASE("Particles lab: a column of radii or diameters gives each disc its own, duplicates left out") {
    Context context(DeviceRequest::kCpu, 2);
    const Settings settings{"config=abp-dilute", "record=1", "steps=2"};
    const auto lab = particles(context, settings, input_with("Radius", {0.5, 0.6, 9, 0.7, 0.8}));
    CHECK(radii_of(*lab) == std::vector<double>{0.5, 0.6, 0.7, 0.8});
    CHECK(contains(lab->step().message.text(), "column \"Radius\""));
    CHECK(number_of(*lab, "density") ==
          doctest::Approx(std::acos(-1) * (0.25 + 0.36 + 0.49 + 0.64) / (14 * 14)).epsilon(1e-12));
    CHECK(radii_of(*particles(context, settings, input_with("diameter", {1, 1.5, 9, 1.2, 1.3}))) ==
          std::vector<double>{0.5, 0.75, 0.6, 0.65});
    CHECK(radii_of(*particles(context, settings, input_with("r", {1, 1.5, 9, 1.2, 1.3}))) ==
          std::vector<double>{0.5, 0.5, 0.5, 0.5});
    CHECK(contains(particles_refusal(settings, input_with("radius", {1, -1, 1, 1, 1})),
                   "discs.csv: the radius of point 1 is -1: expected a length above 0"));
    CHECK(contains(particles_refusal(settings, input_with("radius", {1, 2, 1, 1, 1})), "a ratio of 2"));
    const auto soft = particles(context, {"config=abp-dilute", "repulsion=harmonic", "record=1", "steps=2"},
                                input_with("radius", {1, 2, 1, 1, 1}));
    soft->finish({});
    CHECK(radii_of(*soft) == std::vector<double>{1, 2, 1, 1});
    CHECK(contains(soft->result().headline, "harmonic repulsion"));
}

TEST_CASE("Particles lab: spread radii fill the box as the area fraction says, and a saved run goes on with them") {
    Context context(DeviceRequest::kCpu, 2);
    const Settings settings{"config=abp-dense", "count=150", "radius_spread=0.2", "record=5", "steps=20"};
    const auto lab = particles(context, settings), again = particles(context, settings);
    CHECK(number_of(*lab, "density") == doctest::Approx(0.7).epsilon(1e-9));
    facet<Adjustable>(*lab).finish_rounds(10, {});
    again->load(lab->save_whole());
    CHECK(again->state_hash() == lab->state_hash());
    lab->finish({});
    again->finish({});
    CHECK(again->state_hash() == lab->state_hash());
    CHECK(radii_of(*again) == radii_of(*lab));
    CHECK(radii_of(*lab).size() == 150);
    CHECK(facet<Checkable>(*lab).check().passed);
    CHECK(number_of(*lab, "pairs_overlapping") == 0);
}
