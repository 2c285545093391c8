#include "app/judging/judged_case.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/number_text.h"
#include "app/base/xml_text.h"
#include "app/run/failures.h"
#include "compute/printable.h"

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;

const char* word_of(bool truth) { return truth ? "yes" : "NO"; }

constexpr size_t kMostOfAKind = 1000;  // listed in JSON and SARIF; counts include all

Json pairs_json(const std::vector<VertexPair>& pairs) {
    Json list = Json::array();
    for (size_t i = 0; i < std::min(pairs.size(), kMostOfAKind); ++i) list.push_back(pairs[i]);
    return list;
}

/// The first ones of each kind.
FailureList shortened(const FailureList& report) {
    FailureList first = report;
    first.failures.clear();
    std::map<std::string, size_t> listed;
    for (const CheckFailure& failure : report.failures)
        if (++listed[failure.code] <= kMostOfAKind) first.failures.push_back(failure);
    return first;
}

/// The triangles among the elements, and each point once.
std::vector<uint32_t> triangles_of(const CheckFailure& failure) {
    std::vector<uint32_t> ids;
    for (const Element& element : failure.elements)
        if (element.kind == ElementKind::kTriangle) ids.push_back(element.id);
    return ids;
}
std::vector<int64_t> points_of(const CheckFailure& failure) {
    std::vector<int64_t> ids;
    for (const int64_t id : failure.vertices)
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    return ids;
}

Json elements_json(const CheckFailure& failure) {
    Json list = Json::array();
    for (const Element& element : failure.elements)
        list.push_back({{"kind", app::word_of(element.kind)}, {"id", element.id}});
    return list;
}

/// The row to report a failure at: of its triangle, of the first triangle at its edge, or of its vertex; without such a
/// row, of the first point that it names.
Json physical_location(const JudgedCase& judged, const CheckFailure& failure) {
    const auto in = [](const std::string& file, uint32_t line) {
        Json place{{"artifactLocation", {{"uri", file}}}};
        if (line > 0) place["region"] = {{"startLine", line}};
        return place;
    };
    const auto line_of = [](const std::vector<uint32_t>& lines, int64_t id) {
        return id >= 0 && static_cast<size_t>(id) < lines.size() ? lines[static_cast<size_t>(id)] : 0;
    };
    const std::vector<uint32_t> triangles = triangles_of(failure);
    if (!triangles.empty() && line_of(judged.lines, triangles[0]) > 0)
        return in(judged.file, line_of(judged.lines, triangles[0]));
    if (const auto edge = edge_of(failure)) {
        const auto at = judged.triangle_at.find(*edge);
        if (at != judged.triangle_at.end() && line_of(judged.lines, at->second) > 0)
            return in(judged.file, line_of(judged.lines, at->second));
    }
    for (const int64_t point : failure.vertices)
        if (const uint32_t line = line_of(judged.point_lines, point)) return in(judged.points_file, line);
    return in(judged.file, 0);
}

Json defects_json(const JudgedCase& judged, const FailureList& report) {
    Json list = Json::array();
    size_t hole = 0;
    for (const CheckFailure& failure : report.failures) {
        Point3 middle;
        const bool placed = middle_of(failure, middle);
        Json place = placed ? Json({middle.x, middle.y}) : Json();
        if (placed && judged.surface) place.push_back(middle.z);
        Json one{{"code", failure.code},
                 {"points", points_of(failure)},
                 {"triangles", triangles_of(failure)},
                 {"elements", elements_json(failure)},
                 {"place", place},
                 {"amount", std::isfinite(failure.value) ? Json(failure.value) : Json()},
                 {"sentence", failure.sentence}};
        if (failure.code == "missing-area" && hole < judged.judgement.holes.size()) {
            Json outline = Json::array();
            for (const Point& p : judged.judgement.holes[hole].outline) outline.push_back({p.x, p.y});
            one["outline"] = std::move(outline);
            ++hole;
        }
        list.push_back(std::move(one));
    }
    return list;
}

Json signs_json(const NaiveSigns& signs) {
    return {{"wrong_turns", signs.wrong_turns},
            {"wrong_circles", signs.wrong_circles},
            {"wrong_ties", signs.wrong_ties},
            {"turns", signs.turns},
            {"circles", signs.circles}};
}

