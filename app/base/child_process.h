// Another program, started as a child process: in its own folder, with limits, and with stderr in a file. For programs
// under test, for this program running beside its own window, and for ffmpeg. POSIX only.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace flipscope::app {

/// A temporary folder, removed with this object. Throws Error if it cannot be created.
class ScratchFolder {
  public:
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Whether such a program can be run: a path, or a name that a shell would find.
bool can_be_found(const std::string& program);

/// Limits of the child; 0: none.
struct ChildLimits {
    uint64_t processor_s = 0;
    uint64_t memory_bytes = 0;  // of its address space
    uint64_t file_bytes = 0;    // of each file that it writes
};

class ChildProcess {
  public:
    /// `words`: the program, found as a shell does, and its arguments. `errors`: the file for its stderr. `talks`:
    /// pipes become its stdin and stdout; else they are /dev/null. Throws Error if no process can be started; a program
    /// that is not found ends with status 127.
    ChildProcess(std::vector<std::string> words, const std::filesystem::path& folder,
                 const std::filesystem::path& errors, const ChildLimits& limits = {}, bool talks = false);
    /// Kills it and everything it has left running.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Polls once.
    bool has_ended();
    /// Waits until it ends or the time is up (false; it keeps running). 0: no limit. Throws Cancelled.
    bool wait(double seconds = 0);
    void end();
    double elapsed_s() const;
    /// After its end: the signal that ended it, or 0.
    int signal() const;
    int exit_status() const;
    int input() const { return input_; }    // -1: closed, or no pipes; non-blocking
    int output() const { return output_; }  // non-blocking
    /// Ends its standard input.
    void close_input();
    /// The end of what it wrote to standard error, at most 600 bytes.
    std::string last_output() const;

  private:
    pid_t child_ = -1;
    std::filesystem::path errors_;
    std::chrono::steady_clock::time_point begin_;
    double elapsed_s_ = 0;
    bool ended_ = false;
    int status_ = 0;  // of waitpid()
    int input_ = -1, output_ = -1;
};

}  // namespace flipscope::app
