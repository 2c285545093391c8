#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

#include "app/base/child_process.h"
#include "bench/experiments.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/geometry.h"

namespace flipscope::bench {

namespace {

std::filesystem::path write_table(const std::filesystem::path& path, const std::function<void(FILE*)>& write) {
    FILE* const file = std::fopen(path.c_str(), "w");
    if (!file) throw Error(path.string() + ": cannot be written");
    write(file);
    if (std::fclose(file) != 0) throw Error(path.string() + ": cannot be written; is the disk full?");
    return path;
}

}  // namespace

bool run_readers(const Task& task, Json& json) {
    Table table(json["readers"], "Reading tables of uniform points", 24);
    const app::ScratchFolder folder;
    for (const uint64_t size : task.sizes({1'000'000})) {
        const std::vector<Point> points = made_points("uniform", size, task.seed).points;
        const auto plain = write_table(folder.path() / "plain.csv", [&](FILE* file) {
            std::fputs("x,y\n", file);
            for (const Point p : points) std::fprintf(file, "%.17g,%.17g\n", p.x, p.y);
        });
        const auto mixed = write_table(folder.path() / "mixed.csv", [&](FILE* file) {
            std::fputs("id,x,y,radius,species,count,height,note,share,time of day\n", file);
            static constexpr const char* kSpecies[] = {"Picea abies", "Fagus sylvatica", "Abies alba"};
            for (size_t i = 0; i < points.size(); ++i) {
                const Point p = points[i];
                std::fprintf(file, "%zu,%.9g,%.9g,%.3f,%s,%zu,%.2f,%s,%.6f,%zu:%02zu\n", i + 1, p.x, p.y, p.x + p.y,
                             kSpecies[i % 3], i % 97, 30 * p.y, i % 50 ? "" : "dead", p.x * p.y, i % 24, i % 60);
            }
        });
        for (const auto& [name, file] : {std::pair("x and y", &plain), std::pair("ten mixed columns", &mixed)}) {
            const double megabytes = double(std::filesystem::file_size(*file)) / 1e6;
            std::vector<Contestant> contestants;
            contestants.push_back(timed(name, [&path = *file] { read_geometry(path); }));
            contestants.push_back(timed(std::string(name) + ", bytes", [&path = *file] {
                if (io::FileBytes(path).view().empty()) throw Error(path.string() + ": is empty");
            }));
            for (const Measurement& one : measure(contestants, task.patience))
                table.add({{"rows", size},
                           {"what", one.name},
                           {"megabytes", megabytes},
                           {"ms", one.median()},
                           {"samples_ms", one.samples_ms}});
        }
    }
    return true;
}

}  // namespace flipscope::bench
