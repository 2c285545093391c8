// Pictures, figures and films of a run without a window, as the command line requests them: composed by the stage and
// drawn in an offscreen OpenGL context.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/commands/headless.h"
#include "app/commands/run_outcome.h"
#include "app/figures/figure_job.h"
#include "app/figures/film.h"
#include "app/figures/picture.h"
#include "app/run/page.h"
#include "app/run/stage.h"

namespace flipscope::app {

/// Prefix of sentences about the selection.
inline constexpr const char* kSelect = "--select ";

/// OpenGL for pictures. Must outlive the lab, whose buffers it shares.
struct PictureDevice {
    /// Opens OpenGL if a picture is requested. Throws Error if it is unavailable, unless only vector figures are
    /// requested, which need it only for embedded images.
    PictureDevice(const RunOptions& options, Context& context);

    std::unique_ptr<Offscreen> offscreen;
    std::string why_not;  // the reason if it is missing
};

class RunPictures {
  public:
    /// All arguments must outlive it.
    RunPictures(const RunOptions& options, const Run& run, RunStage& stage, PictureDevice& device, RunOutcome& outcome);

    /// The run's state with its colours and selection; what cannot be shown becomes an error of the outcome,
    /// but not `is_on_the_way` before the end: a page or a film has states without a mesh.
    Scene scene(bool is_on_the_way = false);

    /// Adds the current state to the page, if one is made and is not yet full.
    void add_to_page();

    void begin_film();
    /// Adds the current pass, if the film shows it.
    void add_to_film();
    bool film_goes_on() const;
    void end_film();
    /// Draws the picture and the figures and writes the page at the end of the run.
    void draw();

  private:
    RunStage::Picture final_picture();
    void draw_figures();
    void write_page();
    Pixels pixels(const RunStage::Picture& picture, bool light);
    FigureSpec figure_spec() const;
    DrawTile tiles_of(const Scene& scene, bool light);

    const RunOptions& options_;
    const Run& run_;
    RunStage& stage_;
    PictureDevice& device_;
    RunOutcome& outcome_;
    std::unique_ptr<Video> video_;
    std::optional<std::pair<Point, Point>> film_rectangle_;
    uint64_t film_length_ = 0;  // pictures
    std::optional<Page> page_;
    uint64_t page_end_ = 0;  // position of its last step
};

}  // namespace flipscope::app
