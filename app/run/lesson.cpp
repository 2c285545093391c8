#include "app/run/lesson.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/base/folders.h"
#include "app/run/element_query.h"
#include "app/run/scenario_json.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/suggest.h"
#include "geometry/generators.h"
#include "geometry/proximity.h"
#include "io/files.h"
#include "lab/manual_edits.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

using LessonJson = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

const std::vector<std::string> kRunKeys{"lab",    "points", "mesh", "input",      "triangles", "field",
                                        "tracks", "read",   "seed", "parameters", "within"};
const std::vector<std::string> kInputKeys{"lab", "points", "mesh", "input", "triangles", "field", "tracks"};
const std::vector<std::string> kStepKeys{"at",   "play",  "click",     "edits",    "show",   "hide",
                                         "beta", "alpha", "colour_by", "camera",   "flight", "caption",
                                         "why",  "notes", "highlight", "question", "beside", "expect"};

/// Where a step without "at" stands, and without edits. `before`: the step before in the same run; nullptr: none.
uint64_t usual_place(const LessonStep* before) { return before ? before->end() : 0; }
uint64_t usual_place(const LessonStep* before, const std::vector<PlacedEdit>& edits) {
    if (edits.empty()) return usual_place(before);
    return edits.back().at == PlacedEdit::kAtEnd ? Scenario::kAtEnd : edits.back().at + 1;
}

/// The place of the first point that a click adds there.
std::optional<Point3> click_of(const std::vector<PlacedEdit>& edits, const LessonStep* before) {
    const bool is_click = edits.size() == 1 && edits[0].at == usual_place(before) && edits[0].edit.part == 0 &&
                          edits[0].edit.kind == Edit::Kind::kAddVertex && edits[0].edit.place.z == 0;
    return is_click ? std::optional(edits[0].edit.place) : std::nullopt;
}

class LessonReader : JsonReader {
  public:
    explicit LessonReader(const std::filesystem::path& path) : JsonReader{path.string()} {}

    Lesson read(const LessonJson& json) {
        if (!json.is_object()) fail(Pointer(), "an object with \"title\" and \"steps\"", json);
        Lesson lesson;
        for (const auto& [key, value] : json.items()) {
            const Pointer at = Pointer() / key;
            if (key == "title")
                lesson.title = text(at, value);
            else if (key == "presenter_scale")
                lesson.presenter_scale = number(at, value, 0.25, 8);
            else if (key == "frame")
                lesson.frame = frame(at, value);
            else if (key != "steps")
                refuse_key(Pointer(), key, {"title", "presenter_scale", "frame", "steps"});
        }
        const auto steps = json.find("steps");
        if (steps == json.end())
            throw Error(place(Pointer("/steps")) + ": expected the steps of the lesson, found none");
        if (!steps->is_array() || steps->empty()) fail(Pointer("/steps"), "one step or more", *steps);
        for (size_t i = 0; i < steps->size(); ++i)
            lesson.steps.push_back(
                step(Pointer("/steps") / i, (*steps)[i], lesson.steps.empty() ? nullptr : &lesson.steps.back()));
        placed(file, [&] { join_edits(lesson); });
        return lesson;
    }

  private:
    [[noreturn]] void refuse_key(const Pointer& at, const std::string& key,
                                 const std::vector<std::string>& known) const {
        const std::string meant = nearest_word(key, known);
        throw Error(place(at / key) + ": unknown field" + (meant.empty() ? "" : "; did you mean \"" + meant + "\"?") +
                    "; known: " + join_words(known, ", "));
    }
    Point point(const Pointer& at, const LessonJson& value) const {
        if (!value.is_array() || value.size() != 2) fail(at, "two numbers", value);
        for (size_t i = 0; i < 2; ++i)
            if (!value[i].is_number()) fail(at / i, "a number", value[i]);
        return {value[0], value[1]};
    }
    std::vector<std::string> texts(const Pointer& at, const LessonJson& value) const {
        if (value.is_string()) return {text(at, value)};
        if (!value.is_array()) fail(at, "texts", value);
        std::vector<std::string> found;
        for (size_t i = 0; i < value.size(); ++i) found.push_back(text(at / i, value[i]));
        return found;
    }
    void element(const Pointer& at, const std::string& value) const {
        placed(place(at), [&] { parse_element(value, ""); });
    }

