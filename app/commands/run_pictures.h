// Pictures, figures and films of a run without a window, as the command line asks for them: from what the stage
// composes, on an offscreen OpenGL context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/options.h"
#include "app/commands/run_outcome.h"
#include "app/figures/figure_job.h"
#include "app/figures/film.h"
#include "app/figures/picture.h"
#include "app/run/stage.h"

namespace flipscope::app {

/// Begins sentences about the selection.
inline constexpr const char* kSelect = "--select ";

/// What pictures are drawn with. It outlives the lab, whose buffers it shares.
struct PictureDevice {
    /// Opens it where a picture is asked for. Throws Error where it cannot be had, unless only figures of shapes are
    /// asked for, which need it only for an image in them.
    PictureDevice(const RunOptions& options, Context& context);

    std::unique_ptr<Offscreen> offscreen;
    std::string why_not;  // it is missing
};

class RunPictures {
  public:
    /// All outlive it.
    RunPictures(const RunOptions& options, const Run& run, Stage& stage, PictureDevice& device, RunOutcome& outcome);

    /// The state of the run with its colours and its selection; what cannot be shown becomes an error of the outcome.
    Scene scene();

    void begin_film();
    /// Adds this step of the run, where the film shows it.
    void add_to_film();
    bool film_goes_on() const;
    void end_film();
    /// The picture and the figures, at the end of the run.
    void draw();

  private:
    Stage::Picture final_picture();
    void draw_picture();
    void draw_figures();
    FigureSpec figure_spec() const;
    DrawTile tiles_of(const Scene& scene, bool light);

    const RunOptions& options_;
    const Run& run_;
    Stage& stage_;
    PictureDevice& device_;
    RunOutcome& outcome_;
    std::unique_ptr<Video> video_;
    std::optional<std::pair<Point, Point>> film_rectangle_;
    uint64_t film_length_ = 0;  // pictures
};

}  // namespace flipscope::app
