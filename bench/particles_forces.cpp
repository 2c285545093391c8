#include "bench/particles.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>

#include "bench/tables.h"
#include "particles/all_pairs.h"
#include "particles/pair_forces.h"

#if defined(__x86_64__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // false positives of g++ 12 about unused AVX-512 values
#endif
#include <immintrin.h>
#endif

namespace flipscope::bench {

namespace {

constexpr double kMostSeconds = 10;      // time limit of a sum on one CPU thread
constexpr double kMultipliesAPair = 11;  // including fused multiply-adds, in float
constexpr uint32_t kVectorParticles = 1 << 12;
constexpr uint32_t kNearParticlesCpu = 100'000, kNearParticlesCuda = 1 << 20;

/// One force method on one start, with its own context.
class ForceRun : public Contestant {
  public:
    /// `moves`: every second run sees all particles moved by the whole skin, so that each run rebuilds its lists.
    ForceRun(std::string name, DeviceRequest device, int threads, const ParticleModel& model,
             const ParticleStart& start, bool moves = false)
        : name_(std::move(name)), context_(device, threads), moves_(moves) {
        context_.set_timed(false);
        const auto n = static_cast<uint32_t>(start.positions.size());
        positions_.upload(context_, start.positions.data(), n);
        species_.upload(context_, start.species.data(), n);
        std::vector<Point> moved = start.positions;
        for (Point& p : moved) {
            p.x = start.box.on_grid(p.x + model.skin);
            p.x += start.box.sides.x * TorusBox::sides_to_add(p.x, start.box.sides.x);
        }
        moved_.upload(context_, moved.data(), n);
        result_.resize(context_, n);
        forces_.reset(context_, start.box, model, n);
        // Small sums are shorter than the host's clock resolves.
        repeats_ = context_.on_cuda() && n <= 1 << 16 ? 16 : 1;
    }
    std::string name() const override { return name_; }
    double run() override {
        const double start = seconds_now();
        for (int k = 0; k < repeats_; ++k) {
            const View<const Point> positions = moves_ && ++runs_ % 2 ? moved_.view() : positions_.view();
            forces_.compute(positions, species_.view(), result_.view());
        }
        context_.synchronize();
        return (seconds_now() - start) * 1e3 / repeats_;
    }

    std::vector<Point> result() {
        forces_.compute(positions_.view(), species_.view(), result_.view());
        return result_.download();
    }

  private:
    std::string name_;
    Context context_;
    bool moves_;
    int repeats_ = 1;
    uint64_t runs_ = 0;
    Buffer<Point> positions_{"positions"}, moved_{"moved"}, result_{"forces"};
    Buffer<uint8_t> species_{"species"};
    PairForces forces_;
};

bool same_bits(const std::vector<Point>& a, const std::vector<Point>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Point)) == 0;
}

/// Compares all results and prints a line for each difference.
bool agree(const std::vector<std::unique_ptr<Contestant>>& runs) {
    const std::vector<Point> first = static_cast<ForceRun&>(*runs.front()).result();
    bool all = true;
    for (const auto& run : runs) {
        if (same_bits(static_cast<ForceRun&>(*run).result(), first)) continue;
        std::printf("  DIFFERENT: %s and %s\n", run->name().c_str(), runs.front()->name().c_str());
        all = false;
    }
    return all;
}

ParticleModel model_of(const ParticlesPlan& plan, const std::string& name, uint32_t n, ForceLaw law) {
    ParticleModel model = named_model(name);
    model.count = n;
    model.force = law;
    model.seed = plan.seed;
    return model;
}

#if defined(__x86_64__)

// Fused multiply-adds of one thread, in enough chains to hide their latency. Returns lanes a second; `sink` receives
// the sum, so that the compiler keeps it.

constexpr uint64_t kRounds = 500'000;  // about the duration of a sum
constexpr int kChains = 16;

__attribute__((target("avx512f"))) double rate_avx512(volatile float& sink) {
    __m512 sums[kChains];
    for (int k = 0; k < kChains; ++k) sums[k] = _mm512_set1_ps(static_cast<float>(k));
    const __m512 factor = _mm512_set1_ps(0.5f), term = _mm512_set1_ps(1.0f);
    const double start = seconds_now();
    for (uint64_t round = 0; round < kRounds; ++round)
#pragma GCC unroll 16
        for (int k = 0; k < kChains; ++k) sums[k] = _mm512_fmadd_ps(sums[k], factor, term);
    const double elapsed = seconds_now() - start;
    for (int k = 0; k < kChains; ++k) sink = sink + _mm512_cvtss_f32(sums[k]);
    return 16.0 * kChains * kRounds / elapsed;
}

