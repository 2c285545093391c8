// Writes a figure piece by piece: tiles of a picture that is never whole in memory, or a document with its shapes. The
// window advances it between frames, `flipscope run` in one go; the files are identical.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure_plan.h"

namespace flipscope::app {

/// Draws a tile of the picture: `width` × `height` RGBA pixels, rows from the top, with premultiplied alpha if the
/// figure is transparent. `line_scale`: of lines and points.
using DrawTile = std::function<std::vector<unsigned char>(const Camera& camera, const Tile& tile, int width, int height,
                                                          double line_scale, const DisplayOptions& display)>;

struct TileSize {
    int width = 1024, height = 512;  // pixels
};

class FigureJob {
  public:
    /// Writes a file, which appears complete or not at all. Throws Error if it cannot be written.
    FigureJob(const std::string& file, FigurePlan plan, DrawTile draw, TileSize tile = {});
    /// Passes on pixels in PNG's order: rows of RGBA from the top.
    FigureJob(std::function<void(const unsigned char* row)> rows, FigurePlan plan, DrawTile draw, TileSize tile = {});
    ~FigureJob();
    FigureJob(const FigureJob&) = delete;
    FigureJob& operator=(const FigureJob&) = delete;

    /// Continues for about `seconds`, at least one piece. Returns whether the figure is complete. Throws Error on
    /// failure.
    bool advance(double seconds);
    double progress() const;  // 0…1
    const FigurePlan& plan() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