Json points_json(const PointsJudgement& found) {
    Json json{{"points", found.points},
              {"duplicates", found.duplicates},
              {"duplicate_points", found.duplicate_pairs},
              {"in_one_line", found.in_one_line},
              {"collinear_runs", found.runs},
              {"longest_runs", found.lines},
              {"hull_points_on_lines", found.hull_points_on_lines},
              {"cocircular_sets", found.circles},
              {"largest_sets", found.cocircular},
              {"triangles", found.triangles},
              {"edges", found.edges},
              {"hull_edges", found.hull_edges},
              {"precision",
               {{"unit_exponent", found.unit},
                {"coordinate_bits", found.coordinate_bits},
                {"turn_bits", found.turn_bits},
                {"circle_bits", found.circle_bits},
                {"turns_decided_in_double", found.filtered_turns},
                {"circles_decided_in_double", found.filtered_circles}}}};
    for (size_t k = 0; k < std::size(kNaivePredicates); ++k)
        json[name_of(kNaivePredicates[k])] = signs_json(found.naive[k]);
    return json;
}

std::string ids_text(const auto& ids, size_t most = 12) {
    std::string text;
    for (size_t i = 0; i < std::min<size_t>(ids.size(), most); ++i) text += (i ? ", " : "") + std::to_string(ids[i]);
    return ids.size() > most ? text + ", …" : text;
}

std::string points_text(const JudgedCase& judged) {
    const PointsJudgement& found = judged.of_input;
    std::string text = printable(judged.name) + ": " + counted(found.points, "point") +
                       "; the exact Delaunay triangulation has " + counted(found.triangles, "triangle") + " and " +
                       counted(found.hull_edges, "edge") + " on the hull\n";
    const auto line = [&](const std::string& what) { text += "  " + what + "\n"; };
    if (found.in_one_line) line("all points lie on one line, or at one place: there is nothing to triangulate");
    if (found.duplicates == 0) {
        line("duplicates: none");
    } else {
        line("duplicates: " + counted(found.duplicates, "point lies", "points lie") +
             " at the place of an earlier one");
        for (size_t i = 0; i < std::min<size_t>(found.duplicate_pairs.size(), 3); ++i)
            line("  point " + std::to_string(found.duplicate_pairs[i][0]) + " where point " +
                 std::to_string(found.duplicate_pairs[i][1]) + " is");
    }
    line("collinear: " + (found.runs == 0
                              ? std::string("no three neighbours on a line")
                              : counted(found.runs, "run") + " of three points or more on a line, the longest of " +
                                    std::to_string(found.lines[0].size()) + ": " + ids_text(found.lines[0])));
    if (found.hull_points_on_lines > 0)
        line("on the hull: " + counted(found.hull_points_on_lines, "point lies", "points lie") + " between two others");
    line("cocircular: " +
         (found.circles == 0
              ? std::string("no four neighbours on a circle")
              : counted(found.circles, "set") + " of four points or more on one empty circle, the largest of " +
                    std::to_string(found.cocircular[0].size()) + ": " + ids_text(found.cocircular[0])));
    line("precision: coordinates are whole numbers of at most " + counted(uint64_t(found.coordinate_bits), "bit") +
         " in units of 2^" + std::to_string(found.unit) + "; exact turns need up to " +
         counted(uint64_t(found.turn_bits), "bit") + ", exact in-circle tests up to " +
         std::to_string(found.circle_bits));
    if (found.triangles > 0) {
        const uint64_t inner = found.edges - found.hull_edges;
        line("a filter in doubles decides " + number_text(double(found.filtered_turns)) + " of " +
             counted(found.triangles, "turn") + " and " + number_text(double(found.filtered_circles)) + " of " +
             counted(inner, "in-circle test"));
        for (size_t k = 0; k < std::size(kNaivePredicates); ++k) {
            const NaiveSigns& signs = found.naive[k];
            std::string what = std::string(name_of(kNaivePredicates[k])) + " gets ";
            if (signs.wrong_turns + signs.wrong_circles + signs.wrong_ties == 0)
                what += "every sign right";
            else
                what += "wrong: " + counted(signs.wrong_turns, "turn") + ", " +
                        counted(signs.wrong_circles, "in-circle test") + ", and " + counted(signs.wrong_ties, "tie") +
                        " that it does not see as such";
            line(what);
            if (!signs.turns.empty()) line("  first wrong turn: points " + ids_text(signs.turns[0]));
            if (!signs.circles.empty()) line("  first wrong in-circle test: points " + ids_text(signs.circles[0]));
        }
    }
    return text;
}

}  // namespace

const char* word_of(Requirement required) {
    static constexpr const char* kWords[] = {"triangulation", "complete", "delaunay"};
    return kWords[static_cast<size_t>(required)];
}

