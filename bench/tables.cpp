#include "bench/tables.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace flipscope::bench {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kAlone = 0.9;        // of a core
constexpr double kSmallShare = 0.01;  // kernels below this are summed up
constexpr const char* kOutside = "outside kernels";

double share_of(const Profile& profile, const std::string& label) {
    for (const auto& share : shares(profile))
        if (share.label == label) return share.share;
    return 0;
}

/// The labels of all columns, without duplicates.
std::vector<std::string> labels_of(const std::vector<ShareColumn>& columns) {
    std::vector<std::string> labels;
    for (const auto& column : columns)
        for (const auto& share : shares(*column.profile))
            if (share.label != kOutside && std::find(labels.begin(), labels.end(), share.label) == labels.end())
                labels.push_back(share.label);
    labels.emplace_back(kOutside);
    return labels;
}

}  // namespace

void print_ms(const Measurement* measurement) {
    if (measurement)
        std::printf(" %11.3f", measurement->median());
    else
        std::printf(" %11s", "-");
}

void print_ratio(const Measurement* measurement, const Measurement* to) {
    if (measurement && to)
        std::printf(" %9.2f", measurement->median() / to->median());
    else
        std::printf(" %9s", "-");
}

const Measurement* find(const std::vector<Measurement>& measurements, const std::string& name) {
    for (const auto& measurement : measurements)
        if (measurement.name == name) return &measurement;
    return nullptr;
}

std::vector<Share> shares(const Profile& profile) {
    std::vector<Share> found;
    const double runs = static_cast<double>(std::max<uint64_t>(profile.runs, 1));
    double rest = profile.all_runs_ms;
    for (const auto& kernel : profile.kernels) {
        rest -= kernel.total_ms;
        found.push_back({kernel.label, kernel.total_ms / runs, kernel.total_ms / profile.all_runs_ms});
    }
    std::sort(found.begin(), found.end(), [](const Share& a, const Share& b) { return a.ms > b.ms; });
    found.push_back({kOutside, rest / runs, rest / profile.all_runs_ms});
    return found;
}

void print_shares(const char* title, const char* unit, const std::vector<ShareColumn>& columns) {
    if (columns.empty()) return;
    std::printf("\n%s\n%-24s", title, "");
    for (const auto& column : columns) std::printf(" %13s", column.name.c_str());
    std::printf("\n%-24s", unit);
    for (const auto& column : columns) std::printf(" %13s", with_commas(column.size).c_str());
    std::printf("\n");
    std::vector<double> small(columns.size(), 0);
    for (const auto& label : labels_of(columns)) {
        std::vector<double> cells;
        for (const auto& column : columns) cells.push_back(share_of(*column.profile, label));
        if (label != kOutside && *std::max_element(cells.begin(), cells.end()) < kSmallShare) {
            for (size_t i = 0; i < cells.size(); ++i) small[i] += cells[i];
            continue;
        }
        std::printf("%-24s", label.c_str());
        for (const double cell : cells) std::printf(" %13.1f", 100 * cell);
        std::printf("\n");
    }
    std::printf("%-24s", "kernels below 1 percent");
    for (const double cell : small) std::printf(" %13.1f", 100 * cell);
    std::printf("\n");
}

Json times_json(const std::vector<Measurement>& measurements) {
    Json json = Json::object();
    for (const auto& measurement : measurements)
        json[measurement.name] = {{"median_ms", measurement.median()},
                                  {"least_ms", measurement.least()},
                                  {"cores", measurement.cores},
                                  {"runs", measurement.samples_ms.size()}};
    return json;
}

Json ratios_json(const std::vector<Measurement>& measurements) {
    Json json = Json::object();
    const Measurement& ours = measurements.front();
    for (const auto& peer : measurements)
        if (&peer != &ours) json["ours/" + peer.name] = ours.median() / peer.median();
    return json;
}

Json shares_json(const Profile& profile) {
    Json json = Json::array();
    for (const auto& share : shares(profile))
        json.push_back({{"label", share.label}, {"ms", share.ms}, {"share", share.share}});
    return json;
}

void print_disturbance(const std::vector<const Measurement*>& one_threaded) {
    const Measurement* worst = nullptr;
    for (const Measurement* one : one_threaded)
        if (!worst || one->cores < worst->cores) worst = one;
    if (worst && worst->cores < kAlone)
        std::printf(
            "\nThe machine was busy with something else: the one thread of %s had %.0f%% of a core at worst. Two "
            "threads suffer more from that than one, so do not trust the ratios.\n",
            worst->name.c_str(), 100 * worst->cores);
}

}  // namespace flipscope::bench
