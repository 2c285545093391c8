#include "bench/particles.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "bench/tables.h"

#ifdef FLIPSCOPE_WITH_LAMMPS
#include "bench/lammps_forces.h"
#endif

namespace flipscope::bench {

#ifdef FLIPSCOPE_WITH_LAMMPS

namespace {

using Json = nlohmann::ordered_json;

constexpr uint32_t kParticles = 100'000;
// Relative to the root-mean-square force: float as in the tests, double limited by the table's splines.
constexpr double kFloatNear = 1e-5, kDoubleNear = 1e-8;

class Lammps : public Contestant {
  public:
    Lammps(std::string name, const ParticleStart& start, const ParticleModel& model, LammpsForces::Law law,
           bool rebuild, int threads)
        : name_(std::move(name)),
          forces_(start.box.sides.x, start.positions, charges_of(start, model), model.cutoff, model.skin, law, rebuild,
                  threads) {}
    std::string name() const override { return name_; }
    double run() override {
        const auto start = std::chrono::steady_clock::now();
        forces_.step();
        return ms_since(start);
    }
    std::vector<Point> result() const { return forces_.forces(); }

  private:
    static std::vector<int> charges_of(const ParticleStart& start, const ParticleModel& model) {
        std::vector<int> charges;
        for (const uint8_t species : start.species) charges.push_back(model.species[species].alpha > 0 ? 1 : -1);
        return charges;
    }
    std::string name_;
    LammpsForces forces_;
};

/// The largest difference, relative to the root-mean-square force.
double difference(const std::vector<Point>& ours, const std::vector<Point>& theirs) {
    double largest = 0, squares = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
        largest = std::max(largest, std::hypot(ours[i].x - theirs[i].x, ours[i].y - theirs[i].y));
        squares += theirs[i].x * theirs[i].x + theirs[i].y * theirs[i].y;
    }
    return largest / std::sqrt(squares / static_cast<double>(ours.size()));
}

}  // namespace

bool compare_with_peer(const ParticlesPlan& plan, Json& json) {
    const auto n = static_cast<uint32_t>(std::min<double>(kParticles, plan.most));
    ParticleModel model = named_model("c1");
    // LAMMPS's forces are equal and opposite: the response equals the source.
    model.species = {{0.5, 1, 1}, {0.5, -1, -1}};
    model.count = n;
    model.force = ForceLaw::kShortRange;
    model.skin = 0.3;  // LAMMPS's default for such units
    model.seed = plan.seed;
    const ParticleStart start = make_start(model);
    const std::string version = lammps_version();
    std::printf("\nNear pairs beside LAMMPS %s, f = r/|r|^7 up to 2.5, %s particles of area fraction %g, ms a step\n",
                version.c_str(), with_commas(n).c_str(), model.density);
    std::vector<std::unique_ptr<Contestant>> runs;
    const auto ours = [&](const char* name, int threads, NearPairs near, Precision precision, bool moves) {
        ParticleModel own = model;
        own.near_pairs = near;
        own.precision = precision;
        const DeviceRequest device = threads == 1 ? DeviceRequest::kCpu : plan.device;
        runs.push_back(make_force_run(name, device, threads, own, start, moves));
    };
    const auto theirs = [&](const char* name, int threads, LammpsForces::Law law, bool rebuild) {
        runs.push_back(std::make_unique<Lammps>(name, start, model, law, rebuild, threads));
    };
    Context device(plan.device, plan.threads);
    const int threads = device.threads();
    using Law = LammpsForces::Law;
    ours("ours, cells, double, 1 thread", 1, NearPairs::kCells, Precision::kDouble, false);
    ours("ours, cells, float, 1 thread", 1, NearPairs::kCells, Precision::kFloat, false);
    ours("ours, lists kept, double, 1 thread", 1, NearPairs::kVerlet, Precision::kDouble, false);
    ours("ours, lists kept, float, 1 thread", 1, NearPairs::kVerlet, Precision::kFloat, false);
    const size_t first_of_theirs = runs.size();
    theirs("LAMMPS, lists made, table, 1 thread", 1, Law::kTable, true);
    theirs("LAMMPS, lists made, lj/cut, 1 thread", 1, Law::kLennardJones, true);
    theirs("LAMMPS, lists kept, table, 1 thread", 1, Law::kTable, false);
    theirs("LAMMPS, lists kept, lj/cut, 1 thread", 1, Law::kLennardJones, false);
    if (device.on_cuda() || threads > 1) {
        ours("ours, cells, float, all threads", plan.threads, NearPairs::kCells, Precision::kFloat, false);
        ours("ours, lists kept, float, all threads", plan.threads, NearPairs::kVerlet, Precision::kFloat, false);
    }
    if (threads > 1 && LammpsForces::has_threads()) {
        theirs("LAMMPS, lists made, table, all threads", threads, Law::kTable, true);
        theirs("LAMMPS, lists kept, table, all threads", threads, Law::kTable, false);
        theirs("LAMMPS, lists kept, lj/cut, all threads", threads, Law::kLennardJones, false);
    }
    const std::vector<Measurement> measured = measure(runs, plan.patience);
    const double reference = measured[first_of_theirs].median();
    for (const Measurement& one : measured)
        std::printf("  %-42s %10.3f   %6.2f of LAMMPS with lists made, 1 thread\n", one.name.c_str(), one.median(),
                    one.median() / reference);
    const std::vector<Point> expected = static_cast<Lammps&>(*runs[first_of_theirs]).result();
    const double of_double = difference(forces_of(*runs[0]), expected),
                 of_float = difference(forces_of(*runs[1]), expected);
    const bool agree = of_double <= kDoubleNear && of_float <= kFloatNear;
    std::printf(
        "  Largest difference from its cubic splines, of the root-mean-square force: %.1e in double, %.1e in float%s\n",
        of_double, of_float, agree ? "" : ": MORE THAN EXPECTED");
    Json row{{"peer", "LAMMPS " + version},
             {"particles", n},
             {"density", model.density},
             {"threads", threads},
             {"device", device.device_name()}};
    row["times"] = times_json(measured);
    row["difference_double"] = of_double;
    row["difference_float"] = of_float;
    row["agree"] = agree;
    json.push_back(row);
    return agree;
}

#else

bool compare_with_peer(const ParticlesPlan&, nlohmann::ordered_json&) {
    std::printf("\nNear pairs beside LAMMPS: it was not built in (Debian: liblammps-dev)\n");
    return true;
}

#endif

}  // namespace flipscope::bench
