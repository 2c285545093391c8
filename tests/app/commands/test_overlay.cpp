// Curves of several runs over each other: as tables, as drawings, from the command line.
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/figures/curve_plot.h"
#include "app/images/images.h"
#include "app/program.h"
#include "geometry/frames.h"
#include "test_support.h"

using namespace flipscope;
using namespace flipscope::app;
using Json = nlohmann::json;

namespace {

PlottedCurve line(const std::string& name, const std::string& label, std::vector<double> y) {
    PlottedCurve curve;
    curve.name = name;
    curve.label = label;
    curve.x_name = "x";
    curve.y_name = "speed";
    curve.low = -0.5, curve.high = 0.5;
    curve.y = std::move(y);
    for (size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(-0.5 + double(i) / double(curve.y.size()));
    return curve;
}

std::string svg_of(const std::vector<RunCurves>& runs, const std::vector<std::string>& names = {}) {
    const TemporaryFolder folder;
    write_plots(folder / "a.svg", lay_over(runs, names));
    return read_file(folder / "a.svg");
}

const std::vector<std::string> kSmallEmulsion{
    "run",   "events",    "--device", "cpu",      "--set", "source=emulsion", "--set", "width=128",
    "--set", "height=96", "--set",    "count=24", "--set", "interval=50",     "--set", "comparisons=3"};

std::vector<std::string> sweep_of(const std::vector<std::string>& more) { return joined(kSmallEmulsion, more); }

}  // namespace

TEST_CASE("overlay: a distribution becomes a curve for each of its series") {
    Distribution angles{"angles", "of each triangle", "°", 0, 60, {4, 2, 0}, {0, 2, 4}};
    std::vector<PlottedCurve> curves = curves_of(angles);
    REQUIRE(curves.size() == 2);
    CHECK(curves[0].name == "angles");
    CHECK(curves[1].name == "angles, before");
    CHECK(curves[0].x == std::vector<double>{10, 30, 50});
    CHECK(curves[0].y == std::vector<double>{0, 2, 4});
    CHECK(curves[0].x_name == "angles (°)");
    CHECK(curves[0].high == 60);
    angles.before.clear();
    CHECK(curves_of(angles).size() == 1);
    angles.now.clear();
    CHECK(curves_of(angles).empty());
    Distribution links{"links", "", "", 0, 1, {1}, {2}};
    links.before_name = "lost", links.now_name = "created";
    CHECK(curves_of(links)[0].name == "links: created");
    CHECK(curves_of(links)[1].name == "links: lost");
    // Both are drawn over each other, unless one of them is chosen.
    const std::vector<RunCurves> run{{"", curves_of(links), {}}};
    for (const std::vector<std::string>& names : {std::vector<std::string>{}, {"links"}}) {
        const std::vector<Overlay> plots = lay_over(run, names);
        REQUIRE(plots.size() == 1);
        CHECK(plots[0].name == "links");
        REQUIRE(plots[0].lines.size() == 2);
        CHECK(plots[0].lines[1].label == "lost");
    }
    CHECK(lay_over(run, {"links: lost"})[0].lines.size() == 1);
}

TEST_CASE("overlay: an arrow at the axis and the legend count the values outside the range of a histogram") {
    Distribution lengths{"lengths", "", "mm", 0, 2.5, {1, 1}, {4, 2}};
    const auto drawn = [&] { return svg_of({{"", {}, curves_of(lengths)}}, {"lengths", "lengths, before"}); };
    CHECK_FALSE(has(drawn(), " above"));
    lengths.above = 12000;
    CHECK(count_of(drawn(), ">Values above<") == 1);  // of what is now, not of before
    CHECK(count_of(drawn(), ">Values below<") == 0);
    CHECK(has(drawn(), ">12,000 above 2.5</text>"));
    lengths.below = 7;
    CHECK(has(drawn(), ">7 below 0, 12,000 above 2.5</text>"));
    const std::string both = svg_of({{"a=1", {}, curves_of(lengths)}, {"a=2", {}, curves_of(lengths)}}, {"lengths"});
    CHECK(count_of(both, ">Values below<") == 2);
    CHECK(has(both, ">a=2: 7 below 0, 12,000 above 2.5</text>"));
}

TEST_CASE("overlay: counters become curves over the rounds, summed where they are sums") {
    LabInfo info;
    info.counters = {{"flipped", ""}, {"waiting", "", true}, {"never", ""}};
    info.measures = {{"index", "", "mm"}};
    std::vector<StepResult> passes(3);
    passes[0].round = passes[1].round = 1;
    passes[2].round = 2;
    passes[0].counters = {3, 9, kNotCounted};
    passes[1].counters = {4, 8, kNotCounted};
    passes[2].counters = {5, kNotCounted, kNotCounted};
    passes[1].measures = {2.5};
    const std::vector<PlottedCurve> curves = curves_of(passes, info);
    REQUIRE(curves.size() == 3);
    CHECK(curves[0].x == std::vector<double>{1, 2});
    CHECK(curves[0].y == std::vector<double>{7, 5});
    CHECK(curves[1].y == std::vector<double>{8});
    CHECK(curves[2].y_name == "index (mm)");
}

TEST_CASE("overlay: the same curve of several runs makes one plot, whose legend names them") {
    const std::vector<RunCurves> runs{{"packing=0.3", {line("flow", "φ = 0.2", {0, 1, 0})}, {line("angles", "", {1})}},
                                      {"packing=0.5", {line("flow", "φ = 0.4", {0, 2, 0})}, {}}};
    std::vector<Overlay> plots = lay_over(runs, {});
    REQUIRE(plots.size() == 1);
    REQUIRE(plots[0].lines.size() == 2);
    CHECK(plots[0].lines[1].label == "φ = 0.4 (packing=0.5)");
    const std::string svg = svg_of(runs);
    CHECK(has(svg, "φ = 0.2 (packing=0.3)</text>"));
    CHECK(has(svg, "φ = 0.4 (packing=0.5)</text>"));
    CHECK(count_of(svg, "<polyline") == 2);
    const std::string csv = overlay_csv(plots);
    CHECK(csv.find("curve,run,label,x,y\nflow,packing=0.3,φ = 0.2,-0.5,0\n") == 0);
    CHECK(count_of(csv, "\n") == 7);
    plots = lay_over(runs, {"angles"});
    REQUIRE(plots.size() == 1);
    CHECK(plots[0].lines.size() == 1);
    CHECK(plots[0].lines[0].label == "packing=0.3");
    CHECK_THROWS_WITH_AS(lay_over(runs, {"flwo"}),
                         doctest::Contains("did you mean \"flow\"? (there are flow and angles)"), Error);
    CHECK_THROWS_WITH_AS(lay_over({{"", {}, {line("angles", "", {1})}}}, {}),
                         doctest::Contains("choose one with --curve: angles"), Error);
    CHECK_THROWS_AS(lay_over({}, {}), Error);
}

TEST_CASE("overlay: names with markup, no numbers, one point, and zeros on a log axis are drawn") {
    const double none = std::nan("");
    for (std::vector<double> values : {std::vector<double>{}, {1}, {none}, {0, 0}, {-1, none, 1e300}, {5, 5, 5}}) {
        for (const bool logarithmic : {false, true}) {
            PlottedCurve curve = line("a<b & c", "<x>", values);
            curve.logarithmic = {logarithmic, logarithmic};
            const std::string svg = svg_of({{"", {curve}, {}}});
            CHECK(has(svg, "a&lt;b &amp; c"));
            CHECK(has(svg, "&lt;x&gt;"));
            CHECK_FALSE(has(svg, "nan"));
            CHECK_FALSE(has(svg, "inf"));
            CHECK(has(svg, "</svg>\n"));
        }
    }
}

TEST_CASE("overlay: plots are written as PDF with text, and as PNG, one below the other") {
    const TemporaryFolder folder;
    const std::vector<RunCurves> runs{{"a=1", {line("flow", "", {0, 1, 0}), line("drag", "", {1, 2})}, {}},
                                      {"a=2", {line("flow", "", {0, 2, 0})}, {}}};
    for (const char* name : {"a.pdf", "a.PNG", "a.csv"}) write_plots(folder / name, lay_over(runs, {}));
    CHECK(read_file(folder / "a.csv") == overlay_csv(lay_over(runs, {})));
    const FieldStack picture = read_any_field(folder / "a.PNG");
    CHECK(picture.width > 1000);
    CHECK(picture.height > picture.width);
    if (std::system("pdftotext -v >/dev/null 2>&1") != 0) return skip("pdftotext is not installed");
    REQUIRE(std::system(("pdftotext " + (folder / "a.pdf").string() + " " + (folder / "a.txt").string()).c_str()) == 0);
    const std::string words = read_file(folder / "a.txt");
    for (const char* word : {"flow", "drag", "speed", "a=1", "a=2", "0.5"}) CHECK(has(words, word));
}

TEST_CASE("overlay: the legend fills rows before it begins another, and names envelopes") {
    Curve measured = line("L", "", {0, 1, 0}), expected = measured;
    measured.band_low = expected.band_low = {0, 0, 0}, measured.band_high = expected.band_high = {1, 1, 1};
    expected.is_expectation = true;
    const std::vector<DrawnCurve> curves{{&measured, "translation", {}}, {&expected, "random points", {}}};
    const auto drawing = svg_drawing(600, 300, "plot");
    const Ink ink{*drawing, palette(true), 10};
    CHECK(curve_legend_height(ink, curves, 200) == doctest::Approx(2 * curve_legend_height(ink, curves, 500)));
    draw_curves(ink, {0, 0, 500, 300}, curves, {});
    const std::string svg = drawing->finish();
    CHECK(has(svg, "translation, pointwise envelope"));
    CHECK(has(svg, "random points, global envelope"));
}

TEST_CASE("overlay: the value of every curve at the cursor is described") {
    const Curve now = line("flow", "", {0, 1, 0}), kept = line("flow", "", {0, 0.5, 0});
    const std::vector<DrawnCurve> drawn{{&now, "now", {}}, {&kept, "kept", {}}};
    const Axis axis{-0.5, 0.5, false, false};
    CHECK(describe_curves(drawn, axis, 0.35) == "speed over x\nnow: 1 at −0.16667\nkept: 0.5 at −0.16667");
    CHECK(describe_curves({}, axis, 0).empty());
    // On a logarithmic axis 3.5 is nearer to 10 than to 1; a point at 0 has no place.
    Curve sizes = line("sizes", "", {4, 1, 0.5});
    sizes.x = {0, 1, 10};
    sizes.errors = {NAN, NAN, 0.25};
    const Axis decades{1, 100, true, false};
    CHECK(describe_curves({{&sizes, "", {}}}, decades, decades.place(3.5)) == "speed over x\nsizes: 0.5 ± 0.25 at 10");
    CHECK(describe_curves({{&sizes, "", {}}}, decades, 0) == "speed over x\nsizes: 1 at 1");
}

TEST_CASE("overlay: an axis is logarithmic only if a value is above zero") {
    const Curve now = line("", "", {0, 1, 2}), apart = line("", "", {0, 1, 0}), flat = line("", "", {0, -1});
    const auto axes = [](const Curve& curve) {
        const LogarithmicAxes found = drawable_axes({{&curve, "", {}}}, {true, true});
        return std::pair{found.x, found.y};
    };
    CHECK(axes(now) == std::pair{true, true});
    CHECK(axes(apart) == std::pair{true, false});  // x from -0.5: no point is above zero in both
    CHECK(axes(flat) == std::pair{false, false});
    CHECK_FALSE(drawable_axes({{&now, "", {}}}, {}).x);
}

TEST_CASE("overlay: a power law is a straight line on logarithmic axes, whose names count the points they leave out") {
    PlottedCurve law = line("sizes", "", {9, 1, 0.01, 1e-4, -1});
    law.low = law.high = 0;
    law.x = {0, 1, 10, 100, 1000};
    law.logarithmic = {true, true};
    const std::string svg = svg_of({{"", {law}, {}}});
    CHECK(has(svg, ">x (logarithmic; 1 point at or below 0 left out)<"));
    CHECK(has(svg, ">speed (logarithmic; 1 point at or below 0 left out)<"));
    for (const char* tick : {">1<", ">10<", ">100<", ">1,000<"}) CHECK(has(svg, tick));
    const size_t at = svg.find("points=\"", svg.find("<polyline"));
    REQUIRE(at != svg.npos);
    std::istringstream numbers(svg.substr(at + 8));
    double x[3], y[3];
    char comma;
    for (int i = 0; i < 3; ++i) numbers >> x[i] >> comma >> y[i];
    REQUIRE(numbers);
    CHECK(x[1] - x[0] == doctest::Approx(x[2] - x[1]).epsilon(0.001));
    CHECK(y[1] - y[0] == doctest::Approx(y[2] - y[1]).epsilon(0.001));
    CHECK(x[1] > x[0]);
    law.logarithmic = {};
    CHECK_FALSE(has(svg_of({{"", {law}, {}}}), "logarithmic"));
}

TEST_CASE("overlay: standard errors are bars, also where they reach below zero on a logarithmic axis") {
    PlottedCurve rate = line("rate", "", {1, 2, 3});
    rate.errors = {1.5, NAN, 1.5};
    for (const bool logarithmic : {false, true}) {
        rate.logarithmic.y = logarithmic;
        const std::string svg = svg_of({{"", {rate}, {}}});
        CHECK_FALSE(has(svg, "nan"));
        CHECK_FALSE(has(svg, "inf"));
        const size_t curve = svg.find("<polyline");
        REQUIRE(curve != svg.npos);
        const std::string own = svg.substr(svg.rfind("<g", curve), curve - svg.rfind("<g", curve));
        CHECK(count_of(own, "<line") == 2);  // ticks are lines, too
    }
    CHECK(overlay_csv(lay_over({{"", {rate}, {}}}, {})).starts_with("curve,run,label,x,y,error\nrate,,,-0.5,1,1.5\n"));
}

TEST_CASE("command line: a sweep lays the flow profiles of several concentrations over each other") {
    const TemporaryFolder folder;
    const std::string svg = folder / "profiles.svg", csv = folder / "profiles.csv", pdf = folder / "profiles.pdf",
                      json = folder / "sweep.json";
    const Outcome shown = run_program(
        sweep_of({"--sweep", "packing=0.5,0.8", "--plot", svg, "--plot", csv, "--plot", pdf, "--json", json}));
    INFO(shown.err);
    REQUIRE(shown.status == 0);
    CHECK(folder.names() == std::vector<std::string>{"profiles.csv", "profiles.pdf", "profiles.svg", "sweep.json"});
    const Json sweep = Json::parse(read_file(json));
    CHECK(sweep["sweep"] == Json{{"parameter", "packing"}, {"values", {"0.5", "0.8"}}});
    REQUIRE(sweep["runs"].size() == 2);
    double before = 0;
    for (const Json& run : sweep["runs"]) {
        CHECK(run["lab"] == "events");
        const double phi = run["results"]["concentration φ"];
        CHECK(phi > before);
        before = phi;
        REQUIRE(run["curves"].size() == 1);
        const Json& curve = run["curves"][0];
        CHECK(curve["name"] == "flow across the channel");
        CHECK(curve["x"].size() > 30);
        const std::string label = curve["label"];
        CHECK(has(read_file(svg), label + " (packing="));
        CHECK(has(read_file(csv), "," + label + ","));
    }
    // One run of the sweep is the run on its own.
    CHECK(program_json(sweep_of({"--set", "packing=0.8", "--quiet"}))["state_hash"] == sweep["runs"][1]["state_hash"]);
}

TEST_CASE("command line: distributions and counters of any lab can be laid over each other") {
    const TemporaryFolder folder;
    const std::string csv = folder / "angles.csv";
    const Outcome shown =
        run_program({"run", "flip", "--points", "uniform:200", "--device", "cpu", "--sweep", "start=insertion,sweep",
                     "--plot", csv, "--curve", "minimum angles", "--curve", "granted", "--quiet"});
    INFO(shown.err);
    CHECK(shown.status == 0);
    CHECK(shown.out.empty());
    const std::string table = read_file(csv);
    for (const char* part : {"minimum angles,start=insertion,", "minimum angles,start=sweep,", "granted,start=sweep,"})
        CHECK(has(table, part));
}

TEST_CASE("command line: a sweep over the shear rate gives a flow curve with its fit, as a plot, in JSON and as CSV") {
    const TemporaryFolder folder;
    const std::string svg = folder / "flow.svg", csv = folder / "flow.csv", json = folder / "sweep.json";
    const Outcome shown = run_program(sweep_of({"--set",   "width=64",
                                                "--set",   "height=64",
                                                "--set",   "count=6",
                                                "--set",   "drive=rate",
                                                "--set",   "interval=500",
                                                "--set",   "warmup=1000",
                                                "--sweep", "shear_rate=1e-4,2e-4,4e-4,8e-4",
                                                "--plot",  svg,
                                                "--plot",  csv,
                                                "--curve", "flow curve",
                                                "--json",  json,
                                                "--quiet"}));
    INFO(shown.err);
    REQUIRE(shown.status == 0);
    const Json sweep = Json::parse(read_file(json));
    const Json &flow = sweep["flow_curve"], &fit = flow["fit"];
    REQUIRE(flow["points"].size() == 4);
    for (size_t i = 0; i < 4; ++i) {
        const Json &point = flow["points"][i], &results = sweep["runs"][i]["results"];
        CHECK(point["run"] == "shear_rate=" + sweep["sweep"]["values"][i].get<std::string>());
        CHECK(point["shear_rate"] == results["shear rate"]);
        CHECK(point["shear_stress"] == results["shear stress"]);
        CHECK(point["shear_stress_error"] == results["shear stress error"]);
    }
    REQUIRE(fit.is_object());
    CHECK(fit["points"] == 4);
    double squares = 0;
    for (const Json& point : flow["points"]) {
        const double law = fit["yield_stress"].get<double>() +
                           fit["consistency"].get<double>() *
                               std::pow(point["shear_rate"].get<double>(), fit["exponent"].get<double>());
        squares += std::pow(point["shear_stress"].get<double>() - law, 2) / 4;
    }
    CHECK(fit["residual"].get<double>() == doctest::Approx(std::sqrt(squares)).epsilon(1e-6));
    CHECK(has(read_file(svg), "shear rate (per step)"));
    CHECK(has(read_file(svg), "K γ̇ⁿ"));
    const std::string table = read_file(csv);
    CHECK(has(table, "curve,run,label,x,y,error\nflow curve,,runs,"));
    CHECK(has(table, "K γ̇ⁿ"));
    CHECK_FALSE(has(table, "flow across"));
    // An emulsion at rest has no flow curve, nor has one run.
    CHECK_FALSE(
        program_json(sweep_of({"--set", "drive=none", "--sweep", "seed=1,2", "--quiet"})).contains("flow_curve"));
    CHECK_FALSE(program_json(sweep_of({"--sweep", "seed=1", "--quiet"})).contains("flow_curve"));
}

TEST_CASE("command line: errors in a sweep or a plot are reported before any run, or with the value") {
    const TemporaryFolder folder;
    const std::string svg = folder / "a.svg";
    check_refused(sweep_of({"--sweep", "packing=0.5,"}), "expected name=value,value");
    check_refused(sweep_of({"--sweep", "packing=0.5,7"}), "0.1 … 1.2");
    check_refused(sweep_of({"--sweep", "packing=0.5", "--set", "packing=0.6"}), "leave one of them out");
    check_refused(sweep_of({"--sweep", "packing=0.5", "--picture", folder / "a.png"}), "of one run");
    check_refused(sweep_of({"--plot", folder / "a.jpg"}), ".svg, .pdf, .png or .csv");
    check_refused(sweep_of({"--curve", "flow across the channel"}), "no --plot is given");
    check_refused(sweep_of({"--plot", svg, "--curve", "nothing", "--quiet"}), "there is no \"nothing\"");
    check_refused({"run", "events", "--device", "cpu", "--set", "source=channel", "--set", "width=96", "--set",
                   "height=64", "--sweep", "count=10,5000", "--plot", svg, "--quiet"},
                  "--sweep, at count=5000: 5000 droplets");
    CHECK(folder.names().empty());
}
