// Another program that reads points and writes triangles: in a scratch folder of its own, with limits of time, memory
// and output, and with nothing of it trusted. It is started for each set of points, or once for many, which it then
// reads on its standard input. Used by `flipscope torture` and `flipscope shrink --command`. Several may run at once,
// from several threads.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
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

/// "./mine {points} {triangles}": split into words as a shell does it, with quotes, but without a shell. Words that
/// name a file from here become whole paths, since the program runs elsewhere.
struct ProgramCommand {
    std::vector<std::string> words;            // with the two places as they were written
    std::string points_extension = ".xy";      // ".xy", ".csv", ".node" or ".npy"
    std::string triangles_extension = ".tri";  // as read_triangles() knows them
    /// Neither place occurs: a set goes to its standard input as the number of points and a line "x y" for each; the
    /// answer is the number of triangles and three indices for each, then it waits for the next set.
    bool talks = false;
};

/// "{points}" and "{triangles}" may have an extension: "{points.node}", "{triangles.npy}". Throws Error for a command
/// with one of them alone, with an extension that is not known, or whose program cannot be found.
ProgramCommand parse_command(const std::string& text);

struct ProgramAnswer {
    enum class Kind {
        kAnswered,    // it ended well, and its triangles could be read
        kRefused,     // it ended with a status other than 0
        kCrashed,     // a signal ended it
        kTimedOut,    // it was ended after the time that it had
        kNoAnswer,    // it ended well and wrote no triangles
        kUnreadable,  // what it wrote are no triangles
        kNotStarted,  // it could not be run at all
    } kind = Kind::kNotStarted;
    std::vector<std::array<uint32_t, 3>> triangles;
    std::string said;       // what it wrote to stderr last, or what could not be read; at most some lines, as one
    std::string last_line;  // of it
    int status = 0;         // of kRefused its exit status, of kCrashed the signal
    double elapsed_s = 0;
};

const char* word_of(ProgramAnswer::Kind kind);  // "answered", "refused", "crashed", "timed out", …

class TestedProgram {
  public:
    TestedProgram(ProgramCommand command, ProgramLimits limits);
    ~TestedProgram();
    TestedProgram(const TestedProgram&) = delete;
    TestedProgram& operator=(const TestedProgram&) = delete;
    /// `points`: written with 17 significant digits, or as they are to .npy. Ends whatever the program has started and
    /// left running; one that talks runs on until it fails. Throws Cancelled, and Error where the scratch folder cannot
    /// be made.
    ProgramAnswer run(std::span<const Point> points);
    /// Of a program that talks: sets that its process had read before the last one.
    size_t sets_before() const { return sets_read_ > 0 ? sets_read_ - 1 : 0; }
    /// The next set is the first of a new process.
    void restart();
    const ProgramCommand& command() const { return command_; }

  private:
    struct Talk;
    ProgramCommand command_;
    ProgramLimits limits_;
    std::unique_ptr<Talk> talk_;
    size_t sets_read_ = 0;  // by this process
};

}  // namespace flipscope::app
