// The second picture: an earlier state of this run, or a state of a run on another input. The window draws it beside
// the live picture and compares their statistics.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/beside.h"
#include "app/session/lab_worker.h"
#include "app/session/selection.h"
#include "instruments/kept_scene.h"

namespace flipscope::app {

class Comparison {
  public:
    Comparison(LabWorker& worker, Selection& selection);

    /// Keeps the picture of this state, and its statistics if measured.
    void keep();
    /// Keeps the picture of another moment of this run, or of its lab on another input after `passes`, nothing: at its
    /// end. `scenario`: the present run. The statistics stay.
    struct Other {
        Scenario scenario;
        BesideRequest request;
        std::optional<uint64_t> passes;
        std::string label;  // begins its caption: BesideRequest::label()
    };
    void keep_other(Other other) { other_due_ = std::move(other); }
    /// Drops the picture and the statistics.
    void stop();
    void toggle() { active() ? stop() : keep(); }
    /// A picture or its statistics are kept, or about to be.
    bool active() const { return keep_due_ || other_due_ || kept() || sample_; }

    /// The kept picture, or nullptr. Read it only while the scene is drawable.
    const KeptScene* kept() const { return dropped_ ? nullptr : picture_.scene.get(); }
    /// "Flip lab: uniform:1000, pass 12 of 40: flip"
    const std::string& caption() const { return picture_.caption; }
    /// The label given to keep_other(); empty: the user kept the picture.
    const std::string& label() const { return picture_.label; }
    /// caption() for the present state.
    std::string state_caption() const;
    /// Captions of the kept and the present picture in one figure, worded as in headless runs. They name the labs where
    /// these differ.
    std::pair<std::string, std::string> figure_captions() const;
    /// The pass count at which the picture was kept; nothing if it belongs to another run.
    std::optional<uint64_t> position() const;
    /// The statistics to compare with, or nullptr.
    const std::shared_ptr<const StatisticsSample>& sample() const { return sample_; }

    /// A picture must be kept or dropped.
    bool due() const { return dropped_ || ((keep_due_ || other_due_) && worker_.model().loaded); }
    void start_due();
    /// Drops the picture; returns false if there was none. Requires the lease or a lost device.
    bool forget();

  private:
    struct Caption {
        std::string lab, text;  // the lab's title; "uniform:1000, pass 12: flip"
    };
    struct Place {  // position on a timeline with this input and these initial parameters
        uint64_t input_revision = 0, position = 0;
        std::vector<Parameter> parameters;
    };
    struct Picture {
        std::unique_ptr<KeptScene> scene;
        std::string caption, label;
        Caption in_figure;
        std::optional<Place> place;  // nothing: another run, or manual edits
    };
    struct Made;
    Caption caption_of_state() const;
    Place place_of_state() const;
    void show(Picture picture);
    void start_exploring();
    void start_keeping();
    void start_keeping_other();

    LabWorker& worker_;
    Selection& selection_;
    Picture picture_;  // its buffers are freed under the lease
    std::shared_ptr<const StatisticsSample> sample_;
    std::optional<Explored> coloured_by_;  // the picture at the last exploration
    bool keep_due_ = false, dropped_ = false;
    std::optional<Other> other_due_;
};

}  // namespace flipscope::app
