#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <functional>
#include <utility>

#include "bench/experiments.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/geometry.h"

namespace flipscope::bench {

namespace {

/// A temporary file, removed at the end.
class Written {
  public:
    Written(const std::string& name, const std::function<void(FILE*)>& write)
        : path_(std::filesystem::temp_directory_path() / ("flipscope-bench-" + std::to_string(getpid()) + name)) {
        FILE* const file = std::fopen(path_.c_str(), "w");
        if (!file) throw Error(path_.string() + ": cannot be written");
        write(file);
        if (std::fclose(file) != 0) throw Error(path_.string() + ": cannot be written; is the disk full?");
    }
    ~Written() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace

bool run_readers(const Task& task, Json& json) {
    Table table(json["readers"], "Reading tables of uniform points", 24);
    for (const uint64_t size : task.sizes({1'000'000})) {
        const std::vector<Point> points = made_points("uniform", size, task.seed).points;
        const Written plain("-plain.csv", [&](FILE* file) {
            std::fputs("x,y\n", file);
            for (const Point p : points) std::fprintf(file, "%.17g,%.17g\n", p.x, p.y);
        });
        const Written mixed("-mixed.csv", [&](FILE* file) {
            std::fputs("id,x,y,radius,species,count,height,note,share,time of day\n", file);
            static constexpr const char* kSpecies[] = {"Picea abies", "Fagus sylvatica", "Abies alba"};
            for (size_t i = 0; i < points.size(); ++i) {
                const Point p = points[i];
                std::fprintf(file, "%zu,%.9g,%.9g,%.3f,%s,%zu,%.2f,%s,%.6f,%zu:%02zu\n", i + 1, p.x, p.y, p.x + p.y,
                             kSpecies[i % 3], i % 97, 30 * p.y, i % 50 ? "" : "dead", p.x * p.y, i % 24, i % 60);
            }
        });
        for (const auto& [name, file] : {std::pair("x and y", &plain), std::pair("ten mixed columns", &mixed)}) {
            const double megabytes = double(std::filesystem::file_size(file->path())) / 1e6;
            std::vector<Contestant> contestants;
            contestants.push_back(timed(name, [&path = file->path()] { read_geometry(path); }));
            contestants.push_back(timed(std::string(name) + ", bytes", [&path = file->path()] {
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
