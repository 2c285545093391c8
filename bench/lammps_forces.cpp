// The peer of the short-range force: LAMMPS's pair forces over its neighbour lists.
#include <unistd.h>

#include <lammps/library.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bench/particles.h"
#include "compute/error.h"

namespace flipscope::bench {

namespace {

constexpr uint32_t kParticles = 100'000;
// Relative to the root-mean-square force: float as in the tests, double limited by the table's splines.
constexpr double kFloatNear = 1e-5, kDoubleNear = 1e-8;
constexpr int kTableEntries = 8192;
constexpr double kNearest = 0.9;  // world units; start of the table

/// A temporary file with two tables, which LAMMPS reads by name.
class TableFile {
  public:
    explicit TableFile(double cutoff) {
        std::string pattern = (std::filesystem::temp_directory_path() / "flipscope-XXXXXX").string();
        const int file = mkstemp(pattern.data());
        if (file < 0) throw Error("a file for the tables of LAMMPS cannot be made in " + pattern);
        path_ = pattern;
        std::FILE* const out = fdopen(file, "w");
        for (const int sign : {1, -1}) {
            std::fprintf(out, "%s\nN %d RSQ %.17g %.17g\n\n", sign > 0 ? "REPEL" : "ATTRACT", kTableEntries, kNearest,
                         cutoff);
            const double low = kNearest * kNearest, high = cutoff * cutoff;
            for (int k = 0; k < kTableEntries; ++k) {
                const double r = std::sqrt(low + (high - low) * k / (kTableEntries - 1));
                std::fprintf(out, "%d %.17g %.17g %.17g\n", k + 1, r, sign * std::pow(r, -5) / 5,
                             sign * std::pow(r, -6));
            }
            std::fprintf(out, "\n");
        }
        std::fclose(out);
    }
    ~TableFile() { std::filesystem::remove(path_); }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string exactly(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", value);
    return text;
}

void* open(int threads) {
    std::vector<std::string> words{"flipscope_bench", "-log", "none", "-screen", "none", "-nocite"};
    if (threads > 1)
        for (const std::string& word :
             {std::string("-pk"), std::string("omp"), std::to_string(threads), std::string("-sf"), std::string("omp")})
            words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return lammps_open_no_mpi(static_cast<int>(arguments.size()), arguments.data(), nullptr);
}

/// The pair force.
enum class Law {
    kTable,         // r / |r|^7 from a table with cubic splines: LAMMPS lacks this law in closed form
    kLennardJones,  // another closed-form force of similar cost
};

/// Particles at rest in a periodic square; run() computes their forces.
class LammpsForces {
  public:
    /// Equal species repel, opposite ones attract. `rebuild`: find neighbours at every step instead of once. `threads`
    /// above 1: use the styles of LAMMPS's OpenMP package. Throws Error if LAMMPS reports an error.
    LammpsForces(const ParticleStart& start, const ParticleModel& model, Law law, bool rebuild, int threads)
        : handle_(open(threads)), count_(start.positions.size()) {
        if (!handle_) throw Error("LAMMPS does not start");
        const TableFile tables(model.cutoff);
        const std::string length = exactly(start.box.sides.x);
        for (const std::string& line : std::vector<std::string>{
                 "units lj", "dimension 2", "boundary p p p", "atom_style atomic", "atom_modify map array",
                 "region box block 0 " + length + " 0 " + length + " -0.5 0.5", "create_box 2 box", "mass * 1.0",
                 "neighbor " + exactly(model.skin) + " bin",
                 std::string("neigh_modify every 1 delay 0 check ") + (rebuild ? "no" : "yes"), "timestep 0.0"})
            command(line);
        std::vector<double> places;
        std::vector<int> ids, types;
        for (size_t i = 0; i < count_; ++i) {
            places.insert(places.end(), {start.positions[i].x, start.positions[i].y, 0.0});
            ids.push_back(static_cast<int>(i) + 1);
            types.push_back(model.species[start.species[i]].alpha > 0 ? 1 : 2);
        }
        lammps_create_atoms(handle_, static_cast<int>(count_), ids.data(), types.data(), places.data(), nullptr,
                            nullptr, 0);
        if (law == Law::kTable) {
            command("pair_style table spline " + std::to_string(kTableEntries));
            command("pair_coeff 1 1 " + tables.path() + " REPEL");
            command("pair_coeff 2 2 " + tables.path() + " REPEL");
            command("pair_coeff 1 2 " + tables.path() + " ATTRACT");
        } else {
            command("pair_style lj/cut " + exactly(model.cutoff));
            command("pair_coeff * * 1.0 1.0");
        }
        command("thermo 1000000000");
        command("run 0 post no");
    }
    ~LammpsForces() {
        if (handle_) lammps_close(handle_);
    }
    LammpsForces(const LammpsForces&) = delete;
    LammpsForces& operator=(const LammpsForces&) = delete;

