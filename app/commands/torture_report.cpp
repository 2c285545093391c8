// Reports of `flipscope torture`: an HTML page, JSON, and JUnit's XML.
#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <set>

#include "app/base/number_text.h"
#include "app/base/xml_text.h"
#include "app/commands/torture.h"
#include "app/judging/saved_failure.h"
#include "app/view/drawing.h"
#include "compute/printable.h"
#include "geometry/bounds.h"
#include "geometry/exact_values.h"
#include "geometry/places.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

/// Maps points of the plane (y up) to a drawing (y down).
class DrawingFrame {
  public:
    explicit DrawingFrame(const std::vector<Point>& points) {
        const auto [low, high] = bounds_of(points);
        // Each axis by itself where the points are almost on a line, or nothing could be seen.
        const double wide = high.x - low.x, tall = high.y - low.y;
        scale_x_ = wide > 0 ? (kWidth - 2 * kMargin) / wide : 1;
        scale_y_ = tall > 0 ? (kHeight - 2 * kMargin) / tall : 1;
        const double ratio = wide > 0 && tall > 0 ? std::max(wide, tall) / std::min(wide, tall) : 1;
        stretched_ = ratio > 12;
        if (!stretched_) scale_x_ = scale_y_ = std::min(wide > 0 ? scale_x_ : scale_y_, tall > 0 ? scale_y_ : scale_x_);
        middle_ = {low.x + wide / 2, low.y + tall / 2};
    }
    bool stretched() const { return stretched_; }
    Point at(Point p) const {
        return {kWidth / 2 + (p.x - middle_.x) * scale_x_, kHeight / 2 - (p.y - middle_.y) * scale_y_};
    }

    static constexpr double kWidth = 315, kHeight = 225, kMargin = 18;

  private:
    Point middle_;
    double scale_x_ = 1, scale_y_ = 1;
    bool stretched_ = false;
};