std::optional<VertexPair> edge_of(const CheckFailure& failure) {
    if (failure.elements.empty() || failure.elements[0].kind != ElementKind::kEdge || failure.vertices.size() < 2)
        return std::nullopt;
    const auto [lesser, greater] = std::minmax(failure.vertices[0], failure.vertices[1]);
    return VertexPair{static_cast<uint32_t>(lesser), static_cast<uint32_t>(greater)};
}

bool satisfies(const Judgement& judgement, Requirement required) {
    return judgement.triangulation && (required < Requirement::kComplete || judgement.complete) &&
           (required < Requirement::kDelaunay || judgement.delaunay);
}

bool JudgedCase::passed(Requirement required) const {
    if (!unreadable.empty()) return false;
    if (of_points) return true;
    if (surface) return judgement.report.passed;
    return satisfies(judgement, required);
}

Json json_of(const JudgedCase& judged, Requirement required) {
    const FailureList report = shortened(judged.judgement.report);
    Json json{{"input", judged.name}, {"notes", judged.notes}};
    if (!judged.unreadable.empty()) {
        json["unreadable"] = judged.unreadable;
        return json;
    }
    json["surface"] = judged.surface;
    json["points"] = judged.points;
    json["triangles"] = judged.triangles;
    if (judged.of_points) {
        json["judged_points"] = points_json(judged.of_input);
        return json;
    }
    json["passed"] = judged.passed(required);
    if (!judged.surface) {
        json["triangulation"] = judged.judgement.triangulation;
        json["complete"] = judged.judgement.complete;
        json["delaunay"] = judged.judgement.delaunay;
    }
    json["check"] = {{"passed", judged.passed(required)},
                     {"sentence", report.sentence},
                     {"counts", {{"failures", report.failure_count}, {"listed", report.failures.size()}}}};
    json["defect_counts"] = judged.judgement.counts;
    json["defects"] = defects_json(judged, report);
    if (!judged.surface) {
        const Differences& found = judged.judgement.differences;
        json["differences"] = {{"missed", pairs_json(found.missed)},
                               {"spurious", pairs_json(found.spurious)},
                               {"ties", pairs_json(found.ties)}};
        json["difference_counts"] = {
            {"missed", found.missed.size()}, {"spurious", found.spurious.size()}, {"ties", found.ties.size()}};
        json["exact"] = {{"triangles", judged.judgement.exact.size()},
                         {"edges", judged.judgement.exact_edges},
                         {"hull_edges", judged.judgement.exact_hull_edges},
                         {"duplicates", judged.judgement.duplicates}};
    }
    json["edges"] = judged.surface ? judged.judgement.edges.size() : judged.judgement.edge_count;
    json["failures"] = failures_json(report);
    return json;
}

std::string text_of(const JudgedCase& judged, Requirement required, size_t most) {
    if (!judged.unreadable.empty()) return "UNREADABLE: " + printable(judged.unreadable) + "\n";
    if (judged.of_points) return points_text(judged);
    const FailureList& report = judged.judgement.report;
    std::string text = (judged.passed(required) ? "passed: " : "FAILED: ") + printable(report.sentence) + "\n";
    if (!judged.surface)
        text += std::string("  triangulation: ") + word_of(judged.judgement.triangulation) +
                ", complete: " + word_of(judged.judgement.complete) +
                ", Delaunay: " + word_of(judged.judgement.delaunay) + "\n";
    for (const auto& [code, n] : judged.judgement.counts) text += "  " + std::to_string(n) + " × " + code + "\n";
    // Some of each kind: the commonest may have thousands.
    const size_t of_each = std::max<size_t>(1, most / std::max<size_t>(1, judged.judgement.counts.size()));
    std::map<std::string, size_t> listed;
    size_t shown = 0;
    for (const CheckFailure& failure : report.failures) {
        if (report.failures.size() > most && ++listed[failure.code] > of_each) continue;
        text += "  " + failure.code + ": " + printable(failure.sentence) + "\n";
        ++shown;
    }
    if (report.failure_count > shown)
        text += "  … and " + std::to_string(report.failure_count - shown) + " more (--json or --export has " +
                (shortened(report).failures.size() < report.failure_count ? "the first of each kind" : "them") + ")\n";
    return text;
}

