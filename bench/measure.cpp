#include "bench/measure.h"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "compute/error.h"
#include "compute/suggest.h"
#include "compute/text.h"
#include "geometry/generators.h"
#include "lab/parameters.h"
#include "lab/registry.h"
#include "statistics/summary.h"

namespace flipscope::bench {

namespace {

constexpr double kAlone = 0.9;  // of a core

/// Processor time of all threads of this process, ms.
double processor_time() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

/// What a table shows of a row, by the headings of its columns.
std::vector<std::pair<std::string, Json>> cells_of(const Json& row) {
    std::vector<std::pair<std::string, Json>> cells;
    for (const auto& [key, value] : row.items()) {
        if (!value.is_structured()) cells.emplace_back(key, value);
        if (!value.is_object()) continue;
        for (const auto& [name, one] : value.items()) {
            if (one.is_object()) cells.emplace_back(name + " ms", one.at("median_ms"));
            if (one.is_number()) cells.emplace_back(key + " " + name, one);
        }
    }
    for (auto& [heading, value] : cells) std::replace(heading.begin(), heading.end(), '_', ' ');
    return cells;
}

/// Numbers with four digits.
std::string text_of(const Json& cell) {
    if (cell.is_string()) return cell;
    if (cell.is_boolean()) return cell ? "yes" : "no";
    if (cell.is_number_integer()) return with_commas(cell);
    const double value = cell.is_null() ? std::numeric_limits<double>::quiet_NaN() : cell.get<double>();
    if (!std::isfinite(value)) return "-";
    const double power = value == 0 ? 3 : std::floor(std::log10(std::abs(value)));
    char text[40];
    if (power < -4)
        std::snprintf(text, sizeof text, "%.1e", value);
    else
        std::snprintf(text, sizeof text, "%.*f", std::clamp(3 - static_cast<int>(power), 0, 7), value);
    return text;
}

}  // namespace

Contestant timed(std::string name, std::function<void()> work) {
    return {std::move(name), [work = std::move(work)] {
                const auto start = Clock::now();
                work();
                return ms_since(start);
            }};
}

double Measurement::median() const { return median_of(samples_ms); }

std::vector<Measurement> measure(const std::vector<Contestant>& contestants, const Patience& patience) {
    std::vector<Measurement> measurements;
    for (const Contestant& contestant : contestants) measurements.push_back({contestant.name, {}});
    if (patience.warm_up)
        for (const Contestant& contestant : contestants) contestant.run();
    std::vector<double> busy(contestants.size()), spent(contestants.size());
    const auto start = Clock::now();
    for (int turn = 0; turn < patience.most; ++turn) {
        if (turn >= patience.fewest && ms_since(start) > 1e3 * patience.seconds) break;
        for (size_t i = 0; i < contestants.size(); ++i) {
            const double processor = processor_time();
            const auto begin = Clock::now();
            measurements[i].samples_ms.push_back(contestants[i].run());
            busy[i] += processor_time() - processor;
            spent[i] += ms_since(begin);
        }
    }
    for (size_t i = 0; i < contestants.size(); ++i) {
        measurements[i].cores = busy[i] / spent[i];
        if (contestants[i].one_thread && measurements[i].cores < kAlone)
            std::printf("  The one thread of %s had %.0f%% of a core: do not trust the ratios of the next row.\n",
                        contestants[i].name.c_str(), 100 * measurements[i].cores);
    }
    return measurements;
}

bool Task::wants(const std::string& name) const {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
}

std::vector<uint64_t> Task::sizes_by(double factor) const {
    std::vector<uint64_t> sizes;
    for (double size = least; size <= most * 1.0001; size *= factor) sizes.push_back(std::llround(size));
    if (sizes.empty()) throw Error("nothing lies between --min and --max");
    return sizes;
}

std::vector<uint64_t> Task::sizes(std::vector<uint64_t> own) const {
    return most > 0 ? std::vector{static_cast<uint64_t>(most)} : own;
}

void require_known(const std::vector<std::string>& only, const std::vector<std::string>& known) {
    for (const std::string& name : only) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = nearest_word(name, known);
        throw Error("--only " + name + ": expected " + join_words(known) +
                    (near.empty() ? "" : "; did you mean " + near + "?"));
    }
}

Geometry made_points(const std::string& generator, uint64_t count, uint64_t seed) {
    return generate({generator, count, seed});
}

