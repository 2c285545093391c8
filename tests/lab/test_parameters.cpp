// sanitizers: none
// Parameters as text, for a test's own algorithm: accepted words, refused words, and the messages.
#include "compute/suggest.h"
#include "lab/parameters.h"

#include <cmath>
#include <stdexcept>

#include "geometry/places.h"
#include "lab/fake_lab.h"
#include "lab/registry.h"
#include "lab/vocabulary.h"
#include "test_support.h"

using namespace flipscope;

namespace {

/// Has one parameter of each kind.
class Knobs : public FakeLab {
  public:
    int rule = 1;
    bool flips = true;
    int limit = 5;
    double angle = 0.1;

    Knobs() { about = {"knobs", "Knobs", "", "", {}, {}}; }
    void parameters(ParameterVisitor& visitor) override {
        visitor.choice("rule", "Rule", "Who wins.", rule, {{"lowest", "the lowest"}, {"hashed", "any"}, {"first", ""}});
        visitor.toggle("flips", "Flips", "Whether edges flip.", flips);
        visitor.integer("flip_limit", "Limit", "Passes.", limit, 0, 10);
        visitor.number("angle", "Angle", "Radians.", angle, 0, 3.5);
    }
};

std::string complaint(Knobs& knobs, const std::string& assignment) {
    return error_of([&] { set_parameter(knobs, assignment); }, "");
}

}  // namespace

TEST_CASE("parameters: a size is one number, or two with an x between them") {
    for (const auto& [text, x, y] : {std::tuple{"30", 30.0, 30.0},
                                     {"30x12", 30, 12},
                                     {"3e1X1.5", 30, 1.5},
                                     {"0x30", 0, 30},
                                     {"0x1.8p+1x4", 3, 4},
                                     {"2×0x1p-1", 2, 0.5},
                                     {"0", 0, 0}}) {
        INFO(text);
        const std::optional<Point> size = size_of_text(text);
        REQUIRE(size);
        CHECK(*size == Point{x, y});
        CHECK(size_of_text(text_of_size(*size)) == size);
    }
    for (const char* const wrong : {"", "x", "30x", "x12", "30x12x4", "30,12", "30 x 12", "30xtwelve", "wide"})
        CHECK_FALSE(size_of_text(wrong));
    CHECK(text_of_size({30, 30}) == "30");
    CHECK(text_of_size({30, 12.5}) == "30x12.5");
}

TEST_CASE("parameters: each kind is set from text") {
    Knobs knobs;
    set_parameter(knobs, "rule", "first");
    set_parameter(knobs, "flips", "off");
    set_parameter(knobs, "flip_limit=10");
    CHECK(knobs.rule == 2);
    CHECK_FALSE(knobs.flips);
    CHECK(knobs.limit == 10);
    for (const auto& [word, on] : {std::pair{"on", true},
                                   {"true", true},
                                   {"yes", true},
                                   {"1", true},
                                   {"off", false},
                                   {"false", false},
                                   {"no", false},
                                   {"0", false}}) {
        knobs.flips = !on;
        set_parameter(knobs, "flips", word);
        CHECK(knobs.flips == on);
    }
}

TEST_CASE("parameters: a number is set from every way to write it, and to the last bit") {
    Knobs knobs;
    for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
             {"2", 2}, {"1e-3", 1e-3}, {"0.25", 0.25}, {".5", 0.5}, {"0", 0}, {"3.5", 3.5}, {"1e-300", 1e-300}}) {
        set_parameter(knobs, "angle", text);
        CHECK(knobs.angle == value);
    }
    for (const double value : {1.0 / 3, 0.1 + 0.2, 3.4999999999999996, 5e-324}) {
        knobs.angle = value;
        const std::string text = list_parameters(knobs).back().value;
        knobs.angle = 1;
        set_parameter(knobs, "angle", text);
        CHECK(knobs.angle == value);
    }
}

TEST_CASE("parameters: an unknown name is answered with the known ones, and the one that was meant") {
    Knobs knobs;
    CHECK(complaint(knobs, "flps=on") ==
          "\"knobs\" has no parameter \"flps\"; did you mean \"flips\"? Known: rule, flips, flip_limit, angle");
    CHECK(complaint(knobs, "colour=red") ==
          "\"knobs\" has no parameter \"colour\". Known: rule, flips, flip_limit, angle");
}

TEST_CASE("parameters: a value that is not taken is answered with what is, and nothing changes") {
    Knobs knobs;
    CHECK(complaint(knobs, "rule=highest") == "parameter rule: expected lowest, hashed or first, found \"highest\"");
    CHECK(complaint(knobs, "rule=") == "parameter rule: expected lowest, hashed or first, found \"\"");
    CHECK(complaint(knobs, "flips=maybe") == "parameter flips: expected on or off, found \"maybe\"");
    CHECK(complaint(knobs, "flips") == "parameter: expected name=value, found \"flips\"");
    for (const char* wrong : {"11", "-1", "5x", "", " 5", "5.0", "99999999999999999999"})
        CHECK(complaint(knobs, std::string("flip_limit=") + wrong) ==
              std::string("parameter flip_limit: expected 0 … 10, found \"") + wrong + "\"");
    for (const char* wrong : {"3.6", "-1e-9", "nan", "inf", "1,5", "0.1rad", "", " 1", "1e999"})
        CHECK(complaint(knobs, std::string("angle=") + wrong) ==
              std::string("parameter angle: expected 0 … 3.5, found \"") + wrong + "\"");
    CHECK(knobs.rule == 1);
    CHECK(knobs.flips);
    CHECK(knobs.limit == 5);
    CHECK(knobs.angle == 0.1);
}

