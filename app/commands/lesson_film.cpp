#include "app/commands/lesson_film.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <sstream>
#include <utility>

#include "app/base/text_lines.h"
#include "app/figures/plane_axes.h"
#include "app/figures/writing.h"
#include "app/images/png.h"
#include "app/session/lesson_player.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

constexpr double kMargin = 18, kGap = 4;  // pixels at scale 1

struct Line {
    Color color;
    std::string text;
    bool ends = true;  // its paragraph ends here
};

/// The text below the picture, in the window's colours. An answer reserves its room beforehand, so that nothing jumps.
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

/// The band of text below a picture of this width, in the largest letters that leave the picture half the height.
struct Band {
    std::vector<Line> lines;
    double font = 0, margin = 0, gap = 0;
    Letters letters = Letters::kPlain;
    int height = 0;

    Band(const Palette& colors, const LessonStep& step, bool answered, int width, int most, double scale)
        : margin(kMargin * scale), gap(kGap * scale) {
        for (const double larger : {1.6, 1.15, 1.0}) {
            font = larger * kPageLetters * scale;
            letters = larger > 1.5 ? Letters::kStrong : Letters::kPlain;
            const auto measure = [&](const std::string& text) { return text_width(text, font, letters); };
            lines.clear();
            double high = 0;
            for (const Line& line : lines_of(colors, step, answered)) {
                for (std::string& part : filled_lines(line.text, width - 2 * margin, measure)) {
                    lines.push_back({line.color, std::move(part), false});
                    high += Ink::kLine * font;
                }
                lines.back().ends = true;
                high += gap;
            }
            height = high > 0 ? static_cast<int>(std::ceil(high + margin)) : 0;
            if (height <= most) return;
        }
        height = most;
    }
};

}  // namespace

double reading_time(const std::string& words) {
    std::istringstream text(words);
    const auto count = std::distance(std::istream_iterator<std::string>(text), {});
    return std::max(3.0, 2 + static_cast<double>(count) / 2.5);
}

CloseUp close_up_between(const Framing& from, const Framing& to, Point middle, double part) {
    if (part >= 1) return {to.zoom, to.center};
    const Camera between =
        camera_between({from.center.value_or(middle), from.zoom, {}}, {to.center.value_or(middle), to.zoom, {}}, part);
    return {between.scale, between.center};
}

LessonFilm::LessonFilm(const RunOptions& options) : options_(options) {
    if (!options_.video.empty())
        video_ = std::make_unique<Video>(options_.video, options_.width, options_.height, options_.frame_rate);
}

FigureSpec figure_of_step(const LessonStep& step, bool light, int width, int height, double scale) {
    FigureSpec spec;
    spec.width = width;
    spec.height = height;
    spec.dpi = 96 * std::max(scale, 0.2);
    spec.font_pt = 0.75 * kPageLetters;
    spec.light = light;
    spec.scale_bar = false;
    spec.density = true;
    spec.display = step.display();
    spec.axes = spec.display.shows(kAxesDisplay, false);
    spec.close_up = {step.camera.zoom, step.camera.center};
    if (const auto& view = step.camera.view) spec.view = seen_from_degrees(*view);
    return spec;
}

Pixels LessonFilm::picture(Offscreen& offscreen, const Shown& shown, int width, int height) const {
    FigureSpec spec = figure_of_step(shown.step, options_.light, width, height, scale());
    spec.close_up = shown.close_up;
    return offscreen.figure(shown.scene, plan_figure(shown.scene, spec, shown.highlights, shown.labels));
}

void LessonFilm::show(Offscreen& offscreen, const Shown& shown, double seconds) {
    const int width = options_.width, height = options_.height;
    const Palette& colors = palette(options_.light);
    const Band band(colors, shown.step, shown.answered, width, height / 2, scale());
    const int left = beside_.width, high = height - band.height;
    Pixels page = Pixels::filled(width, height, colors.panel);
    page.place(beside_, 0, 0);
    page.place(picture(offscreen, shown, width - left, high), left, 0);
    double y = high + 0.5 * band.margin;
    {
        const Writing words(page, colors, band.font, band.letters);
        for (const Line& line : band.lines) {
            words.ink.write({band.margin, y}, line.color, line.text);
            y += words.ink.line() + (line.ends ? band.gap : 0);
        }
    }
    // Balance rounding over many short pictures.
    owed_ += seconds * options_.frame_rate;
    const double times = std::max(1.0, std::round(owed_));
    owed_ -= times;
    put(page, static_cast<uint64_t>(times));
}

void LessonFilm::keep_beside(Offscreen& offscreen, const Shown& shown, const LessonStep& next) {
    const int height = options_.height;
    const Band band(palette(options_.light), next, false, options_.width, height / 2, scale());
    beside_ = picture(offscreen, shown, options_.width / 2, height - band.height);
}

void LessonFilm::put(const Pixels& pixels, uint64_t times) {
    const size_t row = 4 * static_cast<size_t>(pixels.width);
    std::string png;
    if (!options_.sequence.empty()) png = png_of(pixels.rgba, pixels.width, pixels.height);
    for (uint64_t k = 0; k < times; ++k) {
        for (size_t y = 0; video_ && y < static_cast<size_t>(pixels.height); ++y) video_->put(&pixels.rgba[y * row]);
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
