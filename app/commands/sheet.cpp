// `flipscope sheet`: every lab on its example input, as small pictures with titles and legends on one page, without a
// display.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/endings.h"
#include "app/base/number_text.h"
#include "app/base/signals.h"
#include "app/base/text_lines.h"
#include "app/commands/options.h"
#include "app/figures/picture.h"
#include "app/figures/writing.h"
#include "app/images/png.h"
#include "app/run/run.h"
#include "app/view/legend.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/generators.h"
#include "lab/registry.h"

namespace flipscope::app {

namespace {

struct SheetOptions {
    DeviceOptions device;
    bool light = false, check = false, quiet = false;
    std::string picture;  // a PNG file
    int width = 1920, height = 1080;
};

/// Smallest tile of a lab, pixels: smaller letters are illegible.
constexpr int kLeastWidth = 240, kLeastHeight = 180;
constexpr uint64_t kMostPoints = 120;  // of a tile: more are no longer told apart
constexpr uint64_t kMostPasses = 400;  // in which to find the state that shows most

/// How much of interest a state shows.
struct Sight {
    size_t kinds = 0;     // of elements: cells, links, and the legend's entries
    uint64_t marked = 0;  // highlighted elements
    auto operator<=>(const Sight&) const = default;
};

Sight sight_of(const Scene& scene, const Palette& colors) {
    const std::vector<uint64_t> counts = legend_counts(scene, count_legend(scene));
    Sight sight;
    const std::vector<LegendEntry> legend = legend_of(scene);
    for (const Layer& layer : scene.layers) {
        const auto* lattice = std::get_if<LatticeLayer>(&layer.shape);
        const bool cells = lattice && lattice->colours && !lattice->colours->empty();
        const bool other = !lattice && !std::holds_alternative<PointsLayer>(layer.shape) &&
                           !std::holds_alternative<TrianglesLayer>(layer.shape);
        if (!layer.empty() && (cells || other)) ++sight.kinds;
    }
    for (size_t i = 0; i < counts.size(); ++i) {
        const LegendEntry& entry = legend[i];
        if (counts[i] == 0 || !colors.style(entry.element, entry.role).loud) continue;
        if (!entry.name.empty()) ++sight.kinds;
        sight.marked += counts[i];
    }
    return sight;
}

/// A lab at the pass that shows most of its legend.
struct Exhibit {
    std::optional<Run> run;
    std::string input;               // "uniform:1000"; empty: the lab's own
    uint64_t passes = 0, shown = 0;  // passes run, and passes before the picture
    uint32_t pass = kNone;           // index of that pass
    bool done = false;
    std::optional<CheckReport> check;
};

Exhibit exhibit(const std::string& lab, Context& context, const SheetOptions& options) {
    Scenario scenario;
    scenario.lab = lab;
    scenario.points = example_of(lab);
    if (!scenario.points.empty())
        if (GeneratorSpec example = parse_generator(scenario.points);
            find_generator(example.name).makes == GeneratorOutput::kPoints && example.count > kMostPoints) {
            example.count = kMostPoints;
            scenario.points = generator_text(example);
        }
    Exhibit shown;
    Run& run = shown.run.emplace(scenario, options.device.block_size);
    if (!scenario.points.empty()) shown.input = run.input().text;
    Lab& algorithm = run.lab();
    algorithm.set_records_states(true);
    run.timeline().set_keyframe_budget(0);
    run.start(context);
    std::optional<Sight> most;
    while (!algorithm.done() && shown.passes < kMostPasses) {
        throw_if_cancelled();
        const StepResult step = algorithm.step();
        ++shown.passes;
        context.synchronize();
        const Sight sight = sight_of(algorithm.scene(), palette(options.light));
        if (most && *most >= sight) continue;
        most = sight;
        shown.shown = shown.passes;
        shown.pass = step.pass;
    }
    shown.done = algorithm.done();
    if (options.check && !shown.done)
        algorithm.finish([&](const StepResult&) {
            throw_if_cancelled();
            ++shown.passes;
        });
    if (options.check && find_facet<Checkable>(algorithm)) shown.check = check_of(algorithm);
    if (shown.shown == shown.passes) return shown;
    run.start(context);  // not every lab can be saved at every pass
    for (uint64_t i = 0; i < shown.shown; ++i) algorithm.step();
    context.synchronize();
    return shown;
}

/// The arrangement of tiles: as large as possible, with a picture's proportions.
struct Grid {
    int columns = 1, rows = 1;
    float width = 0, height = 0;  // of a tile
};

Grid grid_for(size_t count, float width, float height) {
    Grid best;
    float most = -1;
    for (int columns = 1; columns <= static_cast<int>(count); ++columns) {
        const int rows = (static_cast<int>(count) + columns - 1) / columns;
        const Grid grid{columns, rows, width / static_cast<float>(columns), height / static_cast<float>(rows)};
        // Three lines of text above the picture, about two below.
        float side = std::min(grid.width, 1.45f * (grid.height - 0.2f * grid.width)) * static_cast<float>(count) /
                     static_cast<float>(columns * rows);                              // no empty places
        if (grid.width >= kLeastWidth && grid.height >= kLeastHeight) side += width;  // legible tiles take precedence
        if (side > most) {
            most = side;
            best = grid;
        }
    }
    return best;
}

class Sheet {
  public:
    Sheet(const SheetOptions& options, size_t count)
        : width_(static_cast<float>(options.width)),
          height_(static_cast<float>(options.height)),
          light_(options.light),
          grid_(grid_for(count, width_, height_)),
          scale_(std::clamp(std::min(grid_.width / 470, grid_.height / 400), 0.5f, 4.f)),
          page_(Pixels::filled(options.width, options.height, palette(light_).canvas)) {
        const Writing rules(page_, palette(light_), em(kPageLetters));
        Drawing& drawing = rules.ink.drawing;
        const double margin = em(12);
        drawing.begin_group({}, {{}, palette(light_).panel_edge, std::max(1.0, em(1))});
        for (int i = 1; i < grid_.columns; ++i) drawing.line({tile_x(i), margin}, {tile_x(i), height_ - margin});
        for (int i = 1; i < grid_.rows; ++i) drawing.line({margin, tile_y(i)}, {width_ - margin, tile_y(i)});
        drawing.end_group();
    }

