// Figures for pages: SVG and PDF as vectors, pictures in tiles; a failed write loses no earlier file.
#include <cmath>
#include <cstdlib>
#include <limits>

#include "app/base/xml_text.h"
#include "app/figures/drawing_cairo.h"
#include "app/figures/figure_job.h"
#include "app/figures/film.h"
#include "app/figures/picture.h"
#include "app/folders.h"
#include "app/made_or_skip.h"
#include "geometry/generators.h"
#include "instruments/side_by_side.h"
#include "lab/registry.h"
using namespace flipscope;
using namespace flipscope::app;

namespace {

struct Made {
    Context context{DeviceRequest::kCpu, 1};
    std::unique_ptr<Lab> lab = make_lab("build");
    explicit Made(std::vector<Point> points) {
        Geometry geometry;
        geometry.points = std::move(points);
        lab->reset(context, std::make_shared<const Geometry>(std::move(geometry)));
        lab->finish([](const StepResult&) {});
    }
};

std::vector<Point> some_points(const char* text) { return generate(parse_generator(text)).points; }

std::string figure_bytes(const std::filesystem::path& file, const FigurePlan& plan) {
    const DrawTile none = [](const Camera&, const Tile&, int, int, double,
                             const DisplayOptions&) -> std::vector<unsigned char> {
        throw Error("no picture was to be drawn");
    };
    FigureJob job(file.string(), plan, none);
    while (!job.advance(1)) {
    }
    return read_file(file);
}

/// Whether tags are nested and closed, and attributes quoted.
bool is_well_formed(const std::string& xml) {
    std::vector<std::string> open;
    for (size_t at = xml.find('<'); at != xml.npos; at = xml.find('<', at)) {
        size_t end = at + 1;
        for (char quote = 0; end < xml.size() && (quote || xml[end] != '>'); ++end) {
            if (quote ? xml[end] == quote : xml[end] == '"') quote = quote ? char(0) : xml[end];
            if (xml[end] == '<') return false;
        }
        if (end >= xml.size()) return false;
        const std::string tag = xml.substr(at + 1, end - at - 1);
        const std::string name = tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
        if (tag[0] == '/') {
            if (open.empty() || open.back() != tag.substr(1)) return false;
            open.pop_back();
        } else if (tag[0] != '?' && tag.back() != '/') {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty();
}

}  // namespace

TEST_CASE("figures: titles of views take as many lines as they need, and nothing lies behind them") {
    Made made(some_points("uniform:60"));
    const std::string title = "uniform:60, the end: done after 70 iterations of the lowest id";
    for (const size_t views : {1, 2, 4})
        for (const double mm : {50.0, 90.0, 400.0}) {
            INFO(views, " views, ", mm, " mm");
            std::vector<Scene> scenes;
            for (size_t k = 0; k < views; ++k) {
                scenes.push_back(made.lab->scene());
                scenes.back().title = title;
            }
            const Scene scene = views == 1 ? scenes[0] : side_by_side(std::move(scenes));
            const FigureSpec spec{
                .format = FigureSpec::Format::kSvg, .width = mm, .height = 0.8 * mm, .millimetres = true};
            const FigurePlan plan = plan_figure(scene, spec);
            if (views == 1) {
                CHECK(plan.titles.empty());
                continue;
            }
            REQUIRE(plan.titles.size() == views);
            const double unit = plan.dpi / 72;
            for (size_t k = 0; k < views; ++k) {
                const auto& lines = plan.titles[k];
                CHECK(lines.size() >= 1);
                if (mm == 400) CHECK(lines == std::vector<std::string>{title});
                if (mm == 50) CHECK(lines.size() > 1);
                for (const std::string& line : lines)
                    CHECK(text_width(line, plan.title_font) < plan.views[k].width - plan.title_font);
                const double below = title_height(plan.title_font, lines.size());
                CHECK(below < 0.4 * plan.views[k].height);
                // Points from the middle of the view, upwards.
                const double top = (scene.high.y - plan.camera.center.y) * plan.camera.scale / unit;
                CHECK(top < 0.5 * plan.views[k].height - below);
                const double bottom = (plan.camera.center.y - scene.low.y) * plan.camera.scale / unit;
                CHECK(bottom < 0.5 * plan.views[k].height);
            }
        }
}

TEST_CASE("figures: an SVG has a shape for every element that is seen, in named layers") {
    Made made(some_points("uniform:60"));
    const Scene scene = made.lab->scene();
    FigureSpec spec{
        .format = FigureSpec::Format::kSvg, .title = true, .axes = true, .title_text = "<60> \"points\" & more"};
    TemporaryFolder folder;
    const std::string svg = figure_bytes(folder / "a.svg", plan_figure(scene, spec));
    CHECK(is_well_formed(svg));
    CHECK(has(svg, "&lt;60&gt; &quot;points&quot; &amp; more"));
    const auto layer = [&](const std::string& label) {
        const size_t begin = svg.find("inkscape:label=\"" + label + "\""), end = svg.find("<g id=\"layer-", begin + 1);
        REQUIRE(begin != svg.npos);
        return svg.substr(begin, end - begin);
    };
    size_t edges = 0, triangles = 0;
    for (uint32_t e = 0; e < scene.mesh->edge_count; ++e)
        edges += scene.mesh->edges.read(2 * size_t(e)) < 60 && scene.mesh->edges.read(2 * size_t(e) + 1) < 60;
    for (uint32_t t = 0; t < scene.mesh->triangle_count; ++t)
        triangles += scene.mesh->triangles.read(3 * size_t(t)) < 60 &&
                     scene.mesh->triangles.read(3 * size_t(t) + 1) < 60 &&
                     scene.mesh->triangles.read(3 * size_t(t) + 2) < 60;
    CHECK(edges > 150);
    CHECK(count_of(layer("Edges"), "<line") == edges);
    CHECK(count_of(layer("Triangles"), "<polygon") == triangles);
    CHECK(count_of(layer("Points"), "<circle") == 60);
    CHECK(has(svg, "font-family=\"Inter, Helvetica, Arial, sans-serif\""));
    CHECK(layer("Scale bar").find(">0.2</text>") != svg.npos);
    // Lines of the requested width, in points; elements beyond the rectangle are left out.
    spec.line_pt = 0.35;
    spec.rectangle = {{0.4, 0.4}, {0.6, 0.6}};
    const std::string near = figure_bytes(folder / "b.svg", plan_figure(scene, spec));
    CHECK(has(near, "stroke-width=\"0.35\""));
    CHECK(count_of(near, "<circle") < 30);
    CHECK(count_of(near, "<circle") > 0);
    // With more elements than are wanted it is an image.
    spec.most_vectors = 3;
    CHECK(plan_figure(scene, spec).image);
    CHECK(plan_figure(scene, spec).shapes.empty());
}

TEST_CASE("figures: of a part of the scene the legend lists what is in it") {
    Context context(DeviceRequest::kCpu, 1);
    const auto lab = make_lab("build");
    lab->reset(context, std::make_shared<const Geometry>(generate(parse_generator("uniform:400"))));
    for (int i = 0; i < 20; ++i) lab->step();
    const Scene scene = lab->scene();
    FigureSpec spec;
    const size_t whole = plan_figure(scene, spec).legend.size();
    CHECK(whole >= 2);
    spec.rectangle = {{0, 0}, {1, 1}};
    CHECK(plan_figure(scene, spec).legend.size() == whole);
    size_t fewer = 0;
    for (int x = 0; x < 20; ++x) {
        spec.rectangle = {{0.05 * x, 0.5}, {0.05 * x + 0.01, 0.51}};
        fewer += plan_figure(scene, spec).legend.size() < whole;
    }
    CHECK(fewer > 0);
    spec.whole_legend = true;
    CHECK(plan_figure(scene, spec).legend.size() >= whole);
}

TEST_CASE("figures: far from the origin the same shapes come out, and no bound is too large for a number") {
    std::vector<Point> near = some_points("grid:25");
    for (Point& p : near) p = {std::round(64 * p.x) / 64, std::round(64 * p.y) / 64};
    std::vector<Point> far = near;
    const double away = std::ldexp(1.0, 40);
    for (Point& p : far) p = {p.x + away, p.y - away};
    TemporaryFolder folder;
    std::string found[2];
    for (const bool is_far : {false, true}) {
        Made made(is_far ? far : near);
        const FigureSpec spec{.format = FigureSpec::Format::kSvg};
        found[is_far] = figure_bytes(folder / "a.svg", plan_figure(made.lab->scene(), spec));
    }
    CHECK(found[0] == found[1]);
    CHECK(round_length(0.31) == 0.2);
    CHECK(round_length(7e-9) == doctest::Approx(5e-9));
    CHECK(round_length(1) == 1);
    CHECK(round_length(std::numeric_limits<double>::infinity()) == 0);
    CHECK(round_length(0) == 0);
}

TEST_CASE("figures: a PDF contains its fonts, its words as text in any script, and no date") {
    Made made(some_points("uniform:40"));
    const FigureSpec spec{.format = FigureSpec::Format::kPdf,
                          .title = true,
                          .title_text = "Forty points (\u03c8\u2086, \u5317\u4eac, \xff)"};
    TemporaryFolder folder;
    const std::string pdf = figure_bytes(folder / "a.pdf", plan_figure(made.lab->scene(), spec));
    CHECK(pdf.starts_with("%PDF-1.5\n"));
    CHECK(has(pdf, "%%EOF"));
    CHECK(has(pdf, "/FontFile"));
    CHECK(pdf.find("/CreationDate") == pdf.npos);
    CHECK(figure_bytes(folder / "b.pdf", plan_figure(made.lab->scene(), spec)) == pdf);
    if (std::system("pdftotext -v >/dev/null 2>&1") != 0) return skip("pdftotext is not installed");
    REQUIRE(std::system(("pdftotext " + (folder / "a.pdf").string() + " " + (folder / "a.txt").string()).c_str()) == 0);
    CHECK(has(read_file(folder / "a.txt"), "Forty points (\u03c8\u2086, "));
}

TEST_CASE("figures: a text is as wide as its parts, and what is not UTF-8 is one character of it") {
    CHECK(text_width("", 9) == 0);
    CHECK(text_width("ab", 9) == doctest::Approx(text_width("a", 9) + text_width("b", 9)).epsilon(0.05));
    CHECK(text_width("legend", 18) == doctest::Approx(2 * text_width("legend", 9)));
    CHECK(text_width("\xff\xfe", 9) == doctest::Approx(text_width("\uFFFD\uFFFD", 9)));
    CHECK(text_width("\xe4\xb8", 9) > 0);  // cut off
}

TEST_CASE("figures: a picture in tiles is the picture in one piece, and where nothing is, nothing is opaque") {
    const auto offscreen = made_or_skip<Offscreen>();
    if (!offscreen) return;
    Context context(DeviceRequest::kCpu, 1);
    offscreen->share_with(context);
    for (const char* input : {"points", "surface"}) {
        CAPTURE(input);
        const bool flat = input == std::string("points");
        const auto lab = make_lab(flat ? "build" : "flip");
        lab->reset(context, std::make_shared<const Geometry>(
                                generate(parse_generator(flat ? "uniform:300" : "torus-knot:400"))));
        if (flat) lab->finish([](const StepResult&) {});
        const Scene scene = lab->scene();
        const DrawTile draw = [&](const Camera& camera, const Tile& tile, int width, int height, double line_scale,
                                  const DisplayOptions& display) {
            return offscreen->tile(scene, camera, tile, width, height, false, line_scale, display);
        };
        const FigureSpec spec{
            .width = 700, .height = 500, .transparent = true, .legend = true, .colour_bars = true, .scale_bar = true};
        std::vector<unsigned char> pictures[2];
        for (const bool whole : {false, true}) {
            std::vector<unsigned char>& to = pictures[whole];
            FigureJob job([&](const unsigned char* row) { to.insert(to.end(), row, row + 4 * 700); },
                          plan_figure(scene, spec), draw, whole ? TileSize{4096, 4096} : TileSize{96, 64});
            while (!job.advance(1)) {
            }
        }
        REQUIRE(pictures[0].size() == 700 * 500 * 4);
        // Over a black ground: where next to nothing is to be seen its colour is worth nothing. The last bits of places
        // lie elsewhere in another tile.
        size_t differ = 0, where = 0;
        double most = 0;
        for (size_t i = 0; i < pictures[0].size(); i += 4) {
            double by = 0;
            for (size_t k = 0; k < 4; ++k) {
                const auto shown = [&](const std::vector<unsigned char>& picture) {
                    return k == 3 ? picture[i + 3] : picture[i + k] * picture[i + 3] / 255.0;
                };
                by = std::max(by, std::abs(shown(pictures[0]) - shown(pictures[1])));
            }
            differ += by > 0;
            if (by > most) where = i / 4;
            most = std::max(most, by);
        }
        INFO("most at ", where % 700, ", ", where / 700);
        CHECK(most <= 8);            // of 255
        CHECK(differ <= 350);        // one pixel in a thousand
        CHECK(pictures[0][3] == 0);  // the corner
        size_t opaque = 0;
        for (size_t i = 3; i < pictures[0].size(); i += 4) opaque += pictures[0][i] == 255;
        CHECK(opaque > 2000);
    }
}

TEST_CASE("figures: what cannot be written to its end leaves what was there, and nothing else") {
    Made made(some_points("uniform:20"));
    const Scene scene = made.lab->scene();
    TemporaryFolder folder;
    write_file(folder / "old.svg", "before");
    const FigureSpec spec{.format = FigureSpec::Format::kSvg};
    const FigurePlan plan = plan_figure(scene, spec);
    const auto failing = [](const Camera&, const Tile&, int, int, double,
                            const DisplayOptions&) -> std::vector<unsigned char> {
        throw Error("the driver has failed");
    };
    FigureSpec picture = spec;
    picture.most_vectors = 1;
    CHECK_THROWS_WITH_AS(FigureJob((folder / "old.svg").string(), plan_figure(scene, picture), failing).advance(1),
                         "the driver has failed", Error);
    { const FigureJob given_up((folder / "old.svg").string(), plan, failing); }
    CHECK_THROWS_AS(FigureJob("/dev/full", plan, failing).advance(1), Error);
    CHECK_THROWS_AS(FigureJob((folder / "no" / "a.svg").string(), plan, failing), Error);
    CHECK(folder.names() == std::vector<std::string>{"old.svg"});
    CHECK(read_file(folder / "old.svg") == "before");
}

TEST_CASE("figures: sizes, parts and places for numbers are understood, or it is said what was expected") {
    FigureSpec spec;
    set_figure_size(spec, "160x100mm", "--figure-size");
    CHECK(spec.pixel_width() == 1890);
    CHECK(spec.width_pt() == doctest::Approx(453.6));
    set_figure_size(spec, "16384x16384", "--figure-size");
    CHECK(spec.resolution() == doctest::Approx(96 * 12.8));
    CHECK_NOTHROW(check_figure(spec));
    for (const char* wrong : {"", "12", "12x", "0x5", "1.5x2", "-3x4", "1x2cm", "nanxnan"})
        CHECK_THROWS_AS(set_figure_size(spec, wrong, "--figure-size"), Error);
    set_figure_parts(spec, "title,axes", "--parts");
    CHECK(spec.title);
    CHECK_FALSE(spec.legend);
    CHECK_THROWS_AS(set_figure_parts(spec, "titel", "--parts"), Error);
    CHECK_THROWS_AS(set_figure_rectangle(spec, "0,0,0,1", "--rectangle"), Error);
    CHECK(sequence_file("f/%05d.png", 12) == "f/00012.png");
    CHECK(sequence_file("%d.png", 7) == "7.png");
    for (const char* wrong : {"a.png", "%5d.png", "%03d%d.png", "%s.png", "%"})
        CHECK_THROWS_AS(parse_sequence(wrong), Error);
}

TEST_CASE("figures: a density replaces elements on request, and has its colour bar, in every format") {
    const Made made(some_points("uniform:20000"));
    FigureSpec spec{.legend = false};
    for (const auto format : {FigureSpec::Format::kPng, FigureSpec::Format::kSvg, FigureSpec::Format::kPdf}) {
        spec.format = format;
        spec.width = 300;
        spec.height = 300;
        spec.display = {};
        CHECK(plan_figure(made.lab->scene(), spec).bars.empty());
        spec.display.show("density", true);
        const FigurePlan dense = plan_figure(made.lab->scene(), spec);
        REQUIRE(dense.bars.size() == 1);
        CHECK(dense.bars[0].title == "points per unit area");
        CHECK(dense.bars[0].logarithmic);
        spec.display.show("density", false);
        CHECK(plan_figure(made.lab->scene(), spec).bars.empty());
    }
}

TEST_CASE("figures: what may not stand in XML becomes a blank, and what has a meaning there an entity") {
    CHECK(escape_xml("a<b> & \"c\"") == "a&lt;b&gt; &amp; &quot;c&quot;");
    CHECK(escape_xml("a\x1b"
                     "b\nc\td\re") == "a b\nc\td e");
    CHECK(escape_xml("λ") == "λ");
}