    LessonJson run_of(const Pointer& at, const LessonJson& json, const LessonStep* before) const {
        LessonJson run = LessonJson::object();
        const bool own = std::ranges::any_of(kInputKeys, [&](const std::string& key) { return json.contains(key); });
        if (!own && !before)
            throw Error(place(at) + ": expected \"lab\" and an input in the first step, found neither");
        if (!own) run = LessonJson::parse(before->run);
        for (const std::string& key : kRunKeys) {
            if (!json.contains(key)) continue;
            if (key == "parameters" && json[key].is_object() && run.contains(key))
                run[key].update(json[key]);
            else
                run[key] = json[key];
        }
        return run;
    }

    LessonStep step(const Pointer& at, const LessonJson& json, const LessonStep* before) const {
        if (!json.is_object()) fail(at, "an object", json);
        std::vector<std::string> known = kRunKeys;
        known.insert(known.end(), kStepKeys.begin(), kStepKeys.end());
        for (const auto& [key, value] : json.items())
            if (std::ranges::find(known, key) == known.end()) refuse_key(at, key, known);
        const LessonJson run = run_of(at, json, before);
        LessonStep made;
        made.run = run.dump();
        made.scenario = scenario_of_fields(run, file, at.to_string());
        const LessonStep* const same_run = before && before->run == made.run ? before : nullptr;
        const uint64_t next = usual_place(same_run);
        if (json.contains("edits")) made.edits = edits_of_json(*this, at / "edits", json["edits"], next);
        if (json.contains("click")) {
            if (!made.edits.empty()) throw Error(place(at / "click") + ": expected no \"edits\" beside \"click\"");
            const Point added = point(at / "click", json["click"]);
            made.edits = {{next, {.kind = Edit::Kind::kAddVertex, .place = {added.x, added.y, 0}}}};
        }
        made.scenario.edits = made.edits;
        made.scenario.places["edits"] = place(at / (json.contains("click") ? "click" : "edits"));
        if (made.scenario.lab.empty()) throw Error(place(at / "lab") + ": expected the name of a lab, found none");
        make_scenario_lab(made.scenario);  // reports unknown parameters and impossible edits now
        made.at = usual_place(same_run, made.edits);
        if (before && !json.contains("show") && !json.contains("hide")) {
            made.shown = before->shown;
            made.hidden = before->hidden;
            made.beta = before->beta;
            made.alpha = before->alpha;
        }
        for (const auto& [key, value] : json.items()) {
            const Pointer here = at / key;
            if (key == "at")
                made.at = passes(here, value);
            else if (key == "play")
                made.play = stretch(here, value);
            else if (key == "show")
                made.shown = texts(here, value);
            else if (key == "hide")
                made.hidden = texts(here, value);
            else if (key == "beta")
                made.beta = number(here, value, kLeastBeta, kMostBeta);
            else if (key == "alpha")
                made.alpha = number(here, value, 0, kMaxCoordinate);
            else if (key == "colour_by")
                made.colour_by = colour_named(text(here, value), made.scenario, place(here));
            else if (key == "camera")
                made.camera = framing(here, value);
            else if (key == "flight")
                made.flight_s = number(here, value, 0, 20);
            else if (key == "caption")
                made.caption = text(here, value);
            else if (key == "why")
                made.why = text(here, value);
            else if (key == "notes")
                made.notes = text(here, value);
            else if (key == "highlight")
                made.highlight = elements(here, value);
            else if (key == "question")
                made.question = question(here, value);
            else if (key == "beside")
                set_beside(made, here, value);
            else if (key == "expect")
                made.expect = expectations(here, value);
        }
        if (made.beside && !before) throw Error(place(at / "beside") + ": the first step has no step before it");
        if (made.play && made.play->to != Scenario::kAtEnd && (made.at == Scenario::kAtEnd || made.play->to < made.at))
            throw Error(place(at / "play" / "to") + ": expected a pass after the one where the step begins");
        return made;
    }

