#include "bench/report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kAlone = 0.9;        // of a core
constexpr double kSmallShare = 0.01;  // kernels below it are summed up

std::string grouped(uint64_t number) {
    const std::string digits = std::to_string(number);
    std::string text;
    for (size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
        text += digits[i];
    }
    return text;
}

void print_ms(const Measurement* measurement) {
    if (measurement)
        std::printf(" %11.3f", measurement->median());
    else
        std::printf(" %11s", "-");
}

void print_ratio(const Measurement& ours, const Measurement* peer) {
    if (peer)
        std::printf(" %9.2f", ours.median() / peer->median());
    else
        std::printf(" %9s", "-");
}

/// The largest case of a distribution that was run as it is meant to be.
const Case* largest(const std::vector<Case>& cases, const std::string& distribution) {
    const Case* found = nullptr;
    for (const auto& one : cases)
        if (one.experiment == "growth" && one.distribution == distribution && (!found || one.points > found->points))
            found = &one;
    return found;
}

struct Share {
    std::string label;
    double ms, share;  // a run; of the whole time of ours
};

constexpr const char* kOutside = "outside kernels";  // host work and waiting

/// The largest first, and what no kernel accounts for at the end.
std::vector<Share> shares(const Case& one) {
    std::vector<Share> found;
    const double runs = static_cast<double>(std::max<uint64_t>(one.runs, 1));
    double rest = one.all_runs_ms;
    for (const auto& kernel : one.kernels) {
        rest -= kernel.total_ms;
        found.push_back({kernel.label, kernel.total_ms / runs, kernel.total_ms / one.all_runs_ms});
    }
    std::sort(found.begin(), found.end(), [](const Share& a, const Share& b) { return a.ms > b.ms; });
    found.push_back({kOutside, rest / runs, rest / one.all_runs_ms});
    return found;
}

double share_of(const Case& one, const std::string& label) {
    for (const auto& share : shares(one))
        if (share.label == label) return share.share;
    return 0;
}

Json case_json(const Case& one) {
    Json json{{"experiment", one.experiment},
              {"distribution", one.distribution},
              {"points", one.points},
              {"variant", one.variant},
              {"triangles", one.measurements.front().triangles},
              {"ours_ns_per_point", one.per_point_ns()},
              {"peak_bytes_per_point", one.peak_bytes_per_point()},
              {"reset_ms", one.reset_ms},
              {"upload_ms", one.upload_ms}};
    for (const auto& measurement : one.measurements)
        json["times"][measurement.name] = {{"median_ms", measurement.median()},
                                           {"least_ms", measurement.least()},
                                           {"cores", measurement.cores},
                                           {"runs", measurement.samples_ms.size()}};
    const Measurement& ours = one.measurements.front();
    for (const auto& peer : one.measurements)
        if (&peer != &ours) json["ratios"]["ours/" + peer.name] = ours.median() / peer.median();
    json["kernels"] = Json::array();
    for (const auto& share : shares(one))
        json["kernels"].push_back({{"label", share.label}, {"ms", share.ms}, {"share", share.share}});
    return json;
}

}  // namespace

void print_heading(const Setting& setting) {
    std::printf("ours: insertion by finish() on %s, %s\n", setting.device_name.c_str(),
                setting.fresh ? "memory allocated anew for every run" : "memory kept between runs");
    if (setting.peers && !setting.peer.empty())
        std::printf("cgal: %s, Delaunay_triangulation_2 over EPICK, spatial sort, one thread\n", setting.peer.c_str());
    std::printf("Medians; contestants take turns. 'ms' is everything from points in memory to the triangulation.\n");
}

void print_columns(const Setting& setting, const char* experiment) {
    std::printf("\n%s\n%-20s %11s %6s %11s %6s %9s %8s", experiment, "input", "points", "runs", "ours ms", "cores",
                "ns/point", "B/point");
    if (setting.device == "cuda") std::printf(" %11s", "less upload");
    if (setting.peers) std::printf(" %11s %11s %9s %9s", "serial ms", "cgal ms", "/serial", "/cgal");
    std::printf("\n");
}