__attribute__((target("avx2,fma"))) double rate_avx2(volatile float& sink) {
    constexpr int kFewer = 12;  // of sixteen registers
    __m256 sums[kFewer];
    for (int k = 0; k < kFewer; ++k) sums[k] = _mm256_set1_ps(static_cast<float>(k));
    const __m256 factor = _mm256_set1_ps(0.5f), term = _mm256_set1_ps(1.0f);
    const double start = seconds_now();
    for (uint64_t round = 0; round < kRounds; ++round)
#pragma GCC unroll 12
        for (int k = 0; k < kFewer; ++k) sums[k] = _mm256_fmadd_ps(sums[k], factor, term);
    const double elapsed = seconds_now() - start;
    for (int k = 0; k < kFewer; ++k) sink = sink + _mm256_cvtss_f32(sums[k]);
    return 8.0 * kFewer * kRounds / elapsed;
}

#endif

/// 0: unknown.
double multiply_rate([[maybe_unused]] const std::string& instructions) {
#if defined(__x86_64__)
    volatile float sink = 0;
    if (instructions == "AVX-512") return rate_avx512(sink);
    if (instructions == "AVX2") return rate_avx2(sink);
#endif
    return 0;
}

}  // namespace

std::unique_ptr<Contestant> make_force_run(std::string name, DeviceRequest device, int threads,
                                           const ParticleModel& model, const ParticleStart& start, bool moves) {
    return std::make_unique<ForceRun>(std::move(name), device, threads, model, start, moves);
}

std::vector<Point> forces_of(Contestant& run) { return static_cast<ForceRun&>(run).result(); }

bool sum_all_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    const bool on_cuda = plan.on_cuda();
    std::printf("\nAll pairs, f = r/|r|^3, float, configuration c1, median ms (figure 12)\n");
    const char* const first = on_cuda ? "shuffle" : "threads";
    const char* const second = on_cuda ? "shared" : "";
    std::printf("  %10s %11s %11s %11s %14s %14s %12s\n", "particles", first, second, "1 thread", "shared/shuffle",
                "1 thread/first", "Gpairs/s");
    bool all_agree = true;
    double one_thread_s = 0;  // estimate for the next sum on one thread
    for (double size = plan.least; size <= plan.most * 1.0001; size *= 2) {
        const auto n = static_cast<uint32_t>(size + 0.5);
        ParticleModel model = model_of(plan, "c1", n, ForceLaw::kLongRange);
        const ParticleStart start = make_start(model);
        std::vector<std::unique_ptr<Contestant>> runs;
        runs.push_back(std::make_unique<ForceRun>(first, plan.device, plan.threads, model, start));
        if (on_cuda) {
            model.tiling = Tiling::kShared;
            runs.push_back(std::make_unique<ForceRun>(second, plan.device, plan.threads, model, start));
        }
        std::vector<Measurement> measured = measure(runs, plan.patience);
        if (one_thread_s < kMostSeconds) {
            std::vector<std::unique_ptr<Contestant>> one;
            one.push_back(std::make_unique<ForceRun>("1 thread", DeviceRequest::kCpu, 1, model, start));
            Patience patience = plan.patience;
            patience.warm_up = one_thread_s < 0.1;
            if (one_thread_s > 1) patience.fewest = patience.most = 1;
            measured.push_back(measure(one, patience).front());
            one_thread_s = 4e-3 * measured.back().median();
            runs.push_back(std::move(one.front()));
        }
        if (n <= 1 << 16) all_agree &= agree(runs);
        const Measurement* const shared = find(measured, "shared");
        const Measurement* const one = find(measured, "1 thread");
        const double ms = measured.front().median(), pairs = double(n) * n;
        std::printf("  %10s", with_commas(n).c_str());
        print_ms(&measured.front());
        print_ms(shared);
        print_ms(one);
        std::printf("     ");
        print_ratio(shared, &measured.front());
        std::printf("     ");
        print_ratio(one, &measured.front());
        std::printf(" %12.1f\n", pairs / ms * 1e-6);
        nlohmann::ordered_json row{{"particles", n}, {"pairs_per_second", pairs / ms * 1e3}};
        row["times"] = times_json(measured);
        json.push_back(row);
    }
    return all_agree;
}

Figure figure_of_all_pairs(const nlohmann::ordered_json& rows) {
    Figure figure{"The sum over all pairs (figure 12)", "particles", "ms, median", {}, {}};
    for (const auto& row : rows)
        for (const auto& [name, times] : row.at("times").items()) {
            Curve& curve = figure.curve(name, static_cast<int>(figure.curves.size()), 0);
            curve.x.push_back(row.at("particles"));
            curve.y.push_back(times.at("median_ms"));
        }
    return figure;
}