    void set_beside(LessonStep& made, const Pointer& at, const LessonJson& value) const {
        if (value.is_boolean()) {
            made.beside = value.get<bool>();
            return;
        }
        const bool named = value.is_string() && !value.get_ref<const std::string&>().empty();
        if (!named && !value.is_number_unsigned())
            fail(at, "true, a number of passes, \"end\", a generator or a file", value);
        made.other =
            placed(place(at), [&] { return parse_other(named ? value.get<std::string>() : value.dump(), file); });
    }
    std::vector<std::string> elements(const Pointer& at, const LessonJson& value) const {
        std::vector<std::string> found = texts(at, value);
        for (size_t i = 0; i < found.size(); ++i) element(value.is_array() ? at / i : at, found[i]);
        return found;
    }
    LessonStep::Stretch stretch(const Pointer& at, const LessonJson& value) const {
        if (!value.is_object() || !value.contains("to"))
            fail(at, "an object such as {\"to\": 12, \"speed\": 4}", value);
        LessonStep::Stretch made;
        for (const auto& [key, field] : value.items()) {
            if (key == "to")
                made.to = passes(at / "to", field);
            else if (key == "speed")
                made.speed = number(at / "speed", field, 0.1, 1000);
            else
                refuse_key(at, key, {"to", "speed"});
        }
        return made;
    }
    Framing framing(const Pointer& at, const LessonJson& value) const {
        if (!value.is_object()) fail(at, "an object such as {\"center\": [0.5, 0.5], \"zoom\": 4}", value);
        Framing made;
        for (const auto& [key, field] : value.items()) {
            const Pointer here = at / key;
            if (key == "zoom") {
                made.zoom = number(here, field, 1e-3, 1e18);
            } else if (key == "center" || key == "view") {
                const Point pair = point(here, field);
                if (key == "center")
                    made.center = pair;
                else
                    made.view = std::array<double, 2>{pair.x, pair.y};
            } else {
                refuse_key(at, key, {"center", "zoom", "view"});
            }
        }
        return made;
    }
    std::pair<Point, Point> frame(const Pointer& at, const LessonJson& value) const {
        const bool four = value.is_array() && value.size() == 4 &&
                          std::ranges::all_of(value, [](const LessonJson& one) { return one.is_number(); });
        if (!four || value[0] >= value[2] || value[1] >= value[3])
            fail(at, "four numbers: left, lower, right, upper", value);
        return {{value[0], value[1]}, {value[2], value[3]}};
    }
    LessonStep::Question question(const Pointer& at, const LessonJson& value) const {
        if (!value.is_object()) fail(at, "an object with \"ask\" and \"answer\"", value);
        LessonStep::Question made;
        for (const auto& [key, field] : value.items()) {
            const Pointer here = at / key;
            if (key == "ask") {
                made.ask = text(here, field);
            } else if (key == "answer") {
                made.answer = text(here, field);
            } else if (key == "element") {
                made.element = text(here, field);
                element(here, made.element);
            } else {
                refuse_key(at, key, {"ask", "answer", "element"});
            }
        }
        for (const auto& [name, given] : {std::pair{"ask", &made.ask}, {"answer", &made.answer}})
            if (given->empty()) throw Error(place(at / name) + ": expected a text, found none");
        return made;
    }
    std::vector<Expectation> expectations(const Pointer& at, const LessonJson& value) const {
        if (!value.is_object()) fail(at, "an object such as {\"triangles\": 14}", value);
        std::vector<Expectation> found;
        for (const auto& [name, field] : value.items()) {
            const Pointer here = at / name;
            Expectation one{name, {}, 0, 0, field.is_string() || field.is_boolean()};
            if (field.is_string()) {
                one.text = field.get<std::string>();
            } else if (field.is_boolean()) {
                one.text = field.get<bool>() ? "yes" : "no";
            } else if (field.is_number()) {
                one.least = one.most = field.get<double>();
            } else if (field.is_array() && field.size() == 2 && field[0].is_number() && field[1].is_number()) {
                one.least = field[0].get<double>();
                one.most = field[1].get<double>();
            } else {
                fail(here, "a number, a text, true or false, or the least and the most of a number", field);
            }
            found.push_back(std::move(one));
        }
        return found;
    }
};

