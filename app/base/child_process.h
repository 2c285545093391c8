// Another program, started as a child: in a folder of its own, with limits, and with what it says of errors in a file.
// Used for programs under test, and for this program where it is to run beside its own window. Of POSIX alone.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace flipscope::app {

/// A folder of its own among the temporary files; gone with this object. Throws Error where none can be made.
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

/// Of the child; 0: none.
struct ChildLimits {
    uint64_t processor_s = 0;
    uint64_t memory_bytes = 0;  // of its address space
    uint64_t file_bytes = 0;    // of each file that it writes
};

class ChildProcess {
  public:
    /// `words`: the program, looked for as a shell does, and what it is called with. `errors`: the file that takes its
    /// standard error. `talks`: pipes to here are its standard input and output; else they are /dev/null. Throws Error
    /// where no process can be started; a program that cannot be found ends with the status 127.
    ChildProcess(std::vector<std::string> words, const std::filesystem::path& folder,
                 const std::filesystem::path& errors, const ChildLimits& limits = {}, bool talks = false);
    /// Ends it, and whatever it has started and left running.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// Looks once.
    bool has_ended();
    /// Until it has ended by itself, or the time is up: false, and it runs on. No time: as long as it takes. Throws
    /// Cancelled.
    bool wait(double seconds = 0);
    void end();
    double elapsed_s() const;
    /// Once it has ended. A signal, if one ended it; else 0.
    int signal() const;
    int exit_status() const;
    int input() const { return input_; }    // -1: closed, or it does not talk; writing does not wait
    int output() const { return output_; }  // reading does not wait
    /// The end of what it wrote to standard error, at most 600 bytes.
    std::string last_output() const;

  private:
    pid_t child_ = -1;
    std::filesystem::path errors_;
    std::chrono::steady_clock::time_point begin_;
    double elapsed_s_ = 0;
    bool ended_ = false;
    int status_ = 0;  // as waitpid() has it
    int input_ = -1, output_ = -1;
};

}  // namespace flipscope::app
