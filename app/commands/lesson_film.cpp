#include "app/commands/lesson_film.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/images/png.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

constexpr float kMargin = 18, kGap = 4;  // at scale 1

struct Line {
    Color color;
    std::string text;
};

/// What stands below the picture, in the colours that the window has for it. An answer takes its room before it is
/// there, so that nothing jumps.
std::vector<Line> lines_of(const Palette& colors, const LessonStep& step, bool answered) {
    std::vector<Line> lines;
    if (!step.why.empty()) lines.push_back({colors.accent, step.why});
    if (!step.caption.empty()) lines.push_back({colors.text, step.caption});
    if (step.question) {
        lines.push_back({colors.warning, step.question->ask});
        lines.push_back({answered ? colors.success : Color{0, 0, 0, 0}, step.question->answer});
    }
    return lines;
}

/// The band of words below a picture `width` wide: in the largest letters that leave the picture half the height.
struct Band {
    const ImFont* font = nullptr;
    float wrap = 0;
    int height = 0;

    Band(const Pen& pen, const LessonStep& step, int width, int most) {
        wrap = static_cast<float>(width) - 2 * pen.em(kMargin);
        for (const ImFont* one : {pen.fonts.caption, pen.fonts.body, pen.fonts.small}) {
            font = one;
            float high = 0;
            for (const Line& line : lines_of(pen.colors, step, true))
                high += Pen::measure(*font, line.text, wrap).y + pen.em(kGap);
            height = high > 0 ? static_cast<int>(std::ceil(high + pen.em(kMargin))) : 0;
            if (height <= most) return;
        }
        height = most;
    }
};

}  // namespace

double reading_time(const std::string& words) {
    size_t count = 0;
    bool within = false;
    for (const char letter : words) {
        const bool blank = std::isspace(static_cast<unsigned char>(letter)) != 0;
        count += !blank && !within;
        within = !blank;
    }
    return std::max(3.0, 2 + static_cast<double>(count) / 2.5);
}

CloseUp close_up_between(const Framing& from, const Framing& to, Point middle, double part) {
    const double u = std::clamp(part, 0.0, 1.0), eased = u * u * (3 - 2 * u);
    if (u >= 1) return {to.zoom, to.center};
    const Point start = from.center.value_or(middle), end = to.center.value_or(middle);
    const double zoom = from.zoom * std::pow(to.zoom / from.zoom, eased);
    const double a = 1 / from.zoom, b = 1 / to.zoom;  // world units per pixel, of those of the fitted picture
    const double weight = std::abs(a - b) > 1e-9 * std::max(a, b) ? (1 / zoom - a) / (b - a) : eased;
    return {zoom, Point{start.x + weight * (end.x - start.x), start.y + weight * (end.y - start.y)}};
}

LessonFilm::LessonFilm(Options options) : options_(std::move(options)) {
    if (!options_.video.empty())
        video_ = std::make_unique<Video>(options_.video, options_.width, options_.height, options_.frame_rate);
}

void LessonFilm::show(Offscreen& offscreen, const Shown& shown, double seconds) {
    const auto& [step, scene, close_up, labels, highlights, answered] = shown;
    const int width = options_.width, height = options_.height;
    FigureLook how{options_.light, scale(), step.look(), {}, highlights, labels, close_up};
    if (const auto& view = step.camera.view) how.view = seen_from_degrees(*view);
    Page page(width, height, how.light, scale());
    const Pen pen = page.pen();
    const Band band(pen, step, width, height / 2);
    const int left = beside_.empty() ? 0 : width / 2, high = height - band.height;
    draw_figure(offscreen, page, scene,
                {static_cast<float>(left), 0, static_cast<float>(width - left), static_cast<float>(high)},
                caption_of(scene, how.look, palette(how.light)), CaptionPlace::kBelow, how);
    const ImVec2 corner{0, static_cast<float>(high)};
    pen.draw.AddRectFilled(corner, {static_cast<float>(width), static_cast<float>(height)}, packed(pen.colors.panel));
    float y = corner.y + pen.em(kMargin) / 2;
    for (const Line& line : lines_of(pen.colors, step, answered)) {
        pen.write(*band.font, {pen.em(kMargin), y}, line.color, line.text, band.wrap);
        y += Pen::measure(*band.font, line.text, band.wrap).y + pen.em(kGap);
    }
    std::vector<unsigned char> pixels = page.pixels();
    const size_t row = 4 * static_cast<size_t>(width), half = 4 * static_cast<size_t>(left);
    for (int i = 0; left > 0 && i < high; ++i)
        std::memcpy(pixels.data() + row * static_cast<size_t>(i), beside_.data() + half * static_cast<size_t>(i), half);
    // Times are kept over many short pictures: what one takes too much the next gives back.
    owed_ += seconds * options_.frame_rate;
    const double times = std::max(1.0, std::round(owed_));
    owed_ -= times;
    put(pixels, static_cast<uint64_t>(times));
}

void LessonFilm::keep_beside(Offscreen& offscreen, const Shown& shown, const LessonStep& next) {
    const auto& [step, scene, close_up, labels, highlights, answered] = shown;
    const int width = options_.width / 2, height = options_.height;
    FigureLook how{options_.light, scale(), step.look(), {}, highlights, labels, close_up};
    if (const auto& view = step.camera.view) how.view = seen_from_degrees(*view);
    Page page(width, height, how.light, scale());
    const auto high = static_cast<float>(height - Band(page.pen(), next, options_.width, height / 2).height);
    draw_figure(offscreen, page, scene, {0, 0, static_cast<float>(width), high},
                caption_of(scene, how.look, palette(how.light)), CaptionPlace::kBelow, how);
    beside_ = page.pixels();
}

void LessonFilm::put(const std::vector<unsigned char>& pixels, uint64_t times) {
    const size_t row = 4 * static_cast<size_t>(options_.width);
    std::string png;
    if (!options_.sequence.empty()) png = png_of(pixels, options_.width, options_.height);
    for (uint64_t k = 0; k < times; ++k) {
        if (video_)
            for (int i = 0; i < options_.height; ++i) video_->put(pixels.data() + row * static_cast<size_t>(i));
        if (!png.empty()) write_whole_file(sequence_file(options_.sequence, frames_), png);
        ++frames_;
    }
}

std::string LessonFilm::finish() {
    std::string written;
    if (video_) {
        video_->finish();
        written = options_.video;
    }
    if (!options_.sequence.empty() && frames_ > 0)
        written += (written.empty() ? "" : ", ") + sequence_file(options_.sequence, 0) + " to " +
                   sequence_file(options_.sequence, frames_ - 1);
    return written;
}

}  // namespace flipscope::app
