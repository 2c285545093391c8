// Another program that reads points and writes triangles, run on one set of points: in a scratch folder of its own,
// with limits of time, memory and output, and with nothing of it trusted. Used by `flipscope torture` and
// `flipscope shrink --command`. Several may run at once, from several threads.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
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
};

/// "{points}" and "{triangles}" may have an extension: "{points.node}", "{triangles.npy}". Throws Error for a command
/// without either, with an extension that is not known, or whose program cannot be found.
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

/// `points`: written with 17 significant digits, or as they are to .npy. Ends whatever the program has started and left
/// running. Throws Cancelled, and Error where the scratch folder cannot be made.
ProgramAnswer run_program(const ProgramCommand& command, std::span<const Point> points, const ProgramLimits& limits);

}  // namespace flipscope::app
