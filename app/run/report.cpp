#include "app/run/report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <map>
#include <set>

#include "app/base/number_text.h"
#include "app/run/detections.h"
#include "app/run/failures.h"
#include "app/run/report_json.h"
#include "app/run/swept_flow.h"
#include "app/run/table_files.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "lab/parameters.h"
#include "lab/unit_names.h"
#include "lab/vocabulary.h"

namespace flipscope::app {

namespace {

std::string format(const char* pattern, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(line, sizeof line, pattern, arguments);
    va_end(arguments);
    return line;
}

Json parameter_value(const ParameterDescription& parameter) {
    using Kind = ParameterDescription::Kind;
    if (parameter.kind == Kind::kToggle) return parameter.value == "on";
    if (parameter.kind == Kind::kChoice || parameter.value == parameter.word) return parameter.value;
    if (parameter.kind == Kind::kInteger) return std::stoi(parameter.value);
    if (parameter.kind == Kind::kNumber) return std::stod(parameter.value);
    const Point size = size_of_text(parameter.value).value();
    return size.x == size.y ? Json(size.x) : Json(parameter.value);
}

/// A number if the text is one, otherwise the text.
Json as_number(const std::string& text) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return text;
    int64_t whole = 0;
    const auto [last, no_whole] = std::from_chars(text.data(), text.data() + text.size(), whole);
    return no_whole == std::errc() && last == end ? Json(whole) : Json(value);
}

Json parameter_values(const std::vector<ParameterDescription>& parameters) {
    Json values = Json::object();
    for (const auto& parameter : parameters) values[parameter.name] = parameter_value(parameter);
    return values;
}

Json check_values(const CheckReport& check, const std::string& checked) {
    Json json{{"passed", check.checked ? Json(check.passed) : Json()},
              {"sentence", check.sentence},
              {"counts",
               {{"broken_references", check.broken_references},
                {"inverted_triangles", check.inverted_triangles},
                {"illegal_edges", check.illegal_edges},
                {"reflex_hull", check.reflex_hull},
                {"tied_edges", check.tied_edges},
                {"euler", check.euler},
                {"euler_characteristic", check.euler_characteristic},
                {"boundary_edges", check.boundary_edges},
                {"flat_triangles", check.flat_triangles},
                {"duplicate_edges", check.duplicate_edges},
                {"failures", check.failure_count},
                {"listed", check.failures.size()}}}};
    if (!checked.empty()) json["of"] = checked;
    return json;
}

Json pass_values(const StepResult& pass, const LabInfo& info, bool stepped) {
    Json counters = Json::object();
    for (size_t i = 0; i < pass.counters.size() && i < info.counters.size(); ++i)
        if (pass.counters[i] != kNotCounted) counters[info.counters[i].name] = pass.counters[i];
    Json measures = Json::object();
    for (size_t i = 0; i < pass.measures.size() && i < info.measures.size(); ++i)
        if (!std::isnan(pass.measures[i])) measures[info.measures[i].name] = pass.measures[i];
    std::string name = pass.round > 0 ? "round" : "start";  // passes before round 1 belong to no round
    if (stepped && pass.pass < info.passes.size()) name = info.passes[pass.pass].name;
    return {{"name", name},
            {"round", pass.round},
            {"iteration", pass.iteration},
            {"counters", counters},
            {"measures", measures}};
}

/// Neighbouring passes of a long run summed up, with their extremes so that no spike is lost.
Json bucket_values(const Bucket& bucket, const LabInfo& info) {
    Json counters = Json::object(), measures = Json::object();
    for (size_t i = 0; i < std::min(bucket.counters.size(), info.counters.size()); ++i)
        if (const auto& values = bucket.counters[i]; values.count > 0)
            counters[info.counters[i].name] = {
                {"least", values.low}, {"greatest", values.high}, {"sum", values.sum}, {"count", values.count}};
    for (size_t i = 0; i < std::min(bucket.measures.size(), info.measures.size()); ++i)
        if (const auto& values = bucket.measures[i]; values.count > 0)
            measures[info.measures[i].name] = {
                {"least", values.low}, {"greatest", values.high}, {"mean", values.mean()}, {"count", values.count}};
    return {{"first", bucket.begin + 1}, {"last", bucket.end()}, {"counters", counters}, {"measures", measures}};
}

Json adjustment_values(const std::vector<Adjustment>& adjusted) {
    Json list = Json::array();
    for (const Adjustment& one : adjusted) {
        Json values = Json::object();
        for (const auto& [name, value] : one.values) values[name] = as_number(value);
        list.push_back({{"round", one.round}, {"parameters", values}});
    }
    return list;
}

/// A place in the file is origin + (x, y) · unit of the lattice.
Json lattice_values(const Result::OnLattice& lattice) {
    const auto& [origin, unit] = lattice.units;
    return {{"width", lattice.width},
            {"height", lattice.height},
            {"borders", name_of_borders(lattice.periodic)},
            {"periodic", lattice.periodic.both()},  // along both axes
            {"origin", {origin.x, origin.y}},
            {"unit", {unit.x, unit.y}}};
}

constexpr size_t kKernelLines = 12;

std::string kernel_table(std::vector<LabelTiming> kernels) {
    if (kernels.empty()) return "";
    double sum = 0;
    for (const auto& kernel : kernels) sum += kernel.total_ms;
    std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.total_ms > b.total_ms; });
    std::string text = format("  %-24s %10s %12s %7s\n", "kernel", "calls", "ms", "share");
    for (size_t i = 0; i < kernels.size() && i < kKernelLines; ++i)
        text += format("  %-24s %10s %12.2f %6.1f%%\n", kernels[i].label.c_str(), with_commas(kernels[i].calls).c_str(),
                       kernels[i].total_ms, sum > 0 ? 100 * kernels[i].total_ms / sum : 0);
    if (kernels.size() > kKernelLines)
        text += format("  … and %zu more (--json has all)\n", kernels.size() - kKernelLines);
    return text;
}

}  // namespace

