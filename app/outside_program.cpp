#include "app/outside_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/files.h"
#include "io/npy_writer.h"
#include "io/output_file.h"
#include "io/triangles.h"
#include "labs/parameters.h"

namespace flipscope::app {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kPointsExtensions{".xy", ".csv", ".node", ".npy"};
const std::vector<std::string> kTrianglesExtensions{".tri", ".txt", ".csv", ".npy", ".ele", ".ply", ".obj", ".off"};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    std::string word;
    bool inside = false;
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            inside = true;
        } else if (c == '\\' && i + 1 < text.size()) {
            word += text[++i];
            inside = true;
        } else if (c == ' ' || c == '\t' || c == '\n') {
            if (inside) words.push_back(std::move(word));
            word.clear();
            inside = false;
        } else {
            word += c;
            inside = true;
        }
    }
    if (quote) throw Error("--command: a quote is not closed in " + excerpt(text));
    if (inside) words.push_back(std::move(word));
    return words;
}

/// The extension in "{points.node}"; empty: none is given. False: the place does not occur in the word.
bool find_place(const std::string& word, const std::string& name, size_t& begin, size_t& end, std::string& extension) {
    begin = word.find("{" + name);
    while (begin != std::string::npos) {
        const size_t after = begin + 1 + name.size();
        end = word.find('}', after);
        if (end != std::string::npos && (after == end || word[after] == '.')) {
            extension = word.substr(after, end - after);
            ++end;
            return true;
        }
        begin = word.find("{" + name, after);
    }
    return false;
}

bool can_be_found(const std::string& program) {
    if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
    const char* path = std::getenv("PATH");
    for (std::string rest = path ? path : ""; !rest.empty();) {
        const size_t colon = std::min(rest.find(':'), rest.size());
        if (access((rest.substr(0, colon) + "/" + program).c_str(), X_OK) == 0) return true;
        rest.erase(0, colon + 1);
    }
    return false;
}

void write_points(const fs::path& path, const std::string& extension, std::span<const Point> points) {
    OutputFile file(path);
    if (extension == ".npy") {
        std::string header =
            "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(points.size()) + ", 2), }";
        header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
        header += '\n';
        file << std::string_view("\x93NUMPY\x01\x00", 8);
        file.little_endian(static_cast<uint16_t>(header.size()));
        file << header;
        for (const Point& p : points) {
            file.little_endian(p.x);
            file.little_endian(p.y);
        }
    } else {
        if (extension == ".node") file << uint64_t(points.size()) << " 2 0 0\n";
        char line[96];
        for (size_t i = 0; i < points.size(); ++i) {
            if (extension == ".node") file << uint64_t(i) << ' ';
            const int length = std::snprintf(line, sizeof line, "%.17g%c%.17g\n", points[i].x,
                                             extension == ".csv" ? ',' : ' ', points[i].y);
            file << std::string_view(line, static_cast<size_t>(length));
        }
    }
    file.finish();
    file.commit();
}

/// A folder for one run; gone with it.
class Scratch {
  public:
    Scratch() {
        std::string name = (fs::temp_directory_path() / "flipscope-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw Error(name + ": a folder for the program under test cannot be made: " + std::strerror(errno));
        path_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

/// The end of a file, as far as it fits a report.
std::string tail_of(const fs::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return {};
    std::string text;
    if (const off_t size = lseek(file, 0, SEEK_END); size > 0) {
        text.resize(static_cast<size_t>(std::min<off_t>(size, 600)));
        const ssize_t got = pread(file, text.data(), text.size(), size - static_cast<off_t>(text.size()));
        text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
    }
    close(file);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
}

/// In the child, between fork and exec: nothing that may wait for a lock of another thread.
[[noreturn]] void become(char* const* words, const char* folder, const char* said, const ProgramLimits& limits) {
    setpgid(0, 0);
    const auto limit = [](auto what, uint64_t most) {
        const rlimit value{most, most};
        setrlimit(what, &value);
    };
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_AS, limits.memory_bytes);
    limit(RLIMIT_FSIZE, limits.file_bytes);
    limit(RLIMIT_CPU, static_cast<uint64_t>(limits.seconds) + 2);
    const int nothing = open("/dev/null", O_RDWR);
    const int errors = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nothing < 0 || errors < 0 || chdir(folder) != 0) _exit(126);
    dup2(nothing, 0);
    dup2(nothing, 1);
    dup2(errors, 2);
    for (int i = 3; i < 1024; ++i) close(i);
    for (const int each : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ, SIGHUP}) signal(each, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    execvp(words[0], words);
    _exit(127);
}

}  // namespace

