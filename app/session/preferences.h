// The window's preferences: size and position, theme and text size, panels and overlays, the last lab; and the recent
// files. Two small JSON files, each rewritten as a whole. Independent of the window.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::app {

struct Preferences {
    int width = 0, height = 0;                // of the window, screen coordinates; 0: default
    std::optional<std::array<int, 2>> place;  // upper left corner, screen coordinates; none: placed by the system
    bool maximised = false;
    bool light = false;
    double scale = 0;                                                // of text and lines; 0: from the monitor
    bool left = false, right = false, bottom = true, legend = true;  // at first a picture and its transport
    bool scale_bar = true, axes = false, minimap = true;
    bool motion = true;  // of a step
    std::string lab;     // the last open lab; empty: none
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

std::string preferences_text(const Preferences& preferences);
/// Missing members keep their defaults; unknown ones are ignored. Throws Error: "x.json: /window/width: expected …".
Preferences parse_preferences(std::string_view text, const std::filesystem::path& file);

/// `stored` with the changes from `begun` to `now`, since options of the command line hold for one window only.
Preferences changed_preferences(const Preferences& stored, const Preferences& begun, const Preferences& now);

/// The preferences file. The folder need not exist yet.
class PreferencesFile {
  public:
    explicit PreferencesFile(const std::filesystem::path& folder) : path_(folder / "preferences.json") {}
    /// Defaults if there is no file. Renames a broken file to preferences.json.broken. A newer or unreadable file stays
    /// and is never overwritten. Adds a sentence on each to `warnings` instead of throwing.
    Preferences read(std::vector<std::string>& warnings);
    /// Throws Error on failure; afterwards, and if read() has kept the file, does nothing.
    void write(const Preferences& preferences);

  private:
    std::filesystem::path path_;
    bool writes_ = true;
};

/// The recent files, latest first.
class RecentFiles {
  public:
    static constexpr size_t kMost = 10;
    explicit RecentFiles(const std::filesystem::path& folder) : path_(folder / "recent.json") {}
    /// Absolute names. Renames a broken list to recent.json.broken, treats it as empty and adds a sentence to
    /// `warnings`.
    std::vector<std::string> read(std::vector<std::string>& warnings) const;
    /// Puts an absolute name first, keeping names from other windows. Throws Error on failure.
    void add(const std::filesystem::path& file, std::vector<std::string>& warnings) const;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// One file name, or two separated by a blank if both exist and no file has the whole text as its name: points and
/// their triangles.
std::vector<std::string> files_named(const std::string& text);
/// Whether the file or folder, or both files of a pair, exist.
bool is_there(const std::string& file);

}  // namespace flipscope::app