std::string hash_text(uint64_t hash) { return format("%016llx", static_cast<unsigned long long>(hash)); }

namespace {

std::string json_text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json history_values(const RunReport::Traced& traced, const LabInfo& info) {
    if (!traced.history) return {{"element", traced.query}, {"changes", nullptr}, {"why", traced.why}};
    const auto& [element, changes, from, to] = *traced.history;
    Json json{{"element", traced.query}};
    json.update(json_of(element));
    json.update({{"from", from}, {"to", to}, {"changes", Json::array()}});
    for (const ElementChange& change : changes)
        json["changes"].push_back({{"what", name_of(change.what)},
                                   {"position", change.position},
                                   {"pass", info.passes.at(change.pass).name},
                                   {"round", change.round}});
    return json;
}

/// Includes rounds before a resumption.
uint64_t rounds_of(const RunReport& report) {
    const uint64_t last = report.passes.empty() ? 0 : report.passes.back().round;
    return std::max(last, report.resumed ? report.resumed->rounds : 0);
}

/// Each measure's first and last value.
struct Measured {
    std::string name, unit;
    double first, last;
};
std::vector<Measured> measures_of(const RunReport& report, const LabInfo& info) {
    std::vector<Measured> found;
    for (size_t i = 0; i < info.measures.size(); ++i) {
        double first = std::nan(""), last = first;
        for (const auto& pass : report.passes) {
            if (i >= pass.measures.size() || std::isnan(pass.measures[i])) continue;
            last = pass.measures[i];
            if (std::isnan(first)) first = last;
        }
        if (report.all_passes) first = report.all_passes->totals().first[i], last = report.all_passes->totals().now[i];
        if (!std::isnan(last))
            found.push_back({info.measures[i].name, in_unit(info.measures[i].unit, report.unit), first, last});
    }
    return found;
}

Json measures_json(const RunReport& report, const LabInfo& info) {
    Json measures = Json::object();
    for (const Measured& one : measures_of(report, info))
        measures[one.name] = {{"first", one.first}, {"last", one.last}, {"unit", one.unit}};
    return measures;
}

/// The object under a key. nlohmann's JSON would also make it from null, but crashes if that allocation fails.
Json& object_in(Json& json, const char* key) { return json.emplace(key, Json::object()).first.value(); }

void statistics_json(const RunReport& report, Json& json) {
    Json tables = Json::array();
    for (const Section& section : report.statistics.sections)
        if (const auto* properties = std::get_if<Properties>(&section.content)) {
            object_in(json, "statistics").update(number_values(*properties));
            object_in(json, "statistics_units").update(number_units(*properties));
            for (const Property& property : *properties)
                if (!property.why.empty()) object_in(json, "statistics_remarks")[property.name] = property.why;
        } else if (const auto* table = std::get_if<Table>(&section.content)) {
            tables.push_back({{"title", section.title}, {"sentence", section.sentence}, {"rows", json_of(*table)}});
            if (section.title.starts_with("Compared with")) json["compared"] = json_of(*table);
        }
    if (report.summaries) json["summaries"] = json_of(*report.summaries);
    if (!tables.empty()) json["tables"] = std::move(tables);
}

Json report_values(const RunReport& report, const LabInfo& info) {
    Json json = Json::object();
    json["lab"] = report.lab;
    json["input"] = report.input;
    json["notes"] = report.notes;
    for (const std::string& remark : report_remarks(report)) json["notes"].push_back(remark);
    if (!report.errors.empty()) json["errors"] = report.errors;
    if (!report.unit.empty()) json["unit"] = report.unit;
    json["parameters"] = parameter_values(report.parameters);
    Json decided = Json::object();
    for (const auto& [name, found] : report.overrides)
        decided[name] = {{"why", found.why},
                         {"value", found.value.empty() ? Json() : as_number(found.value)},
                         {"in_part", found.in_part}};
    json["decided"] = std::move(decided);
    if (!report.adjusted.empty()) json["adjusted"] = adjustment_values(report.adjusted);
    if (const auto& resumed = report.resumed)
        json["resumed_from"] = {{"file", resumed->file},
                                {"rounds", resumed->rounds},
                                {"passes", resumed->passes ? Json(*resumed->passes) : Json()},
                                {"state_hash", hash_text(resumed->state_hash)}};
    if (const auto& until = report.until) {
        json["until"] = {{"asked", until->breakpoints}, {"hit", until->hit.empty() ? Json() : Json(until->hit)}};
        if (!until->hit.empty()) {
            json["until"]["step"] = until->step;
            json["until"]["why"] = until->why;
        }
        if (until->checks > 0) {
            json["until"]["checks"] = until->checks;
            json["until"]["bisected"] = until->bisected;
        }
    }
    if (!report.saved_to.empty()) json["saved_to"] = report.saved_to;
    json["device"] = report.device;
    json["device_name"] = report.device_name;
    json["threads"] = report.threads;
    json["points"] = report.result.points;
    json["duplicates"] = report.result.duplicates;
    if (info.makes_triangles) json["unused_vertices"] = report.result.unused;
    json["surface"] = report.surface;
    if (info.makes_triangles) json["triangles"] = report.result.triangles;
    json["edges"] = report.result.edges;
    if (info.makes_triangles) {
        json["hull_edges"] = report.result.hull_edges;
        json["lost_hull_edges"] = report.result.lost_hull_edges;
    }
    json["state_hash"] = hash_text(report.state_hash);
    if (info.makes_triangles) json["triangulation_hash"] = hash_text(report.result.triangulation_hash);
    if (!report.result.numbers.empty()) {
        json["results"] = number_values(report.result.numbers);
        json["units"] = number_units(report.result.numbers);
    }
    if (report.result.lattice) json["lattice"] = lattice_values(*report.result.lattice);
    json["check"] = report.check ? check_values(*report.check, report.checked) : Json();
    json["failures"] = report.check ? failures_json(*report.check) : Json();
    json["finish_ms"] = report.done ? Json(report.elapsed_ms) : Json();
    json["elapsed_ms"] = report.elapsed_ms;
    json["rounds"] = rounds_of(report);
    if (report.stepped) json["pass_count"] = report.passes_left_out + report.passes.size();
    json["peak_bytes"] = report.peak_bytes;
    json["passes"] = Json::array();
    for (const auto& pass : report.passes) json["passes"].push_back(pass_values(pass, info, report.stepped));
    if (report.all_passes) {
        json["passes_left_out"] = report.passes_left_out;
        Json& list = json["passes_summed_up"] = Json::array();
        report.all_passes->for_each_step_bucket(
            [&](const Bucket& bucket) { list.push_back(bucket_values(bucket, info)); });
    }
    if (const Json measures = measures_json(report, info); !measures.empty()) json["measures"] = measures;
    statistics_json(report, json);
    json["histograms"] = Json::array();
    for (const auto& distribution : report.statistics.all<Distribution>())
        json["histograms"].push_back(json_of(distribution));
    json["curves"] = Json::array();
    for (const auto& curve : report.statistics.all<Curve>()) json["curves"].push_back(json_of(curve));
    if (!info.detects.empty()) {
        json[words_of(info)] = json_of(detections_table(report.detections, info));
        Json& kinds = json[info.detects + "_kinds"] = Json::object();
        for (const auto& [kind, count] : occurrences(report.detections, &Detection::kind)) kinds[kind] = count;
    }
    if (!report.inspected.empty()) {
        json["inspected"] = Json::array();
        for (const auto& [query, element, found] : report.inspected) {
            Json one{{"asked", query}};
            one.update(json_of(element));
            if (element.id == kNone)  // the report says why
                for (const char* key : {"kind", "id", "part"}) one[key] = nullptr;
            one.update(json_of(found));
            json["inspected"].push_back(std::move(one));
        }
    }
    if (!report.histories.empty()) {
        json["history"] = Json::array();
        for (const auto& traced : report.histories) json["history"].push_back(history_values(traced, info));
    }
    if (!report.written.empty()) json["written"] = report.written;
    json["kernels"] = Json::array();
    for (const auto& kernel : report.kernels)
        json["kernels"].push_back({{"label", kernel.label}, {"calls", kernel.calls}, {"total_ms", kernel.total_ms}});
    return json;
}

}  // namespace

