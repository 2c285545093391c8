#include "app/session/preferences.h"

#include <algorithm>
#include <utility>

#include "app/run/scenario_json.h"
#include "compute/error.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

using PreferenceJson = nlohmann::ordered_json;
using PlainJson = nlohmann::json;
using JsonPlace = PlainJson::json_pointer;
using FilePath = std::filesystem::path;

constexpr int kFormat = 1;
constexpr int kLargest = 1 << 16;  // screen coordinates
constexpr std::pair<const char*, bool Preferences::*> kToggles[] = {{"/window/maximised", &Preferences::maximised},
                                                                    {"/panels/left", &Preferences::left},
                                                                    {"/panels/right", &Preferences::right},
                                                                    {"/panels/bottom", &Preferences::bottom},
                                                                    {"/panels/legend", &Preferences::legend},
                                                                    {"/overlays/scale-bar", &Preferences::scale_bar},
                                                                    {"/overlays/axes", &Preferences::axes},
                                                                    {"/overlays/minimap", &Preferences::minimap},
                                                                    {"/motion", &Preferences::motion}};

/// A file of a newer version, as opposed to a broken one.
struct NewerFile : Error {
    using Error::Error;
};

/// The object in a file of this version.
PlainJson parse(std::string_view text, const FilePath& file) {
    PlainJson json = PlainJson::parse(text, nullptr, false);
    if (!json.is_object()) throw Error(file.string() + ": is no JSON object");
    const PlainJson version = json.value("version", PlainJson());
    if (!version.is_number_integer() || version.get<int64_t>() < 1)
        JsonReader{file.string()}.fail(JsonPlace("/version"), std::to_string(kFormat), version);
    if (version.get<int64_t>() > kFormat)
        throw NewerFile(file.string() + ": was written by a newer version of Flipscope");
    return json;
}

/// Renames the file so that it is no longer read; returns a sentence about it.
std::string put_aside(const FilePath& file) {
    const FilePath aside = file.string() + ".broken";
    std::error_code wrong;
    std::filesystem::rename(file, aside, wrong);
    return wrong ? "It cannot be moved out of the way: " + wrong.message() + "; remove it."
                 : "The file is now " + aside.string() + "; correct it and move it back, or remove it.";
}

std::vector<std::string> parse_recent(std::string_view text, const FilePath& file) {
    const PlainJson json = parse(text, file), found = json.value("files", PlainJson::array());
    const JsonReader reader{file.string()};
    if (!found.is_array()) reader.fail(JsonPlace("/files"), "an array", found);
    std::vector<std::string> files;
    for (const PlainJson& one : found) {
        if (!one.is_string()) reader.fail(JsonPlace("/files"), "names", one);
        files.push_back(one);
    }
    return files;
}

bool is_missing(const FilePath& file) {
    std::error_code ignored;
    return std::filesystem::symlink_status(file, ignored).type() == std::filesystem::file_type::not_found;
}

void write_into_folder(const FilePath& file, const std::string& text) {
    std::error_code wrong;
    std::filesystem::create_directories(file.parent_path(), wrong);
    if (wrong) throw Error(file.parent_path().string() + ": cannot be made: " + wrong.message());
    write_whole_file(file, text);
}

}  // namespace

std::string preferences_text(const Preferences& p) {
    PreferenceJson json{{"version", kFormat}, {"window", PreferenceJson::object()}};
    if (p.width > 0 && p.height > 0) {
        json["window"]["width"] = p.width;
        json["window"]["height"] = p.height;
    }
    if (p.place) json["window"]["place"] = *p.place;
    json["theme"] = p.light ? "light" : "dark";
    if (p.scale > 0) json["scale"] = p.scale;
    for (const auto& [place, member] : kToggles) json[PreferenceJson::json_pointer(place)] = p.*member;
    if (!p.lab.empty()) json["lab"] = p.lab;
    return json.dump(2) + "\n";
}

Preferences parse_preferences(std::string_view text, const FilePath& file) {
    const PlainJson json = parse(text, file);
    const JsonReader reader{file.string()};
    Preferences p;
    const auto read = [&](const char* field, const auto& take) {
        if (const JsonPlace at(field); json.contains(at)) take(at, json.at(at));
    };
    const auto read_number = [&](const char* field, auto& number, double least, double most) {
        read(field, [&](const JsonPlace& at, const PlainJson& value) {
            number = static_cast<std::remove_reference_t<decltype(number)>>(reader.number(at, value, least, most));
        });
    };
    read_number("/window/width", p.width, 0, kLargest);
    read_number("/window/height", p.height, 0, kLargest);
    read_number("/scale", p.scale, 0.5, 4);
    read("/window/place", [&](const JsonPlace& at, const PlainJson& place) {
        if (!place.is_array() || place.size() != 2) reader.fail(at, "two numbers", place);
        p.place.emplace();
        read_number("/window/place/0", p.place->at(0), -kLargest, kLargest);
        read_number("/window/place/1", p.place->at(1), -kLargest, kLargest);
    });
    read("/theme", [&](const JsonPlace& at, const PlainJson& theme) {
        if (theme != "light" && theme != "dark") reader.fail(at, "\"light\" or \"dark\"", theme);
        p.light = theme == "light";
    });
    for (const auto& [field, member] : kToggles)
        read(field, [&, toggle = member](const JsonPlace& at, const PlainJson& value) {
            if (!value.is_boolean()) reader.fail(at, "true or false", value);
            p.*toggle = value;
        });
    read("/lab", [&](const JsonPlace& at, const PlainJson& lab) { p.lab = reader.text(at, lab); });
    return p;
}

