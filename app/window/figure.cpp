#include "app/window/figure.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <utility>

#include "app/base/file_names.h"
#include "app/figures/curve_plot.h"
#include "app/figures/figure_job.h"
#include "app/figures/picture.h"
#include "app/run/beside.h"
#include "app/run/run.h"
#include "app/run/stage.h"
#include "app/view/display.h"
#include "app/window/beside.h"
#include "app/window/window_main.h"
#include "compute/error.h"
#include "io/output_file.h"
#include "lab/report.h"

namespace flipscope::app {

namespace {

constexpr double kSlice = 0.012;  // time per frame for writing a figure, seconds; at least one tile
constexpr const char* kEndings[] = {".png", ".svg", ".pdf", ".png", ".svg", ".pdf", ".csv"};  // by What

/// Returns 0 for an empty text.
double number_typed(const std::string& text, const char* what) {
    if (text.empty()) return 0;
    const std::vector<double> values = numbers_in(text, 'x');
    if (values.size() != 1 || !(values[0] > 0))
        throw Error(std::string(what) + ": expected a number above 0, or nothing");
    return values[0];
}

/// The lab's own curves; without any, its distributions.
std::vector<Overlay> plots_of(const Lab& lab) {
    const Report statistics = statistics_of(lab);
    RunCurves curves{"", {}, {}};
    for (const Curve& own : statistics.all<Curve>()) curves.own.push_back({own});
    if (curves.own.empty())
        for (const Distribution& one : statistics.all<Distribution>())
            for (PlottedCurve& curve : curves_of(one)) curves.own.push_back(std::move(curve));
    if (curves.own.empty())
        throw Error("the " + lab.info().title + " has no curves and no distributions to plot in this state");
    return lay_over({curves}, {});
}

/// The marks that the window draws over its picture: the clicked element, its explanation, ids and names.
std::pair<std::vector<Highlight>, std::vector<ElementLabel>> marks_of(Session& session, const UiState& state) {
    std::vector<Highlight> highlights;
    const auto mark = [&](const Inspection& found) {
        if (!found.any()) return;
        highlights.insert(highlights.end(), found.report.highlights.begin(), found.report.highlights.end());
        if (!found.corners.empty()) highlights.push_back(highlight_of(found.element, found.corners, {}));
    };
    mark(session.model().inspection);
    for (const Inspector::FoundElement& one : session.inspector().found_elements())
        if (state.lesson.shows(one.query)) mark(one.found);
    if (!state.display.shows(kIdsDisplay, false)) return {highlights, {}};
    return {highlights, session.inspector().labels()};
}

}  // namespace

/// The worker plans it; it is drawn between frames. Its OpenGL objects are freed on the window's thread.
struct Window::Figure {
    struct Laid {
        std::atomic<bool> ready{false};
        std::pair<std::vector<Highlight>, std::vector<ElementLabel>> marks;  // of the live picture
        FigurePlan plan;
    };
    std::string file;
    uint64_t revision = 0, kept_revision = 0;  // of the two pictures; 0: no kept one
    Scene scene;                               // both pictures combined, or the live one
    bool light = false;
    std::shared_ptr<Laid> laid = std::make_shared<Laid>();
    Canvas tile;
    std::unique_ptr<Renderer> renderer;  // of both; the canvas's renderer caches a single scene
    std::unique_ptr<FigureJob> job;
};

FigureSpec spec_of(const FigureDialog& dialog, const UiState& state) {
    FigureSpec spec = dialog.parts;
    spec.format = static_cast<FigureSpec::Format>(dialog.makes_figure() ? dialog.what : FigureDialog::What::kSvg);
    set_figure_size(spec, dialog.size, "Size");
    spec.dpi = number_typed(dialog.dpi, "Pixels per inch");
    spec.line_pt = number_typed(dialog.line, "Lines");
    spec.light = state.light;
    spec.display = state.display;
    check_figure(spec);
    return spec;
}

void set_format(FigureDialog& dialog, FigureDialog::What what) {
    dialog.what = what;
    std::filesystem::path path(dialog.file);
    path.replace_extension(kEndings[static_cast<int>(what)]);
    dialog.file = path.string();
}

void infer_format(FigureDialog& dialog) {
    const std::string ending = std::filesystem::path(dialog.file).extension().string();
    if (ending == kEndings[static_cast<int>(dialog.what)]) return;
    using What = FigureDialog::What;
    const auto find = [&](What first, What last) {
        for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i)
            if (ending == kEndings[i]) dialog.what = static_cast<What>(i);
    };
    if (dialog.makes_figure() && ending != ".csv")
        find(What::kPng, What::kPdf);
    else
        find(What::kPlotsPng, What::kPlotsCsv);
}

void open_figure(Ui& ui) {
    FigureDialog& dialog = ui.state.figure;
    ui.session.playback().pause();
    if (dialog.drawing) {
        dialog.open = true;
        return;
    }
    dialog.file = suggested_name("figure", kEndings[static_cast<int>(dialog.what)]);
    dialog.kept = shows_kept(ui.session, ui.state);
    dialog.why_not_kept.clear();
    dialog.open = true;
    ui.state.focus = UiState::Field::kFigureName;
}

void show_kept_picture(Ui& ui) {
    const KeptScene* const kept = ui.session.comparison().kept();
    std::string& why = ui.state.figure.why_not_kept;
    if (!kept)
        why.clear();
    else if (ui.session.drawable())
        why = joining_refusal(kept->scene(), ui.model.scene);
}