void take_passes(RunReport& report, const History& passes, std::vector<std::pair<uint64_t, StepMessage>> said,
                 uint64_t message_count) {
    report.passes_left_out = passes.recent_begin();
    for (uint64_t i = passes.recent_begin(); i < passes.size(); ++i) report.passes.push_back(passes[i]);
    if (report.passes_left_out == 0) return;
    report.all_passes = passes;
    for (auto& [index, message] : said)
        if (index < report.passes_left_out) report.first_messages.push_back(std::move(message));
    uint64_t kept = report.first_messages.size();
    for (const StepResult& pass : report.passes) kept += !pass.message.empty();
    report.unkept_messages = message_count > kept ? message_count - kept : 0;
}

std::string report_json(const RunReport& report, const LabInfo& info) { return json_text(report_values(report, info)); }

std::string inspected_csv(const RunReport& report) {
    std::string text;
    for (const auto& inspected : report.inspected)
        text += (text.empty() ? "" : "\n") + csv_field(inspected.query) + "\n" + csv_of(inspected.report);
    return text;
}

std::string sweep_json(const std::string& parameter, const std::vector<std::string>& values,
                       const std::vector<std::string>& runs, const LabInfo& info, const SweptFlow& flow) {
    Json json = Json::object();
    json["lab"] = info.id;
    json["sweep"] = {{"parameter", parameter}, {"values", values}};
    if (!flow.empty()) json["flow_curve"] = flow.json();
    json["runs"] = Json::array();
    std::string text = json_text(json);
    if (runs.empty()) return text;
    text.erase(text.rfind("[]"));
    for (size_t i = 0; i < runs.size(); ++i) {
        text += i == 0 ? "[\n    " : ",\n    ";
        for (const char c : runs[i]) {  // indent; JSON strings contain no raw newlines
            text += c;
            if (c == '\n') text += "    ";
        }
        text.erase(text.rfind('\n'));
    }
    return text + "\n  ]\n}\n";
}