constexpr const char* kStyle = R"(
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; color: #1d2733; background: #fff }
  h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
  table { border-collapse: collapse } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top }
  td.number, th.number { text-align: right; font-variant-numeric: tabular-nums }
  tr.failed td { color: #a2231d } code, pre { font: 13px/1.4 ui-monospace, monospace }
  pre { background: #f3f5f7; padding: .6rem .8rem; overflow-x: auto }
  .case { border-top: 1px solid #d5dae0; padding: 1rem 0; display: flex; gap: 1.5rem; flex-wrap: wrap }
  .case > div { flex: 1 1 24rem; min-width: 0 } svg { background: #f8f9fb; border: 1px solid #d5dae0 }
  .quiet { color: #5d6b7a }
  @media print { pre { white-space: pre-wrap } }
)";

/// "Seed 1, sizes 10 and 1,000, 1,000 small sets; …"
std::string options_text(const TortureOptions& options) {
    std::vector<std::string> sizes;
    for (const uint64_t size : options.sizes) sizes.push_back(number_text(size));
    const std::string sets =
        !options.input.empty()
            ? "the saved failures in " + options.input.string()
            : "seed " + std::to_string(options.seed) + ", generators with " + join_words(sizes, " and ") + " points, " +
                  number_text(options.small_sets) + " small sets" +
                  (options.only.empty() ? "" : ", of these only " + join_words(options.only, ", "));
    return "flipscope " FLIPSCOPE_VERSION "; " + sets +
           (options.kinds.integers ? "; coordinates are whole numbers" : "") +
           (options.kinds.floats ? "; coordinates are rounded to single precision" : "") +
           (options.kinds.distinct ? "; points are distinct" : "") + "; answers must be " +
           word_of(options.program.required) + "; each run has " + format_plainly(options.program.limits.seconds) +
           " s and " + number_text(options.program.limits.memory_bytes >> 20) + " MiB.";
}

std::string points_text(const std::vector<Point>& points) {
    std::string text;
    for (size_t i = 0; i < points.size(); ++i)
        text += format_exactly(points[i].x) + " " + format_exactly(points[i].y) + "  # " + std::to_string(i) + ": " +
                hex_text(points[i].x) + " " + hex_text(points[i].y) + "\n";
    return text;
}

}  // namespace

std::string svg_of(const Geometry& answer, const Judgement& judgement) {
    const DrawingFrame frame(answer.points);
    const Palette& colors = palette(true);
    const size_t n = answer.points.size();
    const auto drawing = svg_drawing(frame.kWidth, frame.kHeight, "The points and the triangles over them");
    const auto line = [&](uint32_t a, uint32_t b) {
        if (a < n && b < n) drawing->line(frame.at(answer.points[a]), frame.at(answer.points[b]));
    };
    const auto outline = [&](const std::array<uint32_t, 3>& c) {
        for (int k = 0; k < 3; ++k) line(c[k], c[(k + 1) % 3]);
    };
    drawing->begin_layer("answer", "Answer", {});
    drawing->begin_group("not covered", {colors.warning.alpha(0.3f), {}});
    for (const Hole& hole : judgement.holes) {
        std::vector<Point> corners;
        for (const Point& p : hole.outline) corners.push_back(frame.at(p));
        drawing->polygon(corners);
    }
    drawing->end_group();
    drawing->begin_group("edges", {{}, colors.quiet_text, 0.9});
    for (const auto& c : answer.triangles) outline(c);
    drawing->end_group();
    drawing->begin_group("missing edges", {{}, colors.accent, 1.2, false, false, 3.5});
    for (const VertexPair& edge : judgement.differences.missed) line(edge[0], edge[1]);
    drawing->end_group();
    std::set<int64_t> bad_points;
    drawing->begin_group("at fault", {colors.error, colors.error, 1.7});
    for (const CheckFailure& failure : judgement.report.failures) {
        const bool of_triangle = !failure.elements.empty() && failure.elements[0].kind == ElementKind::kTriangle;
        if (of_triangle && failure.elements[0].id < answer.triangles.size()) {
            outline(answer.triangles[failure.elements[0].id]);
        } else if (!failure.elements.empty() && failure.elements[0].kind == ElementKind::kEdge) {
            const VertexPair edge = judgement.edges.at(failure.elements[0].id);
            line(edge[0], edge[1]);
        } else if (failure.code == "unused-point" || failure.code == "shared-place") {
            bad_points.insert(failure.vertices.begin(), failure.vertices.end());
        }
    }
    drawing->end_group();
    for (size_t v = 0; v < n; ++v) {
        const Point at = frame.at(answer.points[v]);
        const bool bad = bad_points.count(static_cast<int64_t>(v)) > 0;
        drawing->begin_group({}, {bad ? colors.error : colors.text, {}});
        drawing->disc(at, bad ? 3.8 : 2.4);
        drawing->end_group();
        if (n <= 24) drawing->text({at.x + 4.5, at.y - 3.8}, 8.5, 0, colors.text, std::to_string(v));
    }
    if (frame.stretched()) drawing->text({4.5, frame.kHeight - 4.5}, 7.5, 0, colors.quiet_text, "axes are stretched");
    drawing->end_layer();
    return drawing->finish();
}

std::string html_of(const TortureReport& report) {
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" +
                       escape_xml(report.headline()) + "</title>\n<style>" + kStyle +
                       "</style>\n</head>\n<body>\n<h1>" + escape_xml(report.headline()) + "</h1>\n<p><code>" +
                       escape_xml(report.options.program.command) + "</code>, in " +
                       format_plainly(report.elapsed_s, 0.1) +
                       " s. Every answer was judged with exact arithmetic; edges of cocircular points may fall either "
                       "way.</p>\n<p class=\"quiet\">" +
                       escape_xml(options_text(report.options)) + "</p>\n";
    struct Row {
        uint64_t sets = 0, failed = 0;
        std::map<std::string, uint64_t> how;
        bool small = false;
    };
    std::map<std::string, Row> rows;
    std::vector<std::string> order;
    for (const TortureCase& one : report.cases) {
        const auto [found, fresh] = rows.try_emplace(one.family);
        if (fresh) order.push_back(one.family);
        Row& row = found->second;
        ++row.sets;
        row.small = one.small;
        if (!one.fails) continue;
        ++row.failed;
        for (const std::string& code : one.codes) ++row.how[code];
        if (one.codes.empty()) ++row.how[one.kind];
    }
    html +=
        "<h2>What was tried</h2>\n<table>\n<tr><th>points</th><th class=\"number\">sets</th><th "
        "class=\"number\">failed</th><th>how</th></tr>\n";
    for (const std::string& family : order) {
        const Row& row = rows[family];
        std::string how;
        for (const auto& [code, sets] : row.how)
            how += (how.empty() ? "" : ", ") + code + " (" + number_text(sets) + ")";
        html += std::string("<tr") + (row.failed ? " class=\"failed\"" : "") + "><td>" + escape_xml(family) +
                "</td><td class=\"number\">" + number_text(row.sets) + "</td><td class=\"number\">" +
                number_text(row.failed) + "</td><td>" + escape_xml(how) + "</td></tr>\n";
    }
    html += "</table>\n";
    if (!report.shrunk.empty())
        html +=
            "<h2>Failures, shrunk</h2>\n<p class=\"quiet\">At least one of each way to fail. Red: at fault. Blue, "
            "dashed: edges of the exact triangulation that are missing. Ochre: not covered.</p>\n";
    for (const ShrunkFailure& one : report.shrunk) {
        const TortureCase& of = report.cases[one.of];
        html += "<div class=\"case\">\n<div>" + one.picture + "</div>\n<div><p><b>" + escape_xml(one.way) + "</b>, " +
                number_text(one.points.size()) + " of the " + counted(of.points, "point") + " of " +
                escape_xml(of.name) + ": " + escape_xml(printable(one.sentence)) + "</p>\n";
        if (one.points.size() <= 40) html += "<pre>" + escape_xml(points_text(one.points)) + "</pre>\n";
        html += "</div>\n</div>\n";
    }
    html += report.timed_out() > 0 ? "<h2>All failures, and runs without an answer in time</h2>\n"
                                   : "<h2>All failures</h2>\n";
    const uint64_t failed = report.failed() + report.timed_out();
    if (failed == 0) html += "<p>None.</p>\n";
    if (failed > 0)
        html += "<table>\n<tr><th>set</th><th class=\"number\">points</th><th>end</th><th>what is wrong</th></tr>\n";
    uint64_t listed = 0;
    for (const TortureCase& one : report.cases) {
        if ((!one.fails && !one.timed_out) || ++listed > 500) continue;
        html += "<tr><td>" + escape_xml(one.name) + "</td><td class=\"number\">" + number_text(one.points) +
                "</td><td>" + one.kind + "</td><td>" + escape_xml(printable(one.sentence)) + "</td></tr>\n";
    }
    if (failed > 0) html += "</table>\n";
    if (failed > 500) html += "<p>… and " + number_text(failed - 500) + " more.</p>\n";
    return html + "</body>\n</html>\n";
}

std::string json_of(const TortureReport& report) {
    Json cases = Json::array();
    for (const TortureCase& one : report.cases) {
        Json json{{"name", one.name},   {"family", one.family},       {"points", one.points},
                  {"fails", one.fails}, {"timed_out", one.timed_out}, {"end", one.kind},
                  {"codes", one.codes}, {"sentence", one.sentence},   {"elapsed_s", one.elapsed_s}};
        cases.push_back(std::move(json));
    }
    Json shrunk = Json::array();
    for (const ShrunkFailure& one : report.shrunk) {
        shrunk.push_back({{"way", one.way},
                          {"of", report.cases[one.of].name},
                          {"points", hex_points(one.points)},
                          {"triangles", one.triangles},
                          {"codes", one.codes},
                          {"sentence", one.sentence}});
    }
    const TortureOptions& options = report.options;
    Json json{{"command", report.options.program.command},
              {"version", FLIPSCOPE_VERSION},
              {"seed", options.seed},
              {"sizes", options.sizes},
              {"small", options.small_sets},
              {"only", options.only},
              {"distinct", options.kinds.distinct},
              {"floats", options.kinds.floats},
              {"integers", options.kinds.integers},
              {"require", word_of(options.program.required)},
              {"time_limit_s", options.program.limits.seconds},
              {"memory_limit_bytes", options.program.limits.memory_bytes},
              {"headline", report.headline()},
              {"sets", report.cases.size()},
              {"failed", report.failed()},
              {"timed_out", report.timed_out()},
              {"smallest", report.smallest()},
              {"elapsed_s", report.elapsed_s},
              {"cases", cases},
              {"shrunk", shrunk}};
    if (!options.input.empty()) {  // no generators and no small sets
        json["input"] = options.input.string();
        for (const char* of_sets : {"seed", "sizes", "small", "only"}) json.erase(of_sets);
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string junit_of(const TortureReport& report) {
    std::string tests;
    for (size_t i = 0; i < report.cases.size(); ++i) {
        const TortureCase& one = report.cases[i];
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.3f", one.elapsed_s);
        tests += "    <testcase classname=\"" + escape_xml(one.family) + "\" name=\"" + escape_xml(one.name) +
                 "\" time=\"" + seconds + "\"";
        if (one.timed_out) {  // neither right nor wrong
            tests += ">\n      <error type=\"timed out\" message=\"" + escape_xml(printable(one.sentence)) +
                     "\"/>\n    </testcase>\n";
            continue;
        }
        if (!one.fails) {
            tests += "/>\n";
            continue;
        }
        std::string details = one.sentence;
        for (const ShrunkFailure& shrunk : report.shrunk)
            if (shrunk.of == i)
                details += "\n" + shrunk.way + ", " + report.enough(shrunk) + ": " + shrunk.sentence + "\n" +
                           points_text(shrunk.points);
        tests += ">\n      <failure type=\"" + escape_xml(one.codes.empty() ? one.kind : join_words(one.codes, ", ")) +
                 "\" message=\"" + escape_xml(printable(one.sentence)) + "\">" + escape_xml(details) +
                 "</failure>\n    </testcase>\n";
    }
    const std::string counts = " tests=\"" + std::to_string(report.cases.size()) + "\" failures=\"" +
                               std::to_string(report.failed()) + "\" errors=\"" + std::to_string(report.timed_out()) +
                               "\"";
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"flipscope torture\"" + counts +
           ">\n  <testsuite name=\"" + escape_xml(report.options.program.command) + "\"" + counts +
           " skipped=\"0\">\n" + tests + "  </testsuite>\n</testsuites>\n";
}

}  // namespace flipscope::app
