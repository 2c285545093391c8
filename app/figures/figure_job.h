// A figure being written, a piece at a time: tiles of a picture that need never be in memory whole, or a document with
// its shapes. The window advances it between frames, `flipscope run` in one go; the file is the same.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/figures/figure_plan.h"

namespace flipscope::app {

/// Draws a tile of the picture: `width` × `height` pixels, RGBA, rows from the top; of a transparent one colours are
/// multiplied by their alpha. `line_scale`: of lines and points.
using DrawTile = std::function<std::vector<unsigned char>(const Camera& camera, const Tile& tile, int width, int height,
                                                          double line_scale, const DisplayOptions& display)>;

struct TileSize {
    int width = 1024, height = 512;  // pixels
};

class FigureJob {
  public:
    /// Into a file, which appears whole or not at all. Throws Error where it cannot be written.
    FigureJob(const std::string& file, FigurePlan plan, DrawTile draw, TileSize tile = {});
    /// Pixels in the format of PNG: rows of RGBA from the top, one after the other.
    FigureJob(std::function<void(const unsigned char* row)> rows, FigurePlan plan, DrawTile draw, TileSize tile = {});
    ~FigureJob();
    FigureJob(const FigureJob&) = delete;
    FigureJob& operator=(const FigureJob&) = delete;

    /// Goes on for about so long, one piece at the least. True: it is done. Throws Error when it cannot be.
    bool advance(double seconds);
    double progress() const;  // 0…1
    const FigurePlan& plan() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace flipscope::app
