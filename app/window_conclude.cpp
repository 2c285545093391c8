// The second half of Session: what happens when a job is over, and the copy that the panels read.
#include <algorithm>
#include <chrono>

#include "app/number_text.h"
#include "app/window_session.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr double kMostRetracing = 1;  // seconds of passes made once more, from a keyframe to where one was

}  // namespace

void Session::conclude() {
    const std::exception_ptr failure = worker_.collect();
    context_->clear_cancel();
    const auto after = std::move(after_);
    after_ = nullptr;
    if (failure) {
        fail(failure);
    } else {
        try {
            copy_model();
            if (after) after();
            if (!is_journey_ && changes_scene_) copy_model();  // a reset has changed what there is to copy
        } catch (...) {
            fail(std::current_exception());
        }
    }
    sharing_->release();
    if (changes_scene_) ++revision_;
    title_.clear();
    cancelled_at_ = 0;
}

void Session::fail(const std::exception_ptr& failure) {
    playing_ = false;
    goal_.reset();
    miss_grip();
    Message::Kind kind = Message::Kind::kError;
    std::string text;  // to be said once the model is what it will be
    try {
        std::rethrow_exception(failure);
    } catch (const Cancelled&) {
        kind = Message::Kind::kWarning;
        if (timeline_->usable()) {  // a question, which changes nothing
            if (!title_.empty()) text = title_ + " was cancelled";
        } else {
            recover_ = input_ != nullptr;
            if (timeline_->can_recover()) {
                // Nothing is drawn until the algorithm is whole again; what is known of the run stays.
                if (!is_recovering_) broken_off_ = title_;
                retrace_ = !is_recovering_;
                model_.loaded = behind_ = false;
                model_.scene = {};
                return;
            }
            text = title_ + " was cancelled in the middle of a pass: back to the start";
            drop_drafts();
        }
    } catch (const Error& error) {
        if (is_journey_ && timeline_->usable()) copy_model();  // before an edit was refused, steps may have been taken
        // A drag that goes on into what cannot be is told so once.
        const Message* said = message();
        if (!is_journey_ || !said || said->text != error.what()) text = error.what();
    } catch (const std::bad_alloc&) {
        text = "there is not enough memory for this; back to what was there before";
        recover_ = input_ != nullptr && !timeline_->usable();
    } catch (const std::exception& error) {
        text = error.what();
        // Once: an input that was fine before is taken up again.
        recover_ = input_ != nullptr && !timeline_->usable() && !is_journey_ && title_ != "Starting over";
    }
    model_.loaded = timeline_->usable();
    if (!model_.loaded) {
        behind_ = false;
        let_go();
        model_.histograms.clear();
        model_.curves.clear();
        model_.result.reset();
        model_.numbers.clear();
        forget_findings(0);
        model_.found = 0;
        model_.scene = {};
        model_.history = {};
        model_.position = 0;
        forget_check();
        check_due_ = false;
        ++moment_;
    }
    if (!text.empty()) reply(kind, std::move(text));
}

void Session::start_recovery() {
    start(
        "Going back to the last finished pass", true,
        [=, this] {
            const uint64_t there = timeline_->position();
            timeline_->recover();
            const auto begin = std::chrono::steady_clock::now();
            const auto keep_going = [&] {
                return !stop_ &&
                       std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < kMostRetracing;
            };
            if (retrace_ && timeline_->position() < there && keep_going()) timeline_->seek(there, keep_going);
        },
        [this] {
            model_.loaded = true;
            std::string where = "back at the start";
            if (const StepResult* last = model_.last())
                where = "back after pass " + number_text(static_cast<double>(model_.position)) + ", round " +
                        number_text(last->round);
            if (model_.position < model_.known())
                where += "; passes up to " + number_text(static_cast<double>(model_.known())) + " stay known";
            reply(Message::Kind::kWarning, broken_off_ + " was cancelled in the middle of a pass: " + where);
        });
    is_journey_ = is_recovering_ = true;
}

Element Session::pick(const Probe& probe) const {
    const auto* inspectable = find_facet<Inspectable>(std::as_const(timeline_->lab()));
    return inspectable ? inspectable->pick(probe) : Element{};
}

