// Plays a lesson: the present step, its revealed answer, elapsed time, camera flights and played stretches. A state
// machine without a window: each frame it receives the state of the run and returns the next action.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/run/lesson.h"
#include "app/view/camera.h"

namespace flipscope::app {

class LessonPlayer {
  public:
    /// Starts at the first step, not yet opened. `file`: where the lesson is stored, or will be.
    LessonPlayer(Lesson lesson, std::filesystem::path file) : lesson_(std::move(lesson)), file_(std::move(file)) {}

    const Lesson& lesson() const { return lesson_; }
    const std::filesystem::path& file() const { return file_; }
    size_t index() const { return index_; }
    const LessonStep& step() const { return lesson_.steps[index_]; }
    /// The answer to this step's question is shown.
    bool revealed() const { return revealed_; }
    /// forward() was called after the last step.
    bool ended() const { return ended_; }
    /// The run of this step could not be opened, or ended before the step's position.
    bool failed() const { return failed_; }
    double elapsed_s() const { return elapsed_s_; }
    void restart_clock() { elapsed_s_ = 0; }

    /// Presenter's key: reveals a hidden answer first, then goes to the next step.
    void forward();
    /// To the previous step.
    void back() { go_to(index_ > 0 ? index_ - 1 : 0); }
    void go_to(size_t index);
    void reveal() { revealed_ = true; }
    /// Replaces the edited lesson and shows step `index`; keeps the picture.
    void replace(Lesson lesson, size_t index);

    /// For changes to captions, questions and the title only.
    Lesson& words() { return lesson_; }
    /// The window shows the run of this step, however opened, on an input of this revision.
    void stands_here(uint64_t input_revision) {
        opened_ = step().run;
        opened_revision_ = input_revision;
    }
    /// Whether this lesson opened the present input for its present step.
    bool is_open(uint64_t input_revision) const { return opened_revision_ == input_revision && opened_ == step().run; }

    /// The state of the run.
    struct Stage {
        bool idle = true;  // no job and no open question
        uint64_t position = 0;
        bool done = false;
        uint64_t input_revision = 0;          // increases with every opened input
        std::map<uint64_t, Edit> edits = {};  // on the timeline, by their places
    };
    struct Act {
        enum class Kind { kNothing, kOpen, kSeek } kind = Kind::kNothing;
        size_t step = 0;        // of the run, which has edits to plan
        uint64_t position = 0;  // kSeek: passes, or Scenario::kAtEnd
    };
    /// Advances by one frame and returns the action to take.
    Act frame(const Stage& stage, double elapsed_s);
    /// True once per flight to the camera of a step. It takes flight_s() seconds; 0: a jump.
    bool starts_flight() { return std::exchange(starts_flight_, false); }
    double flight_s() const { return flies_ ? step().flight_s : 0; }
    /// The step whose run is open or being sought: the previous one while its picture is prepared for this one.
    size_t run_step() const { return before_first_ ? index_ - 1 : index_; }
    /// True once, when the picture of the previous step is complete and must be kept.
    bool needs_previous_picture() { return std::exchange(needs_picture_, false); }
    /// This step is complete.
    bool at_rest() const { return phase_ == Phase::kRest; }

  private:
    enum class Phase { kArriving, kOpening, kSeeking, kPlaying, kShown, kRest };

    Lesson lesson_;
    std::filesystem::path file_;
    size_t index_ = 0;
    bool revealed_ = false, ended_ = false, failed_ = false;
    double elapsed_s_ = 0;
    Phase phase_ = Phase::kArriving;
    std::string opened_;  // the open run
    uint64_t opened_revision_ = UINT64_MAX;
    uint64_t requested_revision_ = 0;  // before the request
    bool flies_ = false, starts_flight_ = false;
    bool before_first_ = false, needs_picture_ = false;
    size_t before_of_ = SIZE_MAX;  // the step of the kept picture; SIZE_MAX: none
    bool sought_ = false;          // the way to the step was asked for
    int frames_shown_ = 0;
    double played_s_ = 0;
};

/// Interpolates two cameras, `part` from 0 to 1: while it zooms, every place moves on a straight line.
Camera camera_between(const Camera& from, const Camera& to, double part);

/// "7:05"
std::string clock_text(double seconds);

}  // namespace flipscope::app