TEST_CASE("parameters: a word stands in place of a whole number, and 0 is refused") {
    int every = 0, other = 0;
    Point box;
    const VisitParameters visit = [&](ParameterVisitor& visitor) {
        visitor.integer("every", "Every", "How often.", every, 1, 100);
        visitor.or_word("off");
        visitor.integer("other", "Other", "Another.", other, 0, 1);
        visit_box(visitor, "auto: as it comes.", box, 100);
    };
    const auto value = [&] { return list_parameters(visit)[0].value; };
    CHECK(value() == "off");
    CHECK(list_parameters(visit)[0].range() == "1 … 100 or off");
    CHECK(list_parameters(visit)[1].value == "0");
    set_parameter(visit, "knobs", "every", "7");
    CHECK(every == 7);
    CHECK(value() == "7");
    set_parameter(visit, "knobs", "every", "off");
    CHECK(every == 0);
    for (const char* wrong : {"0", "-1", "101", "of", "auto"})
        CHECK_THROWS_WITH_AS(set_parameter(visit, "knobs", "every", wrong),
                             doctest::Contains("expected 1 … 100 or off"), Error);
    CHECK_THROWS_AS(set_parameter(visit, "knobs", "other", "off"), Error);
    CHECK(list_parameters(visit)[2].value == "auto");
    set_parameter(visit, "knobs", "box", "30x0");  // periodic along x alone
    CHECK(box == Point{30, 0});
    set_parameter(visit, "knobs", "box", "auto");
    CHECK(box == Point{});
    CHECK_THROWS_WITH_AS(set_parameter(visit, "knobs", "box", "0"), doctest::Contains("whose sides are both 0"), Error);
}

TEST_CASE("parameters: a word stands in place of a number, and 0 is 0") {
    double speed = std::nan(""), other = 1;
    const VisitParameters visit = [&](ParameterVisitor& visitor) {
        visitor.number("speed", "Speed", "How fast.", speed, 0, 3.5);
        visitor.or_word("auto");
        visitor.number("other", "Other", "Another.", other, 0, 1);
    };
    const auto value = [&] { return list_parameters(visit)[0].value; };
    CHECK(value() == "auto");
    CHECK(list_parameters(visit)[0].range() == "0 … 3.5 or auto");
    CHECK(list_parameters(visit)[1].range() == "0 … 1");
    set_parameter(visit, "knobs", "speed", "0");
    CHECK(value() == "0");
    CHECK(speed == 0);
    set_parameter(visit, "knobs", "speed", "auto");
    CHECK(std::isnan(speed));
    CHECK(value() == "auto");
    for (const char* wrong : {"nan", "any", "", "4"})
        CHECK_THROWS_WITH_AS(set_parameter(visit, "knobs", "speed", wrong),
                             doctest::Contains("expected 0 … 3.5 or auto"), Error);
    CHECK_THROWS_AS(set_parameter(visit, "knobs", "other", "auto"), Error);
    CHECK(other == 1);
    CHECK(change_parameters(visit, "knobs", {{"speed", "2"}}) == "Speed from auto to 2");
    const auto filtered = list_parameters([&](ParameterVisitor& visitor) {
        ParameterVisitor all;
        visit(all);
        visitor.add(std::move(all), [](const std::string& name) { return name == "speed"; });
    });
    REQUIRE(filtered.size() == 1);
    CHECK(filtered[0].word == "auto");
}

TEST_CASE("parameters: every parameter of every lab takes each value that it lists, and its bounds") {
    for (const auto& entry : registry()) {
        INFO(entry.id);
        const auto algorithm = entry.make();
        for (const auto& parameter : list_parameters(*algorithm)) {
            INFO(parameter.name);
            CHECK_FALSE(parameter.title.empty());
            CHECK_FALSE(parameter.sentence.empty());
            std::vector<std::string> values{parameter.value};
            for (const auto& option : parameter.options) values.push_back(option.name);
            if (!parameter.word.empty()) values.push_back(parameter.word);
            std::string range = parameter.range();
            const std::string dots = " … ";
            if (const size_t word = range.find(" or "); !parameter.word.empty()) range.resize(word);
            if (parameter.kind == ParameterDescription::Kind::kSize)
                values.insert(values.end(),
                              {format_exactly(parameter.least) + "x12", format_exactly(parameter.most), "30x12"});
            else if (const size_t at = range.find(dots); at != std::string::npos)
                values.insert(values.end(), {range.substr(0, at), range.substr(at + dots.size())});
            if (parameter.kind == ParameterDescription::Kind::kToggle) values.insert(values.end(), {"on", "off"});
            for (const auto& value : values) {
                set_parameter(*algorithm, parameter.name, value);
                for (const auto& now : list_parameters(*algorithm))
                    if (now.name == parameter.name) CHECK(now.value == value);
            }
        }
    }
}

TEST_CASE("parameters: of part of a lab, what it does not have is left alone") {
    int value = 3;
    const VisitParameters visit = [&](ParameterVisitor& visitor) {
        visitor.integer("count", "Count", "How many.", value, 0, 9);
    };
    CHECK(set_if_known(visit, "count", "7"));
    CHECK(value == 7);
    CHECK_FALSE(set_if_known(visit, "other", "1"));
    CHECK(value == 7);
}

TEST_CASE("parameters: the nearest word forgives a slip, but not another word") {
    const std::vector<std::string> known{"run", "list", "info"};
    CHECK(nearest_word("lst", known) == "list");
    CHECK(nearest_word("inof", known) == "info");
    CHECK(nearest_word("triangles", known).empty());
    CHECK(nearest_word("", known).empty());
    CHECK(nearest_word("x", {}).empty());
    CHECK(join_words({}).empty());
    CHECK(join_words({"a"}) == "a");
    CHECK(join_words({"a", "b", "c"}) == "a, b or c");
}
