// A real window that gets random actions of the table of actions, the mouse, files and typed texts. It must keep
// running, report no internal error, undo edits, and use no more memory each time it returns to one small run.
// FLIPSCOPE_TEST_SEED chooses the actions; a failure prints the seed and the last 20 of them. FLIPSCOPE_LONG_TESTS=1
// with FLIPSCOPE_TEST_SCALE=90 goes on for two hours.
// sanitizers: address
#include <unistd.h>

#include <array>
#include <chrono>
#include <deque>
#include <random>
#include <set>
#include <sstream>

#include "app/window/actions.h"
#include "app/window_hands.h"

using namespace flipscope;

namespace {

/// Files of the program, of cases and of the fuzzer, good and malformed, under short names in the test's folder.
std::vector<std::string> copy_files(const std::filesystem::path& folder) {
    std::set<std::filesystem::path> files;
    for (const char* from : {"assets", "assets/gallery", "assets/lessons", "tests/fuzz/corpus"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(FLIPSCOPE_SOURCE_DIR "/" + std::string(from)))
            if (entry.is_regular_file() && entry.file_size() < 200'000) files.insert(entry.path());
    std::vector<std::string> names{"missing.xy", ".", "/dev/null", "uniform:500", "grid:100"};
    for (const std::filesystem::path& file : files) {
        names.push_back("f" + std::to_string(names.size()) + file.extension().string());
        std::filesystem::copy_file(file, folder / names.back());
    }
    return names;
}

/// "Ctrl+Page ↓" as xdotool names it.
std::string key_name(std::string key) {
    std::string name;
    for (const auto& [with, prefix] : {std::pair{"Ctrl+", "ctrl+"}, {"Alt+", "alt+"}, {"Shift+", "shift+"}})
        if (key.starts_with(with)) {
            name += prefix;
            key = key.substr(std::string(with).size());
        }
    static const std::map<std::string, std::string> kNames{
        {"→", "Right"},      {"←", "Left"},  {"↑", "Up"},       {"↓", "Down"},        {"Page ↓", "Next"},
        {"Page ↑", "Prior"}, {"+", "plus"},  {"−", "minus"},    {"[", "bracketleft"}, {"]", "bracketright"},
        {".", "period"},     {":", "colon"}, {"?", "question"}, {"Esc", "Escape"},    {"Space", "space"}};
    if (const auto named = kNames.find(key); named != kNames.end()) return name + named->second;
    if (key.size() == 1) key[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(key[0])));
    return name + key;
}

/// Works in a folder of its own, so that everything that the window saves lies there.
class Inside {
  public:
    explicit Inside(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
    ~Inside() { std::filesystem::current_path(before_); }

  private:
    std::filesystem::path before_ = std::filesystem::current_path();
};

/// The one control that is left out: it writes a lesson where it came from, which can be the program's own. Nothing of
/// the table ends the program, opens another one or writes outside of the current folder. Names of films are not typed,
/// which ffmpeg would make.
constexpr const char* kLeftOut = "lesson/Save";
constexpr std::array kTexts{
    "7",       "0",        "-3",           "0.25",  "1e300",   "nan",      "abc",
    "1e-320",  "p 3",      "edge:4",       "t 2",   "0.5,0.5", "flips>3",  "round=2",
    "mean=1",  "x²",       "a.svg",        "b.pdf", "c.csv",   "d.xy",     "e.json",
    "g.ply",   "h.html",   "i.obj",        "hull",  "0,0,1,1", "min",      "queued>9",
    "illegal", "degree>6", "circle 1 2 3", "",      "dist",    "sigma=.1", "POLYGON ((0 0,1 0,0 1))"};
/// Words that only internal errors contain, not errors in files or input.
constexpr std::array kInternal{"std::",          "vector::", "basic_string",      "map::",          "bad_",
                               "json.exception", "[json",    "snapshot",          "internal error", "stod",
                               "stoi",           "optional", "not enough memory", "driver failed",  "Assertion"};

class RandomWindow {
  public:
    RandomWindow(WindowDriver& window, uint64_t seed, std::vector<std::string> files)
        : window_(window), random_(seed), files_(std::move(files)), said_(window.said().size()) {}

    void act() {
        const double what = uniform();
        if (what < 0.26)
            act_by_key();
        else if (what < 0.46)
            act_by_palette();
        else if (what < 0.58)
            click_control();
        else if (what < 0.72)
            use_mouse();
        else if (what < 0.77)
            open_file(pick(files_));
        else if (what < 0.82)
            type(pick(kTexts));
        else if (what < 0.85)
            resize();
        else
            edit_and_undo();
        if (uniform() < 0.8) rest(3);
        check();
    }

    /// Back to a small run, from wherever the actions have led; returns the window's resident memory.
    double return_to_reference() {
        note("the reference run");
        for (int attempt = 0; attempt < 10; ++attempt) {
            for (int i = 0; i < 8; ++i) window_.key("Escape");
            if (look()["playing"] == true) window_.key("space");
            if (!look()["kept"].is_null()) window_.key("9");
            resize(1280, 800);
            if (look()["presenter"] == true) window_.key("shift+F5");
            window_.key("ctrl+0");
            if (look()["locked"] == true) window_.key("ctrl+l");
            open_file("reference.json");
            rest(20);
            if (!look()["question"].is_null()) window_.key("Return");
            rest(20);
            window_.key("End");
            rest(20);
            // The same run with edits, from before, has the same title.
            const bool opened = status_["title"] == "Reference" && status_["edits"] == 0;
            if (status_["idle"] == true && opened && status_["done"] == true) break;
        }
        REQUIRE_MESSAGE(status_["title"] == "Reference", status_.dump());
        REQUIRE(status_["done"] == true);
        const bool is_same_run = status_["edits"] == 0;
        CHECK_MESSAGE(is_same_run, status_.dump());
        if (is_same_run && reference_.is_null()) reference_ = status_["state_hash"];
        if (is_same_run) CHECK(status_["state_hash"] == reference_);
        window_.key("v");
        rest(20);
        REQUIRE(look()["check"].is_object());
        CHECK(status_["check"]["passed"] == true);
        check();
        // Pages of files, such as code that ran for the first time, are not the program's.
        std::istringstream lines(read_file("/proc/" + std::to_string(window_.process()) + "/status"));
        double mib = 0;
        for (std::string name, value, line; lines >> name >> value && std::getline(lines, line);)
            if (name == "RssAnon:" || name == "RssShmem:") mib += std::stod(value) / 1024;
        return mib;
    }

    std::string last_actions() const {
        std::string last;
        for (const std::string& action : last_) last += "\n  " + action;
        return last;
    }
    std::string summary() const {
        return std::to_string(actions_) + " actions, " + std::to_string(undone_) + " edits undone";
    }

  private:
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }
    size_t below(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
    template <class Values>
    typename Values::value_type pick(const Values& values) {
        return values[below(values.size())];
    }

    std::pair<double, double> inside(const json& box) {
        const Rect place(box);
        const double x = place.left + uniform() * (place.right - place.left);
        return {x, place.top + uniform() * (place.bottom - place.top)};
    }
    static std::string at(double x, double y) { return " at " + std::to_string(int(x)) + "," + std::to_string(int(y)); }

    void note(const std::string& action) {
        ++actions_;
        last_.push_back(action);
        if (last_.size() > 20) last_.pop_front();
    }
    const json& look() { return status_ = window_.status(); }
    void rest(double seconds) {
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        while (look()["idle"] != true && std::chrono::steady_clock::now() < end) usleep(20'000);
    }

    void act_by_key() {
        const app::Action& action = pick(app::actions());
        if (action.keys.empty() || !action.run) return;  // without: a gesture
        const std::string key = pick(action.keys);
        note("key " + key + " (" + action.help + ")");
        window_.key(key_name(key));
    }

    void act_by_palette() {
        window_.key("ctrl+p");
        rest(2);
        if (status_["palette"]["rows"].empty()) return note("no palette");
        const std::string help = pick(status_["palette"]["rows"])["help"];
        note("palette: " + help);
        const auto ascii = std::find_if(help.begin(), help.end(), [](char c) { return c < ' ' || c > '~'; });
        window_.type(std::string(help.begin(), ascii).substr(0, 24));
        rest(2);
        const json& rows = status_["palette"]["rows"];
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const json& one) { return one["help"] == help; });
        for (auto i = rows.begin(); row != rows.end() && i != row; ++i) window_.key("Down");
        window_.key("Return");
        window_.key("Escape");
    }

    void click_control() {
        const json boxes = look()["boxes"];
        if (boxes.empty()) return;
        const auto box = std::next(boxes.begin(), static_cast<std::ptrdiff_t>(below(boxes.size())));
        if (box.key() == kLeftOut) return;
        note("click " + box.key());
        const auto [x, y] = inside(*box);
        window_.move(x, y);
        window_.click();
    }

    /// Clicks, drags and the wheel, anywhere or in the picture, with and without Ctrl and Shift.
    void use_mouse() {
        const auto place = [&] {
            const json whole{{"x", 0}, {"y", 0}, {"width", status_["window"][0]}, {"height", status_["window"][1]}};
            return inside(uniform() < 0.6 ? status_["canvas"] : whole);
        };
        look();
        const std::string held = pick(std::array{"", "", "ctrl", "shift", "alt"});
        const auto from = place(), to = place();
        const double what = uniform();
        const int button = what < 0.3 ? 1 : what < 0.35 ? 3 : what < 0.45 ? 4 : what < 0.55 ? 5 : 0;
        note("mouse " + std::to_string(button) + " " + held + at(from.first, from.second));
        window_.move(from.first, from.second);
        if (!held.empty()) window_.hold_key(held);
        if (button > 0) {
            window_.click(button);
            if (uniform() < 0.2) window_.click(button);
        } else {
            window_.press();
            for (const double t : {0.2, 0.6, 1.0}) {
                window_.move(from.first + t * (to.first - from.first), from.second + t * (to.second - from.second));
                window_.status();
            }
            window_.release();
        }
        if (!held.empty()) window_.let_go_of_key(held);
    }

    void open_file(const std::string& name) {
        note("file " + name);
        window_.key("ctrl+o");
        rest(2);
        window_.key("ctrl+a");
        window_.type(name);
        rest(1);
        window_.key("Return");
    }

    /// Into a field that has the keyboard, or into one that a click with Ctrl makes of a slider; without one, as keys.
    void type(const std::string& text) {
        note("type " + text);
        if (uniform() < 0.5) window_.key(pick(std::array{"ctrl+f", "ctrl+s", "ctrl+shift+s", "ctrl+o"}));
        rest(2);
        window_.key("ctrl+a");
        window_.type(text);
        rest(1);
        window_.key("Return");
        if (uniform() < 0.7) window_.key("Escape");
    }

    /// Keys reach the window under the pointer.
    void resize(int width, int height) {
        window_.resize(width, height);
        window_.move(0.5 * width, 0.5 * height);
    }
    void resize() {
        const auto width = static_cast<int>(480 + below(1400)), height = static_cast<int>(360 + below(700));
        note("size " + std::to_string(width) + " x " + std::to_string(height));
        resize(width, height);
    }

    /// An edit at a random place; the run before it is there again after an undo, and the edit after a redo.
    void edit_and_undo() {
        const std::string tool = pick(std::array{"n", "n", "k", "j", "b", "u"});
        window_.key(tool);
        rest(5);
        const json before = status_;
        const auto [x, y] = inside(status_["canvas"]);
        note("edit by " + tool + at(x, y));
        window_.move(x, y);
        rest(2);
        window_.click();
        rest(5);
        const json after = status_;
        const auto same = [](const json& a, const json& b) {
            return a["edits"] == b["edits"] && a["state_hash"] == b["state_hash"];
        };
        if (before["idle"] != true || after["idle"] != true || before["lab"] != after["lab"] ||
            after["edits"] != before["edits"].get<size_t>() + 1)
            return;
        ++undone_;
        for (const auto& [key, wanted] : {std::pair{"ctrl+z", &before}, {"ctrl+shift+z", &after}}) {
            window_.key(key);
            rest(5);
            if (status_["idle"] != true) return;
            INFO(after["lab"].dump(), " ", key, ": edits ", status_["edits"].dump(), ", ", (*wanted)["edits"].dump());
            CHECK(same(status_, *wanted));
        }
    }

    void check() {
        look();
        for (const json& one : status_.value("all_messages", json::array())) {
            const std::string text = one;
            if (!messages_.insert(text).second) continue;
            const std::string own = text.substr(0, text.find("found \""));  // the rest quotes a file
            for (const char* const internal : kInternal) CHECK_MESSAGE(!has(own, internal), text);
        }
        const std::string said = window_.said();
        CHECK_MESSAGE(said.size() == said_, said.substr(said_));  // by a sanitizer, by OpenGL, by Dear ImGui
        said_ = said.size();
    }

    WindowDriver& window_;
    std::mt19937_64 random_;
    std::vector<std::string> files_;
    json status_;
    std::deque<std::string> last_;
    std::set<std::string> messages_;
    json reference_;  // its hash
    size_t actions_ = 0, undone_ = 0, said_ = 0;
};

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// What is said at the end, however the test ends.
struct LastWords {
    std::string text;
    ~LastWords() { MESSAGE(text); }
};

}  // namespace

TEST_CASE("window: random actions break nothing, can be undone, and leave no memory behind") {
    const char* const chosen = std::getenv("FLIPSCOPE_TEST_SEED");
    const uint64_t seed = chosen ? std::strtoull(chosen, nullptr, 10) : 1;
    CAPTURE(seed);
    const TemporaryFolder folder;
    const std::vector<std::string> files = copy_files(folder.path());
    folder.file("reference.json", R"({"lab": "build", "points": "uniform:60", "title": "Reference"})");
    const Inside inside(folder.path());
    const Environment home("HOME", folder.path().string()), state("XDG_STATE_HOME", (folder / "state").string()),
        config("XDG_CONFIG_HOME", (folder / "config").string()), errors_of_opengl("MESA_DEBUG", "1");
    // Keeps freed memory out of the resident size.
    const Environment one_arena("MALLOC_ARENA_MAX", "1"), own_mappings("MALLOC_MMAP_THRESHOLD_", "65536");
    const char* const options = std::getenv("ASAN_OPTIONS");
    // Freed memory counts as soon as it is reused; drivers of OpenGL keep some to the end.
    const Environment sanitizer("ASAN_OPTIONS",
                                std::string(options ? options : "") + ":quarantine_size_mb=16:detect_leaks=0");
    const auto window = window_or_skip({"reference.json"}, kRemembered);
    if (!window) return;
    RandomWindow driven(*window, seed, files);
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const double whole = static_cast<double>(case_count(8));  // seconds
    std::vector<double> first, second;                        // MiB, in both parts of the second half
    LastWords report{"seed " + std::to_string(seed)};
    INFO("the last actions:", driven.last_actions());
    try {
        do {
            for (int i = 0; i < 50 && elapsed() < whole; ++i) driven.act();
            const double now = elapsed(), memory = driven.return_to_reference();
            report.text +=
                "\n" + std::to_string(int(now)) + " s: " + std::to_string(int(memory)) + " MiB, " + driven.summary();
            if (now > 0.5 * whole) (now < 0.75 * whole ? first : second).push_back(memory);
        } while (elapsed() < whole);
    } catch (const std::exception& error) {
        FAIL(std::string(error.what()), "\n", window->said());
    }
    if (first.size() > 4 && second.size() > 4) CHECK(median(second) < 1.05 * median(first) + 8);
}