ProgramCommand parse_command(const std::string& text) {
    const ProgramCommand usual;
    ProgramCommand command;
    command.words = split(text);
    if (command.words.empty()) throw Error("--command: expected a command such as './mine {points} {triangles}'");
    bool has_points = false, has_triangles = false;
    for (std::string& word : command.words) {
        size_t begin = 0, end = 0;
        std::string extension;
        bool is_place = false;
        const auto take = [&](const char* name, const std::vector<std::string>& known, const std::string& usual,
                              std::string& to, bool& has) {
            if (!find_place(word, name, begin, end, extension)) return;
            const std::string& asked = extension.empty() ? usual : extension;
            if (has && asked != to)
                throw Error("--command: {" + std::string(name) + "} is there in two formats, " + to + " and " + asked +
                            "; the file has one");
            is_place = has = true;
            to = asked;
            if (extension.empty()) return;
            if (std::find(known.begin(), known.end(), extension) == known.end())
                throw Error("--command: {" + std::string(name) + extension +
                            "}: unknown format; known: " + join_words(known, ", "));
        };
        take("points", kPointsExtensions, usual.points_extension, command.points_extension, has_points);
        take("triangles", kTrianglesExtensions, usual.triangles_extension, command.triangles_extension, has_triangles);
        std::error_code ignored;
        if (!is_place && word.find('/') != std::string::npos && fs::exists(word, ignored))
            word = fs::absolute(word).lexically_normal().string();
        else if (!is_place && &word != &command.words[0] && fs::is_regular_file(word, ignored))
            word = fs::absolute(word).lexically_normal().string();
    }
    if (!has_points || !has_triangles)
        throw Error("--command: expected {points} and {triangles} in it, where the names of the two files go, found " +
                    excerpt(text));
    if (!can_be_found(command.words[0]))
        throw Error("--command: there is no program " + excerpt(command.words[0]) + " that can be run");
    return command;
}

const char* word_of(ProgramAnswer::Kind kind) {
    switch (kind) {
        case ProgramAnswer::Kind::kAnswered:
            return "answered";
        case ProgramAnswer::Kind::kRefused:
            return "refused";
        case ProgramAnswer::Kind::kCrashed:
            return "crashed";
        case ProgramAnswer::Kind::kTimedOut:
            return "timed out";
        case ProgramAnswer::Kind::kNoAnswer:
            return "no answer";
        case ProgramAnswer::Kind::kUnreadable:
            return "unreadable";
        case ProgramAnswer::Kind::kNotStarted:
            return "not started";
    }
    return "";
}

ProgramAnswer run_program(const ProgramCommand& command, std::span<const Point> points, const ProgramLimits& limits) {
    const Scratch scratch;
    const fs::path folder = scratch.path() / "work";
    fs::create_directory(folder);
    const fs::path points_file = folder / ("points" + command.points_extension),
                   triangles_file = folder / ("triangles" + command.triangles_extension),
                   said = scratch.path() / "stderr";
    write_points(points_file, command.points_extension, points);
    std::vector<std::string> words = command.words;
    for (std::string& word : words) {
        size_t begin = 0, end = 0;
        std::string extension;
        while (find_place(word, "points", begin, end, extension))
            word.replace(begin, end - begin, points_file.string());
        while (find_place(word, "triangles", begin, end, extension))
            word.replace(begin, end - begin, triangles_file.string());
    }
    std::vector<char*> raw;
    for (std::string& word : words) raw.push_back(word.data());
    raw.push_back(nullptr);
    const std::string folder_name = folder.string(), said_name = said.string();

    ProgramAnswer answer;
    const auto begin = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    const pid_t child = fork();
    if (child < 0) throw Error(std::string("the program under test cannot be started: ") + std::strerror(errno));
    if (child == 0) become(raw.data(), folder_name.c_str(), said_name.c_str(), limits);
    setpgid(child, child);  // whichever of the two comes first
    int status = 0;
    bool timed_out = false;
    const auto end_all = [&] {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
    };
    try {
        for (int pause_us = 200;; pause_us = std::min(2 * pause_us, 20'000)) {
            const pid_t ended = waitpid(child, &status, WNOHANG);
            if (ended == child || (ended < 0 && errno != EINTR)) break;
            if (elapsed() > limits.seconds) {
                timed_out = true;
                end_all();
                waitpid(child, &status, 0);
                break;
            }
            throw_if_cancelled();
            std::this_thread::sleep_for(std::chrono::microseconds(pause_us));
        }
    } catch (...) {
        end_all();
        waitpid(child, &status, 0);
        throw;
    }
    kill(-child, SIGKILL);  // what it has left running
    answer.elapsed_s = elapsed();
    answer.said = tail_of(said);
    answer.last_line = printable(answer.said.substr(answer.said.rfind('\n') + 1));  // npos + 1 is 0
    std::replace(answer.said.begin(), answer.said.end(), '\n', ' ');
    answer.said = printable(answer.said);
    using Kind = ProgramAnswer::Kind;
    if (timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        answer.kind = Kind::kTimedOut;
        return answer;
    }
    if (WIFSIGNALED(status)) {
        answer.kind = Kind::kCrashed;
        answer.status = WTERMSIG(status);
        return answer;
    }
    answer.status = WEXITSTATUS(status);
    if (answer.status != 0) {
        answer.kind = answer.status == 127 || answer.status == 126 ? Kind::kNotStarted : Kind::kRefused;
        return answer;
    }
    std::error_code ignored;
    if (!fs::exists(triangles_file, ignored)) {
        answer.kind = Kind::kNoAnswer;
        return answer;
    }
    try {
        if (!fs::is_regular_file(fs::symlink_status(triangles_file, ignored)))
            throw Error(triangles_file.filename().string() + ": is no file of its own");
        answer.triangles = read_triangles(triangles_file);
        if (!answer.triangles.empty() &&
            counts_from_one({answer.triangles[0].data(), 3 * answer.triangles.size()}, points.size()))
            answer.said += (answer.said.empty() ? "" : "\n") + counted_from_one(points.size()) + "; they must from 0";
        answer.kind = Kind::kAnswered;
    } catch (const Error& error) {
        answer.kind = Kind::kUnreadable;
        answer.said = answer.last_line = printable(error.what());
        const std::string prefix = folder.string() + "/";
        if (const size_t at = answer.said.find(prefix); at != std::string::npos) answer.said.erase(at, prefix.size());
    }
    return answer;
}

}  // namespace flipscope::app
