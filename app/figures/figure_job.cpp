#include "app/figures/figure_job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/images/png.h"
#include "compute/cancel.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

constexpr double kImageDpi = 300;      // minimum, of an image within a vector document
constexpr double kMostOfImage = 8192;  // limit in each direction, pixels
constexpr int kRowsAtOnce = 16;        // rows packed between two looks at the clock

using Clock = std::chrono::steady_clock;

void divide_by_alpha(unsigned char* pixel) {
    const unsigned alpha = pixel[3];
    if (alpha == 0 || alpha == 255) return;
    for (int k = 0; k < 3; ++k)
        pixel[k] = static_cast<unsigned char>(std::min(255u, (pixel[k] * 255u + alpha / 2) / alpha));
}

}  // namespace

struct FigureJob::Impl {
    FigurePlan plan;
    DrawTile draw;
    TileSize tile;
    std::unique_ptr<OutputFile> file = {};  // or:
    std::function<void(const unsigned char*)> rows = {};
    std::unique_ptr<PngRows> png = {};

    // Of the renderer's part.
    Camera camera = {};
    double dpi = 96;
    PixelBox picture = {};         // within the current pixels, from their upper left corner
    int width = 0, height = 0;     // of the current pixels
    Pixels band = {};              // current rows: a few for PNG, all for an image in a document
    int band_top = 0, next_x = 0;  // origin of the next tile
    int next_row = -1;             // next row of the band to pass on; -1: tiles are being drawn
    size_t tiles = 0, tiles_all = 1;
    bool done = false;

    bool pixels() const { return plan.spec.format == FigureSpec::Format::kPng || rows; }

    void begin() {
        if (pixels()) {
            dpi = plan.dpi;
            camera = plan.camera;
            picture = plan.picture;
            width = plan.pixel_width;
            height = plan.pixel_height;
            if (file)
                png = std::make_unique<PngRows>([this](std::string_view bytes) { *file << bytes; }, width, height,
                                                plan.spec.transparent, dpi);
        } else if (plan.image) {
            dpi = std::max(plan.spec.dpi, kImageDpi);
            const int longest = std::max(plan.picture.width, plan.picture.height);
            dpi = std::min(dpi, kMostOfImage * plan.dpi / longest);
            const double finer = dpi / plan.dpi;
            width = std::max(1, static_cast<int>(std::lround(plan.picture.width * finer)));
            height = std::max(1, static_cast<int>(std::lround(plan.picture.height * finer)));
            picture = {0, 0, width, height};
            camera = plan.camera;
            camera.scale *= static_cast<double>(width) / plan.picture.width;
        } else {
            tiles_all = 0;
            return;
        }
        const auto pieces = [](int length, int each) { return static_cast<size_t>((length + each - 1) / each); };
        tiles_all = pieces(width, tile.width) * pieces(height, tile.height);
        begin_band(0);
    }

    int band_height() const { return pixels() ? std::min(tile.height, height - band_top) : height; }

    void begin_band(int top) {
        band_top = top;
        next_x = 0;
        next_row = -1;
        band = Pixels::filled(width, band_height(), palette(plan.spec.light).canvas);
        if (plan.spec.transparent) std::fill(band.rgba.begin(), band.rgba.end(), static_cast<unsigned char>(0));
    }

    /// Draws one cell of the grid of tiles, clipped to the picture.
    void draw_tile(int grid_x, int grid_y) {
        const int left = std::max(grid_x, picture.x), right = std::min(grid_x + tile.width, picture.x + picture.width);
        const int top = std::max(grid_y, picture.y),
                  bottom = std::min(grid_y + tile.height, picture.y + picture.height);
        if (left >= right || top >= bottom) return;
        const Tile of{picture.width,         picture.height,
                      left - picture.x,      picture.y + picture.height - bottom,
                      plan.spec.transparent, plan.spec.line_pt * dpi / 72};
        std::vector<unsigned char> drawn = draw(camera, of, right - left, bottom - top, dpi / 96, plan.image_display);
        if (plan.spec.transparent)
            for (size_t i = 0; i < drawn.size(); i += 4) divide_by_alpha(&drawn[i]);
        band.place({right - left, bottom - top, std::move(drawn)}, left, top - band_top);
    }

    void piece_of_pixels() {
        if (next_row < 0) {
            draw_tile(next_x, band_top);
            ++tiles;
            next_x += tile.width;
            if (next_x < width) return;
            draw_plan(*painting(band.rgba.data(), width, band.height, 0, band_top, dpi), plan);
            next_row = 0;
            return;
        }
        const int until = std::min(next_row + kRowsAtOnce, band.height);
        for (; next_row < until; ++next_row) {
            const unsigned char* const row =
                band.rgba.data() + static_cast<size_t>(next_row) * static_cast<size_t>(width) * 4;
            if (rows)
                rows(row);
            else
                png->put(row);
        }
        if (next_row < band.height) return;
        if (band_top + band.height < height) return begin_band(band_top + band.height);
        if (png) png->finish();
        complete();
    }

    void piece_of_document() {
        if (tiles < tiles_all) {
            const int across = (width + tile.width - 1) / tile.width, at = static_cast<int>(tiles);
            draw_tile(at % across * tile.width, at / across * tile.height);
            ++tiles;
            return;
        }
        const std::string title = plan.spec.title_text.empty() ? "Flipscope" : plan.spec.title_text;
        const auto document = plan.spec.format == FigureSpec::Format::kSvg
                                  ? svg_drawing(plan.width, plan.height, title)
                                  : pdf_drawing(plan.width, plan.height, title);
        if (!plan.spec.transparent) {
            document->begin_layer("ground", "Ground", {});
            document->rectangle({0, 0, plan.width, plan.height}, {palette(plan.spec.light).canvas, {}});
            document->end_layer();
        }
        if (plan.image) {
            document->begin_layer("picture", "Picture", {});
            document->image(plan.picture_pt, band);
            document->end_layer();
        }
        draw_plan(*document, plan);
        *file << document->finish();
        complete();
    }

    void complete() {
        if (file) {
            file->finish();
            file->commit();
        }
        done = true;
    }
};

FigureJob::FigureJob(const std::string& file, FigurePlan plan, DrawTile draw, TileSize tile)
    : impl_(new Impl{std::move(plan), std::move(draw), tile}) {
    impl_->file = std::make_unique<OutputFile>(file);
    impl_->begin();
}

FigureJob::FigureJob(std::function<void(const unsigned char* row)> rows, FigurePlan plan, DrawTile draw, TileSize tile)
    : impl_(new Impl{std::move(plan), std::move(draw), tile}) {
    impl_->rows = std::move(rows);
    impl_->begin();
}

FigureJob::~FigureJob() = default;

bool FigureJob::advance(double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    while (!impl_->done) {
        throw_if_cancelled();
        if (impl_->pixels())
            impl_->piece_of_pixels();
        else
            impl_->piece_of_document();
        if (Clock::now() >= end) break;
    }
    return impl_->done;
}

double FigureJob::progress() const {
    if (impl_->done) return 1;
    return 0.99 * static_cast<double>(impl_->tiles) / static_cast<double>(std::max<size_t>(impl_->tiles_all, 1));
}

const FigurePlan& FigureJob::plan() const { return impl_->plan; }

}  // namespace flipscope::app