Inspection Session::look(Element element) const {
    Inspection found{element, {}, {}, {}};
    if (!found.any()) return found;
    const Lab& algorithm = timeline_->lab();
    if (const auto* inspectable = find_facet<Inspectable>(algorithm)) {
        found.facts = inspectable->inspect(element);
        found.sketches = inspectable->sketches(element);
    }
    const Scene all = algorithm.scene();
    const SceneView& scene = all.view(element.part);
    if (element.id < scene.count_of(element.kind)) found.corners = scene.corners_of(element);
    return found;
}

// New are steps that were taken since, or taken otherwise (an edit by hand, or "first taken", which is not repeatable).
// The copy shares what it holds, so it costs the same however long the run is.
// True: the steps that are known now are others, or more.
bool Session::copy_history() {
    const History& history = timeline_->history();
    const uint64_t known = model_.history.size();
    const uint64_t from = std::min({timeline_->take_unchanged(), known, history.size()});
    for (Message& message : model_.messages)
        message.over |= message.holds == Message::Holds::kBehindStep && message.since >= from;
    for (uint64_t i = std::max(from, history.recent_begin()); i < history.size(); ++i)
        if (!history[i].message.empty()) say(Message::Kind::kNote, history[i].message, Message::Holds::kBehindStep, i);
    if (from < known) forget_findings(model_.history.round_before_or_at(from));
    model_.history = history;
    return from < known || from < history.size();
}

// Called with the worker idle and the lease held.
void Session::copy_model() {
    if (!timeline_->usable()) return;
    const Lab& algorithm = timeline_->lab();
    const bool learnt = copy_history();
    copy_findings();
    if (learnt || model_.position != timeline_->position()) ++moment_;
    if (model_.check && checked_at_ != moment_) forget_check();
    model_.position = timeline_->position();
    model_.next_pass = algorithm.next_pass();
    model_.done = timeline_->done();
    model_.scene = algorithm.scene();
    const auto put_bounds = [&](SceneView& scene) {
        if (const LatticeLayer lattice = scene.lattice()) {
            if (scene.high == scene.low) {
                scene.low = {-0.5, -0.5};
                scene.high = {lattice.width - 0.5, lattice.height - 0.5};
            }
            return;
        }
        scene.low = bounds_.low;
        scene.high = bounds_.high;
        scene.low_z = bounds_.low_z;
        scene.high_z = bounds_.high_z;
        if (scene.layers.empty() && input_) scene.in_space = input_->in_space();
    };
    put_bounds(model_.scene);
    for (SceneView& other : model_.scene.beside) put_bounds(other);
    put_failures_into_legend();
    model_.exact = algorithm.is_exact();
    model_.takes_moves = takes_edit(algorithm, Edit::Kind::kMoveVertex);
    model_.takes_flips = takes_edit(algorithm, Edit::Kind::kFlipEdge);
    model_.takes_adds = takes_edit(algorithm, Edit::Kind::kAddVertex);
    model_.takes_removes = takes_edit(algorithm, Edit::Kind::kRemoveVertex);
    model_.takes_paint = takes_edit(algorithm, Edit::Kind::kPaint);
    model_.takes_wipes = takes_edit(algorithm, Edit::Kind::kWipe);
    model_.vertices = model_.scene.count_of(ElementKind::kVertex);
    model_.triangles = model_.scene.count_of(ElementKind::kTriangle);
    model_.edges = model_.scene.count_of(ElementKind::kEdge);
    model_.parameters = list_parameters(timeline_->lab());
    drafts_.resize(model_.parameters.size());
    context_->collect_timings();
    model_.timings = context_->timings().rows();
    model_.live_bytes = context_->live_bytes();
    if (!changes_scene_) return;
    behind_ = true;
    check_due_ = model_.done && !model_.exact && !model_.check;
    if (!model_.done)
        model_.result.reset();
    else
        playing_ = false;
    // What was asked about, or is held, may look different now, or be gone.
    const auto look_again = [&](Inspection& found) {
        if (!found.any()) return;
        const Element element = found.element;
        const bool there = element.part < model_.scene.view_count();
        const uint32_t count = there ? model_.scene.view(element.part).count_of(element.kind) : 0;
        found = element.id < count ? look(element) : Inspection{};
    };
    look_again(model_.inspection);
    if (grip_ == Grip::kHolds) {
        look_again(held_);
        if (!held_.any()) grip_ = Grip::kMissed;
    }
}

}  // namespace flipscope::app
