#include "app/session/comparison.h"

#include <algorithm>
#include <tuple>

#include "app/run/run.h"
#include "compute/error.h"
#include "instruments/failure_marks.h"

namespace flipscope::app {

Comparison::Comparison(LabWorker& worker, Selection& selection) : worker_(worker), selection_(selection) {
    worker.publisher().set_finish([this](Scene& scene) {
        if (kept()) picture_.scene->match(scene);
    });
}

void Comparison::keep() {
    keep_due_ = true;
    other_due_.reset();
}

void Comparison::stop() {
    keep_due_ = false;
    other_due_.reset();
    sample_.reset();
    dropped_ = picture_.scene != nullptr;
    selection_.explore_again();  // back to the live picture's own colour scales
}

bool Comparison::forget() {
    dropped_ = false;
    return std::exchange(picture_.scene, nullptr) != nullptr;
}

std::string Comparison::state_caption() const {
    const LabModel& now = worker_.model();
    return now.info.title + ": " + worker_.loader().present().source + ", " +
           state_text(now.info, now.position, now.last(), now.done && now.position > 0, now.known());
}

Comparison::Caption Comparison::caption_of_state() const {
    const LabModel& now = worker_.model();
    return {now.info.title, input_text(now.info, *worker_.input(), worker_.loader().present().source) + ", " +
                                state_text(now.info, now.position, now.last(), now.done)};
}

std::pair<std::string, std::string> Comparison::figure_captions() const {
    const Caption now = caption_of_state(), &before = picture_.in_figure;
    const auto text = [&](const Caption& of) {
        const bool named = before.lab == now.lab || of.text.starts_with(of.lab);
        return named ? of.text : of.lab + ": " + of.text;
    };
    return {text(before), text(now)};
}

Comparison::Place Comparison::place_of_state() const {
    return {worker_.loader().revision(), worker_.model().position, worker_.model().initial_parameters};
}

std::optional<uint64_t> Comparison::position() const {
    const Place now = place_of_state();
    const std::optional<Place>& then = picture_.place;
    if (!kept() || !then || then->input_revision != now.input_revision) return std::nullopt;
    return now.parameters == then->parameters ? std::optional(then->position) : std::nullopt;
}

void Comparison::show(Picture picture) {
    picture_ = std::move(picture);
    dropped_ = false;
    selection_.explore_again();  // the two pictures share colour scales
}

void Comparison::start_due() {
    if (!worker_.busy() && dropped_) worker_.under_lease([this] { forget(); });
    if (worker_.is_free() && selection_.due()) start_exploring();
    if (worker_.is_free() && keep_due_) start_keeping();
    if (worker_.is_free() && other_due_) start_keeping_other();
}

/// Explores the live scene at the end of the job, and shows the same of the kept picture.
void Comparison::start_exploring() {
    selection_.begin();
    const std::optional<Explored> colour = selection_.exploration().colour;
    const auto run = [this, choice = selection_.exploration(), lift = selection_.lift()] {
        if (kept()) picture_.scene->show_as(choice, lift);
    };
    const auto after = [=, this] {
        if (std::exchange(coloured_by_, colour) == colour || !kept() || !colour) return;
        const std::string missing = missing_column(*colour, kept()->input());
        if (!missing.empty()) worker_.note("The kept picture is not coloured: " + missing + ".");
    };
    worker_.start({.task = Task::kQuery, .changes_scene = true, .run = run, .after = after});
}

/// Makes a picture on the worker's thread; an Error becomes `refusal`.
struct Comparison::Made {
    std::unique_ptr<KeptScene> scene;
    std::shared_ptr<StatisticsSample> sample = {};
    std::string caption = {}, refusal = {};
    uint64_t position = 0;

    template <class Make>
    static Made by(const Make& make) {
        Made made;
        try {
            make(made);
        } catch (const Error& error) {
            made.refusal = error.what();
        }
        return made;
    }
};

void Comparison::start_keeping() {
    keep_due_ = false;
    const LabModel& now = worker_.model();
    const std::string name = worker_.loader().present().source + " after " + std::to_string(now.position) + " passes";
    std::shared_ptr<const SceneStatistics> shown = selection_.measured();
    if (shown && shown->empty()) shown.reset();
    const auto keep = [=, this, bounds = now.scene, check = now.check, choice = selection_.exploration(),
                       lift = selection_.lift(), input = worker_.input()](Timeline& timeline) {
        return Made::by([&](Made& made) {
            if (shown) made.sample = std::make_shared<StatisticsSample>(shown->sample(name));
            Scene scene = timeline.lab().scene();
            if (check) put_failures_into_legend(scene, *check);
            for (size_t i = 0; i < std::min(scene.view_count(), bounds.view_count()); ++i) {
                SceneView& view = scene.view(i);
                const SceneView& as = bounds.view(i);
                std::tie(view.low, view.high, view.low_z, view.high_z, view.in_space) =
                    std::tie(as.low, as.high, as.low_z, as.high_z, as.in_space);
            }
            made.scene = std::make_unique<KeptScene>(worker_.context(), scene);
            made.scene->set_input(input);
            made.scene->show_as(choice, lift);
        });
    };
    const auto after = [this](Made made) {
        if (made.sample) {
            sample_ = made.sample;
            worker_.publisher().request_measuring();
        }
        if (!made.refusal.empty()) return worker_.publisher().reply(Message::Kind::kError, made.refusal);
        std::optional<Place> place;
        if (worker_.model().edits == 0) place = place_of_state();
        show({std::move(made.scene), state_caption(), "", caption_of_state(), place});
        worker_.note(std::string("Kept: other states and inputs are shown beside this one") +
                     (made.sample ? ", and their distributions are compared with its." : "."));
    };
    worker_.start({.task = Task::kLongQuery, .title = "Keeping the picture"}, keep, after);
}

void Comparison::start_keeping_other() {
    const Other other = *std::exchange(other_due_, std::nullopt);
    const auto make = [=, this, choice = selection_.exploration(), lift = selection_.lift()](Timeline&) {
        return Made::by([&](Made& made) {
            const bool has = !choice.colour || choice.colour->measured();  // start_exploring() reports a missing column
            Beside beside(worker_.context(), other.scenario, other.request, other.passes, std::nullopt,
                          has ? choice.colour : std::nullopt);
            made.caption = beside.caption();
            made.position = beside.position();
            made.scene = beside.release();
            made.scene->show_as(choice, lift);
        });
    };
    const auto after = [=, this](Made made) {
        if (!made.refusal.empty()) {
            dropped_ = picture_.scene != nullptr;
            return worker_.publisher().reply(Message::Kind::kError, "Nothing is shown beside this: " + made.refusal);
        }
        std::optional<Place> place;
        if (other.request.position && worker_.model().edits == 0) place = place_of_state();
        if (place) place->position = made.position;
        const std::string& title = worker_.model().info.title;
        const std::string caption = made.caption.starts_with(title) ? made.caption : title + ": " + made.caption;
        show({std::move(made.scene), caption, other.label, {title, made.caption}, place});
    };
    worker_.start({.task = Task::kLongQuery, .title = "Making the picture beside this one"}, make, after);
}

}  // namespace flipscope::app
