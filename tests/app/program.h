// Starts the real program and catches what it says, for the tests of the command line.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace flipscope {

struct Outcome {
    int status = -1;       // exit status; 128 + signal when a signal ended it
    std::string out, err;  // what it wrote
};

/// Runs the program and waits for it. `while_running`, when given, is called every few milliseconds with its process id
/// and what it has said on stderr so far. A program that takes longer than five minutes is ended.
Outcome run_program(const std::vector<std::string>& arguments,
                    const std::function<void(int process, const std::string& err)>& while_running = {});

/// A folder that is empty at first and removed at the end.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }
    /// Names of everything in it, sorted.
    std::vector<std::string> names() const;

  private:
    std::filesystem::path path_;
};

/// OpenGL drivers keep memory at exit, which a leak checker would blame on us.
class ForgiveLeaks {
  public:
    ForgiveLeaks();
    ~ForgiveLeaks();
    ForgiveLeaks(const ForgiveLeaks&) = delete;
    ForgiveLeaks& operator=(const ForgiveLeaks&) = delete;

  private:
    std::string before_;
};

void write_file(const std::filesystem::path& path, const std::string& bytes);
std::string read_file(const std::filesystem::path& path);

bool has(const std::string& text, const std::string& part);

/// Checks that this is wrong use: status 2, nothing on stdout, and a sentence on stderr that has `part` in it.
void check_refused(const std::vector<std::string>& arguments, const std::string& part);

}  // namespace flipscope
