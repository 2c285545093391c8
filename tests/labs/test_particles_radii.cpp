// sanitizers: none
// The Particles lab with radii of the input's column, with spread radii and with soft repulsion, from its callers'
// view.
#include <algorithm>
#include <cmath>

#include "delaunay/hands.h"
#include "lab/parameters.h"
#include "labs/particles.h"
#include "particles/model.h"

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
    const auto ignored = particles(context, {"config=abp-dilute", "record=1", "steps=2", "column_radii=off"},
                                   input_with("radius", {1, -1, 1, 1, 1})),
               equal = particles(context, settings, input_with("radius", {0.5, 0.5, 0.5, 0.5, 0.5}));
    CHECK(radii_of(*ignored) == std::vector<double>(4, 0.5));
    CHECK(equal->state_hash() == ignored->state_hash());
    const auto soft = particles(context, {"config=abp-dilute", "soft_repulsion=harmonic", "record=1", "steps=2"},
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

TEST_CASE("Particles lab: recorded frames give displacement, scattering, neighbours and cages over all origins") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=custom", "species=1", "force=none", "overlaps=off", "count=90",
                                         "diffusion=2", "steps=60", "record=5", "wavenumber=2.5"});
    double displacement = 0;
    lab->finish([&](const StepResult& step) { displacement = step.measures[0]; });
    const auto& exporter = facet<TableExporter>(*lab);
    const Table motion = exporter.table("motion"), pairs = exporter.table("neighbours");
    REQUIRE(motion.row_count == 12);
    const Table::Row last = motion.row(11);
    const auto number = [](const Value& value) { return std::stod(text_of(value)); };
    CHECK(number(last.cells[0]) == doctest::Approx(0.6));
    CHECK(number(last.cells[1]) == 1);
    CHECK(number(last.cells[2]) == doctest::Approx(displacement).epsilon(1e-6));
    CHECK(number(motion.row(0).cells[1]) == 12);
    size_t at_first = 0, at_last = 0;
    for (size_t k = 0; k < pairs.row_count; ++k) {
        at_first += number(pairs.row(k).cells[2]) == 0;
        at_last += text_of(pairs.row(k).cells[3]).empty();
    }
    CHECK(at_first == 270);  // 3 edges per particle
    CHECK(at_last == 270);
    CHECK(pairs.row_count > 300);
    const Report report = facet<Measurable>(*lab).statistics();
    std::vector<std::string> names;
    for (const auto& section : report.sections)
        if (const auto* curve = std::get_if<Curve>(&section.content)) {
            names.push_back(curve->name);
            if (curve->name != "self-intermediate scattering") continue;
            CHECK(contains(curve->remark, "k = 2.5"));
            CHECK(curve->x.size() == 12);
        }
    for (const char* name :
         {"displacement over all origins", "self-intermediate scattering", "neighbours kept", "cages kept"})
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    const auto unrecorded = particles(context, {"steps=2"});
    unrecorded->finish({});
    CHECK(facet<TableExporter>(*unrecorded).table("motion").row_count == 0);
}

TEST_CASE("Particles lab: local densities are those of cells that fill the box, also between walls") {
    Context context(DeviceRequest::kCpu, 2);
    for (const Settings& settings :
         {Settings{"config=abp-dense", "radius_spread=0.2", "count=120", "steps=3", "record=1"},
          Settings{"config=abp-dilute", "walls=y", "box=20x12", "count=120", "steps=3", "record=1"}}) {
        const auto lab = particles(context, settings);
        lab->finish({});
        const std::vector<double> densities = values_of<double>(*lab, "local_densities"), radii = radii_of(*lab);
        REQUIRE(densities.size() == 120);
        double area = 0, cells = 0;
        for (size_t i = 0; i < 120; ++i) {
            if (settings[1] == "walls=y") CHECK(densities[i] < kClosestPacking);  // equal discs lie in their cells
            const double disc = std::acos(-1) * radii[i] * radii[i];
            area += disc;
            cells += disc / densities[i];
        }
        CHECK(cells == doctest::Approx(area / number_of(*lab, "density")).epsilon(1e-9));
    }
}

TEST_CASE(
    "Particles lab: pressure and stress are measured where the forces define them, and at the walls under shear") {
    Context context(DeviceRequest::kCpu, 2);
    const auto lab = particles(context, {"config=custom", "species=1", "force=none", "soft_repulsion=harmonic",
                                         "walls=y", "box=24x16", "count=420", "repulsion_strength=50", "diffusion=0",
                                         "radius_spread=0.2", "shear_rate=0.05", "steps=400", "stress_interval=100"});
    std::vector<double> pressures, stresses;
    lab->finish([&](const StepResult& step) {
        if (std::isnan(step.measures[8])) return;
        pressures.push_back(step.measures[8]);
        stresses.push_back(step.measures[9]);
    });
    REQUIRE(pressures.size() == 4);
    CHECK(number_of(*lab, "pressure") == pressures.back());
    CHECK(number_of(*lab, "stress_xy") == stresses.back());
    CHECK(number_of(*lab, "pressure") == number_of(*lab, "pressure_pairs"));
    CHECK(number_of(*lab, "stress_xy") > 0);
    // The force on the discs of each wall, per length; they alone move at the speed of a wall, 0.4, straight along it.
    const std::vector<Point> forces = values_of<Point>(*lab, "forces"), moves = values_of<Point>(*lab, "velocities"),
                             at = positions_of(*lab);
    double low = 0, high = 0, all = 0;
    for (size_t i = 0; i < at.size(); ++i) {
        all += forces[i].x;
        if (moves[i].y != 0 || std::abs(std::abs(moves[i].x) - 0.4) > 1e-9) continue;
        (at[i].y < 8 ? low : high) += forces[i].x;
    }
    CHECK(low > 0);
    CHECK(high < 0);
    CHECK(std::abs(all) < 1e-9);
    CHECK(number_of(*lab, "wall_stress") == doctest::Approx((low - high) / 2 / 24).epsilon(1e-9));
    const auto pushed = particles(context, {"config=abp-dense", "count=100", "steps=2", "stress_interval=1"});
    pushed->finish([](const StepResult& step) { CHECK(std::isnan(step.measures[8])); });
    CHECK(pushed->result().numbers.find("pressure") == nullptr);
    // The parameter says so.
    const auto is_overridden = [&](const Settings& settings, const std::string& name) {
        const auto all = list_parameters(*particles(context, settings));
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const ParameterDescription& one) { return one.name == name; });
        return bool(override_of(*found, {Geometry{}, value_lookup(all)}));
    };
    CHECK(is_overridden({"config=abp-dense", "count=100"}, "stress_interval"));
    CHECK(is_overridden({"config=c2", "count=100", "soft_repulsion=wca"}, "stress_interval"));
    CHECK_FALSE(is_overridden({"config=abp-dense", "count=100", "soft_repulsion=wca"}, "stress_interval"));
    CHECK(is_overridden({"count=100"}, "wavenumber"));
    CHECK_FALSE(is_overridden({"count=100", "record=5"}, "wavenumber"));
}
