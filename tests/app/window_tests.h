// Shared by the tests of the real window.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/window_driver.h"
#include "test_support.h"

namespace flipscope {

using nlohmann::json;

/// At the end of its test a window that still runs quits, with status 0.
struct QuitsWell {
    void operator()(WindowDriver* window) const {
        const std::unique_ptr<WindowDriver> owned(window);
        if (!window->runs() || std::uncaught_exceptions() > 0) return;
        int status = -1;
        CHECK_NOTHROW(status = window->quit());
        CHECK(status == 0);
    }
};
using TestedWindow = std::unique_ptr<WindowDriver, QuitsWell>;

/// A window, or nullptr and the reason said.
inline TestedWindow window_or_skip(std::vector<std::string> arguments, WindowSize size = {}) {
    const std::string missing = WindowDriver::missing();
    if (!missing.empty()) {
        skip(missing);
        return nullptr;
    }
    arguments.insert(arguments.end(), {"--device", "cpu"});
    if (std::find(arguments.begin(), arguments.end(), "--presenter-scale") == arguments.end())
        arguments.insert(arguments.end(), {"--presenter-scale", "1"});
    try {
        return TestedWindow(new WindowDriver(arguments, size));
    } catch (const std::exception& error) {
        MESSAGE("the window did not come up: " << std::string(error.what()));
        throw;
    }
}

/// Opens a lab, with few rounds where it has thousands at first, and with a recording where that is what it shows.
inline std::vector<std::string> opening(const std::string& lab) {
    std::vector<std::string> arguments{"--lab", lab};
    if (lab == "recording")
        arguments.insert(arguments.end(),
                         {"--input", std::string(FLIPSCOPE_SOURCE_DIR) + "/assets/bowyer-watson.jsonl"});
    if (lab == "particles") arguments.insert(arguments.end(), {"--set", "steps=40"});
    return arguments;
}

/// Waits until the status has this value at this place, a JSON pointer.
inline json wait_for_value(WindowDriver& window, const std::string& place, const json& value) {
    const json::json_pointer at(place);
    return window.wait_for(place + ": " + value.dump(),
                           [&](const json& status) { return status.contains(at) && status[at] == value; });
}
inline json press_key(WindowDriver& window, const std::string& key, const std::string& place, const json& value) {
    window.key(key);
    return wait_for_value(window, place, value);
}
inline json press_key(WindowDriver& window, const std::string& key, const std::function<bool(const json&)>& wanted) {
    window.key(key);
    return window.wait_for("what " + key + " does", wanted);
}
inline json to_end(WindowDriver& window) { return press_key(window, "End", "/done", true); }

/// A click where the mouse has come to rest.
inline void click(WindowDriver& window, std::pair<double, double> at) {
    window.move(at.first, at.second);
    window.settle();
    window.click();
}

/// Where the timeline shows a step, in the window.
inline std::pair<double, double> on_timeline(const json& status, double step) {
    const json& strip = status["boxes"]["timeline"];
    return {
        strip["x"].get<double>() + strip["width"].get<double>() * step / std::stod(strip["text"].get<std::string>()),
        strip["y"].get<double>() + strip["height"].get<double>() / 2};
}

inline std::pair<double, double> middle(const json& box) {
    return {box["x"].get<double>() + box["width"].get<double>() / 2,
            box["y"].get<double>() + box["height"].get<double>() / 2};
}

/// A box of the status, in the window.
struct Rect {
    double left, top, right, bottom;
    explicit Rect(const json& box)
        : left(box["x"]),
          top(box["y"]),
          right(left + box["width"].get<double>()),
          bottom(top + box["height"].get<double>()) {}
    bool holds(double x, double y) const { return x >= left && y >= top && x <= right && y <= bottom; }
    bool holds(const Rect& other) const {
        return other.left >= left - 0.5 && other.right <= right + 0.5 && other.top >= top - 0.5 &&
               other.bottom <= bottom + 0.5;
    }
    bool meets(const Rect& other) const {
        return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
    }
};

inline double number(const json& status, const char* group, const char* name) {
    return status[group][name].get<double>();
}

/// Where the things of a group are, by what follows its name: those of "link/" by what the links say.
inline std::map<std::string, json> boxes_of(const json& status, const std::string& group) {
    std::map<std::string, json> found;
    for (const auto& [name, box] : status["boxes"].items())
        if (name.starts_with(group)) found[name.substr(group.size())] = box;
    return found;
}

/// The number of the second of the rows of a list that are in sight, or of the only one: the first may be cut.
inline size_t row_in_sight(const json& status, const std::string& list) {
    std::vector<size_t> rows;
    for (const auto& [row, box] : boxes_of(status, list + "/")) rows.push_back(std::stoul(row));
    REQUIRE_FALSE(rows.empty());
    std::sort(rows.begin(), rows.end());
    return rows[std::min<size_t>(1, rows.size() - 1)];
}

/// Types a text into a field of a panel and enters it. The status has the field's box under `place` and what is written
/// there at `content`, a JSON pointer.
inline void enter_text(WindowDriver& window, const char* place, const char* content, const std::string& text) {
    const json::json_pointer written(content);
    const auto [x, y] = middle(window.settle()["boxes"][place]);
    window.move(x, y);
    json status;
    for (int attempt = 0; attempt < 8; ++attempt) {  // two keys can fall into one frame
        window.click();
        window.settle();
        window.key("ctrl+a");
        window.settle();
        window.key("BackSpace");
        if (window.settle()[written] != "") continue;
        window.type(text);
        status = window.settle();
        if (status[written] == text) break;
    }
    REQUIRE(status[written] == text);
    window.key("Return");
}

inline void click_box(WindowDriver& window, const json& box) { click(window, middle(box)); }

/// Whether the message that is to be read has this in it.
inline bool says(const json& status, const std::string& part) {
    return status["message"].is_string() && status["message"].get<std::string>().find(part) != std::string::npos;
}

inline json wait_until_said(WindowDriver& window, const std::string& part) {
    return window.wait_for("\"" + part + "\"", [&](const json& status) { return says(status, part); });
}

/// Types the name of a file over the one in the dialog of Ctrl+S, or over that in another field with the keyboard.
inline void type_over(WindowDriver& window, const std::string& text) {
    window.settle();
    window.key("ctrl+a");
    window.settle();
    window.type(text);
}

/// Saves by Ctrl+S under this name.
inline void save_as(WindowDriver& window, const std::string& file) {
    press_key(window, "ctrl+s", "/saving", true);
    type_over(window, file);
    wait_for_value(window, "/save_as", file);
    window.key("Return");
}

/// Whether one of the messages so far has this in it.
inline bool was_said(const nlohmann::json& status, const std::string& part) {
    return std::any_of(status["all_messages"].begin(), status["all_messages"].end(), [&](const nlohmann::json& one) {
        return one.get<std::string>().find(part) != std::string::npos;
    });
}

/// The window answers at this size, and has drawn a frame of it; `finely`: the picture with all its samples, too.
inline void check_size(WindowDriver& window, int width, int height, bool finely = true) {
    CAPTURE(width);
    CAPTURE(height);
    const uint64_t before = window.status()["frames"];
    window.resize(width, height);
    const json drawn = window.wait_until("a frame of this size", [&](const json& status) {
        if (status["window"][0] != width || status["window"][1] != height) return false;
        // The first of them may have begun before the window had this size.
        return finely ? status["idle"].get<bool>() : status["frames"].get<uint64_t>() >= before + 2;
    });
    CHECK(drawn["loaded"] == true);
}

/// Types the name of a file into the panel's field and loads it.
inline void load_file(WindowDriver& window, const std::string& path) {
    enter_text(window, "file_field", "/file", path);
}

}  // namespace flipscope