bool compare_vector_units(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    const auto n = static_cast<uint32_t>(std::min<double>(kVectorParticles, plan.most));
    std::printf("\nAll pairs on one CPU thread, %s particles: 17 vector instructions a pair, 11 of them multiply\n",
                with_commas(n).c_str());
    std::printf("  %-10s %10s %12s %12s %22s %10s\n", "with", "precision", "least ms", "Gpairs/s", "multiply-adds, G/s",
                "share");
    bool all_agree = true;
    for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
        std::vector<Point> first;
        for (size_t choice = 0; choice < AllPairs::instruction_sets(); ++choice) {
            ParticleModel model = model_of(plan, "c1", n, ForceLaw::kLongRange);
            model.precision = precision;
            const ParticleStart start = make_start(model);
            Context context(DeviceRequest::kCpu, 1);
            Buffer<Point> positions("positions"), forces("forces");
            Buffer<uint8_t> species("species");
            positions.upload(context, start.positions.data(), n);
            species.upload(context, start.species.data(), n);
            forces.resize(context, n);
            AllPairs all;
            all.reset(context, start.box, model, n);
            all.use_instructions(choice);
            std::vector<double> samples, rates;
            const std::string name = AllPairs::instruction_set(choice);
            const double begin = seconds_now();
            for (int turn = 0; turn < plan.patience.most; ++turn) {
                if (turn >= plan.patience.fewest && seconds_now() - begin > plan.patience.seconds / 3) break;
                if (turn > 0 && seconds_now() - begin > kMostSeconds) break;
                const double moment = seconds_now();
                all.compute(positions.view(), species.view(), forces.view());
                samples.push_back((seconds_now() - moment) * 1e3);
                if (precision == Precision::kFloat) rates.push_back(multiply_rate(name));
            }
            const std::vector<Point> result = forces.download();
            if (first.empty()) first = result;
            if (!same_bits(result, first)) {
                std::printf("  DIFFERENT: %s and %s\n", name.c_str(), AllPairs::instruction_set(0));
                all_agree = false;
            }
            // The minimum of each: disturbances of the two are independent.
            const double ms = *std::min_element(samples.begin(), samples.end()), pairs = double(n) * n / ms * 1e3;
            const double rate = rates.empty() ? 0 : *std::max_element(rates.begin(), rates.end()),
                         share = rate > 0 ? kMultipliesAPair * pairs / rate : 0;
            const char* const kind = precision == Precision::kFloat ? "float" : "double";
            std::printf("  %-10s %10s %12.3f %12.3f", name.c_str(), kind, ms, pairs * 1e-9);
            if (rate > 0)
                std::printf(" %22.1f %9.0f%%\n", rate * 1e-9, 100 * share);
            else
                std::printf(" %22s %10s\n", "-", "-");
            nlohmann::ordered_json row{{"instructions", name},
                                       {"precision", kind},
                                       {"particles", n},
                                       {"least_ms", ms},
                                       {"pairs_per_second", pairs}};
            if (rate > 0) row["multiply_adds_per_second"] = rate;
            if (rate > 0) row["share_of_peak"] = share;
            json.push_back(row);
        }
    }
    return all_agree;
}

bool sum_near_pairs(const ParticlesPlan& plan, nlohmann::ordered_json& json) {
    const bool on_cuda = plan.on_cuda();
    const auto n = static_cast<uint32_t>(std::min<double>(on_cuda ? kNearParticlesCuda : kNearParticlesCpu, plan.most));
    std::printf("\nNear pairs, f = r/|r|^7 up to 2.5, float, %s particles, median ms a step\n", with_commas(n).c_str());
    std::printf("  %-6s %10s %11s %11s %11s %14s %14s\n", "", "density", "cells", "lists kept", "lists made",
                "kept/cells", "made/cells");
    bool all_agree = true;
    for (const std::string& name : plan.configurations) {
        ParticleModel model = model_of(plan, name, n, ForceLaw::kShortRange);
        model.near_pairs = NearPairs::kCells;
        const ParticleStart start = make_start(model);
        std::vector<std::unique_ptr<Contestant>> runs;
        runs.push_back(std::make_unique<ForceRun>("cells", plan.device, plan.threads, model, start));
        model.near_pairs = NearPairs::kVerlet;
        runs.push_back(std::make_unique<ForceRun>("lists kept", plan.device, plan.threads, model, start));
        runs.push_back(std::make_unique<ForceRun>("lists made", plan.device, plan.threads, model, start, true));
        const std::vector<Measurement> measured = measure(runs, plan.patience);
        all_agree &= agree(runs);
        std::printf("  %-6s %10.4g", name.c_str(), model.density);
        for (const Measurement& one : measured) print_ms(&one);
        std::printf("     ");
        print_ratio(&measured[1], &measured[0]);
        std::printf("     ");
        print_ratio(&measured[2], &measured[0]);
        std::printf("\n");
        nlohmann::ordered_json row{{"configuration", name}, {"density", model.density}, {"particles", n}};
        row["times"] = times_json(measured);
        json.push_back(row);
    }
    return all_agree;
}

}  // namespace flipscope::bench
