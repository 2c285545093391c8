#include "bench/report.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "bench/tables.h"

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

/// The largest case of a distribution in the growth experiment.
const Case* largest(const std::vector<Case>& cases, const std::string& distribution) {
    const Case* found = nullptr;
    for (const auto& one : cases)
        if (one.experiment == "growth" && one.distribution == distribution && (!found || one.points > found->points))
            found = &one;
    return found;
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
    json["times"] = times_json(one.measurements);
    json["ratios"] = ratios_json(one.measurements);
    json["kernels"] = shares_json(one.profile);
    return json;
}

}  // namespace

void print_heading(const Setting& setting) {
    std::printf("ours: insertion by finish() on %s, %s\n", setting.device_name.c_str(),
                setting.fresh ? "memory allocated for every run" : "memory kept between runs");
    if (setting.peers && !setting.peer.empty())
        std::printf("cgal: %s, Delaunay_triangulation_2 over EPICK, spatial sort, one thread\n", setting.peer.c_str());
    std::printf("Medians; contestants take turns. 'ms' is everything from points in memory to the triangulation.\n");
}

void print_columns(const Setting& setting, const char* experiment) {
    std::printf("\n%s\n%-20s %11s %6s %11s %6s %9s %8s", experiment, "input", "points", "runs", "ours ms", "cores",
                "ns/point", "B/point");
    if (setting.device == "cuda") std::printf(" %11s", "less upload");
    if (setting.peers) std::printf(" %11s %11s %9s %9s", "serial ms", "cgal ms", "/serial", "/cgal");
    if (setting.peers && setting.library) std::printf(" %11s %9s", "library ms", "library/");
    std::printf("\n");
}

void print_torus_columns() {
    std::printf("\nIn a periodic box\n%-20s %11s %6s %11s %6s %9s %11s %9s %11s %9s\n", "input", "points", "runs",
                "periodic ms", "cores", "ns/point", "plane ms", "/plane", "cgal ms", "/cgal");
}

void print_torus_case(const Case& one) {
    const Measurement& ours = one.measurements.front();
    std::printf("%-20s %11s %6zu %11.3f %6.2f %9.1f", one.distribution.c_str(), with_commas(one.points).c_str(),
                ours.samples_ms.size(), ours.median(), ours.cores, one.per_point_ns());
    for (const char* peer : {"plane", "periodic cgal"}) {
        print_ms(one.find(peer));
        print_ratio(&ours, one.find(peer));
    }
    std::printf("\n");
    std::fflush(stdout);
}

void print_case(const Setting& setting, const Case& one) {
    const Measurement& ours = one.measurements.front();
    const std::string input = one.distribution + (one.variant.empty() ? "" : " " + one.variant);
    std::printf("%-20s %11s %6zu %11.3f %6.2f %9.1f %8.0f", input.c_str(), with_commas(one.points).c_str(),
                ours.samples_ms.size(), ours.median(), ours.cores, one.per_point_ns(), one.peak_bytes_per_point());
    if (setting.device == "cuda") std::printf(" %11.3f", ours.median() - one.upload_ms);
    if (setting.peers) {
        for (const char* peer : {"serial", "cgal"}) print_ms(one.find(peer));
        for (const char* peer : {"serial", "cgal"}) print_ratio(&ours, one.find(peer));
        if (setting.library) {
            print_ms(one.find("library"));
            print_ratio(one.find("library"), &ours);
        }
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
    std::vector<ShareColumn> columns;
    for (const auto& distribution : distributions)
        if (const Case* one = largest(cases, distribution))
            columns.push_back({distribution, one->points, &one->profile});
    print_shares("Share of each kernel in ours, percent (figure 17)", "points", columns);
}

bool print_disagreements(const std::vector<Case>& cases) {
    bool agree = true;
    for (const auto& one : cases) {
        for (const auto& peer : one.measurements) {
            const uint64_t ours = one.measurements.front().triangles;
            if (peer.triangles == ours || peer.name == "plane") continue;  // different triangles
            agree = false;
            std::printf("%s, %s points: ours has %s triangles, %s has %s\n", one.distribution.c_str(),
                        with_commas(one.points).c_str(), with_commas(ours).c_str(), peer.name.c_str(),
                        with_commas(peer.triangles).c_str());
        }
    }
    return agree;
}

void print_disturbance(const std::vector<Case>& cases) {
    std::vector<const Measurement*> peers;
    for (const auto& one : cases)
        if (const Measurement* peer = one.find("cgal")) peers.push_back(peer);
    print_disturbance(peers);
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
