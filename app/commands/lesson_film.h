// A lesson as numbered pictures or a video, without a window: the camera flies from step to step, stretches of the
// timeline are played, and a picture stands long enough for its words to be read. Draws pictures, runs nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/film.h"
#include "app/figures/picture.h"
#include "app/run/lesson.h"

namespace flipscope::app {

/// Seconds for which words stay: as long as reading them at 2.5 words a second takes, and two more to look; at least 3.
double reading_time(const std::string& words);

/// Part 0 … 1 of the way from one framing of the same picture to another, as camera_between() goes. `middle`: of the
/// fitted picture, where a framing without a centre looks; world units.
CloseUp close_up_between(const Framing& from, const Framing& to, Point middle, double part);

/// Of the picture of a step, as pages and films have it. `scale`: of letters and lines.
FigureSpec figure_of_step(const LessonStep& step, bool light, int width, int height, double scale);

class LessonFilm {
  public:
    struct Options {
        std::string video, sequence;  // a file and a pattern of files, or empty
        int width = 0, height = 0;    // pixels
        double frame_rate = 25;
        bool light = false;
    };
    /// Throws Error where the video cannot be begun.
    explicit LessonFilm(Options options);

    /// What a picture shows of a step.
    struct Shown {
        const LessonStep& step;
        const Scene& scene;
        CloseUp close_up;
        std::vector<ElementLabel> labels = {};  // of its elements
        std::vector<Highlight> highlights = {};
        bool answered = false;  // the answer of the step's question is there
    };
    /// The picture of now, for so long; at least one frame. With the lease.
    void show(Offscreen& offscreen, const Shown& shown, double seconds);
    /// Keeps the present picture for the left half of those of `next`, which is shown beside it.
    void keep_beside(Offscreen& offscreen, const Shown& shown, const LessonStep& next);
    void drop_beside() { beside_ = {}; }
    double frame_rate() const { return options_.frame_rate; }
    uint64_t frames() const { return frames_; }
    /// The names of what was written. Throws Error where a video has failed.
    std::string finish();

  private:
    /// The picture of a step alone.
    Pixels picture(Offscreen& offscreen, const Shown& shown, int width, int height) const;
    double scale() const { return options_.height / 512.0; }
    void put(const Pixels& pixels, uint64_t times);

    Options options_;
    std::unique_ptr<Video> video_;
    uint64_t frames_ = 0;
    double owed_ = 0;  // of a frame, by what was shown before
    Pixels beside_;    // half as wide as a picture; or empty
};

}  // namespace flipscope::app
