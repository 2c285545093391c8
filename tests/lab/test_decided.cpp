// Parameters that an input, or another parameter, overrides: for the panel.
#include <iterator>
#include <map>
#include <sstream>
#include <string>

#include "geometry/frames.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "test_support.h"

using namespace flipscope;

namespace {

using Values = std::map<std::string, std::string>;

/// Every parameter of the lab, with these values changed, and what is decided of it.
std::map<std::string, Override> all(const std::string& lab, const Geometry& input, const Values& values = {}) {
    const auto algorithm = make_lab(lab);
    for (const auto& [name, value] : values) set_parameter(*algorithm, name, value);
    const std::vector<ParameterDescription> parameters = list_parameters(*algorithm);
    std::map<std::string, Override> found;
    for (const ParameterDescription& each : parameters)
        found[each.name] = override_of(each, {input, value_lookup(parameters), 30, 20});
    return found;
}

Geometry with_tracks() {
    auto tracks = std::make_shared<Tracks>();
    tracks->name = "t.csv";
    Geometry input;
    input.tracks = tracks;
    return input;
}
Geometry with_field() {
    auto field = std::make_shared<FieldStack>();
    field->name = "f.npy";
    Geometry input;
    input.field = field;
    return input;
}

}  // namespace

TEST_CASE("parameters: what the input or another parameter decides, leaves free, or decides in part, is shown so") {
    const Geometry none, tracks = with_tracks(), frames = with_field();
    Geometry points;
    points.points = {{0, 0}, {1, 0}, {0, 1}};
    Geometry sites = frames;
    sites.points = points.points;
    const char* const of_lattice_graph = "gaps open_gaps mirror lenient_strip inner_frame obstacles_end exact_cells";
    struct Case {
        const char* lab;
        const Geometry& input;
        Values set;
        std::string free, decided, in_part;  // names
        Values told;                         // what they are
    };
    const Case cases[] = {
        // Tracks and frames decide what a source of our own making would have.
        {"events",
         tracks,
         {},
         "interval",
         "count polarity cap box_x",
         "width height",
         {{"source", "t.csv"}, {"width", "30"}, {"height", "20"}}},
        {"events", tracks, {{"matching", "nearest"}}, "cap", "", "", {}},
        {"events", tracks, {{"box_width", "10"}, {"box_height", "6"}}, "box_x", "", "", {}},
        {"events",
         frames,
         {},
         "polarity frame_borders pixel_size frame_interval",
         "drift_x",
         "",
         {{"width", "30"}, {"height", "20"}}},
        {"events",
         none,
         {},
         std::string("cap lifetime borders contact_distance ") + of_lattice_graph,
         "repulsion config density swimming_speed pixel_size frame_interval",
         "",
         {}},
        {"events", none, {{"graph", "delaunay"}}, "", of_lattice_graph, "", {}},
        {"events", none, {{"auto_threshold", "off"}}, "threshold", "", "", {}},
        // Each source leaves out what belongs to the others.
        {"events", none, {{"source", "shear"}}, "packing", "lifetime obstacle_count", "", {{"borders", "periodic"}}},
        {"events",
         none,
         {{"source", "emulsion"}, {"vessel", "box"}},
         "repulsion stress",
         "obstacle_count threshold wetting shear_rate",
         "",
         {}},
        {"events",
         none,
         {{"source", "emulsion"}, {"drive", "rate"}},
         "shear_rate wetting",
         "stress obstacles_on_both obstacle_height_fraction",
         "",
         {{"obstacle_count", "0"}}},
        {"events",
         none,
         {{"source", "particles"}},
         "borders count seed config contact_distance interval matching method",
         "packing speed repulsion threshold measure graph gaps cap",
         "density width",
         {{"density", "0.7"}}},
        // An image gives a lattice its size, and points are its sites.
        {"voronoi", frames, {}, "count", "", "", {{"width", "30"}}},
        {"voronoi", frames, {{"image_size", "off"}}, "width", "", "", {}},
        {"voronoi", sites, {}, "", "obstacle_height", "", {{"count", "3"}}},
        {"voronoi", sites, {{"obstacles", "posts"}}, "obstacle_height", "", "", {}},
        {"build", points, {}, "", "box", "", {{"seeding", "triangle"}}},  // of three points there is no sample
        {"build",
         points,
         {{"domain", "torus"}},
         "box conflict",
         "flips flip_limit vote enclosure",
         "",
         {{"predicate", "exact"}}},
        // A configuration determines the species, and parameters without effect give the reason.
        {"particles",
         none,
         {{"config", "c3"}},
         "cutoff skin",
         "tiling",
         "density",
         {{"alpha_1", "-1"}, {"mu_2", "-2"}, {"species", "2"}, {"density", "0.79"}}},
        {"particles", none, {{"config", "c3"}, {"near_pairs", "cells"}}, "", "skin", "", {}},
        {"particles", none, {{"config", "abp-dense"}}, "", "cutoff diffusion", "speed", {}},
        {"particles", none, {{"config", "custom"}}, "alpha_1 diffusion", "alpha_3", "", {}},
        {"particles", none, {{"config", "custom"}, {"overlaps", "off"}}, "precision", "cap", "", {}},
        {"particles", none, {{"config", "custom"}, {"force", "none"}}, "diameter_1", "alpha_1 mu_2", "", {}},
        {"particles",
         none,
         {{"config", "custom"}, {"overlaps", "off"}, {"box", "30x12"}},
         "",
         "density",
         "",
         {{"precision", "double"}}},
        {"particles", none, {{"config", "c2"}}, "noise", "rotation", "", {}},
        {"particles", none, {{"config", "c2"}, {"diffusion", "0"}, {"speed", "2"}}, "", "noise", "", {}},
        {"particles",
         none,
         {{"config", "c2"}, {"diffusion", "0"}, {"speed", "2"}, {"rotation", "1"}},
         "noise",
         "",
         "",
         {}},
    };
    const auto words = [](const std::string& text) {
        std::istringstream stream(text);
        return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
    };
    for (const Case& one : cases) {
        INFO(one.lab, " ", one.set.empty() ? "" : one.set.begin()->first + "=" + one.set.begin()->second);
        const auto found = all(one.lab, one.input, one.set);
        for (const std::string& name : words(one.free)) CHECK_MESSAGE(!found.at(name), name);
        for (const std::string& name : words(one.decided)) CHECK_MESSAGE(bool(found.at(name)), name);
        for (const std::string& name : words(one.in_part)) CHECK_MESSAGE(found.at(name).in_part, name);
        for (const auto& [name, value] : one.told) CHECK_MESSAGE(found.at(name).value == value, name);
    }
    for (const char* name : {"count", "width", "height"}) CHECK(contains(all("events", tracks).at(name).why, "t.csv"));
    for (const auto& [name, each] : all("events", none)) CHECK_MESSAGE(!each.in_part, name);
}

TEST_CASE("parameters: a rule that asks for another parameter asks for one that there is") {
    Geometry points;
    points.points = {{0, 0}, {1, 0}, {0, 1}};
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        for (const Geometry& input : {points, with_tracks(), with_field()}) CHECK_NOTHROW(all(entry.id, input));
    }
}

TEST_CASE("parameters: of several rules the first that decides counts") {
    ParameterDescription parameter;
    parameter.name = "size";
    const std::vector<ParameterDescription> listed{{ParameterDescription::Kind::kToggle, "on", "On", "", "off", {}}};
    const Geometry nothing;
    const ParameterContext now{nothing, value_lookup(listed), 7, 0};
    CHECK_FALSE(override_of(parameter, now));
    parameter.rules = {[](const ParameterContext& at) {
                           return at.is("on", "on") ? Override{"never", ""} : Override{};
                       },
                       [](const ParameterContext& at) {
                           return Override{"first", std::to_string(at.width)};
                       },
                       [](const ParameterContext&) {
                           return Override{"second", ""};
                       }};
    CHECK(override_of(parameter, now).why == "first");
    CHECK(override_of(parameter, now).value == "7");
    CHECK_THROWS_AS(now.value_of("off"), std::logic_error);
}
