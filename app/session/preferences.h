// What the window remembers from one time to the next: its size and place, theme and text, panels and overlays, the
// last lab, and the files opened last. Two small JSON files, replaced as a whole. Knows no window.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flipscope::app {

struct Preferences {
    int width = 0, height = 0;  // of the window, screen coordinates; 0: as usual
    std::optional<std::array<int, 2>>
        place;  // of its upper left corner, screen coordinates; none: where it comes to lie
    bool maximised = false;
    bool light = false;
    double scale = 0;  // of text and lines; 0: as the monitor says
    bool left = true, right = true, bottom = true, legend = true;
    bool scale_bar = true, axes = false, minimap = true;
    std::string lab;  // that was open last; empty: none
    friend bool operator==(const Preferences&, const Preferences&) = default;
};

std::string preferences_text(const Preferences& preferences);
/// What is missing, and what it does not know, is as usual. Throws Error: "x.json: /window/width: expected …".
Preferences parse_preferences(std::string_view text, const std::filesystem::path& file);

/// What was changed between `begun` and `now` is as it is now, the rest as it was `stored`: options of the command line
/// hold for one window.
Preferences changed_preferences(const Preferences& stored, const Preferences& begun, const Preferences& now);

/// The file of the preferences, in a folder that need not be there yet.
class PreferencesFile {
  public:
    explicit PreferencesFile(const std::filesystem::path& folder) : path_(folder / "preferences.json") {}
    /// As usual where there is no file. A broken file goes to preferences.json.broken; one of a newer version, or one
    /// that cannot be read, stays and is never written to. `said` is then given a sentence. Throws nothing of that.
    Preferences read(std::vector<std::string>& said);
    /// Throws Error where that fails; after that, and where read() said so, it does nothing.
    void write(const Preferences& preferences);

  private:
    std::filesystem::path path_;
    bool writes_ = true;
};

/// The files opened last, the latest first.
class RecentFiles {
  public:
    static constexpr size_t kMost = 10;
    explicit RecentFiles(const std::filesystem::path& folder) : path_(folder / "recent.json") {}
    /// Absolute names. A broken list goes to recent.json.broken and counts as empty; `said` is then given a sentence.
    std::vector<std::string> read(std::vector<std::string>& said) const;
    /// Puts an absolute name first, beside what other windows have added. Throws Error where that fails.
    void add(const std::filesystem::path& file, std::vector<std::string>& said) const;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// One file; or two, with a blank between their names, where each of them is there and no file has the whole as its
/// name: points and their triangles.
std::vector<std::string> files_named(const std::string& text);
/// Whether it can be opened as far as its name says: a file or a folder is there, or both files of a pair.
bool is_there(const std::string& file);

}  // namespace flipscope::app
