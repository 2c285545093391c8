// What the tests of the real window have in common.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/window_driver.h"
#include "test_support.h"

namespace flipscope {

using nlohmann::json;

/// A window, or nullptr and the reason said.
inline std::unique_ptr<WindowDriver> window_or_skip(std::vector<std::string> arguments, WindowSize size = {}) {
    const std::string missing = WindowDriver::missing();
    if (!missing.empty()) {
        skip(missing);
        return nullptr;
    }
    arguments.insert(arguments.end(), {"--device", "cpu"});
    if (std::find(arguments.begin(), arguments.end(), "--presenter-scale") == arguments.end())
        arguments.insert(arguments.end(), {"--presenter-scale", "1"});
    try {
        return std::make_unique<WindowDriver>(arguments, size);
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

inline json at_position(WindowDriver& window, uint64_t position) {
    return window.wait_for("position " + std::to_string(position),
                           [&](const json& status) { return status["position"] == position; });
}

inline json at_end(WindowDriver& window) {
    return window.wait_for("the end", [](const json& status) { return status["done"].get<bool>(); });
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

/// Types a text into a field of a panel and enters it. `place` and `content` are what the status calls the field's box
/// and what is written there.
inline void enter_text(WindowDriver& window, const char* place, const char* content, const std::string& text) {
    const auto [x, y] = middle(window.settle()["boxes"][place]);
    window.move(x, y);
    json status;
    for (int attempt = 0; attempt < 8; ++attempt) {  // two keys can fall into one frame
        window.click();
        window.settle();
        window.key("ctrl+a");
        window.settle();
        window.key("BackSpace");
        if (window.settle()[content] != "") continue;
        window.type(text);
        status = window.settle();
        if (status[content] == text) break;
    }
    REQUIRE(status[content] == text);
    window.key("Return");
}

/// Whether one of the messages so far has this in it.
inline bool was_said(const nlohmann::json& status, const std::string& part) {
    return std::any_of(status["all_messages"].begin(), status["all_messages"].end(), [&](const nlohmann::json& one) {
        return one.get<std::string>().find(part) != std::string::npos;
    });
}

/// Types the name of a file into the panel's field and loads it.
inline void load_file(WindowDriver& window, const std::string& path) { enter_text(window, "file_field", "file", path); }

}  // namespace flipscope
