// The second picture: an earlier state of this run, or a state of another run on another input. The window draws it
// beside the live picture and compares the statistics of both.
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

    /// Keeps the picture of this state, and its statistics where they are measured.
    void keep();
    /// Keeps the picture of another moment of this run, or of its lab on another input: so many passes of another
    /// input, or to its end. `scenario`: the present run. The statistics stay.
    struct Other {
        Scenario scenario;
        BesideRequest asked;
        std::optional<uint64_t> passes;
        std::string called;  // in its caption, as LessonStep::Other has it
    };
    void keep_other(Other other) { other_due_ = std::move(other); }
    /// Drops the picture and the statistics.
    void stop();
    void toggle() { active() ? stop() : keep(); }
    /// A picture is kept, or is about to be.
    bool active() const { return keep_due_ || other_due_ || kept() || sample_; }

    /// The kept picture, to be read while the scene is drawable; nullptr: none is kept.
    const KeptScene* kept() const { return dropped_ ? nullptr : picture_.scene.get(); }
    /// "Flip lab: uniform:1000, pass 12 of 40: flip"
    const std::string& caption() const { return picture_.caption; }
    /// As keep_other() was given; empty: the user kept the picture.
    const std::string& called() const { return picture_.called; }
    /// The same as caption(), of the present state.
    std::string state_caption() const;
    /// Captions of the kept and of the present picture in one figure, as a run without a window has them: they name the
    /// labs where these differ.
    std::pair<std::string, std::string> figure_captions() const;
    /// After how many passes of the present run the picture was kept; nothing: it is not of this run.
    std::optional<uint64_t> position() const;
    /// The statistics to compare with, or nullptr.
    const std::shared_ptr<const StatisticsSample>& sample() const { return sample_; }

    /// Something has to be kept or dropped.
    bool due() const { return dropped_ || ((keep_due_ || other_due_) && worker_.model().loaded); }
    void start_due();
    /// Drops the picture. Under the lease, or where the device is lost. Returns whether there was one.
    bool forget();

  private:
    struct Caption {
        std::string lab, text;  // the lab's title; "uniform:1000, pass 12: flip"
    };
    struct Place {  // on a timeline that began with these
        uint64_t input_revision = 0, position = 0;
        std::vector<Parameter> parameters;
    };
    struct Picture {
        std::unique_ptr<KeptScene> scene;
        std::string caption, called;
        Caption in_figure;
        std::optional<Place> place;  // nothing: of a run of its own, or of manual edits
    };
    Caption caption_of_state() const;
    Place place_of_state() const;
    void take(Picture picture);
    void start_exploring();
    void start_keeping();
    void start_keeping_other();

    LabWorker& worker_;
    Selection& selection_;
    Picture picture_;  // its buffers go under the lease, as all
    std::shared_ptr<const StatisticsSample> sample_;
    std::optional<Explored> coloured_by_;  // the picture, when it was explored last
    bool keep_due_ = false, dropped_ = false;
    std::optional<Other> other_due_;
};

}  // namespace flipscope::app