    void add(Offscreen& offscreen, size_t place, const Exhibit& shown) {
        const int column = static_cast<int>(place) % grid_.columns, row = static_cast<int>(place) / grid_.columns;
        const Area tile{tile_x(column), tile_y(row), tile_x(column + 1) - tile_x(column),
                        tile_y(row + 1) - tile_y(row)};
        const int left = static_cast<int>(tile.x + em(4)), top = static_cast<int>(write_words(tile, shown));
        FigureSpec spec;
        spec.width = std::floor(tile.width - em(8));
        spec.height = std::floor(tile.bottom() - em(4) - top);
        spec.dpi = 96 * scale_;
        spec.font_pt = 0.75 * kPageLetters;
        spec.light = light_;
        spec.scale_bar = false;
        spec.density = true;
        const Scene scene = shown.run->lab().scene();
        page_.place(offscreen.figure(scene, plan_figure(scene, spec)), left, top);
    }

    const Pixels& page() const { return page_; }

    /// "uniform:1000, after pass 12 of 90: flip".
    static std::string progress_text(const Exhibit& shown) {
        std::string text = shown.input;
        if (shown.pass != kNone)
            text += (text.empty() ? "after pass " : ", after pass ") + number_text(shown.shown) +
                    (shown.done ? " of " + number_text(shown.passes) : "") + ": " +
                    shown.run->lab().info().passes[shown.pass].name;
        return text;
    }

  private:
    double em(double pixels) const { return pixels * scale_; }
    double tile_x(int column) const { return std::round(grid_.width * static_cast<float>(column)); }
    double tile_y(int row) const { return std::round(grid_.height * static_cast<float>(row)); }

    /// Writes the lab's name and its run. Returns the lower end of the text.
    double write_words(const Area& tile, const Exhibit& shown) {
        const Writing heading(page_, palette(light_), 1.6 * em(kPageLetters), Letters::kStrong);
        const Writing words(page_, palette(light_), em(kPageLetters));
        const Ink &large = heading.ink, &small = words.ink;
        const LabInfo& info = shown.run->lab().info();
        const double pad = em(12), width = tile.width - 2 * pad, x = tile.x + pad;
        double y = tile.y + pad;
        const std::string title = large.cut(info.title, width);
        large.write({x, y}, large.colors.text, title);
        // The run, flush right on the title's base line, if there is room.
        const std::string run = small.cut(progress_text(shown), width - large.width(title) - em(16));
        small.write({x + width, y + Ink::kAscent * (large.font - small.font)}, small.colors.quiet_text, run, 1);
        y += large.line() + em(4);
        const auto lines =
            filled_lines(info.sentence, width, [&](const std::string& text) { return small.width(text); });
        if (y + static_cast<double>(lines.size()) * small.line() >= tile.y + 0.4 * tile.height) return y;
        for (const std::string& line : lines) {
            small.write({x, y}, small.colors.quiet_text, line);
            y += small.line();
        }
        return std::round(y + em(8));
    }