namespace {

/// Messages of the passes without repetitions: if several differ only in numbers, the first with a count of the rest.
class Remarks {
  public:
    void add(const StepMessage& message) {
        constexpr size_t kMost = 12;
        bool left_out = false;
        for (const StepMessage::Sentence& each : message.sentences) {
            if (!texts_.insert({each.kind, each.text}).second) continue;
            const auto known = each.kind.empty() ? kinds_.end() : kinds_.find(each.kind);
            if (known != kinds_.end()) {
                ++shown_[known->second].more;
            } else if (shown_.size() < kMost) {
                if (!each.kind.empty()) kinds_[each.kind] = shown_.size();
                shown_.push_back({each.text, 0});
            } else {
                left_out = true;
            }
        }
        more_ += left_out;
    }
    /// `unkept`: number of messages that were not kept.
    std::vector<std::string> texts(uint64_t unkept) const {
        std::vector<std::string> texts;
        for (const ShownMessage& one : shown_)
            texts.push_back(one.text + (one.more > 0 ? " … and " + with_commas(one.more) + " more of this kind." : ""));
        if (more_ + unkept > 0) texts.push_back("… and " + with_commas(more_ + unkept) + " more.");
        return texts;
    }

  private:
    struct ShownMessage {
        std::string text;
        uint64_t more;  // of its kind
    };
    std::vector<ShownMessage> shown_;
    uint64_t more_ = 0;                                    // messages with omitted sentences of an unlisted kind
    std::set<std::pair<std::string, std::string>> texts_;  // (kind, text)
    std::map<std::string, size_t> kinds_;                  // index into shown_
};

}  // namespace

