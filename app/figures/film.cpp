#include "app/figures/film.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/descriptor.h"

extern char** environ;

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
    io::Descriptor pixels, complaints;
    pid_t child = -1;
    std::vector<unsigned char> waiting;  // rows to send together

    void start(int height, double frame_rate) {
        int ends[2], said[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw Error(file + ": " + message_of(errno));
        pixels = io::Descriptor(ends[0]);
        const io::Descriptor its_pixels(ends[1]);
        if (pipe2(said, O_CLOEXEC) != 0) throw Error(file + ": " + message_of(errno));
        complaints = io::Descriptor(said[0]);
        const io::Descriptor its_complaints(said[1]);
        const std::string extension = std::filesystem::path(file).extension().string();
        const std::string container = extension == ".webm" ? "webm" : extension == ".mkv" ? "matroska" : "mp4";
        char rate[32];
        std::snprintf(rate, sizeof rate, "%.6g", frame_rate);
        std::vector<std::string> words{
            "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba", "-video_size",
            std::to_string(width) + "x" + std::to_string(height), "-framerate", rate, "-i", "pipe:0",
            // 4:2:0 halves the colour resolution: sides must be even.
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-f", container, temporary};
        std::vector<char*> arguments;
        for (std::string& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, its_pixels.get(), STDIN_FILENO);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_adddup2(&actions, its_complaints.get(), STDERR_FILENO);
        const int error = posix_spawnp(&child, "ffmpeg", &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (error == 0) return;
        child = -1;
        throw Error("--video " + printable(file) + ": ffmpeg cannot be started (" + message_of(error) +
                    "); install it (Debian: apt install ffmpeg), or write numbered pictures with --sequence");
    }

    /// Waits for ffmpeg's end; returns its exit status, and its messages in `said`.
    int end(std::string& said) {
        pixels.close();
        char bytes[1024];
        for (;;) {
            const ssize_t count = read(complaints.get(), bytes, sizeof bytes);
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) break;
            if (said.size() < 2000) said.append(bytes, static_cast<size_t>(count));
        }
        int status = 0;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        child = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    [[noreturn]] void fail(std::string said) const {
        said = said.substr(0, said.find('\n'));
        throw Error(printable(file) + ": ffmpeg has failed" + (said.empty() ? "" : ": " + printable(said)));
    }

    void send_waiting() {
        throw_if_cancelled();
        for (size_t at = 0; at < waiting.size();) {
            const ssize_t count = send(pixels.get(), waiting.data() + at, waiting.size() - at, MSG_NOSIGNAL);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) {
                std::string said;
                end(said);
                fail(said);
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
    impl_->temporary = (path.parent_path() / (".flipscope-video-" + std::to_string(getpid()) + ".part")).string();
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
    if (impl_->child > 0) {
        kill(impl_->child, SIGKILL);
        std::string ignored;
        impl_->end(ignored);
    }
    if (!impl_->temporary.empty()) unlink(impl_->temporary.c_str());
}

void Video::put(const unsigned char* rgba) {
    constexpr size_t kAtOnce = 1 << 18;  // bytes
    impl_->waiting.insert(impl_->waiting.end(), rgba, rgba + static_cast<size_t>(impl_->width) * 4);
    if (impl_->waiting.size() >= kAtOnce) impl_->send_waiting();
}

void Video::finish() {
    impl_->send_waiting();
    std::string said;
    if (impl_->end(said) != 0) impl_->fail(said);
    std::error_code error;
    std::filesystem::rename(impl_->temporary, impl_->file, error);
    if (error) throw Error(impl_->file + ": cannot be written: " + error.message());
    impl_->temporary.clear();
}

}  // namespace flipscope::app