    float width_, height_;
    bool light_;
    Grid grid_;
    float scale_;
    Pixels page_;
};

void require_size(const SheetOptions& options, size_t labs) {
    const Grid grid = grid_for(labs, static_cast<float>(options.width), static_cast<float>(options.height));
    if (grid.width >= kLeastWidth && grid.height >= kLeastHeight) return;
    const Grid usual = grid_for(labs, 1920, 1080);
    throw Error("--size: a sheet of " + std::to_string(labs) + " labs needs " + std::to_string(kLeastWidth) + " × " +
                std::to_string(kLeastHeight) + " pixels for each, and this makes " +
                std::to_string(static_cast<int>(grid.width)) + " × " + std::to_string(static_cast<int>(grid.height)) +
                "; try " + std::to_string(kLeastWidth * usual.columns) + "x" +
                std::to_string(kLeastHeight * usual.rows) + " or larger");
}

/// The file appears complete or not at all. --check runs each lab to its end.
int draw_sheet(const SheetOptions& options) {
    require_size(options, registry().size());
    const Interrupt interrupt;
    try {
        // Labs without GPU support run on CPU threads, the others on the requested device or a GPU.
        std::map<DeviceRequest, std::unique_ptr<Context>> devices;
        std::unique_ptr<Offscreen> offscreen;
        std::unique_ptr<Sheet> sheet;
        as_user_error([&] {
            offscreen = std::make_unique<Offscreen>();
            sheet = std::make_unique<Sheet>(options, registry().size());
        });
        const auto device_of = [&](const LabInfo& info) -> Context& {
            auto& device = devices[device_for(info, options.device.device)];
            if (!device) {
                device = open_device(device_for(info, options.device.device), options.device);
                device->set_cancel_flag(Interrupt::flag());
                if (!options.quiet && !device->notice().empty()) tell(device->notice());
            }
            // The requested kind applies to the requested device, not to CPU threads beside it.
            const bool beside = info.on_cpu_only && options.device.shared_memory == "cuda";
            as_user_error([&] { offscreen->share_with(*device, beside ? "auto" : options.device.shared_memory); });
            return *device;
        };
        int status = kSuccess;
        for (size_t i = 0; i < registry().size(); ++i) {
            const Exhibit shown = exhibit(registry()[i].id, device_of(registry()[i].info()), options);
            sheet->add(*offscreen, i, shown);
            const bool failed = shown.check && !shown.check->passed;
            if (failed) status = kCheckFailed;
            const std::string line = shown.run->lab().info().title + ": " + Sheet::progress_text(shown) +
                                     (!shown.check           ? ""
                                      : shown.check->checked ? "; check: " + shown.check->sentence
                                                             : "; nothing was checked: " + shown.check->sentence);
            if (failed && options.quiet) tell(line);
            if (!options.quiet) std::printf("  %s\n", printable(line).c_str());
        }
        write_png(options.picture, sheet->page().rgba, options.width, options.height);
        if (!options.quiet) std::printf("  written          %s\n", printable(options.picture).c_str());
        require_printed();
        return status;
    } catch (const Cancelled&) {
        tell("ended by Ctrl-C; nothing was written");
        Interrupt::mark_reported();
        return kInterrupted;
    }
}

}  // namespace

Prepare add_sheet(CLI::App& app) {
    const auto options = std::make_shared<SheetOptions>();
    SheetOptions& to = *options;
    add(app, "--picture", "FILE.png", to.picture, "The picture")->required();
    add_size(app, to.width, to.height, "Its size (1920x1080)");
    app.add_flag("--light", to.light, "Light theme");
    app.add_flag("--check", to.check, "Checks the result of each lab; exit status 1 if a check fails");
    app.add_flag("--quiet", to.quiet, "No summary");
    add_device_options(app, to.device);
    return [options] {
        settle_output("--picture", options->picture, {".png"});
        return [options] { return draw_sheet(*options); };
    };
}

}  // namespace flipscope::app