std::vector<std::string> report_remarks(const RunReport& report) {
    const Result& result = report.result;
    Remarks of_passes;
    for (const auto& message : report.first_messages) of_passes.add(message);
    for (const auto& pass : report.passes) of_passes.add(pass.message);
    std::vector<std::string> remarks = of_passes.texts(report.unkept_messages);
    if (result.lost_hull_edges > 0)
        remarks.push_back("The finite supertriangle cut off " + with_commas(result.lost_hull_edges) +
                          " edges of the convex hull; --set enclosure=infinity keeps them.");
    if (report.all_passes)
        remarks.push_back("The last " + with_commas(report.passes.size()) + " of " +
                          with_commas(report.passes_left_out + report.passes.size()) +
                          (report.stepped ? " passes" : " rounds") +
                          " are kept one by one, and all of them summed up.");
    if (!report.done) remarks.push_back("The run was not taken to its end: this is its state so far.");
    if (report.check && report.check->failure_count > report.check->failures.size())
        remarks.push_back("Of " + with_commas(report.check->failure_count) + " failures " +
                          with_commas(report.check->failures.size()) + " are listed, the first of each kind.");
    if (report.checked_automatically)
        remarks.push_back("The predicates of this run are not exact, so its end was checked.");
    if (report.check && !report.checked.empty() && !report.passes.empty())
        remarks.push_back("The check is of " + report.checked + "; --steps 0 --check checks it as it was given.");
    return remarks;
}

