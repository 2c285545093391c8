// What includes what: core/ is a house of floors, and no floor knows of one above it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

// From the ground up, as docs/architecture.md shows them.
const std::vector<std::string> kFloors{"compute", "geometry",  "mesh",       "io",    "delaunay", "voronoi",
                                       "events",  "particles", "statistics", "judge", "labs"};

struct Include {
    fs::path file;
    std::string name;
    bool quoted = false;
};

std::vector<Include> includes_below(const fs::path& folder) {
    std::vector<Include> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp") continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with("#include ")) continue;
            const size_t open = line.find_first_of("\"<"), close = line.find_first_of("\">", open + 1);
            REQUIRE(close != std::string::npos);
            found.push_back({entry.path(), line.substr(open + 1, close - open - 1), line[open] == '"'});
        }
    }
    return found;
}

std::string folder_of(const std::string& name) { return name.substr(0, name.find('/')); }

size_t floor_of(const std::string& folder) {
    return static_cast<size_t>(std::find(kFloors.begin(), kFloors.end(), folder) - kFloors.begin());
}

}  // namespace

TEST_CASE("floors: every folder of core is a floor, and includes only itself and those below it") {
    const fs::path core = fs::path(FLIPSCOPE_SOURCE_DIR) / "core";
    for (const auto& entry : fs::directory_iterator(core))
        if (entry.is_directory() && !fs::is_empty(entry.path())) {
            INFO(entry.path());
            CHECK(floor_of(entry.path().filename().string()) < kFloors.size());
        }
    const std::vector<Include> all = includes_below(core);
    REQUIRE(all.size() > 500);
    std::array<size_t, 11> used{};
    for (const Include& each : all) {
        if (!each.quoted) continue;
        INFO(each.file << " includes " << each.name);
        const size_t from = floor_of(folder_of(fs::relative(each.file, core).string()));
        const size_t to = floor_of(folder_of(each.name));
        REQUIRE(to < kFloors.size());  // "point.h" beside it would hide where it lies
        CHECK(to <= from);
        ++used[to];
    }
    CHECK(std::count(used.begin(), used.begin() + 10, 0u) ==
          0);  // something is found on every floor that has one above
}

TEST_CASE("floors: core includes no OpenGL, no window and no user interface") {
    const std::vector<std::string> foreign{"GL",   "GLES", "GLES2", "GLES3", "EGL",
                                           "GLFW", "glad", "glm",   "imgui", "KHR"};
    size_t system = 0;
    for (const Include& each : includes_below(fs::path(FLIPSCOPE_SOURCE_DIR) / "core")) {
        if (each.quoted) continue;
        ++system;
        INFO(each.file << " includes " << each.name);
        const std::string folder = folder_of(each.name);
        CHECK(std::find(foreign.begin(), foreign.end(), folder) == foreign.end());
        for (const std::string& word : {"imgui"s, "stb_"s, "glad"s, "cuda_gl_interop"s})
            CHECK(each.name.find(word) == std::string::npos);
    }
    CHECK(system > 200);
}

TEST_CASE("floors: the app includes no lab of its own: it finds them in the registry") {
    for (const Include& each : includes_below(fs::path(FLIPSCOPE_SOURCE_DIR) / "app")) {
        if (!each.quoted || !each.name.starts_with("labs/")) continue;
        INFO(each.file << " includes " << each.name);
        CHECK(std::count(each.name.begin(), each.name.end(), '/') == 1);  // labs/lab.h, and no labs/flip/flip_lab.h
    }
}
