#include "app/commands/run_pictures.h"

#include <algorithm>

#include "app/base/endings.h"
#include "app/figures/plane_axes.h"
#include "app/images/png.h"
#include "app/view/camera.h"
#include "app/view/display.h"
#include "compute/error.h"
#include "compute/work.h"
#include "instruments/site_mesh.h"
#include "io/output_file.h"
#include "lab/unit_names.h"

namespace flipscope::app {

namespace {

constexpr double kAllOfIt = 1e9;  // seconds: the whole picture at once
// Smallest picture with a legend by default; in smaller ones it would be illegible.
constexpr int kLeastWidthWithLegend = 480, kLeastHeightWithLegend = 320;

}  // namespace

PictureDevice::PictureDevice(const RunOptions& options, Context& context) {
    if (!options.draws()) return;
    try {
        as_user_error([&] {
            offscreen = std::make_unique<Offscreen>();
            offscreen->share_with(context, options.device.shared_memory);
        });
    } catch (const Error& error) {
        const bool shapes = std::ranges::none_of(
            options.figures, [](const auto& file) { return figure_format(file) == FigureSpec::Format::kPng; });
        if (!shapes || !options.picture.empty() || options.films()) throw;
        offscreen.reset();
        why_not = error.what();
    }
}

RunPictures::RunPictures(const RunOptions& options, const Run& run, RunStage& stage, PictureDevice& device,
                         RunOutcome& outcome)
    : options_(options), run_(run), stage_(stage), device_(device), outcome_(outcome) {}

Scene RunPictures::scene(bool is_on_the_way) {
    Scene scene = stage_.scene();
    stage_.lift = paraboloid_choice(options_.display);
    const bool explores = stage_.choice.any() || options_.select;
    if (!explores && !stage_.lift.shown && !stage_.choice.area) return scene;
    if (options_.select && !options_.select->range) {
        try {
            apply_selection(*options_.select, scene, &run_.geometry(), kSelect, stage_.choice);
        } catch (const Error& error) {
            outcome_.add_error(error.what());
        }
    }
    stage_.explore(scene);
    if (stage_.lift.shown && stage_.paraboloid().part() == kNone)
        outcome_.note("--show paraboloid has no effect: this picture has no triangulation of the plane to lift");
    if (!explores || (is_on_the_way && !run_.timeline().done())) return scene;
    const auto& [colour, range] = std::tie(stage_.choice.colour, stage_.choice.range);
    const std::string place = run_.scenario().colour_by ? run_.scenario().place("colour_by") : "";
    if (!stage_.exploration().has_mesh())
        outcome_.add_error((place.empty() ? "--colour-by, --select, --show disclinations or a structure" : place) +
                           ": " + stage_.offered(scene));
    else if (colour && !offers(scene, *colour))
        outcome_.add_error((place.empty() ? "--colour-by " : place + ": ") + colour->id() + ": " +
                           stage_.offered(scene));
    else if (range && !offers(scene, range->quantity))
        outcome_.add_error(kSelect + range->quantity.id() + ": " + stage_.offered(scene));
    for (const StructureInfo& info : structure_infos())
        if (const std::string why = stage_.exploration().structures().absence(info.kind); !why.empty())
            outcome_.note(std::string("--show ") + info.id + ": not drawn: " + why);
    const Layer* const field = scene.layer("field");
    if (colour && SiteMesh::cells_of(scene) && field && !field->empty() &&
        options_.display.shows("field", field->shown))
        outcome_.note("--colour-by " + colour->id() +
                      " is not seen: the layer \"field\" is drawn in place of the cells; --hide field shows them");
    const auto hides = [&](const char* layer) { return !options_.display.shows(layer, true); };
    if (colour && hides("points") && hides("cells") && hides("edges") && hides("triangles") &&
        !options_.display.shows(Exploration::kDataLayer, !stage_.choice.size_by.empty()))
        outcome_.note("--colour-by " + colour->id() +
                      " has no effect: every layer with colours is hidden; --show data draws a disc at each point");
    return scene;
}

FigureSpec RunPictures::figure_spec() const {
    FigureSpec spec = options_.figure;
    const Scene scene = run_.lab().scene();
    if (spec.title_text.empty()) spec.title_text = run_.lab().info().title + ", " + run_.input().text;
    spec.unit = stage_.unit(scene);
    if (spec.rectangle) {  // in the units of the axes
        const LatticeUnits units = units_of(scene, spec.unit).given;
        const Point a = units.on_lattice(spec.rectangle->first), b = units.on_lattice(spec.rectangle->second);
        spec.rectangle = {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
    }
    return spec;
}

DrawTile RunPictures::tiles_of(const Scene& scene, bool light) {
    return [this, &scene, light](const Camera& camera, const Tile& tile, int width, int height, double line_scale,
                                 const DisplayOptions& display) {
        if (!device_.offscreen)
            throw Error("this figure has an image in it, of surfaces, pixels, or more elements than --vectors: " +
                        device_.why_not);
        return as_user_error(
            [&] { return device_.offscreen->tile(scene, camera, tile, width, height, light, line_scale, display); });
    };
}

void RunPictures::add_to_page() {
    if (options_.page.empty() || (page_ && page_->size() >= Page::kMostSteps)) return;
    const std::string& lab = run_.lab().info().title;
    const std::string input = input_text(run_.lab().info(), run_.geometry(), run_.input().text);
    if (!page_) page_.emplace(input == lab ? lab : lab + ", " + input);
    const Timeline& timeline = run_.timeline();
    const Scene own = this->scene(true);
    const RunStage::Picture picture = stage_.picture(own, {}, stage_.labels(own, options_.display));
    PageStep step{.scene = picture.scene,
                  .views_beside = picture.scene.view_count() - own.view_count(),
                  .display = options_.display,
                  .labels = picture.labels,
                  .inspectable = find_facet<Inspectable>(run_.lab()),
                  .view = options_.view.value_or(standard_views()[0]),
                  .words = words_of_pass(timeline)};
    if (!Page::shows_elements(picture.scene)) {
        if (!device_.offscreen) throw Error(options_.page + ": so many elements need a picture: " + device_.why_not);
        for (const bool light : {true, false})
            step.images.push_back(png_of(pixels(picture, light).rgba, options_.width, options_.height));
    }
    page_->add(step);
    page_end_ = timeline.position();
}

void RunPictures::write_page() {
    if (page_end_ < run_.timeline().position()) {
        outcome_.note(options_.page + " shows the first " + std::to_string(Page::kMostSteps) + " of " +
                      std::to_string(run_.timeline().position()) + " steps");
    }
    write_whole_file(options_.page, page_->html());
    outcome_.add_file(options_.page);
}

void RunPictures::begin_film() {
    if (!options_.films()) return;
    if (!options_.video.empty())
        video_ = std::make_unique<Video>(options_.video, options_.figure.pixel_width(), options_.figure.pixel_height(),
                                         options_.frame_rate);
    add_to_film();
}

bool RunPictures::film_goes_on() const { return !options_.films() || run_.timeline().position() < options_.to; }

void RunPictures::add_to_film() {
    const uint64_t at = run_.timeline().position();
    if (!options_.films() || at < options_.from || at > options_.to || (at - options_.from) % options_.every != 0)
        return;
    const Scene scene = stage_.picture(this->scene(true)).scene;
    FigureSpec spec = figure_spec();
    spec.whole_legend = true;
    if (!spec.rectangle) spec.rectangle = film_rectangle_;
    FigurePlan plan = plan_figure(scene, spec);
    if (!spec.rectangle) {  // all pictures have the first one's framing
        const double x = 0.5 * plan.views[0].width / plan.picture_pt.width * plan.picture.width;
        const double y = 0.5 * plan.views[0].height / plan.picture_pt.height * plan.picture.height;
        film_rectangle_ = {plan.camera.to_world({-x, -y}), plan.camera.to_world({x, y})};
    }
    if (video_) {
        FigureJob job([this](const unsigned char* row) { video_->put(row); }, plan, tiles_of(scene, spec.light));
        job.advance(kAllOfIt);
    }
    if (!options_.sequence.empty()) {
        FigureJob job(sequence_file(options_.sequence, film_length_), std::move(plan), tiles_of(scene, spec.light));
        job.advance(kAllOfIt);
    }
    ++film_length_;
}

void RunPictures::end_film() {
    if (!options_.films()) return;
    if (film_length_ == 0) {
        outcome_.add_error("--from " + std::to_string(options_.from) + ": the run has only " +
                           std::to_string(run_.timeline().position()) + " steps, so there is nothing to show");
        video_.reset();
        return;
    }
    if (video_) {
        video_->finish();
        outcome_.add_file(options_.video);
    }
    if (!options_.sequence.empty())
        outcome_.add_file(sequence_file(options_.sequence, 0) + " to " +
                          sequence_file(options_.sequence, film_length_ - 1));
}

void RunPictures::draw() {
    if (!options_.picture.empty()) {
        const WorkStage stage("drawing the picture");
        write_png(options_.picture, pixels(final_picture(), options_.light).rgba, options_.width, options_.height);
        outcome_.add_file(options_.picture);
    }
    if (!options_.figures.empty()) draw_figures();
    if (page_) write_page();
}

/// With marks for failures, inspected elements and ids.
RunStage::Picture RunPictures::final_picture() {
    Scene scene = this->scene();
    const RunReport& report = outcome_.report;
    if (report.check) stage_.mark(scene, *report.check);
    std::vector<Highlight> highlights;
    for (const auto& [asked, element, found] : report.inspected)
        for (Highlight& one : stage_.marks(scene, element, found, asked)) highlights.push_back(std::move(one));
    std::vector<ElementLabel> labels = stage_.labels(scene, options_.display);
    if (labels.empty() && options_.display.shows(kIdsDisplay, false))
        outcome_.note("--show ids has no effect: ids are shown of meshes in the plane with at most " +
                      std::to_string(kMostLabels) + " points");
    return stage_.picture(std::move(scene), std::move(highlights), std::move(labels));
}

Pixels RunPictures::pixels(const RunStage::Picture& picture, bool light) {
    const int width = options_.width, height = options_.height;
    const double wanted = run_.scenario().presenter_scale, scale = wanted > 0 ? wanted : 1;
    // A picture of twice the window's size is usually viewed at half its own.
    const double larger = std::max(1.0, std::min(width / 1280.0, height / 800.0));
    FigureSpec spec;
    spec.width = width;
    spec.height = height;
    spec.dpi = 96 * std::clamp(scale * larger, 0.5, 4.0);
    spec.light = light;
    spec.legend = spec.colour_bars =
        options_.legend.value_or(width >= kLeastWidthWithLegend && height >= kLeastHeightWithLegend);
    spec.legend_beside = spec.density = true;
    spec.scale_bar = false;
    spec.display = options_.display;
    spec.axes = spec.display.shows(kAxesDisplay, false);
    spec.view = options_.view;
    spec.unit = picture.unit;
    FigurePlan plan = plan_figure(picture.scene, spec, picture.highlights, picture.labels);
    if (!plan.note.empty())
        outcome_.note("a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                      " pixels has no room for its legend; choose a larger --size");
    return as_user_error([&] { return device_.offscreen->figure(picture.scene, std::move(plan)); });
}

void RunPictures::draw_figures() {
    const RunStage::Picture picture = final_picture();
    for (const std::string& file : options_.figures) {
        const WorkStage stage("drawing a figure");
        FigureSpec spec = figure_spec();
        spec.format = figure_format(file);
        try {
            FigureJob job(file, plan_figure(picture.scene, spec, picture.highlights, picture.labels),
                          tiles_of(picture.scene, spec.light));
            while (!job.advance(0.5)) {
            }
            if (!job.plan().note.empty()) outcome_.note(file + ": " + job.plan().note);
        } catch (const Error& error) {
            outcome_.add_error(error.what());  // the other outputs are still written
            continue;
        }
        outcome_.add_file(file);
    }
}

}  // namespace flipscope::app