namespace {

std::string rounds_text(uint64_t rounds) { return with_commas(rounds) + (rounds == 1 ? " round" : " rounds"); }

std::string extent_text(const RunReport& report) {
    const uint64_t rounds = rounds_of(report);
    const std::string before = report.resumed && report.resumed->rounds > 0
                                   ? ", " + with_commas(report.resumed->rounds) + " of them before the break"
                                   : "";
    if (!report.stepped) return with_commas(rounds) + before;
    std::string text = with_commas(report.passes_left_out + report.passes.size());
    if (report.resumed) return text + " since the break, up to round " + with_commas(rounds);
    if (rounds > 0) text += ", in " + rounds_text(rounds);
    return text;
}

std::string time_text(const RunReport& report, bool makes_triangles) {
    const Result& result = report.result;
    std::string text = format("%.2f ms", report.elapsed_ms);
    if (!makes_triangles) {  // time and memory are not proportional to points
        const uint64_t rounds = rounds_of(report) - (report.resumed ? report.resumed->rounds : 0);
        if (rounds > 1) text += format(", %.2f ms a round", report.elapsed_ms / static_cast<double>(rounds));
        return text + format(", at most %.1f MB", static_cast<double>(report.peak_bytes) * 1e-6);
    }
    if (result.points == 0) return text;
    const auto each = [&](uint64_t count, const char* what) {
        if (count == 0) return;
        const double ns = report.elapsed_ms * 1e6 / static_cast<double>(count);
        text += ", " + (ns < 10 ? format("%.1f", ns) : with_commas(static_cast<uint64_t>(std::llround(ns)))) + " ns " +
                what;
    };
    each(result.points, "a point");
    if (report.has_triangles && result.triangles > 0) {
        each(result.triangles, "a triangle");
        each(result.edges, "an edge");
    }
    return text + format(", at most %.0f bytes a point",
                         static_cast<double>(report.peak_bytes) / static_cast<double>(result.points));
}

/// "harmonic index", "12.4, at first 15.1"
std::vector<std::pair<std::string, std::string>> measure_rows(const RunReport& report, const LabInfo& info) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Measured& one : measures_of(report, info)) {
        const auto text = [&](double number) {
            return format("%.6g", number) + (one.unit.empty() ? "" : " " + unit_behind(number, one.unit));
        };
        rows.emplace_back(one.name, text(one.last) + (one.first == one.last ? "" : ", at first " + text(one.first)));
    }
    return rows;
}

/// "12: 9 T1, 3 boundary"
std::string kinds_text(const std::vector<Detection>& detections) {
    std::string text = with_commas(detections.size());
    const auto kinds = occurrences(detections, &Detection::kind);
    for (size_t i = 0; i < kinds.size(); ++i)
        if (!kinds[i].first.empty())
            text += (i == 0 ? ": " : ", ") + with_commas(kinds[i].second) + " " + kinds[i].first;
    return text;
}

/// Six digits, but whole numbers in full.
std::string plain_number(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return (value < 0 ? "-" : "") + with_commas(static_cast<uint64_t>(std::abs(value)));
    return format("%.6g", value);
}

constexpr size_t kColumn = 17;  // start of the values

/// Pads to the column of values, with at least one blank.
std::string padded(std::string name, size_t column = kColumn) {
    const size_t width = characters_in(name);
    name.append(width < column ? column - width : 1, ' ');
    return name;
}

/// A title, then a line per property.
std::string properties_table(const std::string& title, const Properties& properties) {
    std::string text = "  " + title + "\n";
    for (const Property& property : properties) {
        const std::string remark = remark_of(property);
        text += "    " + padded(property.name) + text_of(property.value) + (remark.empty() ? "" : " (" + remark + ")") +
                "\n";
    }
    return text;
}

}  // namespace

std::string adjustment_text(const Adjustment& adjustment) {
    std::string text;
    for (const auto& [name, value] : adjustment.values) text += (text.empty() ? "" : ", ") + name + "=" + value;
    return text + (adjustment.round == 0 ? " before round 1" : " after round " + with_commas(adjustment.round));
}

/// "check fails: after step 17, and not after step 16: …".
std::string until_text(const RunReport::Until& until) {
    if (until.hit.empty()) {
        std::string all;
        for (const std::string& one : until.breakpoints) all += (all.empty() ? "" : " or ") + printable(one);
        return all + ": not in this run";
    }
    std::string text = printable(until.hit) + ": after step " + with_commas(until.step);
    if (until.checks > 0) {
        text += until.step == 0 ? ", where the run began" : ", and not before it";
        if (until.bisected)
            text += "; found by bisection with " + with_commas(until.checks) +
                    " checks: it is the first if the check has failed ever since";
    }
    return text + ": " + printable(until.why);
}

