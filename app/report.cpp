#include "app/report.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace flipscope::app {

namespace {

using Json = nlohmann::ordered_json;  // keys in the order a reader expects them

std::string format(const char* pattern, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, pattern);
    std::vsnprintf(line, sizeof line, pattern, arguments);
    va_end(arguments);
    return line;
}

/// As text: JSON's numbers are doubles to many a reader, and would lose the last bits.
std::string hash_text(uint64_t hash) { return format("%016llx", static_cast<unsigned long long>(hash)); }

Json parameter_values(const std::vector<ParameterDescription>& parameters) {
    Json values = Json::object();
    for (const auto& parameter : parameters) {
        switch (parameter.kind) {
            case ParameterDescription::Kind::kChoice:
                values[parameter.name] = parameter.value;
                break;
            case ParameterDescription::Kind::kToggle:
                values[parameter.name] = parameter.value == "on";
                break;
            case ParameterDescription::Kind::kInteger:
                values[parameter.name] = std::stoi(parameter.value);
                break;
            case ParameterDescription::Kind::kNumber:
                values[parameter.name] = std::stod(parameter.value);
                break;
        }
    }
    return values;
}

Json check_values(const CheckReport& check) {
    return {{"passed", check.passed},
            {"sentence", check.sentence},
            {"counts",
             {{"broken_references", check.broken_references},
              {"turned_triangles", check.turned_triangles},
              {"illegal_edges", check.illegal_edges},
              {"reflex_hull", check.reflex_hull},
              {"euler", check.euler},
              {"euler_characteristic", check.euler_characteristic},
              {"boundary_edges", check.boundary_edges},
              {"flat_triangles", check.flat_triangles},
              {"doubled_edges", check.doubled_edges}}}};
}

Json pass_values(const StepResult& pass, const AlgorithmInfo& info, bool stepped) {
    Json counters = Json::object();
    for (size_t i = 0; i < pass.counters.size() && i < info.counters.size(); ++i)
        if (pass.counters[i] != kNotCounted) counters[info.counters[i].name] = pass.counters[i];
    Json measures = Json::object();
    for (size_t i = 0; i < pass.measures.size() && i < info.measures.size(); ++i)
        if (!std::isnan(pass.measures[i])) measures[info.measures[i].name] = pass.measures[i];
    const std::string name = stepped && pass.pass < info.passes.size() ? info.passes[pass.pass].name : "round";
    return {{"name", name},
            {"round", pass.round},
            {"iteration", pass.iteration},
            {"counters", counters},
            {"measures", measures}};
}

Json histogram_values(const Histogram& histogram) {
    return {{"name", histogram.name}, {"unit", histogram.unit},     {"low", histogram.low},
            {"high", histogram.high}, {"before", histogram.before}, {"now", histogram.now}};
}

constexpr size_t kKernelLines = 12;

std::string kernel_table(std::vector<LabelTiming> kernels) {
    double sum = 0;
    for (const auto& kernel : kernels) sum += kernel.total_ms;
    std::sort(kernels.begin(), kernels.end(), [](const auto& a, const auto& b) { return a.total_ms > b.total_ms; });
    std::string text = format("  %-24s %10s %12s %7s\n", "kernel", "calls", "ms", "share");
    for (size_t i = 0; i < kernels.size() && i < kKernelLines; ++i)
        text += format("  %-24s %10s %12.2f %6.1f%%\n", kernels[i].label.c_str(), grouped(kernels[i].calls).c_str(),
                       kernels[i].total_ms, sum > 0 ? 100 * kernels[i].total_ms / sum : 0);
    if (kernels.size() > kKernelLines)
        text += format("  … and %zu more (--json has all)\n", kernels.size() - kKernelLines);
    return text;
}

}  // namespace