std::string sarif_of(const std::vector<JudgedCase>& cases, const std::string& version) {
    Json rules = Json::array();
    std::map<std::string, size_t> index;
    for (const DefectCode& known : defect_codes()) {
        index[known.code] = rules.size();
        rules.push_back({{"id", known.code},
                         {"shortDescription", {{"text", known.sentence}}},
                         {"defaultConfiguration", {{"level", spoils(known.code) ? "error" : "note"}}}});
    }
    const auto add_rule = [&](const std::string& code) {
        const auto [found, fresh] = index.try_emplace(code, rules.size());
        if (fresh) rules.push_back({{"id", code}, {"shortDescription", {{"text", code}}}});
        return found->second;
    };
    Json results = Json::array();
    for (const JudgedCase& judged : cases) {
        if (!judged.unreadable.empty()) {
            const Json artifact{{"artifactLocation", {{"uri", judged.file}}}};
            results.push_back({{"ruleId", "unreadable"},
                               {"ruleIndex", add_rule("unreadable")},
                               {"level", "error"},
                               {"message", {{"text", judged.unreadable}}},
                               {"locations", {{{"physicalLocation", artifact}}}}});
            continue;
        }
        const FailureList report = shortened(judged.judgement.report);
        for (const CheckFailure& failure : report.failures) {
            Json places = Json::array();
            for (const Element& element : failure.elements)
                places.push_back({{"name", std::string(word_of(element.kind)) + " " + std::to_string(element.id)},
                                  {"kind", "element"}});
            Json location{{"physicalLocation", physical_location(judged, failure)}};
            if (!places.empty()) location["logicalLocations"] = places;
            Json properties{{"points", points_of(failure)}, {"triangles", triangles_of(failure)}};
            Point3 middle;
            if (middle_of(failure, middle)) properties["place"] = {middle.x, middle.y};
            if (std::isfinite(failure.value)) properties["amount"] = failure.value;
            results.push_back({{"ruleId", failure.code},
                               {"ruleIndex", add_rule(failure.code)},
                               {"level", spoils(failure.code) ? "error" : "note"},
                               {"message", {{"text", failure.sentence}}},
                               {"locations", Json::array({location})},
                               {"properties", properties}});
        }
    }
    const Json log{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs",
         Json::array({{{"tool", {{"driver", {{"name", "flipscope check"}, {"version", version}, {"rules", rules}}}}},
                       {"results", results}}})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string junit_of(const std::vector<JudgedCase>& cases, Requirement required) {
    struct Test {
        std::string name;
        bool passed;
        std::string type, message;
    };
    std::string suites;
    size_t all = 0, failed_of_all = 0;
    for (const JudgedCase& judged : cases) {
        std::vector<Test> tests;
        const std::string& sentence = judged.judgement.report.sentence;
        if (!judged.unreadable.empty()) {
            tests.push_back({"readable", false, "unreadable", judged.unreadable});
        } else if (judged.of_points) {
            tests.push_back({"points", true, "", ""});
        } else if (judged.surface) {
            tests.push_back({"surface", judged.judgement.report.passed, "surface", sentence});
        } else {
            tests.push_back({"triangulation", judged.judgement.triangulation, "triangulation", sentence});
            if (required >= Requirement::kComplete)
                tests.push_back({"complete", judged.judgement.complete, "complete", sentence});
            if (required >= Requirement::kDelaunay)
                tests.push_back({"delaunay", judged.judgement.delaunay, "delaunay", sentence});
        }
        const auto failed = static_cast<size_t>(std::ranges::count(tests, false, &Test::passed));
        all += tests.size();
        failed_of_all += failed;
        char seconds[32];
        std::snprintf(seconds, sizeof seconds, "%.3f", judged.elapsed_s);
        suites += "  <testsuite name=\"" + escape_xml(judged.name) + "\" tests=\"" + std::to_string(tests.size()) +
                  "\" failures=\"" + std::to_string(failed) + "\" errors=\"0\" skipped=\"0\" time=\"" + seconds +
                  "\">\n";
        for (const Test& test : tests) {
            suites += "    <testcase classname=\"" + escape_xml(judged.name) + "\" name=\"" + test.name + "\"";
            if (test.passed) {
                suites += "/>\n";
                continue;
            }
            std::string details = test.message;
            size_t listed = 0;
            for (const CheckFailure& failure : judged.judgement.report.failures)
                if (++listed <= 50) details += "\n" + failure.code + ": " + failure.sentence;
            suites += ">\n      <failure type=\"" + test.type + "\" message=\"" + escape_xml(test.message) + "\">" +
                      escape_xml(details) + "</failure>\n    </testcase>\n";
        }
        suites += "  </testsuite>\n";
    }
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"flipscope check\" tests=\"" +
           std::to_string(all) + "\" failures=\"" + std::to_string(failed_of_all) + "\">\n" + suites +
           "</testsuites>\n";
}

}  // namespace flipscope::app
