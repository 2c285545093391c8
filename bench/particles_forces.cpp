#include "bench/particles.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bench/tables.h"
#include "particles/pair_forces.h"

namespace flipscope::bench {

namespace {

constexpr double kMostSeconds = 10;  // time limit of a sum on one CPU thread
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
