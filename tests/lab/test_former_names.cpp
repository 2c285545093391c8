// Names of the release before: still understood, and the present ones are told.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "compute/error.h"
#include "lab/parameters.h"
#include "lab/registry.h"

using namespace flipscope;

namespace {

std::string value_of(Lab& lab, const std::string& name) {
    for (const ParameterDescription& parameter : list_parameters(lab))
        if (parameter.name == name) return parameter.value;
    return "none";
}

/// The value of the parameter `name` after `assignment`.
std::string after(const std::string& lab, const std::string& assignment, const std::string& name) {
    const auto made = make_lab(lab);
    set_parameter(*made, assignment);
    return value_of(*made, name);
}

Assignment present(const std::string& lab, const std::string& name, const std::string& value) {
    return present_names(list_parameters(*make_lab(lab)), name, value);
}

}  // namespace

TEST_CASE("former names: every one of every lab still sets its parameter, to every value") {
    size_t names = 0;
    for (const RegistryEntry& entry : registry()) {
        for (const ParameterDescription& parameter : list_parameters(*entry.make())) {
            for (const FormerName& former : parameter.former) {
                const std::string& name = former.name.empty() ? parameter.name : former.name;
                INFO(entry.id, ": ", name);
                ++names;
                for (const auto& [before, now] : former.values)
                    CHECK(after(entry.id, name + "=" + before, parameter.name) == now);
                // What was not renamed is taken under the former name as under the present one.
                CHECK(after(entry.id, name + "=" + parameter.value, parameter.name) == parameter.value);
            }
        }
    }
    CHECK(names >= 12);
}

TEST_CASE("former names: a toggle that became a choice takes every word that a toggle takes") {
    for (const char* yes : {"on", "true", "yes", "1", "periodic"})
        CHECK(after("events", "frames_periodic=" + std::string(yes), "frame_borders") == "periodic");
    for (const char* no : {"off", "false", "no", "0", "open"})
        CHECK(after("events", "periodic=" + std::string(no), "borders") == "open");
}

TEST_CASE("former names: a sentence tells the present name and value") {
    CHECK(present("events", "bubbles", "20").remark ==
          "\"bubbles\" is called \"count\" now; the former name goes with the next release");
    CHECK(present("events", "periodic", "off").remark ==
          "\"periodic=off\" is called \"borders=open\" now; the former name goes with the next release");
    CHECK(present("flip", "criterion", "angles_float").remark ==
          "\"criterion=angles_float\" is called \"criterion=angles-float\" now; the former name goes with the next "
          "release");
    CHECK(present("events", "count", "20").remark.empty());
    CHECK(present("events", "graph", "delaunay").remark.empty());
    CHECK(present("voronoi", "graph", "end").value == "last");
    const Assignment unknown = present("events", "colour", "20");
    CHECK(unknown.name == "colour");
    CHECK(unknown.value == "20");
    CHECK(unknown.remark.empty());
}

TEST_CASE("former names: a wrong value is refused with what the parameter takes, and its present name") {
    const auto lab = make_lab("events");
    CHECK_THROWS_WITH_AS(
        set_parameter(*lab, "periodic=maybe"),
        "parameter periodic (borders now): expected open, periodic, periodic_x or periodic_y, found \"maybe\"", Error);
    CHECK_THROWS_WITH_AS(set_parameter(*lab, "bubbles", "0", "demo.json: /parameters/bubbles"),
                         "demo.json: /parameters/bubbles (count now): expected 1 … 1000000, found \"0\"", Error);
}

TEST_CASE("former names: of part of a lab, what it does not have is left alone") {
    int value = 3;
    const VisitParameters visit = [&](ParameterVisitor& visitor) {
        visitor.integer("count", "Count", "How many.", value, 0, 9);
        visitor.formerly({"number"});
    };
    CHECK(set_if_known(visit, "number", "5"));
    CHECK(value == 5);
    CHECK(set_if_known(visit, "count", "7"));
    CHECK(value == 7);
    CHECK_FALSE(set_if_known(visit, "other", "1"));
    CHECK(value == 7);
}