std::unique_ptr<Lab> make_lab_with(const std::string& id, const Settings& settings) {
    std::unique_ptr<Lab> lab = make_lab(id);
    for (const std::string& setting : settings) set_parameter(*lab, setting);
    lab->set_records_states(false);
    return lab;
}

double slope_of(const std::vector<double>& sizes, const std::vector<double>& values) {
    const double count = static_cast<double>(sizes.size());
    double x = 0, y = 0, xx = 0, xy = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        const double doublings = std::log2(sizes[i]);
        x += doublings;
        y += values[i];
        xx += doublings * doublings;
        xy += doublings * values[i];
    }
    const double spread = count * xx - x * x;
    return spread > 0 ? (count * xy - x * y) / spread : std::numeric_limits<double>::quiet_NaN();
}

double growth_exponent(const std::vector<double>& sizes, std::vector<double> times) {
    for (double& time : times) time = std::log2(time);
    return slope_of(sizes, times);
}

void Profile::add(Context& context, double run_ms) {
    ++runs;
    all_runs_ms += run_ms;
    context.collect_timings();
    for (const LabelTiming& row : context.timings().rows()) {
        if (row.calls == 0) continue;
        const auto same = [&](const LabelTiming& kernel) { return kernel.label == row.label; };
        auto kernel = std::find_if(kernels.begin(), kernels.end(), same);
        if (kernel == kernels.end()) kernel = kernels.insert(kernel, LabelTiming{row.label});
        kernel->calls += row.calls;
        kernel->total_ms += row.total_ms;
    }
}

Json Profile::to_json() const {
    Json json = Json::array();
    std::vector<LabelTiming> sorted = kernels;
    std::sort(sorted.begin(), sorted.end(),
              [](const LabelTiming& a, const LabelTiming& b) { return a.total_ms > b.total_ms; });
    LabelTiming outside{"outside kernels", 0, 0, 0, all_runs_ms};
    for (const LabelTiming& kernel : sorted) outside.total_ms -= kernel.total_ms;
    sorted.push_back(outside);
    for (const LabelTiming& kernel : sorted)
        json.push_back({{"label", kernel.label},
                        {"calls", static_cast<double>(kernel.calls) / static_cast<double>(runs)},
                        {"ms", kernel.total_ms / static_cast<double>(runs)},
                        {"share", kernel.total_ms / all_runs_ms}});
    return json;
}

void print_kernels(const std::string& name, const Json& kernels) {
    std::printf("  %s:\n", name.c_str());
    for (const Json& kernel : kernels)
        if (kernel.at("share") > 1e-3)
            std::printf("    %-24s %8.2f launches %10.4f ms %5.1f %%\n", kernel.at("label").get<std::string>().c_str(),
                        kernel.at("calls").get<double>(), kernel.at("ms").get<double>(),
                        100 * kernel.at("share").get<double>());
}

void add_times(Json& row, const std::vector<Measurement>& measured, const std::string& reference) {
    Json times = Json::object();
    for (const Measurement& one : measured)
        times[one.name] = {{"median_ms", one.median()},
                           {"least_ms", *std::min_element(one.samples_ms.begin(), one.samples_ms.end())},
                           {"cores", one.cores},
                           {"runs", one.samples_ms.size()}};
    row["times"] = times;
    for (const Measurement& one : measured)
        if (one.name != reference && times.contains(reference))
            row[one.name + "/" + reference] = one.median() / times[reference].at("median_ms").get<double>();
}

Table::Table(Json& rows, const std::string& title, int words) : rows_(rows), words_(words) {
    rows_ = Json::array();
    std::printf("\n%s\n", title.c_str());
}

void Table::add(Json row) {
    const auto cells = cells_of(row);
    if (rows_.empty()) {
        for (const auto& [heading, value] : cells) {
            const int least = static_cast<int>(heading.size());
            columns_.emplace_back(heading, value.is_string() ? -std::max(least, words_) : std::max(least, 9));
            std::printf("  %*s", columns_.back().second, heading.c_str());
        }
        std::printf("\n");
    }
    for (const auto& [heading, width] : columns_) {
        const auto cell =
            std::find_if(cells.begin(), cells.end(), [&](const auto& one) { return one.first == heading; });
        std::printf("  %*s", width, cell == cells.end() ? "-" : text_of(cell->second).c_str());
    }
    std::printf("\n");
    std::fflush(stdout);
    rows_.push_back(std::move(row));
}

}  // namespace flipscope::bench
