#include "bench/lammps_forces.h"

#include <unistd.h>

#include <lammps/library.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "compute/error.h"

namespace flipscope::bench {

namespace {

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

}  // namespace

std::string lammps_version() {
    void* const handle = open(1);
    if (!handle) return "";
    const std::string version = std::to_string(::lammps_version(handle));
    lammps_close(handle);
    return version;
}

bool LammpsForces::has_threads() {
    char name[] = "OPENMP", older[] = "USER-OMP";
    return lammps_config_has_package(name) || lammps_config_has_package(older);
}

void LammpsForces::command(const std::string& line) {
    lammps_command(handle_, line.c_str());
    if (!lammps_has_error(handle_)) return;
    char text[512] = "";
    lammps_get_last_error_message(handle_, text, sizeof text);
    throw Error("LAMMPS refuses \"" + line + "\": " + text);
}

LammpsForces::LammpsForces(double side, const std::vector<Point>& positions, const std::vector<int>& charges,
                           double cutoff, double skin, Law law, bool rebuild, int threads)
    : handle_(open(threads)), count_(positions.size()) {
    if (!handle_) throw Error("LAMMPS does not start");
    const TableFile tables(cutoff);
    const std::string length = exactly(side), reach = exactly(cutoff);
    for (const std::string& line : std::vector<std::string>{
             "units lj", "dimension 2", "boundary p p p", "atom_style atomic", "atom_modify map array",
             "region box block 0 " + length + " 0 " + length + " -0.5 0.5", "create_box 2 box", "mass * 1.0",
             "neighbor " + exactly(skin) + " bin",
             std::string("neigh_modify every 1 delay 0 check ") + (rebuild ? "no" : "yes"), "timestep 0.0"})
        command(line);
    std::vector<double> places;
    std::vector<int> ids, types;
    for (size_t i = 0; i < count_; ++i) {
        places.insert(places.end(), {positions[i].x, positions[i].y, 0.0});
        ids.push_back(static_cast<int>(i) + 1);
        types.push_back(charges[i] > 0 ? 1 : 2);
    }
    lammps_create_atoms(handle_, static_cast<int>(count_), ids.data(), types.data(), places.data(), nullptr, nullptr,
                        0);
    if (law == Law::kTable) {
        command("pair_style table spline " + std::to_string(kTableEntries));
        command("pair_coeff 1 1 " + tables.path() + " REPEL");
        command("pair_coeff 2 2 " + tables.path() + " REPEL");
        command("pair_coeff 1 2 " + tables.path() + " ATTRACT");
    } else {
        command("pair_style lj/cut " + reach);
        command("pair_coeff * * 1.0 1.0");
    }
    command("thermo 1000000000");
    command("run 0 post no");
}

LammpsForces::~LammpsForces() {
    if (handle_) lammps_close(handle_);
}

void LammpsForces::step() { command("run 1 pre no post no"); }

std::vector<Point> LammpsForces::forces() const {
    std::vector<double> all(3 * count_);
    char name[] = "f";
    lammps_gather_atoms(handle_, name, 1, 3, all.data());
    std::vector<Point> found(count_);
    for (size_t i = 0; i < count_; ++i) found[i] = {all[3 * i], all[3 * i + 1]};
    return found;
}

}  // namespace flipscope::bench
