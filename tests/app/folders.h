// Changes to a program's environment that a test makes and undoes: folders, files, variables.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/base/child_process.h"

namespace flipscope {

/// A folder that is empty at first and removed at the end.
class TemporaryFolder : public app::ScratchFolder {
  public:
    std::filesystem::path operator/(const std::string& name) const { return path() / name; }
    /// Writes a file into it and returns its path.
    std::string file(const std::string& name, const std::string& bytes) const;
    /// Names of everything in it, sorted.
    std::vector<std::string> names() const;
};

/// A variable of the environment, of this process and what it starts, for as long as this lives.
class Environment {
  public:
    Environment(std::string name, const std::string& value);
    ~Environment();
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    std::string name_;
    std::optional<std::string> before_;
};

void write_file(const std::filesystem::path& path, const std::string& bytes);
std::string read_file(const std::filesystem::path& path);

std::vector<std::string> lines_of(const std::string& text);

/// Whether `part` occurs in `text`, and how often.
bool has(const std::string& text, const std::string& part);
size_t count_of(const std::string& text, const std::string& part);

}  // namespace flipscope