void print_case(const Setting& setting, const Case& one) {
    const Measurement& ours = one.measurements.front();
    const std::string input = one.distribution + (one.variant.empty() ? "" : " " + one.variant);
    std::printf("%-20s %11s %6zu %11.3f %6.2f %9.1f %8.0f", input.c_str(), grouped(one.points).c_str(),
                ours.samples_ms.size(), ours.median(), ours.cores, one.per_point_ns(), one.peak_bytes_per_point());
    if (setting.device == "cuda") std::printf(" %11.3f", ours.median() - one.upload_ms);
    if (setting.peers) {
        for (const char* peer : {"serial", "cgal"}) print_ms(one.find(peer));
        for (const char* peer : {"serial", "cgal"}) print_ratio(ours, one.find(peer));
    }
    std::printf("\n");
    std::fflush(stdout);
}

void print_exponents(const std::vector<Case>& cases, const std::vector<std::string>& distributions) {
    std::printf("\nGrowth: time as n^b, fitted over the sizes above\n");
    for (const auto& distribution : distributions) {
        const auto found = exponents(cases, distribution);
        if (found.empty()) continue;
        std::printf("  %-14s", distribution.c_str());
        for (const auto& [name, exponent] : found) std::printf("  %s %.3f", name.c_str(), exponent);
        std::printf("\n");
    }
}

void print_shares(const std::vector<Case>& cases, const std::vector<std::string>& distributions) {
    std::vector<const Case*> columns;
    for (const auto& distribution : distributions)
        if (const Case* one = largest(cases, distribution)) columns.push_back(one);
    if (columns.empty()) return;
    std::printf("\nShare of each kernel in ours, percent (figure 17)\n%-24s", "");
    for (const Case* one : columns) std::printf(" %11s", one->distribution.c_str());
    std::printf("\n%-24s", "points");
    for (const Case* one : columns) std::printf(" %11s", grouped(one->points).c_str());
    std::printf("\n");
    std::vector<double> small(columns.size(), 0);
    for (const auto& row : shares(*columns.front())) {
        std::vector<double> cells;
        for (const Case* one : columns) cells.push_back(share_of(*one, row.label));
        if (row.label != kOutside && *std::max_element(cells.begin(), cells.end()) < kSmallShare) {
            for (size_t i = 0; i < cells.size(); ++i) small[i] += cells[i];
            continue;
        }
        std::printf("%-24s", row.label.c_str());
        for (const double cell : cells) std::printf(" %11.1f", 100 * cell);
        std::printf("\n");
    }
    std::printf("%-24s", "kernels below 1 percent");
    for (const double cell : small) std::printf(" %11.1f", 100 * cell);
    std::printf("\n");
}

bool print_disagreements(const std::vector<Case>& cases) {
    bool agree = true;
    for (const auto& one : cases) {
        for (const auto& peer : one.measurements) {
            const uint64_t ours = one.measurements.front().triangles;
            if (peer.triangles == ours) continue;
            agree = false;
            std::printf("%s, %s points: ours has %s triangles, %s has %s\n", one.distribution.c_str(),
                        grouped(one.points).c_str(), grouped(ours).c_str(), peer.name.c_str(),
                        grouped(peer.triangles).c_str());
        }
    }
    return agree;
}

void print_disturbance(const std::vector<Case>& cases) {
    double least = 1;
    for (const auto& one : cases)
        for (const auto& peer : one.measurements)
            if (peer.name == "cgal") least = std::min(least, peer.cores);
    if (least < kAlone)
        std::printf(
            "\nThe machine was busy with something else: CGAL's one thread had %.0f%% of a core at worst. Two threads "
            "suffer more from that than one, so do not trust the ratios.\n",
            100 * least);
}

std::string to_json(const Setting& setting, const std::vector<Case>& cases,
                    const std::vector<std::string>& distributions) {
    Json json{{"version", FLIPSCOPE_VERSION}, {"device", setting.device}, {"device_name", setting.device_name},
              {"threads", setting.threads},   {"peer", setting.peer},     {"fresh_memory", setting.fresh}};
    json["exponents"] = Json::object();
    std::vector<Case> growth;
    std::copy_if(cases.begin(), cases.end(), std::back_inserter(growth),
                 [](const Case& one) { return one.experiment == "growth"; });
    for (const auto& distribution : distributions)
        for (const auto& [name, exponent] : exponents(growth, distribution))
            json["exponents"][distribution][name] = exponent;
    json["cases"] = Json::array();
    for (const auto& one : cases) json["cases"].push_back(case_json(one));
    return json.dump(2) + "\n";
}

}  // namespace flipscope::bench
