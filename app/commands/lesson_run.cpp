#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/base/endings.h"
#include "app/base/signals.h"
#include "app/commands/headless.h"
#include "app/commands/lesson_film.h"
#include "app/commands/run_pictures.h"
#include "app/images/png.h"
#include "app/run/element_query.h"
#include "app/run/lesson.h"
#include "app/run/page.h"
#include "app/run/report.h"
#include "app/run/stage.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "instruments/failure_marks.h"
#include "io/output_file.h"
#include "lab/facets.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

std::string number_word(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
}

/// Values of a state that a lesson may expect, by name: "passes", "round", "done", "last pass", "hash", the results
/// printed by `flipscope run`, and the counters and measures of the last pass. "check", "failures" and "events" or
/// "differences" (of labs that detect them) are computed on demand by expected_value().
Properties lesson_values(const Timeline& timeline) {
    const Lab& lab = timeline.lab();
    const LabInfo& info = lab.info();
    Properties facts;
    facts.add("passes", timeline.position());
    facts.add("done", timeline.done());
    facts.add("hash", hash_text(lab.state_hash()));
    const StepResult* const last = timeline.position() > 0 ? &timeline.result(timeline.position() - 1) : nullptr;
    facts.add("round", last ? last->round : 0);
    if (last && last->pass < info.passes.size()) facts.add("last pass", info.passes[last->pass].name);
    for (size_t i = 0; last && i < std::min(info.counters.size(), last->counters.size()); ++i)
        if (last->counters[i] != kNotCounted && !facts.find(info.counters[i].name))
            facts.add(info.counters[i].name, last->counters[i]);
    for (size_t i = 0; last && i < std::min(info.measures.size(), last->measures.size()); ++i)
        if (!facts.find(info.measures[i].name)) facts.add(info.measures[i].name, last->measures[i]);
    for (const Property& one : results_of(lab.result(), info))
        if (!facts.find(one.name)) facts.list.push_back(one);
    return facts;
}

/// The value of this name; throws Error that lists the known names. That of a structure is its number of elements.
Value expected_value(const std::string& name, const Timeline& timeline, const Scene& scene) {
    const Lab& lab = timeline.lab();
    if (name == "check" || name == "failures") {
        const CheckReport report = check_of(lab);
        if (name == "failures") return static_cast<int64_t>(report.failure_count);
        return !report.checked ? "not checked" : report.passed ? "passed" : "failed";
    }
    const auto* const detector = find_facet<Detector>(lab);
    if (detector && (name == "events" || name == "differences"))
        return static_cast<int64_t>(detector->detections(0).size());
    const Properties facts = lesson_values(timeline);
    if (std::ranges::any_of(structure_infos(), [&](const auto& one) { return one.id == name; }) && scene.layer(name)) {
        uint64_t elements = 0;  // of an α-complex edges and triangles, in layers of their own
        for (const Layer& layer : scene.layers)
            if (layer.id == name)
                elements += std::visit([](const auto& shape) { return uint64_t(shape.element_count()); }, layer.shape);
        return elements;
    }
    if (const Property* const found = facts.find(name)) return found->value;
    std::vector<std::string> known{"check", "failures"};
    if (detector) known.emplace_back("events");
    for (const Property& one : facts) known.push_back(one.name);
    throw Error("expect/" + name + ": there is no such number here; there are " + join_words(known, ", "));
}

/// Empty if the value is as expected; else a sentence: "triangles: expected 14, found 12".
std::string contradiction(const Expectation& expected, const Value& found) {
    if (expected.is_text) {
        if (text_of(found) == expected.text) return {};
        return expected.name + ": expected " + expected.text + ", found " + text_of(found);
    }
    const double number = found.number();
    if (number >= expected.least && number <= expected.most) return {};
    return expected.name + ": expected " +
           (expected.least == expected.most ? number_word(expected.least)
                                            : number_word(expected.least) + " to " + number_word(expected.most)) +
           ", found " + (number == number ? number_word(number) : text_of(found));
}

/// The outcome of a step.
struct LessonStepOutcome {
    uint64_t passes = 0;                     // position at its end
    std::string hash;                        // of that state
    bool has_picture = true;                 // false: nothing was drawn
    Json layers = Json::array();             // of each view: name and number of elements of each layer
    std::vector<std::string> failures = {};  // sentences
};