std::string report_table(const RunReport& report, const LabInfo& info) {
    const Result& result = report.result;
    std::string text = report.title + ": " + printable(report.input) + " on " + report.device_name + "\n";
    size_t column = kColumn;
    for (const auto& number : result.numbers) column = std::max(column, characters_in(number.name) + 2);
    const auto row = [&](const std::string& name, const std::string& value) {
        text += "  " + padded(name, column) + value + "\n";
    };
    if (info.makes_triangles) {
        row("points", with_commas(result.points) +
                          (result.duplicates ? ", " + with_commas(result.duplicates) + " of them duplicate" : "") +
                          (result.unused ? ", " + with_commas(result.unused) + " of them in no triangle" : ""));
        row("triangles", with_commas(result.triangles));
        row("edges", with_commas(result.edges) + ", " + with_commas(result.hull_edges) +
                         (report.has_triangles ? " on the boundary" : " on the hull"));
    }
    const auto measures = measure_rows(report, info);
    const auto is_measure = [&](const std::string& name) {
        return std::ranges::any_of(measures, [&](const auto& measure) { return measure.first == name; });
    };
    for (const auto& number : result.numbers)
        if (const double value = number.value.number(); !is_measure(number.name) && !std::isnan(value))
            row(words_of_name(number.name),
                plain_number(value) + (number.value.unit.empty() ? "" : " " + unit_behind(value, number.value.unit)));
        else if (std::holds_alternative<std::string>(number.value.content))
            row(words_of_name(number.name), text_of(number.value));
    if (!info.detects.empty()) row(words_of(info), kinds_text(report.detections));
    if (report.resumed) row("resumed from", printable(report.resumed->file));
    row(report.stepped ? "passes" : "rounds", extent_text(report));
    if (report.until) row("until", until_text(*report.until));
    for (const Adjustment& one : report.adjusted) row("changed", printable(adjustment_text(one)));
    row(report.done ? "finished in" : "time so far", time_text(report, info.makes_triangles));
    for (const auto& [name, value] : measures) row(name, value);
    constexpr size_t kLongReason = 90;  // characters; use --json for longer ones
    for (const auto& properties : report.statistics.all<Properties>())
        for (const Property& property : properties)
            if (const std::string text = text_of(property.value); !text.empty())
                row(property.name,
                    text +
                        (property.value.unit.empty() || is_short_unit(property.value.unit)
                             ? ""
                             : " " + unit_behind(property.value.number(), property.value.unit)) +
                        (property.why.empty() || property.why.size() > kLongReason ? "" : "; " + property.why));
    for (const Section& section : report.statistics.sections)
        if (const auto* table = std::get_if<Table>(&section.content)) {
            text += "  " + section.title + "\n";
            for (size_t i = 0; i < table->row_count; ++i) {
                const Table::Row one = table->row(i);
                std::string line;
                for (size_t k = 1; k < one.cells.size(); ++k)
                    if (!one.cells[k].empty())
                        line += (line.empty() ? "" : ", ") + table->columns[k].name + " " + text_of(one.cells[k]);
                row(text_of(one.cells[0]), line);
            }
        }
    for (const auto& curve : report.statistics.all<Curve>())
        if (!curve.remark.empty()) row(curve.name, curve.remark);
    row("state", hash_text(report.state_hash));
    if (info.makes_triangles) row("triangulation", hash_text(result.triangulation_hash));
    if (report.check)
        row("check", std::string(!report.check->checked ? "not made"
                                 : report.check->passed ? "passed"
                                                        : "FAILED") +
                         (report.checked.empty() ? "" : " for " + report.checked) + ": " + report.check->sentence);
    for (const auto& remark : report_remarks(report)) row("note", remark);
    for (const auto& inspected : report.inspected)
        text += properties_table(inspected.query, inspected.report.properties());
    for (const auto& [query, history, why] : report.histories) {
        Properties none;
        none.add("Nothing", why);
        text += properties_table("history of " + query + (report.resumed ? ", from the resumed state on" : ""),
                                 history ? properties_of(*history) : none);
    }
    return text + kernel_table(report.kernels);
}

}  // namespace flipscope::app
