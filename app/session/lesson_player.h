// Plays a lesson: which step is shown, whether its answer is, the time that has passed, the flight of the camera, the
// stretch of the timeline that is played. A machine without a window: every frame it gets where the run stands, and
// returns what is to be done.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/run/lesson.h"
#include "app/view/camera.h"

namespace flipscope::app {

class LessonPlayer {
  public:
    /// Stands on the first step, which is still to be opened. `file`: where the lesson is, or is to be.
    LessonPlayer(Lesson lesson, std::filesystem::path file) : lesson_(std::move(lesson)), file_(std::move(file)) {}

    const Lesson& lesson() const { return lesson_; }
    const std::filesystem::path& file() const { return file_; }
    size_t index() const { return index_; }
    const LessonStep& step() const { return lesson_.steps[index_]; }
    /// The answer of this step's question is shown.
    bool revealed() const { return revealed_; }
    /// Forward was pressed once more at the end.
    bool ended() const { return ended_; }
    /// The run of this step could not be opened, or stopped before its place.
    bool failed() const { return failed_; }
    double elapsed_s() const { return elapsed_s_; }
    void restart_clock() { elapsed_s_ = 0; }

    /// A presenter's key: an answer that waits is revealed first, then comes the next step.
    void forward();
    /// To the step before.
    void back() { go_to(index_ > 0 ? index_ - 1 : 0); }
    void go_to(size_t index);
    void reveal() { revealed_ = true; }
    /// The lesson has been edited, the step shown is `index` now; the picture stays.
    void replace(Lesson lesson, size_t index);

    /// To change captions, questions and the title alone.
    Lesson& words() { return lesson_; }
    /// The window shows the run of this step, opened by a lesson or otherwise: an input of this revision.
    void stands_here(uint64_t input_revision) {
        opened_ = step().run;
        opened_revision_ = input_revision;
    }
    /// Whether the input that is open is the one that this lesson opened for its present step.
    bool is_open(uint64_t input_revision) const { return opened_revision_ == input_revision && opened_ == step().run; }

    /// Where the run stands.
    struct Stage {
        bool idle = true;  // nothing is under way, and nothing waits for an answer
        uint64_t position = 0;
        bool done = false;
        uint64_t input_revision = 0;  // increases with every input that is opened
        size_t edits = 0;             // by hand, on the timeline
    };
    struct Act {
        enum class Kind { kNothing, kOpen, kSeek } kind = Kind::kNothing;
        size_t step = 0;        // kOpen: whose run
        uint64_t position = 0;  // kSeek: passes, or Scenario::kAtEnd
    };
    /// A frame goes by: what is to be done now.
    Act frame(const Stage& stage, double elapsed_s);
    /// True once each time the camera is to go to that of a step: over flight_s() seconds, or at once.
    bool starts_flight() { return std::exchange(starts_flight_, false); }
    double flight_s() const { return flies_ ? step().flight_s : 0; }
    /// The step that the run is on its way to or stands at: the one before where this one is shown beside its picture.
    size_t run_step() const { return before_first_ ? index_ - 1 : index_; }
    /// True once, when the picture of the step before is complete and to be kept.
    bool needs_previous_picture() { return std::exchange(needs_picture_, false); }
    /// Nothing of this step is still to come.
    bool at_rest() const { return phase_ == Phase::kRest; }

  private:
    enum class Phase { kArriving, kOpening, kSeeking, kPlaying, kShown, kRest };
    void arrived();

    Lesson lesson_;
    std::filesystem::path file_;
    size_t index_ = 0;
    bool revealed_ = false, ended_ = false, failed_ = false;
    double elapsed_s_ = 0;
    Phase phase_ = Phase::kArriving;
    std::string opened_;  // the run that is open
    uint64_t opened_revision_ = UINT64_MAX;
    uint64_t requested_revision_ = 0;  // before it was asked for
    bool flies_ = false, starts_flight_ = false;
    bool before_first_ = false, needs_picture_ = false;
    size_t before_of_ = SIZE_MAX;  // the step whose picture is kept
    int frames_shown_ = 0;
    double played_s_ = 0;
};

/// Between two cameras, `part` from 0 to 1 of the flight: places between them move on straight lines while it zooms.
Camera camera_between(const Camera& from, const Camera& to, double part);

/// "7:05"
std::string clock_text(double seconds);

}  // namespace flipscope::app