std::string grouped(uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

std::string report_json(const RunReport& report, const AlgorithmInfo& info) {
    Json json;
    json["lab"] = report.lab;
    json["input"] = report.input;
    json["parameters"] = parameter_values(report.parameters);
    json["device"] = report.device;
    json["threads"] = report.threads;
    json["points"] = report.result.points;
    json["duplicates"] = report.result.duplicates;
    json["surface"] = report.surface;
    json["triangles"] = report.result.triangles;
    json["edges"] = report.result.edges;
    json["hull_edges"] = report.result.hull_edges;
    json["lost_hull_edges"] = report.result.lost_hull_edges;
    json["state_hash"] = hash_text(report.state_hash);
    json["triangulation_hash"] = hash_text(report.result.triangulation_hash);
    json["check"] = report.check ? check_values(*report.check) : Json();
    json["finish_ms"] = report.done ? Json(report.elapsed_ms) : Json();
    json["peak_bytes"] = report.peak_bytes;
    json["passes"] = Json::array();
    for (const auto& pass : report.passes) json["passes"].push_back(pass_values(pass, info, report.stepped));
    json["histograms"] = Json::array();
    for (const auto& histogram : report.histograms) json["histograms"].push_back(histogram_values(histogram));
    json["kernels"] = Json::array();
    for (const auto& kernel : report.kernels)
        json["kernels"].push_back({{"label", kernel.label}, {"calls", kernel.calls}, {"total_ms", kernel.total_ms}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<std::string> report_remarks(const RunReport& report) {
    std::vector<std::string> remarks;
    const Result& result = report.result;
    for (const auto& pass : report.passes)
        if (!pass.message.empty()) remarks.push_back(pass.message);
    if (result.lost_hull_edges > 0)
        remarks.push_back("The finite supertriangle lost " + grouped(result.lost_hull_edges) +
                          " edges of the convex hull; --set enclosure=infinity keeps them.");
    if (!report.done) remarks.push_back("The run was not taken to its end: this is how things stand.");
    return remarks;
}

namespace {

std::string extent_text(const RunReport& report) {
    std::string text = grouped(report.passes.size());
    const uint32_t rounds = report.passes.empty() ? 0 : report.passes.back().round;
    if (report.stepped && rounds > 0) text += ", in " + grouped(rounds) + (rounds == 1 ? " round" : " rounds");
    return text;
}

std::string time_text(const RunReport& report) {
    const Result& result = report.result;
    std::string text = format("%.2f ms", report.elapsed_ms);
    if (result.points == 0) return text;
    const auto each = [&](uint64_t count, const char* what) {
        if (count == 0) return;
        const double ns = report.elapsed_ms * 1e6 / static_cast<double>(count);
        text +=
            ", " + (ns < 10 ? format("%.1f", ns) : grouped(static_cast<uint64_t>(std::llround(ns)))) + " ns " + what;
    };
    each(result.points, "a point");
    if (report.has_triangles) {
        each(result.triangles, "a triangle");
        each(result.edges, "an edge");
    }
    return text + format(", at most %.0f bytes a point",
                         static_cast<double>(report.peak_bytes) / static_cast<double>(result.points));
}

/// Each measure's first and last value: "harmonic index  12.4, before 15.1".
std::vector<std::pair<std::string, std::string>> measure_rows(const RunReport& report, const AlgorithmInfo& info) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (size_t i = 0; i < info.measures.size(); ++i) {
        double first = std::nan(""), last = first;
        for (const auto& pass : report.passes) {
            if (i >= pass.measures.size() || std::isnan(pass.measures[i])) continue;
            last = pass.measures[i];
            if (std::isnan(first)) first = last;
        }
        if (std::isnan(last)) continue;
        const std::string unit = info.measures[i].unit.empty() ? "" : " " + info.measures[i].unit;
        rows.emplace_back(info.measures[i].name,
                          format("%.6g%s", last, unit.c_str()) +
                              (first == last ? "" : format(", at first %.6g%s", first, unit.c_str())));
    }
    return rows;
}

}  // namespace

std::string report_table(const RunReport& report, const AlgorithmInfo& info) {
    const Result& result = report.result;
    std::string text = report.title + ": " + report.input + " on " + report.device_name + "\n";
    const auto row = [&](const char* name, const std::string& value) {
        text += format("  %-16s ", name) + value + "\n";
    };
    row("points", grouped(result.points));
    row("triangles", grouped(result.triangles));
    row("edges", grouped(result.edges) + ", " + grouped(result.hull_edges) +
                     (report.has_triangles ? " on the boundary" : " on the hull"));
    row(report.stepped ? "passes" : "rounds", extent_text(report));
    row(report.done ? "finished in" : "time so far", time_text(report));
    for (const auto& [name, value] : measure_rows(report, info)) row(name.c_str(), value);
    row("state", hash_text(report.state_hash));
    row("triangulation", hash_text(result.triangulation_hash));
    if (report.check) row("check", (report.check->passed ? "passed: " : "FAILED: ") + report.check->sentence);
    for (const auto& remark : report_remarks(report)) row("note", remark);
    return text + kernel_table(report.kernels);
}

}  // namespace flipscope::app
