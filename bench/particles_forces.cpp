// Times of the pair forces by each method, and whether all methods agree bit by bit.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bench/particles.h"
#include "compute/text.h"

namespace flipscope::bench {

namespace {

constexpr double kMostSeconds = 10;  // time limit of a sum on one CPU thread
constexpr uint32_t kNearParticlesCpu = 100'000, kNearParticlesCuda = 1 << 20;

/// Compares all results and prints a line for each difference.
bool agree(const std::vector<std::pair<std::string, std::unique_ptr<ForceRun>>>& runs) {
    const std::vector<Point> first = runs.front().second->forces();
    bool all = true;
    for (const auto& [name, run] : runs) {
        const std::vector<Point> forces = run->forces();
        if (std::memcmp(forces.data(), first.data(), first.size() * sizeof(Point)) == 0) continue;
        std::printf("  DIFFERENT: %s and %s\n", name.c_str(), runs.front().first.c_str());
        all = false;
    }
    return all;
}

}  // namespace

ForceRun::ForceRun(DeviceRequest device, int threads, const ParticleModel& model, const ParticleStart& start,
                   bool moves)
    : context_(device, threads), moves_(moves) {
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

double ForceRun::run() {
    const auto start = Clock::now();
    for (int k = 0; k < repeats_; ++k) {
        const View<const Point> positions = moves_ && ++runs_ % 2 ? moved_.view() : positions_.view();
        forces_.compute(positions, species_.view(), result_.view());
    }
    context_.synchronize();
    return ms_since(start) / repeats_;
}

std::vector<Point> ForceRun::forces() {
    forces_.compute(positions_.view(), species_.view(), result_.view());
    return result_.download();
}

bool sum_all_pairs(const Task& task, const std::vector<std::string>&, Json& json) {
    Table table(json, "All pairs, f = r/|r|^3, float, configuration c1, median ms (figure 12)");
    bool all_agree = true;
    double one_thread_s = 0;  // estimate for the next sum on one thread
    for (const uint64_t n : task.sizes_by(2)) {
        ParticleModel model = particle_model(task, "c1", static_cast<uint32_t>(n), ForceLaw::kLongRange);
        const ParticleStart start = make_start(model);
        std::vector<std::pair<std::string, std::unique_ptr<ForceRun>>> runs;
        std::vector<Contestant> contestants;
        const auto add = [&](const char* name, DeviceRequest device, int threads) {
            runs.emplace_back(name, std::make_unique<ForceRun>(device, threads, model, start));
            contestants.push_back({name, [run = runs.back().second.get()] { return run->run(); }});
        };
        add(task.on_cuda() ? "shuffle" : "threads", task.device, task.threads);
        if (task.on_cuda()) {
            model.tiling = Tiling::kShared;
            add("shared", task.device, task.threads);
        }
        std::vector<Measurement> measured = measure(contestants, task.patience);
        if (one_thread_s < kMostSeconds) {
            add("1 thread", DeviceRequest::kCpu, 1);
            Patience patience = task.patience;
            patience.warm_up = one_thread_s < 0.1;
            if (one_thread_s > 1) patience.fewest = patience.most = 1;
            measured.push_back(measure({contestants.back()}, patience).front());
            one_thread_s = 4e-3 * measured.back().median();
        }
        Json row{{"particles", n}, {"pairs_per_second", double(n) * double(n) / measured.front().median() * 1e3}};
        add_times(row, measured, measured.front().name);
        table.add(std::move(row));
        if (n <= 1 << 16) all_agree &= agree(runs);
    }
    return all_agree;
}

bool sum_near_pairs(const Task& task, const std::vector<std::string>& configurations, Json& json) {
    const uint32_t usual = task.on_cuda() ? kNearParticlesCuda : kNearParticlesCpu;
    const auto n = static_cast<uint32_t>(std::min<double>(usual, task.most));
    Table table(json, "Near pairs, f = r/|r|^7 up to 2.5, float, median ms a step");
    bool all_agree = true;
    for (const std::string& name : configurations) {
        ParticleModel model = particle_model(task, name, n, ForceLaw::kShortRange);
        const ParticleStart start = make_start(model);
        std::vector<std::pair<std::string, std::unique_ptr<ForceRun>>> runs;
        std::vector<Contestant> contestants;
        for (const char* method : {"cells", "lists kept", "lists made"}) {
            model.near_pairs = runs.empty() ? NearPairs::kCells : NearPairs::kVerlet;
            const bool moves = runs.size() == 2;
            runs.emplace_back(method, std::make_unique<ForceRun>(task.device, task.threads, model, start, moves));
            contestants.push_back({method, [run = runs.back().second.get()] { return run->run(); }});
        }
        Json row{{"configuration", name}, {"density", model.density}, {"particles", n}};
        add_times(row, measure(contestants, task.patience), "cells");
        table.add(std::move(row));
        all_agree &= agree(runs);
    }
    return all_agree;
}

}  // namespace flipscope::bench