OrderedJson passes_json(uint64_t passes) {
    return passes == Scenario::kAtEnd ? OrderedJson("end") : OrderedJson(passes);
}

OrderedJson lesson_number_json(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? OrderedJson(static_cast<int64_t>(value)) : OrderedJson(value);
}

OrderedJson step_json(const LessonStep& step, const LessonStep* before) {
    OrderedJson json = OrderedJson::object();
    const LessonStep* const same_run = before && before->run == step.run ? before : nullptr;
    if (!same_run) {
        const OrderedJson run = OrderedJson::parse(step.run);
        for (const std::string& key : kRunKeys)
            if (run.contains(key)) json[key] = run[key];
    }
    if (const auto click = click_of(step.edits, same_run))
        json["click"] = {click->x, click->y};
    else if (!step.edits.empty())
        json["edits"] = json_of_edits(step.edits);
    if (step.at != usual_place(same_run, step.edits)) json["at"] = passes_json(step.at);
    if (step.play) json["play"] = {{"to", passes_json(step.play->to)}, {"speed", lesson_number_json(step.play->speed)}};
    const bool same_layers = before ? before->shown == step.shown && before->hidden == step.hidden
                                    : step.shown.empty() && step.hidden.empty();
    if (!same_layers) {
        if (!step.shown.empty() || step.hidden.empty()) json["show"] = step.shown;
        if (!step.hidden.empty()) json["hide"] = step.hidden;
    }
    const LessonStep usual, &kept = before && same_layers ? *before : usual;
    if (step.beta != kept.beta) json["beta"] = step.beta;
    if (step.alpha != kept.alpha) json["alpha"] = step.alpha;
    if (step.colour_by) json["colour_by"] = step.colour_by->id();
    if (!(step.camera == Framing{})) {
        OrderedJson camera = OrderedJson::object();
        if (step.camera.center) camera["center"] = {step.camera.center->x, step.camera.center->y};
        if (step.camera.zoom != 1) camera["zoom"] = lesson_number_json(step.camera.zoom);
        if (step.camera.view) camera["view"] = *step.camera.view;
        json["camera"] = std::move(camera);
    }
    if (step.flight_s != LessonStep{}.flight_s) json["flight"] = lesson_number_json(step.flight_s);
    if (!step.highlight.empty()) json["highlight"] = step.highlight;
    if (step.beside) json["beside"] = true;
    if (step.other)
        json["beside"] = step.other->position ? passes_json(*step.other->position) : OrderedJson(step.other->name());
    if (!step.why.empty()) json["why"] = step.why;
    if (!step.notes.empty()) json["notes"] = step.notes;
    if (!step.caption.empty()) json["caption"] = step.caption;
    if (step.question) {
        // Keep half a question of an unfinished lesson.
        const auto written = [](const std::string& text) { return text.empty() ? "\u2026" : text; };
        json["question"] = {{"ask", written(step.question->ask)}, {"answer", written(step.question->answer)}};
        if (!step.question->element.empty()) json["question"]["element"] = step.question->element;
    }
    for (const Expectation& one : step.expect)
        json["expect"][one.name] = one.is_text ? OrderedJson(one.text)
                                   : one.least == one.most
                                       ? lesson_number_json(one.least)
                                       : OrderedJson{lesson_number_json(one.least), lesson_number_json(one.most)};
    return json;
}

}  // namespace