    void run() { command("run 1 pre no post no"); }
    std::vector<Point> forces() const {  // (n) in the order of the positions
        std::vector<double> all(3 * count_);
        char name[] = "f";
        lammps_gather_atoms(handle_, name, 1, 3, all.data());
        std::vector<Point> found(count_);
        for (size_t i = 0; i < count_; ++i) found[i] = {all[3 * i], all[3 * i + 1]};
        return found;
    }
    int version() const { return lammps_version(handle_); }  // 20210929

  private:
    void command(const std::string& line) {
        lammps_command(handle_, line.c_str());
        if (!lammps_has_error(handle_)) return;
        char text[512] = "";
        lammps_get_last_error_message(handle_, text, sizeof text);
        throw Error("LAMMPS refuses \"" + line + "\": " + text);
    }
    void* handle_ = nullptr;
    size_t count_ = 0;
};

bool has_threads() {  // its OpenMP package
    char name[] = "OPENMP", older[] = "USER-OMP";
    return lammps_config_has_package(name) || lammps_config_has_package(older);
}

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

bool compare_with_peer(const Task& task, const std::vector<std::string>&, Json& json) {
    ParticleModel model = particle_model(task, "c1", static_cast<uint32_t>(std::min<double>(kParticles, task.most)),
                                         ForceLaw::kShortRange);
    // LAMMPS's forces are equal and opposite: the response equals the source.
    model.species = {{0.5, 1, 1}, {0.5, -1, -1}};
    model.skin = 0.3;  // LAMMPS's default for such units
    const ParticleStart start = make_start(model);
    std::vector<std::unique_ptr<ForceRun>> ours;
    std::vector<std::unique_ptr<LammpsForces>> theirs;
    std::vector<Contestant> contestants;
    const auto add_ours = [&](const std::string& name, bool one_thread, NearPairs near, Precision precision) {
        ParticleModel own = model;
        own.near_pairs = near;
        own.precision = precision;
        ours.push_back(std::make_unique<ForceRun>(one_thread ? DeviceRequest::kCpu : task.device,
                                                  one_thread ? 1 : task.threads, own, start));
        contestants.push_back({"ours, " + name, [run = ours.back().get()] { return run->run(); }});
    };
    const auto add_theirs = [&](const std::string& name, int threads, Law law, bool rebuild) {
        theirs.push_back(std::make_unique<LammpsForces>(start, model, law, rebuild, threads));
        contestants.push_back(timed("LAMMPS, " + name, [run = theirs.back().get()] { run->run(); }));
    };
    Context device(task.device, task.threads);
    const int threads = device.threads();
    add_ours("cells, double, 1 thread", true, NearPairs::kCells, Precision::kDouble);
    add_ours("cells, float, 1 thread", true, NearPairs::kCells, Precision::kFloat);
    add_ours("lists kept, double, 1 thread", true, NearPairs::kVerlet, Precision::kDouble);
    add_ours("lists kept, float, 1 thread", true, NearPairs::kVerlet, Precision::kFloat);
    const std::string reference = "LAMMPS, lists made, table, 1 thread";
    add_theirs("lists made, table, 1 thread", 1, Law::kTable, true);
    add_theirs("lists made, lj/cut, 1 thread", 1, Law::kLennardJones, true);
    add_theirs("lists kept, table, 1 thread", 1, Law::kTable, false);
    add_theirs("lists kept, lj/cut, 1 thread", 1, Law::kLennardJones, false);
    if (device.on_cuda() || threads > 1) {
        add_ours("cells, float, all threads", false, NearPairs::kCells, Precision::kFloat);
        add_ours("lists kept, float, all threads", false, NearPairs::kVerlet, Precision::kFloat);
    }
    if (threads > 1 && has_threads()) {
        add_theirs("lists made, table, all threads", threads, Law::kTable, true);
        add_theirs("lists kept, table, all threads", threads, Law::kTable, false);
        add_theirs("lists kept, lj/cut, all threads", threads, Law::kLennardJones, false);
    }
    Json times;
    add_times(times, measure(contestants, task.patience), reference);
    Table table(json,
                "Near pairs beside LAMMPS " + std::to_string(theirs.front()->version()) + ", f = r/|r|^7 up to 2.5, " +
                    std::to_string(model.count) + " particles, ms a step, and as a part of LAMMPS with lists made",
                40);
    for (const auto& [name, of_one] : times.at("times").items())
        table.add({{"what", name},
                   {"least_ms", of_one.at("least_ms")},
                   {"median_ms", of_one.at("median_ms")},
                   {"share", name == reference ? Json(1.0) : times.at(name + "/" + reference)}});
    const std::vector<Point> expected = theirs.front()->forces();
    const double of_double = difference(ours[0]->forces(), expected),
                 of_float = difference(ours[1]->forces(), expected);
    const bool agree = of_double <= kDoubleNear && of_float <= kFloatNear;
    std::printf(
        "  Largest difference from its cubic splines, of the root-mean-square force: %.1e in double, %.1e in float%s\n",
        of_double, of_float, agree ? "" : ": MORE THAN EXPECTED");
    return agree;
}

}  // namespace flipscope::bench
