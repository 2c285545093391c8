// Maintains the panels' copy of the lab (LabModel), and decides what stays valid when the timeline moves: messages,
// detections, a check, the inspected element, expensive measures. publish() and functions marked "Accesses the lab"
// require the lease and an idle worker; the rest runs on the window's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/stage.h"
#include "app/session/devices.h"
#include "app/session/input_loader.h"
#include "app/session/lab_model.h"
#include "compute/context.h"
#include "instruments/timeline.h"

namespace flipscope::app {

/// The picked element, or none. Accesses the lab.
Element pick(const Lab& lab, const Probe& probe);
/// The report on an element, with its marks on the paraboloid of `stage`, if any. Accesses the lab.
Inspection inspect_element(const Lab& lab, const Element& element, const Stage* stage = nullptr);

class ModelPublisher {
  public:
    /// `seconds`: time since the window opened, for messages.
    explicit ModelPublisher(std::function<double()> seconds) : seconds_(std::move(seconds)) {}

    const LabModel& model() const { return model_; }
    /// Increases whenever the timeline moves or its known steps change, and whenever a run begins.
    uint64_t state_id() const { return state_id_; }

    void set_device(Devices& devices);
    /// For a new lab.
    void set_lab(Lab& lab);
    /// Composes every scene. Jobs explore in it and set its input.
    Stage& stage() { return stage_; }
    /// Starts with an empty run of the lab. `bounds`: of the input. `refusal`: as in LabModel. `keep_message`: the run
    /// restarts after a failure, so its message stays.
    void begin_run(Lab& lab, const SpaceBounds& bounds, std::string refusal = {}, bool keep_message = false);

    /// The timeline data that grow with the run, for publish(): lists of detections may be long.
    struct TimelineUpdate {
        uint64_t from = 0;                  // unchanged steps of the model's history
        size_t kept = 0;                    // detections of the model that stay valid
        std::vector<Detection> detections;  // the following ones
        PlaceSpread spread;                 // of all detections
    };
    /// Call on the worker's thread at the end of a job; the model's history and detections must not change before
    /// publish(). Accesses the lab.
    TimelineUpdate collect_update(Timeline& timeline) const;
    /// Copies cheap data; does nothing if the timeline is not usable. `changed`: the scene may have changed, so earlier
    /// results are repeated or become due. `update`: of this state; nothing: collect it now. Accesses the lab.
    void publish(Timeline& timeline, Context& context, bool changed, std::optional<TimelineUpdate> update = {});
    /// A pass was interrupted: disables drawing until the lab has recovered, but keeps the data of the run.
    void suspend();
    void resume() { model_.loaded = true; }
    /// The run is lost: clears its data.
    void lose_run();

    // Messages.

    /// Posts a message, which by default holds until an input or a lab is opened.
    void say(Message::Kind kind, std::string text, Message::Holds holds = Message::Holds::kForRun);
    /// Posts a reply that holds for this state of this run only. `refuses`: as Message::refuses.
    void reply(Message::Kind kind, std::string text, bool refuses = false);
    const Message* message() const { return model_.messages.current(state_id_, model_.position); }

    // Data too expensive for every frame: the result, distributions, curves.

    struct Measured {
        std::optional<Result> result;
        Properties numbers;
        Report statistics;
        std::shared_ptr<const SceneStatistics> shown;
        std::vector<LayerCounts> legend;
    };
    /// `context`: measures statistics of the scene there, as `how` says, of the present selection, study area and
    /// input; nullptr: no statistics. Accesses the lab.
    Measured measure(const Timeline& timeline, Context* context, SceneStatistics::Options how) const;
    /// Requests another measurement of the present state.
    void request_measuring() { needs_measuring_ = true; }
    /// Applied to every scene after the stage.
    void set_finish(std::function<void(Scene&)> finish) { finish_ = std::move(finish); }
    /// The model's measures belong to another state.
    bool needs_measuring() const { return needs_measuring_; }
    /// A measurement has started.
    void begin_measuring() { needs_measuring_ = false; }
    void set_measured(Measured measured);
    /// Sets the legend's counts, or adds them to the present ones.
    void update_legend(std::vector<LayerCounts> counts, bool adds);

    // The inspected element.

    void set_inspection(Inspection inspection);
    /// The next job moves this vertex there, as Job::moves: if an edit renumbers vertices, the publisher finds it by
    /// its new place.
    void expect(std::optional<std::pair<Element, Point3>> moved) { moved_ = std::move(moved); }
    /// The same element in the present state, found by name or place if an edit has renumbered vertices, or none if it
    /// is gone. Accesses the lab.
    Inspection inspect_again(const Lab& lab, const Inspection& found) const;

    // Checks.

    /// The end of the run needs a check: the lab requires it, or check_ends() does.
    bool check_due() const { return check_due_; }
    /// Whether the ends of runs on this input are checked even if they are exact.
    void check_ends(bool checks) { checks_ends_ = checks; }
    void begin_check() { check_due_ = false; }
    /// Keeps a check for this state only. A report without a check clears it.
    void set_check(CheckReport report);
    void choose_failure(size_t index);
    void close_failure() { model_.failure = SIZE_MAX; }

    // Detections.

    void choose_detection(size_t index) { model_.detail_view = {index, false, {}}; }
    void close_detail_view() { model_.detail_view = {}; }
    /// The position at which it was found: after the step with the breakpoint hit, otherwise after the last step of its
    /// round; 0: unknown round. nullopt: the steps of the round are no longer kept and must be repeated.
    std::optional<uint64_t> position_of(const Detection& detection) const;
    /// The detail view with its drawings, if the lab has reached its detection. Accesses the lab.
    static DetailView inspect_detail(const Lab& lab, DetailView detail_view);
    void set_detail_view(DetailView detail_view);

  private:
    bool copy_history(const Timeline& timeline, uint64_t from);
    void update_detections(const Lab& lab, TimelineUpdate update);
    size_t detections_before(uint64_t round) const;
    void clear_detections();
    void forget_check();
    void set_bounds(SceneView& view) const;
    Element find_again(const Lab& lab, const Inspection& found) const;
    void clear_measured();

    std::function<double()> seconds_;
    LabModel model_;
    Stage stage_;
    std::function<void(Scene&)> finish_;
    SpaceBounds bounds_;  // of the input
    uint64_t state_id_ = 0;
    bool needs_measuring_ = false, check_due_ = false;
    bool checks_ends_ = false;                         // of runs on this input
    uint64_t checked_at_ = 0;                          // state of model_.check
    uint64_t numbering_ = 0;                           // of the vertices, from the lab
    bool renumbered_ = false;                          // by the last publish()
    std::optional<std::pair<Element, Point3>> moved_;  // by the running job
};

}  // namespace flipscope::app
