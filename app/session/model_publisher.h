// Keeps the copy of the lab that the panels read (LabModel) and decides what of it still counts when the timeline
// moves: messages, detections, a check, what was clicked, what is too dear for every frame. publish() and the questions
// marked so are asked of the lab, under the lease and while nothing else runs; all the rest is of the window's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/input_loader.h"
#include "app/session/lab_model.h"
#include "compute/context.h"
#include "instruments/exploration.h"
#include "instruments/timeline.h"

namespace flipscope::app {

/// The element that is meant; none where the lab picks nothing. Asks the lab.
Element pick(const Lab& lab, const Probe& probe);
/// What there is to say of an element. Asks the lab.
Inspection inspect_element(const Lab& lab, const Element& element);

class ModelPublisher {
  public:
    /// `seconds`: since the window opened; for the messages.
    explicit ModelPublisher(std::function<double()> seconds) : seconds_(std::move(seconds)) {}

    const LabModel& model() const { return model_; }
    /// Increases whenever the timeline stands elsewhere or knows more or other steps, and whenever a run begins.
    uint64_t state_id() const { return state_id_; }

    void set_device(std::string name, std::string sharing_name, std::string sharing);
    /// Of a lab that has taken the place of another.
    void set_lab(Lab& lab);
    /// A run begins on this input; nothing is known of it. `keep_message`: it begins because something went wrong, so
    /// what was said of that is still to be read.
    void begin_run(const Geometry& input, const SpaceBounds& bounds, const std::string& source, bool keep_message);
    /// Why no lab can start from it.
    void set_refusal(std::string refusal) { model_.refusal = std::move(refusal); }

    /// What publish() takes over of the timeline that grows with the run: lists of detections may be long.
    struct Seen {
        bool valid = false;
        uint64_t from = 0;                  // steps of the model's history that are what they were
        size_t kept = 0;                    // detections of the model that still hold
        std::vector<Detection> detections;  // those that follow; where kept is 0, all of them
        PlaceSpread spread;                 // of all of them
    };
    /// On the worker's thread, at the end of a job; the model's history and detections do not change before publish().
    /// Asks the lab.
    Seen see(Timeline& timeline) const;
    /// Copies what is cheap; nothing where the timeline is not usable. `changed`: the scene may have, so what was asked
    /// of it before is asked again, or is due. `seen`: of this state of the timeline. Asks the lab.
    void publish(Timeline& timeline, Context& context, bool changed, Seen seen);
    void publish(Timeline& timeline, Context& context, bool changed) {
        if (timeline.usable()) publish(timeline, context, changed, see(timeline));
    }
    /// A pass was broken off: nothing is drawn until the lab is whole again; what is known of the run stays.
    void suspend();
    void resume() { model_.loaded = true; }
    /// The run is lost: nothing is known, and there is nothing to step.
    void lose_run();

    // ---- messages

    /// Holds until an input or a lab is opened, unless it says otherwise.
    void say(Message::Kind kind, std::string text, Message::Holds holds = Message::Holds::kForRun);
    /// An answer, which holds for this state of this run only. `refuses`: as Message::refuses.
    void reply(Message::Kind kind, std::string text, bool refuses = false);
    const Message* message() const { return model_.messages.current(state_id_, model_.position); }

    // ---- what is too dear for every frame: the result, distributions, curves

    struct Measured {
        std::optional<Result> result;
        Properties numbers;
        Report statistics;
        std::shared_ptr<const SceneStatistics> shown;
        std::vector<LayerCounts> legend;
    };
    /// The statistics of what the scene shows are asked for, too, in this context.
    struct StatisticsRequest {
        Context* context = nullptr;
        SceneStatistics::Options options;
    };
    /// Asks the lab.
    Measured measure(const Timeline& timeline, const std::optional<StatisticsRequest>& shown) const;
    /// Measures are to be taken of the present state once more.
    void measure_again() { behind_ = true; }
    /// What is put into every scene; it outlives the publisher's use of it.
    void set_exploration(const Exploration* exploration) { exploration_ = exploration; }
    /// What is done with every scene after that.
    void set_finish(std::function<void(Scene&)> finish) { finish_ = std::move(finish); }
    /// The model's are those of another state.
    bool behind() const { return behind_; }
    /// They are being measured.
    void begin_measuring() { behind_ = false; }
    void take(Measured measured);
    /// What the legend lists: of this state, or with what was listed so far.
    void take_legend(std::vector<LayerCounts> counts, bool adds);

    // ---- what was clicked

    void take_inspection(Inspection inspection);
    /// The job that starts moves this vertex there, as Job::moves: where an edit renumbers vertices, the publisher
    /// finds this one again by its new place.
    void expect(std::optional<std::pair<Element, Point3>> moved) { moved_ = std::move(moved); }
    /// The same element as it is now, by its place where an edit has numbered vertices anew, or none where it is gone.
    /// Asks the lab.
    Inspection inspect_again(const Lab& lab, const Inspection& found) const;

    // ---- checks

    /// The end of a run has not been checked that always is, or that check_ends_of() speaks of.
    bool check_due() const { return check_due_; }
    /// Runs on this input are checked at their ends, exact as they may be.
    void check_ends_of(std::string source) { checked_source_ = std::move(source); }
    void begin_check() { check_due_ = false; }
    /// Of this state, until that has passed; nothing is kept of a check that had nothing to look at.
    void take(CheckReport report);
    void choose_failure(size_t index);
    void close_failure() { model_.failure = SIZE_MAX; }

    // ---- detections

    void choose_detection(size_t index) { model_.detail_view = {index, false, {}}; }
    void close_detail_view() { model_.detail_view = {}; }
    /// Where it was found: after the step that found it, or else after the last one of its round; 0: no such round is
    /// known. nullopt: its steps are no longer kept, and have to be made again to tell.
    std::optional<uint64_t> position_of(const Detection& detection) const;
    /// The detail view with its drawings, as far as the lab has come to its detection. Asks the lab.
    static DetailView inspect_detail(const Lab& lab, DetailView detail_view);
    void take(DetailView detail_view);

  private:
    bool copy_history(const Timeline& timeline, uint64_t from);
    void take_detections(const Lab& lab, Seen seen);
    size_t detections_before(uint64_t round) const;
    void clear_detections();
    void forget_check();
    void put_bounds(SceneView& view) const;
    Element found_again(const Lab& lab, const Inspection& found) const;
    void forget_measured();

    std::function<double()> seconds_;
    LabModel model_;
    const Exploration* exploration_ = nullptr;
    std::function<void(Scene&)> finish_;
    SpaceBounds bounds_;     // of the input
    bool in_space_ = false;  // the input is
    uint64_t state_id_ = 0;
    bool behind_ = false, check_due_ = false;
    std::string checked_source_;                       // LabModel::source_text whose runs are checked at their ends
    uint64_t checked_at_ = 0;                          // state of model_.check
    uint64_t numbering_ = 0;                           // of the vertices, as the lab tells
    bool renumbered_ = false;                          // by what was published last
    std::optional<std::pair<Element, Point3>> moved_;  // by the job under way
};

}  // namespace flipscope::app