void Window::save_figure() {
    FigureDialog& dialog = state_.figure;
    try {
        const std::filesystem::path path = new_path(dialog.file);
        const std::string file = path.string();
        const LabModel& model = session_->model();
        if (!model.loaded) throw Error(file + ": there is nothing to draw yet");
        if (path.extension() != kEndings[static_cast<int>(dialog.what)])
            throw Error(file + ": expected a name that ends in " + kEndings[static_cast<int>(dialog.what)]);
        if (!dialog.makes_figure()) {
            session_->query_lab("Saving " + file, [file](const Lab& lab) {
                write_plots(file, plots_of(lab));
                return "the plots are in " + absolute_name(file);
            });
            dialog.open = false;
            return;
        }
        FigureSpec spec = spec_of(dialog, state_);
        spec.title_text = model.info.title + ", " + session_->loader().present().source;
        spec.unit = model.unit;
        if (!dialog.whole && canvas_->canvas().width() > 1) {  // the visible part of the first view
            const Canvas& canvas = canvas_->canvas();
            const PixelBox box = Renderer::box_of_view(canvas.width(), canvas.height(), model.scene.view_count(), 0);
            spec.rectangle = {state_.camera.to_world({-0.5 * box.width, -0.5 * box.height}),
                              state_.camera.to_world({0.5 * box.width, 0.5 * box.height})};
        }
        spec.view = model.scene.in_space ? state_.camera.view : state_.camera.apart;
        OutputFile probe(file);  // fails early if the file cannot be written
        const auto figure = std::make_shared<Figure>();
        figure->file = file;
        figure->revision = session_->revision();
        figure->light = state_.light;
        figure->scene = model.scene;
        if (dialog.shows_kept()) {
            if (const KeptScene* const kept = session_->comparison().kept()) {
                const auto [before, now] = session_->comparison().figure_captions();
                figure->scene = join_scenes(kept->scene(), before, model.scene, now);
                figure->kept_revision = kept->revision();
            }
        }
        figure->laid->marks = marks_of(*session_, state_);
        session_->query_lab("Laying out the figure", [this, laid = figure->laid, spec, scene = figure->scene,
                                                      expected = figure->kept_revision](const Lab&) {
            const KeptScene* const kept = session_->comparison().kept();
            if (expected == 0 || (kept && kept->revision() == expected)) {
                laid->plan = plan_figure(scene, spec, std::move(laid->marks.first), std::move(laid->marks.second));
                const auto views = static_cast<uint32_t>(expected == 0 ? 0 : kept->scene().view_count());
                for (Highlight& highlight : laid->plan.highlights) highlight.part += views;
                for (ElementLabel& label : laid->plan.labels) label.element.part += views;
            }
            laid->ready = true;  // an outdated plan is reported below
            return std::string();
        });
        figure_ = figure;
        dialog.drawing = true;
        dialog.progress = 0;
        figure_idle_frames_ = 0;
    } catch (const Error& error) {
        session_->say(Message::Kind::kError, error.what());
        state_.focus = UiState::Field::kFigureName;
        dialog.open = true;  // keeps the entries, so that the user can correct them
    }
}

/// Draws a piece of the figure between two frames.
void Window::advance_figure() {
    FigureDialog& dialog = state_.figure;
    // Reading the kept picture needs the buffers.
    if (dialog.save_requested && (figure_ || !dialog.shows_kept() || session_->drawable())) {
        dialog.save_requested = false;
        if (!figure_) save_figure();
    }
    if (!figure_) return;
    redraw_frames_ = 3;
    const auto end = [&](Message::Kind kind, const std::string& text) {
        figure_.reset();
        dialog.drawing = dialog.open = false;
        if (!text.empty()) session_->say(kind, text);
    };
    if (std::exchange(dialog.cancel_requested, false))
        return end(Message::Kind::kNote, "the figure was cancelled; nothing was written");
    if (!session_->drawable()) return;
    if (!figure_->laid->ready) {
        // If planning failed, the worker has reported why.
        if (session_->idle() && ++figure_idle_frames_ > 10) end(Message::Kind::kNote, "");
        return;
    }
    const KeptScene* const kept = session_->comparison().kept();
    const bool same_kept = figure_->kept_revision == 0 || (kept && kept->revision() == figure_->kept_revision);
    if (session_->revision() != figure_->revision || !same_kept)
        return end(Message::Kind::kError, figure_->file +
                                              ": the picture has changed while the figure was drawn; nothing was "
                                              "written. Pause the run and save it again");
    try {
        if (!figure_->job) {
            if (figure_->kept_revision != 0) {
                figure_->renderer = std::make_unique<Renderer>(&canvas_->renderer());
                figure_->renderer->set_revision(1);
            }
            const auto draw = [this, figure = figure_.get()](const Camera& camera, const Tile& tile, int width,
                                                             int height, double line_scale,
                                                             const DisplayOptions& display) {
                require_viewport(tile.width, tile.height);
                figure->tile.resize(width, height);
                Renderer& renderer = figure->renderer ? *figure->renderer : canvas_->renderer();
                renderer.draw(figure->scene, camera, figure->tile, figure->light, line_scale, display, true, &tile);
                session_->drawn();
                return figure->tile.pixels();
            };
            figure_->job = std::make_unique<FigureJob>(figure_->file, figure_->laid->plan, draw);
        }
        const bool done = figure_->job->advance(kSlice);
        dialog.progress = figure_->job->progress();
        if (!done) return;
        const std::string note = figure_->job->plan().note;
        last_picture_ = absolute_name(figure_->file);
        end(Message::Kind::kGood, "the figure is in " + last_picture_ + (note.empty() ? "" : "; " + note));
    } catch (const Error& error) {
        end(Message::Kind::kError, error.what());
        dialog.open = true;
        state_.focus = UiState::Field::kFigureName;
    }
}

}  // namespace flipscope::app
