// sanitizers: none
// Includes: core/ and app/ have floors, and no floor includes one above it.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

// From the ground up, as docs/architecture.md shows them; below all of them the public headers.
const std::vector<std::string> kFloors{"flipscope",  "compute", "geometry",  "mesh",  "io",  "delaunay",    "voronoi",
                                       "statistics", "events",  "particles", "judge", "lab", "instruments", "labs"};
const std::vector<std::string> kRooms{"base",   "images",  "gl",      "view",   "run",     "judging",
                                      "render", "figures", "session", "window", "commands"};

struct Include {
    fs::path file;
    std::string name;
    bool quoted = false;
};

std::vector<Include> includes_below(const fs::path& folder) {
    std::vector<Include> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string extension = entry.path().extension().string();
        if (extension != ".h" && extension != ".cpp" && extension != ".cu") continue;
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

size_t place_of(const std::string& folder, const std::vector<std::string>& floors) {
    return static_cast<size_t>(std::find(floors.begin(), floors.end(), folder) - floors.begin());
}

/// Every folder of `house` is one of these floors, and includes only itself and those below it. How many includes lead
/// to another floor.
size_t check_floors(const fs::path& house, const std::vector<std::string>& floors, const std::string& prefix) {
    for (const auto& entry : fs::directory_iterator(house))
        if (entry.is_directory() && !fs::is_empty(entry.path())) {
            INFO(entry.path());
            CHECK(place_of(entry.path().filename().string(), floors) < floors.size());
        }
    std::set<size_t> used;
    size_t crossing = 0;
    for (const Include& each : includes_below(house)) {
        if (!each.quoted || !each.name.starts_with(prefix)) continue;
        INFO(each.file << " includes " << each.name);
        const std::string inside = fs::relative(each.file, house).string();
        const size_t from = inside.find('/') == std::string::npos ? floors.size()  // main.cpp, above all of them
                                                                  : place_of(folder_of(inside), floors);
        const size_t to = place_of(folder_of(each.name.substr(prefix.size())), floors);
        REQUIRE(to < floors.size());  // "point.h" beside it would hide where it lies
        CHECK(to <= from);
        crossing += to != from;
        used.insert(to);
    }
    CHECK(used.size() >= floors.size() - 1);  // something is found on every floor that has one above
    return crossing;
}

}  // namespace

TEST_CASE("floors: every folder of core is a floor, and includes only itself and those below it") {
    CHECK(check_floors(fs::path(FLIPSCOPE_SOURCE_DIR) / "core", kFloors, "") > 500);
}

TEST_CASE("floors: public headers include each other and nothing else of the house") {
    for (const Include& each : includes_below(fs::path(FLIPSCOPE_SOURCE_DIR) / "include")) {
        INFO(each.file << " includes " << each.name);
        CHECK(each.quoted == each.name.starts_with("flipscope/"));
        CHECK((each.quoted || each.name.find('.') == std::string::npos));  // <vector> and its like
    }
}

TEST_CASE("floors: every folder of app is a room, and includes only itself and those below it") {
    CHECK(check_floors(fs::path(FLIPSCOPE_SOURCE_DIR) / "app", kRooms, "app/") > 200);
}

TEST_CASE("floors: core, and what runs a lab from a scenario, need no OpenGL, no window and no user interface") {
    const std::vector<std::string> rooms{"core", "app/base", "app/images", "app/view", "app/run", "app/judging"};
    for (const std::string& room : rooms)
        for (const Include& each : includes_below(fs::path(FLIPSCOPE_SOURCE_DIR) / room)) {
            INFO(each.file << " includes " << each.name);
            for (const std::string& word :
                 {"imgui"s, "GL/"s, "GLES"s, "GLFW"s, "glad"s, "cuda_gl_interop"s, "app/gl/"s})
                CHECK(each.name.find(word) == std::string::npos);
            if (room == "core")
                for (const std::string& word : {"stb_"s, "glm/"s, "KHR/"s})
                    CHECK(each.name.find(word) == std::string::npos);
        }
}

TEST_CASE("floors: the app includes no lab: it finds them in the registry") {
    for (const Include& each : includes_below(fs::path(FLIPSCOPE_SOURCE_DIR) / "app")) {
        INFO(each.file << " includes " << each.name);
        CHECK(!each.name.starts_with("labs/"));
    }
}
