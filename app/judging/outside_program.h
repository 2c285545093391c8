// Runs another program that reads points and writes triangles: in its own scratch folder, with limits on time, memory
// and output, and without trusting its output. It is started for each set of points, or once for many sets, which it
// then reads on stdin. Used by `flipscope torture` and `flipscope shrink --command`. Several may run at once, from
// several threads.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "geometry/point.h"

namespace flipscope::app {

struct ProgramLimits {
    double seconds = 10;
    uint64_t memory_bytes = uint64_t(4) << 30;  // of its address space
    uint64_t file_bytes = uint64_t(1) << 30;    // of each file that it writes
};

/// "./mine {points} {triangles}", split into words as a shell does, with quotes, but without a shell. Words that name
/// an existing file become absolute paths, since the program runs in another folder.
struct ProgramCommand {
    std::vector<std::string> words;            // with both places as written
    std::string points_extension = ".xy";      // ".xy", ".csv", ".node" or ".npy"
    std::string triangles_extension = ".tri";  // as for read_triangles()
    /// Neither place occurs: the program reads sets on stdin, the number of points and a line "x y" each; it answers
    /// with the number of triangles and three indices each, then waits for the next set.
    bool talks = false;
};

/// A line for each point; `line`: printf format for two doubles.
std::string lines_of_points(std::span<const Point> points, const char* line);

/// "{points}" and "{triangles}" may have an extension: "{points.node}", "{triangles.npy}". Throws Error if a command
/// has only one of them, an unknown extension, or a program that cannot be found.
ProgramCommand parse_command(const std::string& text);

struct ProgramAnswer {
    enum class Kind {
        kAnswered,    // exit status 0 and readable triangles
        kRefused,     // another exit status
        kCrashed,     // ended by a signal
        kTimedOut,    // killed at the time limit
        kNoAnswer,    // exit status 0 without triangles
        kUnreadable,  // the output is not triangles
        kNotStarted,  // could not be started
    } kind = Kind::kNotStarted;
    std::vector<std::array<uint32_t, 3>> triangles;
    std::string said;       // the end of its stderr, or the unreadable output; at most some lines, joined
    std::string last_line;  // of it
    int status = 0;         // kRefused: the exit status; kCrashed: the signal
    double elapsed_s = 0;
};

const char* word_of(ProgramAnswer::Kind kind);  // "answered", "refused", "crashed", "timed out", …

class TestedProgram {
  public:
    TestedProgram(ProgramCommand command, ProgramLimits limits);
    ~TestedProgram();
    TestedProgram(const TestedProgram&) = delete;
    TestedProgram& operator=(const TestedProgram&) = delete;
    /// `points`: written with 17 significant digits, or unchanged to .npy. Kills everything the program has left
    /// running; one that talks keeps running until it fails. Throws Cancelled, and Error if the scratch folder cannot
    /// be created. Requires that SIGPIPE is ignored, as prepare_streams() does.
    ProgramAnswer run(std::span<const Point> points);
    /// Of a program that talks: the sets that its process had read before the last one.
    size_t sets_before() const { return sets_read_ > 0 ? sets_read_ - 1 : 0; }
    /// Runs the next set in a new process.
    void restart();

  private:
    struct Talk;
    ProgramCommand command_;
    ProgramLimits limits_;
    std::unique_ptr<Talk> talk_;
    size_t sets_read_ = 0;  // by this process
};

}  // namespace flipscope::app