DisplayOptions LessonStep::display() const {
    DisplayOptions made;
    set_display(made, hidden, false);
    set_display(made, shown, true);
    made.angles = made.shows("angles", false);
    made.layers.erase("angles");
    made.beta = beta;
    made.alpha = alpha;
    return made;
}

void join_edits(Lesson& lesson) {
    for (size_t i = 0; i < lesson.steps.size(); ++i) {
        LessonStep& step = lesson.steps[i];
        std::vector<PlacedEdit>& all = step.scenario.edits;
        all.clear();
        if (i > 0 && lesson.steps[i - 1].run == step.run) all = lesson.steps[i - 1].scenario.edits;
        if (!all.empty() && !step.edits.empty() && step.edits[0].at <= all.back().at &&
            step.edits[0].at != PlacedEdit::kAtEnd)
            throw Error("/steps/" + std::to_string(i) + "/edits: expected places after pass " +
                        std::to_string(all.back().at) + ", where a step before makes an edit");
        all.insert(all.end(), step.edits.begin(), step.edits.end());
    }
}

Lesson read_lesson(const std::filesystem::path& path) { return LessonReader(path).read(read_json(path)); }

Lesson parse_lesson(const std::string& text, const std::filesystem::path& file) {
    const LessonJson json = LessonJson::parse(text, nullptr, false);
    if (json.is_discarded()) throw Error(file.string() + ": expected JSON");
    return LessonReader(file).read(json);
}

std::string lesson_text(const Lesson& lesson) {
    OrderedJson json = OrderedJson::object();
    if (!lesson.title.empty()) json["title"] = lesson.title;
    if (lesson.presenter_scale > 0) json["presenter_scale"] = lesson_number_json(lesson.presenter_scale);
    if (const auto& frame = lesson.frame)
        json["frame"] = {frame->first.x, frame->first.y, frame->second.x, frame->second.y};
    json["steps"] = OrderedJson::array();
    for (size_t i = 0; i < lesson.steps.size(); ++i)
        json["steps"].push_back(step_json(lesson.steps[i], i > 0 ? &lesson.steps[i - 1] : nullptr));
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

BesideRequest parse_other(const std::string& named, const std::filesystem::path& file) {
    BesideRequest other = parse_beside(named, "");
    if (other.position) return other;
    const std::filesystem::path near = file.parent_path() / io::user_path(named);
    if (std::error_code ignored; std::filesystem::is_regular_file(near, ignored)) {
        other.text = near.string();
        other.input_name = named;
        return other;
    }
    placed(near.string() + " is no file, and as a generator", [&] { parse_generator(named); });
    return other;
}

std::optional<uint64_t> passes_beside(const LessonStep& step) {
    return step.end() == Scenario::kAtEnd ? std::nullopt : std::optional(step.end());
}

std::string run_text(const Scenario& scenario, const std::filesystem::path& folder) {
    Scenario run = scenario;
    run.edits.clear();  // the steps have them
    return run_fields(run, [&](const std::filesystem::path& file) { return name_from(folder, file); }).dump();
}

LessonStep step_of_run(const std::string& run, const std::filesystem::path& file) {
    return parse_lesson(R"({"steps": [)" + run + "]}", file).steps.front();
}

std::vector<std::filesystem::path> shipped_lessons() {
    std::error_code ignored;
    std::vector<std::filesystem::path> folders;
    if (const std::filesystem::path shared = shared_folder(); !shared.empty()) folders.push_back(shared / "lessons");
    for (std::filesystem::path up = program_folder(); up.has_relative_path(); up = up.parent_path())
        folders.push_back(up / "assets/lessons");  // for a build in the source tree
    for (const std::filesystem::path& folder : folders) {
        std::vector<std::filesystem::path> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".json") found.push_back(entry.path().lexically_normal());
        std::ranges::sort(found, {}, [](const std::filesystem::path& path) {
            return std::pair(std::strtoul(path.filename().c_str(), nullptr, 10), path);  // 10 comes after 9
        });
        if (!found.empty()) return found;
    }
    return {};
}

}  // namespace flipscope::app
