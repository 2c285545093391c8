// A lesson as numbered pictures or a video, without a window: the camera flies between steps, stretches of the timeline
// play, and each picture stays long enough to read its text. Draws pictures; runs no lab.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/commands/headless.h"
#include "app/figures/film.h"
#include "app/figures/picture.h"
#include "app/run/lesson.h"

namespace flipscope::app {

/// Seconds that a text stays: its reading time at 2.5 words a second plus two; at least 3.
double reading_time(const std::string& words);

/// Part 0 … 1 of the way between two framings of the same picture, like camera_between(). `middle`: of the fitted
/// picture, the default centre of a framing; world units.
CloseUp close_up_between(const Framing& from, const Framing& to, Point middle, double part);

/// For the pictures of a step in pages and films. `scale`: of letters and lines.
FigureSpec figure_of_step(const LessonStep& step, bool light, int width, int height, double scale);

class LessonFilm {
  public:
    /// `options` must outlive it. Throws Error if the video cannot be started.
    explicit LessonFilm(const RunOptions& options);

    /// A step as a picture shows it.
    struct Shown {
        const LessonStep& step;
        const Scene& scene;
        CloseUp close_up;
        std::vector<ElementLabel> labels = {};  // of its elements
        std::vector<Highlight> highlights = {};
        bool answered = false;  // show the answer to the step's question
    };
    /// Adds the current picture for this time; at least one frame. Requires the lease.
    void show(Offscreen& offscreen, const Shown& shown, double seconds);
    /// Keeps the current picture for the left half of the pictures of `next`.
    void keep_beside(Offscreen& offscreen, const Shown& shown, const LessonStep& next);
    void drop_beside() { beside_ = {}; }
    double frame_rate() const { return options_.frame_rate; }
    /// The names of the files written. Throws Error if a video has failed.
    std::string finish();

  private:
    /// The step's picture without the kept one.
    Pixels picture(Offscreen& offscreen, const Shown& shown, int width, int height) const;
    double scale() const { return options_.height / 512.0; }
    void put(const Pixels& pixels, uint64_t times);

    const RunOptions& options_;
    std::unique_ptr<Video> video_;
    uint64_t frames_ = 0;
    double owed_ = 0;  // fraction of a frame carried over
    Pixels beside_;    // half as wide as a picture; or empty
};

}  // namespace flipscope::app
