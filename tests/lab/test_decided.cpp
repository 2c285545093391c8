// Which parameters an input, or another parameter, decides: for the panel.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "geometry/frames.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

/// Every parameter of the lab, with these values changed, and what is decided of it.
std::map<std::string, Override> all(const std::string& lab, const Geometry& input,
                                    const std::map<std::string, std::string>& values = {}) {
    const auto algorithm = make_lab(lab);
    for (const auto& [name, value] : values) set_parameter(*algorithm, name, value);
    const std::vector<ParameterDescription> parameters = list_parameters(*algorithm);
    std::map<std::string, Override> found;
    for (const ParameterDescription& each : parameters)
        found[each.name] = override_of(each, {input, value_lookup(parameters), 30, 20});
    return found;
}

size_t count(const std::map<std::string, Override>& found) {
    size_t sum = 0;
    for (const auto& [name, each] : found) sum += static_cast<bool>(each);
    return sum;
}

}  // namespace

TEST_CASE("parameters: tracks and frames decide what a source of our own making would have") {
    Geometry tracks, frames;
    auto places = std::make_shared<Tracks>();
    places->name = "t.csv";
    tracks.tracks = places;
    auto field = std::make_shared<FieldStack>();
    field->name = "f.npy";
    frames.field = field;
    const auto of_tracks = all("events", tracks), of_frames = all("events", frames);
    CHECK(of_tracks.at("source").value == "t.csv");
    CHECK(of_tracks.at("count").why.find("t.csv") != std::string::npos);
    CHECK(of_tracks.at("polarity"));
    CHECK_FALSE(of_tracks.at("interval"));
    CHECK(of_frames.at("width").value == "30");
    CHECK(of_frames.at("height").value == "20");
    CHECK(of_frames.at("drift_x"));
    CHECK_FALSE(of_frames.at("polarity"));
    CHECK_FALSE(of_frames.at("frame_borders"));
}

TEST_CASE("parameters: tracks tell the lattice that comes of the width and the height that were asked for") {
    Geometry tracks;
    auto places = std::make_shared<Tracks>();
    places->name = "t.csv";
    tracks.tracks = places;
    const auto found = all("events", tracks);
    for (const char* name : {"width", "height"}) {
        INFO(name);
        CHECK(found.at(name).in_part);  // the slider stays: more sites are more sites
        CHECK(found.at(name).why.find("t.csv") != std::string::npos);
    }
    CHECK(found.at("width").value == "30");
    CHECK(found.at("height").value == "20");
    for (const auto& [name, each] : all("events", {})) {
        INFO(name);
        CHECK_FALSE(each.in_part);
    }
}

TEST_CASE("parameters: what names, open borders and the centres' own triangulation have no use for is said to be so") {
    Geometry tracks;
    tracks.tracks = std::make_shared<Tracks>();
    CHECK(all("events", tracks).at("cap"));
    CHECK_FALSE(all("events", tracks, {{"matching", "nearest"}}).at("cap"));
    CHECK_FALSE(all("events", {}).at("cap"));
    CHECK(all("events", tracks).at("box_x"));
    CHECK_FALSE(all("events", tracks, {{"box_width", "10"}, {"box_height", "6"}}).at("box_x"));
    for (const char* rule :
         {"gaps", "open_gaps", "mirror", "lenient_strip", "inner_frame", "obstacles_end", "exact_cells"}) {
        INFO(rule);
        CHECK(all("events", {}, {{"graph", "delaunay"}}).at(rule));
        CHECK_FALSE(all("events", {}).at(rule));
    }
}

TEST_CASE("parameters: each source leaves out what belongs to the others") {
    const Geometry none;
    const auto bubbles = all("events", none), shear = all("events", none, {{"source", "shear"}});
    const auto emulsion = all("events", none, {{"source", "emulsion"}, {"vessel", "box"}});
    CHECK_FALSE(bubbles.at("lifetime"));
    CHECK_FALSE(bubbles.at("borders"));
    CHECK(bubbles.at("film"));
    CHECK(shear.at("lifetime"));
    CHECK(shear.at("borders").value == "periodic");
    CHECK_FALSE(shear.at("packing"));
    CHECK(shear.at("obstacle_count"));
    CHECK_FALSE(emulsion.at("film"));
    CHECK(emulsion.at("obstacle_count"));
    CHECK(emulsion.at("threshold"));
    CHECK_FALSE(all("events", none, {{"auto_threshold", "off"}}).at("threshold"));
    const auto particles = all("events", none, {{"source", "particles"}});
    CHECK_FALSE(particles.at("borders"));  // a box, or a channel
    for (const char* name : {"packing", "speed", "film", "threshold", "measure", "graph", "gaps", "cap"}) {
        INFO(name);
        CHECK(particles.at(name));
        CHECK_FALSE(particles.at(name).in_part);
    }
    for (const char* name : {"count", "seed", "config", "contact_distance", "interval", "matching", "method"}) {
        INFO(name);
        CHECK_FALSE(particles.at(name));
    }
    CHECK(particles.at("density").in_part);
    CHECK(particles.at("density").value == "0.7");
    CHECK(particles.at("width").in_part);
    for (const char* name : {"config", "density", "swimming_speed", "contact_distance"}) {
        INFO(name);
        CHECK(bubbles.at(name));
        CHECK_FALSE(bubbles.at(name).in_part);
    }
}

TEST_CASE("parameters: an image gives the Voronoi lab its size, points are its sites, and other labs decide all") {
    Geometry input;
    auto image = std::make_shared<FieldStack>();
    image->name = "logo.png";
    input.field = image;
    CHECK(all("voronoi", input).at("width").value == "30");
    CHECK_FALSE(all("voronoi", input, {{"image_size", "off"}}).at("width"));
    CHECK_FALSE(all("voronoi", input).at("count"));
    input.points = {{0, 0}, {1, 0}, {0, 1}};
    CHECK(all("voronoi", input).at("count").value == "3");
    CHECK(all("voronoi", input).at("obstacle_height"));
    CHECK_FALSE(all("voronoi", input, {{"obstacles", "posts"}}).at("obstacle_height"));
    CHECK(count(all("build", input)) == 2);
    CHECK(all("build", input).at("box"));                          // of a torus
    CHECK(all("build", input).at("seeding").value == "triangle");  // of three points there is no sample
    const auto torus = all("build", input, {{"domain", "torus"}});
    CHECK_FALSE(torus.at("box"));
    CHECK_FALSE(torus.at("conflict"));
    for (const char* name : {"predicate", "flips", "flip_limit", "vote", "enclosure"}) {
        INFO(name);
        CHECK(torus.at(name));
    }
    CHECK(torus.at("predicate").value == "exact");
}

TEST_CASE("parameters: a rule that asks for another parameter asks for one that there is") {
    Geometry points, tracks, frames;
    points.points = {{0, 0}, {1, 0}, {0, 1}};
    tracks.tracks = std::make_shared<Tracks>();
    frames.field = std::make_shared<FieldStack>();
    for (const RegistryEntry& entry : registry()) {
        INFO(entry.id);
        for (const Geometry* input : {&points, &tracks, &frames}) CHECK_NOTHROW(all(entry.id, *input));
    }
    CHECK_THROWS_AS(all("events", points, {}).at("no such parameter"), std::out_of_range);
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