Preferences changed_preferences(const Preferences& stored, const Preferences& begun, const Preferences& now) {
    Preferences all = stored;
    const auto take = [&](auto Preferences::*member) {
        if (now.*member != begun.*member) all.*member = now.*member;
    };
    take(&Preferences::width);
    take(&Preferences::height);
    take(&Preferences::place);
    take(&Preferences::light);
    take(&Preferences::scale);
    for (const auto& [place, member] : kToggles) take(member);
    if (!now.lab.empty()) all.lab = now.lab;
    // Width and height are stored together.
    if (all.width > 0 || all.height > 0) {
        if (all.width == 0) all.width = now.width;
        if (all.height == 0) all.height = now.height;
    }
    return all;
}

Preferences PreferencesFile::read(std::vector<std::string>& warnings) {
    if (is_missing(path_)) return {};
    std::string text;
    try {
        text = io::read_file(path_);
    } catch (const Error& error) {
        writes_ = false;
        warnings.push_back(std::string("Preferences cannot be read: ") + error.what() +
                           ". The window is as usual, and its changes are not kept.");
        return {};
    }
    try {
        return parse_preferences(text, path_);
    } catch (const NewerFile& newer) {
        writes_ = false;
        warnings.push_back(
            std::string("Preferences are not used: ") + newer.what() +
            ". It stays as it is, and changes of this window are not kept; move it away to have them kept.");
    } catch (const Error& error) {
        warnings.push_back(std::string("Preferences are not used: ") + error.what() + ". " + put_aside(path_));
        writes_ = is_missing(path_);
    }
    return {};
}

void PreferencesFile::write(const Preferences& preferences) {
    if (!std::exchange(writes_, false)) return;
    write_into_folder(path_, preferences_text(preferences));
    writes_ = true;
}

std::vector<std::string> RecentFiles::read(std::vector<std::string>& warnings) const {
    if (is_missing(path_)) return {};
    try {
        std::vector<std::string> files = parse_recent(io::read_file(path_), path_);
        if (files.size() > kMost) files.resize(kMost);
        return files;
    } catch (const NewerFile& newer) {
        warnings.push_back(std::string("The list of recent files is not used: ") + newer.what() +
                           ". It stays as it is.");
    } catch (const Error& error) {
        warnings.push_back(std::string("The list of recent files is not used: ") + error.what() + ". " +
                           put_aside(path_));
    }
    return {};
}

void RecentFiles::add(const FilePath& file, std::vector<std::string>& warnings) const {
    const std::string name = file.lexically_normal().string();
    std::vector<std::string> files = read(warnings);
    if (!warnings.empty() && !is_missing(path_)) return;
    if (!files.empty() && files.front() == name) return;
    files.erase(std::remove(files.begin(), files.end(), name), files.end());
    files.insert(files.begin(), name);
    if (files.size() > kMost) files.resize(kMost);
    std::string text;
    try {
        text = PreferenceJson{{"version", kFormat}, {"files", files}}.dump(2) + "\n";
    } catch (const PreferenceJson::exception&) {
        return;  // JSON cannot hold a name that is not UTF-8
    }
    write_into_folder(path_, text);
}

std::vector<std::string> files_named(const std::string& text) {
    std::error_code ignored;
    const auto exists = [&](const std::string& name) { return std::filesystem::exists(io::user_path(name), ignored); };
    if (!exists(text))
        for (size_t blank = text.find(' '); blank != text.npos; blank = text.find(' ', blank + 1)) {
            const std::string first(text, 0, blank), second(text, blank + 1);
            if (!first.empty() && !second.empty() && exists(first) && exists(second)) return {first, second};
        }
    return {text};
}

bool is_there(const std::string& file) {
    const std::vector<std::string> files = files_named(file);
    return std::all_of(files.begin(), files.end(), [](const std::string& one) {
        std::error_code ignored;
        const auto status = std::filesystem::status(one, ignored);
        return std::filesystem::is_regular_file(status) || std::filesystem::is_directory(status);
    });
}

}  // namespace flipscope::app
