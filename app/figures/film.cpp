#include "app/figures/film.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "app/base/child_process.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/descriptor.h"

namespace flipscope::app {

namespace {

std::string message_of(int error) { return std::generic_category().message(error); }

/// Position of the number in the pattern, and its minimum number of digits.
struct NumberPlace {
    size_t begin = 0, end = 0;
    int digits = 1;
};

NumberPlace number_place(const std::string& pattern) {
    NumberPlace place;
    place.begin = pattern.find('%');
    size_t at = place.begin == pattern.npos ? pattern.npos : place.begin + 1;
    std::string digits;
    while (at < pattern.size() && std::isdigit(static_cast<unsigned char>(pattern[at]))) digits += pattern[at++];
    const bool understood = at < pattern.size() && pattern[at] == 'd' && digits.size() <= 2 &&
                            pattern.find('%', at) == pattern.npos && (digits.empty() || digits[0] == '0');
    if (!understood)
        throw Error("--sequence " + printable(pattern) +
                    ": expected a name with one place for the number, such as film/%05d.png");
    place.end = at + 1;
    if (digits.size() > 1) place.digits = digits[1] - '0';
    return place;
}

}  // namespace

void parse_sequence(const std::string& pattern) { number_place(pattern); }

std::string sequence_file(const std::string& pattern, uint64_t number) {
    const NumberPlace place = number_place(pattern);
    std::string digits = std::to_string(number);
    const auto wanted = static_cast<size_t>(place.digits);
    if (digits.size() < wanted) digits.insert(0, wanted - digits.size(), '0');
    return pattern.substr(0, place.begin) + digits + pattern.substr(place.end);
}

struct Video::Impl {
    std::string file, temporary;
    int width = 0;
    ScratchFolder scratch = {};
    std::unique_ptr<ChildProcess> ffmpeg = {};
    std::vector<unsigned char> waiting = {};  // rows to write together

    void start(int height, double frame_rate) {
        if (!can_be_found("ffmpeg"))
            throw Error("--video " + printable(file) + ": ffmpeg cannot be started (" + message_of(ENOENT) +
                        "); install it (Debian: apt install ffmpeg), or write numbered pictures with --sequence");
        const std::string extension = std::filesystem::path(file).extension().string();
        const std::string container = extension == ".webm" ? "webm" : extension == ".mkv" ? "matroska" : "mp4";
        char rate[32];
        std::snprintf(rate, sizeof rate, "%.6g", frame_rate);
        std::vector<std::string> words{
            "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size",
            std::to_string(width) + "x" + std::to_string(height), "-framerate", rate, "-i", "pipe:0",
            // 4:2:0 halves the colour resolution: sides must be even.
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-f", container, temporary};
        ffmpeg = std::make_unique<ChildProcess>(std::move(words), scratch.path(), scratch.path() / "stderr",
                                                ChildLimits{}, true);
    }

    [[noreturn]] void fail() const {
        std::string said = ffmpeg->last_output();
        said = said.substr(0, said.find('\n'));
        throw Error(printable(file) + ": ffmpeg has failed" + (said.empty() ? "" : ": " + printable(said)));
    }

    void write_waiting() {
        for (size_t at = 0; at < waiting.size();) {
            throw_if_cancelled();
            pollfd end{ffmpeg->input(), POLLOUT, 0};
            poll(&end, 1, 100);
            const ssize_t count = write(ffmpeg->input(), waiting.data() + at, waiting.size() - at);
            if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (count < 0) {
                ffmpeg->wait();
                fail();
            }
            at += static_cast<size_t>(count);
        }
        waiting.clear();
    }
};

Video::Video(const std::string& file, int width, int height, double frame_rate) : impl_(std::make_unique<Impl>()) {
    impl_->file = file;
    impl_->width = width;
    const std::filesystem::path path(file);
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) && access(path.c_str(), W_OK) != 0)
        throw Error(file + ": cannot be written: " + message_of(errno));
    impl_->temporary =
        std::filesystem::absolute(path.parent_path() / (".flipscope-video-" + std::to_string(getpid()) + ".part"))
            .string();
    const io::Descriptor probe(open(impl_->temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!probe) {
        const int error = errno;
        impl_->temporary.clear();
        throw Error(file + ": cannot be written: " + message_of(error));
    }
    try {
        impl_->start(height, frame_rate);
    } catch (...) {
        unlink(impl_->temporary.c_str());
        throw;
    }
}

Video::~Video() {
    impl_->ffmpeg.reset();  // ends it
    if (!impl_->temporary.empty()) unlink(impl_->temporary.c_str());
}

void Video::put(const unsigned char* rgba) {
    constexpr size_t kAtOnce = 1 << 18;  // bytes
    impl_->waiting.insert(impl_->waiting.end(), rgba, rgba + static_cast<size_t>(impl_->width) * 4);
    if (impl_->waiting.size() >= kAtOnce) impl_->write_waiting();
}

void Video::finish() {
    impl_->write_waiting();
    impl_->ffmpeg->close_input();
    impl_->ffmpeg->wait();
    if (impl_->ffmpeg->exit_status() != 0 || impl_->ffmpeg->signal() != 0) impl_->fail();
    std::error_code error;
    std::filesystem::rename(impl_->temporary, impl_->file, error);
    if (error) throw Error(impl_->file + ": cannot be written: " + error.message());
    impl_->temporary.clear();
}

}  // namespace flipscope::app
