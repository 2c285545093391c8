#include "bench/lattice.h"

#include <chrono>
#include <cstdio>

#include "bench/tables.h"
#include "voronoi/colouring/colouring.h"
#include "voronoi/density.h"
#include "voronoi/lloyd.h"

namespace flipscope::bench {

namespace {

using Clock = std::chrono::steady_clock;

/// Sites that keep moving between runs, so that iterations on the way are timed.
class Rounds : public Contestant {
  public:
    Rounds(const LatticePlan& plan, uint32_t sites, bool weighed)
        : context_(plan.device, plan.threads), lattice_(plan.lattice), weighed_(weighed), count_(sites) {
        lattice_.periodic = true;
        const std::vector<Point> start = random_sites(lattice_, sites, plan.seed);
        sites_.upload(context_, start.data(), start.size());
        colouring_.reset(context_, lattice_);
        const DensityKind kind = weighed ? DensityKind::kHill : DensityKind::kUniform;
        lloyd_.reset(context_, lattice_, make_density(lattice_, {kind, 1, 1}, {}));
    }
    std::string name() const override { return weighed_ ? "weighed" : "uniform"; }
    double run() override {
        const auto start = Clock::now();
        colouring_.colour(context_, ColouringMethod::kExact, sites_.view(), count_);
        context_.synchronize();
        const double coloured = ms_since(start);
        lloyd_.sum(context_, colouring_.colours().view(), sites_.view(), count_);
        energies.push_back(lloyd_.judge(context_, sites_.view(), count_).energy);
        const double summed = ms_since(start);
        lloyd_.move(context_, sites_.view(), count_);
        context_.synchronize();
        const double moved = ms_since(start);
        colour_ms.push_back(coloured);
        sum_ms.push_back(summed - coloured);
        return moved;
    }

    std::vector<double> colour_ms, sum_ms, energies;  // of each run

  private:
    Context context_;
    Lattice lattice_;
    bool weighed_;
    uint32_t count_;
    Buffer<Point> sites_{"centres"};
    Colouring colouring_;
    Lloyd lloyd_;
};

}  // namespace

bool iterate_lloyd(const LatticePlan& plan, nlohmann::ordered_json& json) {
    std::printf("\nOne iteration of Lloyd's, %u x %u sites, periodic, median ms\n", plan.lattice.width,
                plan.lattice.height);
    std::printf("  %10s %-9s %10s %10s %10s %14s\n", "centres", "density", "colouring", "centroids", "together",
                "energy falls");
    bool falls = true;
    for (const uint32_t sites : {2000u, 100'000u}) {
        if (sites > plan.most) continue;
        std::vector<std::unique_ptr<Contestant>> contestants;
        for (const bool weighed : {false, true}) contestants.push_back(std::make_unique<Rounds>(plan, sites, weighed));
        const std::vector<Measurement> measured = measure(contestants, plan.patience);
        for (size_t k = 0; k < measured.size(); ++k) {
            const auto& rounds = static_cast<const Rounds&>(*contestants[k]);
            const std::vector<double>& energies = rounds.energies;
            bool always = true;
            for (size_t i = 1; i < energies.size(); ++i)
                always = always && energies[i] <= energies[i - 1] * (1 + 1e-12);
            falls = falls && always;
            std::printf("  %10s %-9s %10.3f %10.3f %10.3f %14s\n", with_commas(sites).c_str(), measured[k].name.c_str(),
                        median(rounds.colour_ms), median(rounds.sum_ms), measured[k].median(),
                        always ? "always" : "NOT ALWAYS");
            json.push_back({{"centres", sites},
                            {"density", measured[k].name},
                            {"colouring_ms", median(rounds.colour_ms)},
                            {"centroids_ms", median(rounds.sum_ms)},
                            {"round_ms", measured[k].median()},
                            {"energy_first", energies.front()},
                            {"energy_last", energies.back()},
                            {"energy_falls", always}});
        }
    }
    return falls;
}

}  // namespace flipscope::bench