class LessonRun {
  public:
    LessonRun(const std::string& file, const RunOptions& options)
        : file_(file),
          options_(options),
          html_(options.page),
          lesson_(read_lesson(file)),
          page_(lesson_.title.empty() ? "Lesson" : lesson_.title) {}

    int go() {
        const auto begin = std::chrono::steady_clock::now();
        size_t failed = 0;
        nlohmann::ordered_json step_list = nlohmann::ordered_json::array();
        if (options_.films()) film_ = std::make_unique<LessonFilm>(options_);
        for (size_t i = 0; i < lesson_.steps.size(); ++i) {
            const std::string place = file_ + ": /steps/" + std::to_string(i);
            LessonStepOutcome outcome;
            try {
                outcome = make(i);
            } catch (const Error& error) {
                const std::string why = error.what();
                const bool of_field =
                    why.starts_with("expect/") || why.starts_with("colour_by: ") || why.starts_with("beside: ");
                throw Error(place + (of_field ? "/" : ": ") + why);
            }
            failed += outcome.failures.size() + (outcome.has_picture ? 0 : 1);
            if (!outcome.has_picture) tell(place + ": there is nothing in the picture");
            for (const std::string& sentence : outcome.failures) tell(place + "/expect/" + sentence);
            step_list.push_back({{"step", i + 1},
                                 {"lab", lesson_.steps[i].scenario.lab},
                                 {"passes", outcome.passes},
                                 {"state_hash", outcome.hash},
                                 {"caption", lesson_.steps[i].caption},
                                 {"has_picture", outcome.has_picture},
                                 {"layers", outcome.layers},
                                 {"failures", outcome.failures}});
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        std::string written = film_ ? film_->finish() : "";
        if (!html_.empty()) {
            write_whole_file(html_, page_.html());
            written = html_ + (written.empty() ? "" : ", ") + written;
        }
        if (!options_.json.empty()) {
            const nlohmann::ordered_json all{{"lesson", file_},  {"title", lesson_.title}, {"expectations", expected_},
                                             {"failed", failed}, {"seconds", seconds},     {"steps", step_list}};
            write_or_print(options_.json, all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
        }
        if (!options_.quiet && options_.json != "-")
            std::printf("%s: %zu steps, %zu expectations, %zu failed, in %.2f s%s\n",
                        printable(lesson_.title.empty() ? file_ : lesson_.title).c_str(), lesson_.steps.size(),
                        expected_, failed, seconds,
                        written.empty() ? "" : ("; written: " + printable(written)).c_str());
        require_printed();
        return failed > 0 ? kCheckFailed : kSuccess;
    }

  private:
    LessonStepOutcome make(size_t index) {
        const LessonStep& step = lesson_.steps[index];
        const LessonStep* const before = index > 0 ? &lesson_.steps[index - 1] : nullptr;
        const bool goes_on = before && before->run == step.run;
        if (!goes_on) open(step);
        set_stage(step);
        Timeline& timeline = run_->timeline();
        timeline.plan(step.scenario.edits);
        for (const bool plays : {false, true}) {
            const uint64_t place = plays ? step.end() : step.at;
            const bool to_end = place == Scenario::kAtEnd;
            if (const std::string why = run_->lab().endless(); to_end && !why.empty())
                throw Error(why + "; give the pass where the step is to stand instead of \"end\"");
            if (film_ && plays) film_way(index, goes_on);
            if (!html_.empty() && plays && step.play) add_way_to_page(index);
            timeline.seek(place, Interrupt::keep_going);
            if (!to_end && timeline.position() != place)
                throw Error("expected to stand after pass " + std::to_string(place) + ", but the run ends after " +
                            std::to_string(timeline.position()));
        }
        context_->synchronize();
        LessonStepOutcome outcome{timeline.position(), hash_text(run_->lab().state_hash())};
        Scene scene = scene_of(step);
        for (const Expectation& one : step.expect) {
            ++expected_;
            std::string sentence = contradiction(one, expected_value(one.name, timeline, scene));
            if (!sentence.empty()) outcome.failures.push_back(std::move(sentence));
        }
        for (size_t i = 0; i < scene.view_count(); ++i) outcome.layers.push_back(layers_of(scene.view(i)));
        const bool is_blank = run_->geometry().has_nothing() && timeline.edit_count() == 0;
        outcome.has_picture = is_blank || (shows_anything(scene, step.display()) && is_in_view(scene, step.camera));
        if (step.colour_by && !(stage_->exploration().has_mesh() && offers(scene, *step.colour_by)))
            throw Error("colour_by: " + printable(step.colour_by->id()) + ": " + stage_->offered(scene));
        check_display(step.display(), scene, [](const std::string&) { return "show, hide"; });
        std::vector<Highlight> marks;
        for (const std::string& name : step.highlight) add_marks(name, scene, marks);
        std::vector<Highlight> answer = marks;  // in its own picture, folded at first
        if (step.question && !step.question->element.empty()) add_marks(step.question->element, scene, answer);
        const std::optional<CheckReport> failed = failed_check(step);
        if (failed) stage_->mark(scene, *failed);
        if (film_) film_rest(index, scene, marks, answer);
        if (!html_.empty()) {
            add_to_page(index, scene, marks, answer);
            last_on_page_ = page_.size() - 1;
        }
        if (failed) unmark_failures(*context_, run_->lab().scene());
        return outcome;
    }

    static Json layers_of(const SceneView& view) {
        Json layers = Json::array();
        for (const Layer& layer : view.layers)
            if (!layer.empty())
                layers.push_back({layer.id, std::visit([](const auto& shape) { return size_t(shape.element_count()); },
                                                       layer.shape)});
        return layers;
    }

    static bool shows_anything(const Scene& scene, const DisplayOptions& display) {
        for (size_t i = 0; i < scene.view_count(); ++i)
            for (const Layer& layer : scene.view(i).layers)
                if (!layer.empty() && display.shows(layer.id, layer.shown)) return true;
        return false;
    }

    /// The failures to mark, for a step with an expectation about the check.
    std::optional<CheckReport> failed_check(const LessonStep& step) const {
        const auto* const checkable = find_facet<Checkable>(run_->lab());
        const bool speaks = std::ranges::any_of(
            step.expect, [](const Expectation& one) { return one.name == "check" || one.name == "failures"; });
        if (!options_.draws() || !speaks || !checkable) return {};
        CheckReport report = checkable->check();
        return report.passed ? std::nullopt : std::optional(std::move(report));
    }

    /// False: the step's camera sees nothing of the scene, for any shape of the picture. A box of the scene's diagonal
    /// contains everything that zoom 1 shows.
    static bool is_in_view(const Scene& scene, const Framing& camera) {
        if (!camera.center || camera.view || scene.in_space) return true;
        const double reach = 2 * std::hypot(scene.high.x - scene.low.x, scene.high.y - scene.low.y) / camera.zoom;
        const auto beyond = [&](double at, double low, double high) {
            return std::max({low - at, at - high, 0.0}) > reach;
        };
        return !beyond(camera.center->x, scene.low.x, scene.high.x) &&
               !beyond(camera.center->y, scene.low.y, scene.high.y);
    }

    Offscreen& offscreen() { return *pictures_->offscreen; }

    static CloseUp close_up_of(const LessonStep& step) { return {step.camera.zoom, step.camera.center}; }

    /// The step's colours, and the other state or input beside it, if any.
    void set_stage(const LessonStep& step) {
        stage_->choice.colour = step.colour_by;
        stage_->choice.structures = structures_of(step.display());
        stage_->drop_beside();
        if (!step.other) return;
        placed("beside",
               [&] { stage_->show_beside(*step.other, passes_beside(step), std::nullopt, step.other->label()); });
    }
    RunStage::Picture picture(const Scene& scene, const std::vector<Highlight>& highlights,
                              const std::vector<ElementLabel>& labels) {
        return placed("beside", [&] { return stage_->picture(scene, highlights, labels); });
    }

    /// The lab's scene in this state, in the step's colours.
    Scene scene_of(const LessonStep& step) {
        Scene scene = stage_->scene();
        if (lesson_.frame && !scene.in_space) std::tie(scene.low, scene.high) = *lesson_.frame;
        stage_->lift = paraboloid_choice(step.display());
        if (!stage_->choice.any() && !stage_->choice.area && !stage_->lift.shown) return scene;
        if (step.colour_by) {
            const std::string id = step.colour_by->id();
            explored_of(id, &run_->geometry(), "colour_by: " + printable(id));
        }
        stage_->explore(scene);
        return scene;
    }

    /// Films the way from the previous step: the camera's flight and the stretch that plays.
    void film_way(size_t index, bool goes_on) {
        const LessonStep& step = lesson_.steps[index];
        if (!step.beside) film_->drop_beside();
        if (film_->frame_rate() == 0) return;  // one picture for each step
        const auto show = [&](const CloseUp& close_up, double seconds) {
            const Scene scene = scene_of(step);
            const RunStage::Picture shown = picture(scene, {}, stage_->labels(scene, step.display()));
            as_user_error([&] { film_->show(offscreen(), {step, shown.scene, close_up, shown.labels}, seconds); });
        };
        const Framing from = goes_on ? lesson_.steps[index - 1].camera : step.camera;
        if (step.flight_s > 0 && !(from == step.camera)) {
            const Scene scene = scene_of(step);
            const Point middle{(scene.low.x + scene.high.x) / 2, (scene.low.y + scene.high.y) / 2};
            const double frames = std::max(1.0, std::round(step.flight_s * film_->frame_rate()));
            for (double k = 1; k <= frames; ++k)
                show(close_up_between(from, step.camera, middle, k / frames), step.flight_s / frames);
        }
        if (!step.play) return;
        show(close_up_of(step), 1);
        const auto passes = static_cast<uint64_t>(std::max(1.0, std::floor(step.play->speed / film_->frame_rate())));
        const uint64_t end = step.play->to;
        Timeline& timeline = run_->timeline();
        while (!timeline.done() && timeline.position() < end) {
            throw_if_cancelled();
            timeline.seek(std::min(end, timeline.position() + passes));
            show(close_up_of(step), static_cast<double>(passes) / step.play->speed);
        }
    }

    /// Films until the text has been read; the answer follows the question.
    void film_rest(size_t index, const Scene& scene, const std::vector<Highlight>& marks,
                   const std::vector<Highlight>& answer) {
        const LessonStep& step = lesson_.steps[index];
        const std::string words = step.why + " " + step.caption + (step.question ? " " + step.question->ask : "");
        const std::vector<ElementLabel> labels = stage_->labels(scene, step.display());
        const auto show = [&](const std::vector<Highlight>& highlights, const std::string& read, bool answered) {
            const RunStage::Picture shown = picture(scene, highlights, labels);
            as_user_error([&] {
                film_->show(offscreen(),
                            {step, shown.scene, close_up_of(step), shown.labels, shown.highlights, answered},
                            reading_time(read));
            });
        };
        show(marks, words, false);
        if (step.question && film_->frame_rate() > 0) show(answer, step.question->answer, true);
        if (!keeps_picture(index)) return;
        const std::vector<Highlight>& kept = step.question ? answer : marks;
        as_user_error([&] {
            film_->keep_beside(offscreen(), {step, scene, close_up_of(step), labels, kept}, lesson_.steps[index + 1]);
        });
    }

    /// Whether the next step is shown beside this one's picture.
    bool keeps_picture(size_t index) const {
        return index + 1 < lesson_.steps.size() && lesson_.steps[index + 1].beside;
    }

    void open(const LessonStep& step) {
        Run run(step.scenario, options_.device.block_size);
        stage_.reset();
        run_.reset();
        // A lesson may use several labs; labs without GPU support run on CPU threads.
        const DeviceRequest device = run.lab().info().on_cpu_only ? DeviceRequest::kCpu : options_.device.device;
        if (!context_ || device != opened_for_) {
            pictures_.reset();
            context_ = open_device(device, options_.device);
            context_->set_cancel_flag(Interrupt::flag());
            opened_for_ = device;
            pictures_.emplace(options_, *context_);
        }
        run_.emplace(std::move(run));
        run_->start(*context_);
        stage_.emplace(*context_, *run_);
    }

    /// Marks the element and its explanation.
    void add_marks(const std::string& name, const Scene& scene, std::vector<Highlight>& marks) const {
        const Lab& lab = run_->lab();
        const Element element = find_element(parse_element(name, ""), lab, scene, &run_->geometry(), "");
        const auto* const inspectable = find_facet<Inspectable>(lab);
        const Report found = inspectable ? inspectable->inspect(element) : Report{};
        for (Highlight& one : stage_->marks(scene, element, found, name)) marks.push_back(std::move(one));
    }

    /// Adds the state to the page. `answer`: marks of the answer to the step's question. `between`: on the way to the
    /// step's end.
    void add_to_page(size_t index, const Scene& scene, const std::vector<Highlight>& marks,
                     const std::vector<Highlight>& answer, bool between = false) {
        const LessonStep& step = lesson_.steps[index];
        const RunStage::Picture shown = picture(scene, marks, stage_->labels(scene, step.display()));
        const Lab& lab = run_->lab();
        PageStep made{.scene = shown.scene,
                      .views_beside = shown.scene.view_count() - scene.view_count(),
                      .display = step.display(),
                      .highlights = shown.highlights,
                      .labels = shown.labels,
                      .inspectable = between ? nullptr : find_facet<Inspectable>(lab),
                      .view = step.camera.view ? seen_from_degrees(*step.camera.view) : standard_views()[0],
                      .words = words_of_pass(run_->timeline())};
        Json& words = made.words;
        words["step"] = index + 1;
        words["between"] = between;
        words["why"] = step.why;
        words["caption"] = step.caption;
        words["zoom"] = step.camera.zoom;
        if (const auto& center = step.camera.center) words["center"] = {center->x, center->y};
        if (stage_->has_beside()) words["note"] = stage_->beside_caption();
        if (step.play) words["speed"] = step.play->speed;
        if (step.beside && last_on_page_) words["beside"] = *last_on_page_;
        if (step.question && !between) {
            words["question"] = {{"ask", step.question->ask}, {"answer", step.question->answer}};
            if (!step.question->element.empty()) {
                const Element element =
                    find_element(parse_element(step.question->element, ""), lab, scene, &run_->geometry(), "");
                words["question"]["element"] = {static_cast<int>(element.kind), element.id,
                                                element.part + made.views_beside};
                made.answer = picture(scene, answer, {}).highlights;
            }
        }
        if (!Page::shows_elements(shown.scene)) {
            if (!pictures_->offscreen) throw Error(html_ + ": so many elements need a picture: " + pictures_->why_not);
            for (const bool light : {true, false}) {
                FigurePlan plan =
                    plan_figure(shown.scene, figure_of_step(step, light, options_.width, options_.height, 1.25),
                                shown.highlights, shown.labels);
                as_user_error([&] {
                    made.images.push_back(
                        png_of(offscreen().figure(shown.scene, std::move(plan)).rgba, options_.width, options_.height));
                });
            }
        }
        page_.add(made);
    }

    /// Adds states between the step's first and last one, if it plays. Stands at its end afterwards.
    void add_way_to_page(size_t index) {
        constexpr uint64_t kMostBetween = 40;
        const LessonStep& step = lesson_.steps[index];
        Timeline& timeline = run_->timeline();
        const uint64_t begin = timeline.position();
        timeline.seek(step.end(), Interrupt::keep_going);
        const uint64_t end = timeline.position(), stride = (end - begin) / kMostBetween + 1;
        for (uint64_t at = begin; at < end; at += stride) {
            timeline.seek(at, Interrupt::keep_going);
            context_->synchronize();
            add_to_page(index, scene_of(step), {}, {}, true);
        }
    }

    const std::string file_;
    const RunOptions& options_;
    const std::string html_;  // a page to hand out, or empty
    Interrupt interrupt_;
    Lesson lesson_;
    Page page_;
    std::optional<size_t> last_on_page_;  // the previous step, in the page
    std::unique_ptr<LessonFilm> film_;    // nullptr: no film
    std::unique_ptr<Context> context_;    // outlives its users
    std::optional<PictureDevice> pictures_;
    std::optional<Run> run_;
    std::optional<RunStage> stage_;
    DeviceRequest opened_for_ = DeviceRequest::kAuto;
    size_t expected_ = 0;
};

}  // namespace

int run_lesson(const std::string& lesson, const RunOptions& options) {
    LessonRun run(lesson, options);
    try {
        return run.go();
    } catch (const Cancelled&) {
        tell("ended by Ctrl-C; nothing was written");
        Interrupt::mark_reported();
        return kInterrupted;
    }
}

}  // namespace flipscope::app
