#include "app/judging/outside_program.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <optional>

#include "app/base/child_process.h"
#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "io/npy_writer.h"
#include "io/output_file.h"
#include "io/triangles.h"

namespace flipscope::app {

namespace {

namespace fs = std::filesystem;

const std::vector<FormatInfo> kPointsFormats{{{".xy", ".csv", ".node", ".npy"}, "written by write_points()"}};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> words;
    bool inside = false;  // the last word goes on
    char quote = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool separates = !quote && (c == ' ' || c == '\t' || c == '\n');
        if (!separates && !inside) words.emplace_back();
        inside = !separates;
        if (quote && c == quote)
            quote = 0;
        else if (!quote && (c == '"' || c == '\''))
            quote = c;
        else if (!separates)
            words.back() += c == '\\' && !quote && i + 1 < text.size() ? text[++i] : c;
    }
    if (quote) throw Error("--command: a quote is not closed in " + excerpt(text));
    return words;
}

/// Finds the place of `name` in a word and its extension, ".node" for "{points.node}"; empty: none given. False: the
/// word does not contain the place.
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

void write_points(const fs::path& path, const std::string& extension, std::span<const Point> points) {
    std::string text;
    if (extension == ".npy") {
        const std::vector<Point> rows(points.begin(), points.end());
        text = npy_bytes(make_array(Array::Type::kFloat64, {rows.size(), 2}, rows));
    } else if (extension == ".node") {
        text = std::to_string(points.size()) + " 2 0 0\n";
        for (size_t i = 0; i < points.size(); ++i)
            text += std::to_string(i) + " " + lines_of_points(points.subspan(i, 1), "%.17g %.17g\n");
    } else {
        text = lines_of_points(points, extension == ".csv" ? "%.17g,%.17g\n" : "%.17g %.17g\n");
    }
    write_whole_file(path, text);
}

/// The answer of a program that talks, as far as received: whole numbers between blanks, the number of triangles first.
class AnswerText {
  public:
    explicit AnswerText(size_t points) : most_(2 * points + 16) {}
    /// Throws Error if the text can no longer become an answer.
    void add(std::string_view text) {
        for (const char c : text) {
            const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (!blank) {
                word_ += c;
                if (complete() || word_.size() > 20) refuse();
            } else if (!word_.empty()) {
                take();
            }
        }
    }
    bool empty() const { return !count_ && word_.empty(); }
    bool complete() const { return count_ && numbers_.size() == 3 * *count_; }
    std::vector<std::array<uint32_t, 3>> triangles() const {
        std::vector<std::array<uint32_t, 3>> all(numbers_.size() / 3);
        for (size_t i = 0; i < numbers_.size(); ++i) all[i / 3][i % 3] = numbers_[i];
        return all;
    }

  private:
    void take() {
        uint32_t number = 0;
        const char* const end = word_.data() + word_.size();
        const auto [at, failure] = std::from_chars(word_.data(), end, number);
        if (failure != std::errc() || at != end || (!count_ && number > most_)) refuse();
        if (count_)
            numbers_.push_back(number);
        else
            count_ = number;
        word_.clear();
    }
    [[noreturn]] void refuse() const {
        const std::string place =
            !count_      ? "the number of triangles, at most twice that of points"
            : complete() ? "nothing after " + std::to_string(*count_) + " triangles"
                         : "the index of a point from 0, in triangle " + std::to_string(numbers_.size() / 3);
        throw Error("standard output: expected " + place + ", found " + excerpt(word_));
    }

    size_t most_;
    std::string word_;
    std::optional<size_t> count_;
    std::vector<uint32_t> numbers_;
};

/// Records how a program without triangles ended.
void record_end(ChildProcess& child, ProgramAnswer& answer) {
    using Kind = ProgramAnswer::Kind;
    answer.said = child.last_output();
    answer.last_line = printable(answer.said.substr(answer.said.rfind('\n') + 1));  // npos + 1 is 0
    std::ranges::replace(answer.said, '\n', ' ');
    answer.said = printable(answer.said);
    if (!child.has_ended() || child.signal() == SIGXCPU)
        answer.kind = Kind::kTimedOut;
    else if (child.signal() != 0)
        answer.kind = Kind::kCrashed, answer.status = child.signal();
    else if (answer.status = child.exit_status(); answer.status != 0)
        answer.kind = answer.status == 127 || answer.status == 126 ? Kind::kNotStarted : Kind::kRefused;
    else
        answer.kind = Kind::kNoAnswer;
}

void read_nonsense(const std::string& what, ProgramAnswer& answer) {
    answer.kind = ProgramAnswer::Kind::kUnreadable;
    answer.said = answer.last_line = printable(what);
}

void warn_of_counting(size_t points, ProgramAnswer& answer) {
    if (!answer.triangles.empty() && counts_from_one({answer.triangles[0].data(), 3 * answer.triangles.size()}, points))
        answer.said += (answer.said.empty() ? "" : "\n") + counted_from_one(points) + "; they must count from 0";
}

ProgramAnswer answer_of_files(const ProgramCommand& command, std::span<const Point> points,
                              const ProgramLimits& limits) {
    const ScratchFolder scratch;
    const fs::path folder = scratch.path() / "work";
    fs::create_directory(folder);
    const fs::path points_file = folder / ("points" + command.points_extension),
                   triangles_file = folder / ("triangles" + command.triangles_extension);
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
    ProgramAnswer answer;
    ChildProcess child(std::move(words), folder, scratch.path() / "stderr",
                       {static_cast<uint64_t>(limits.seconds) + 2, limits.memory_bytes, limits.file_bytes});
    child.wait(limits.seconds);
    record_end(child, answer);
    child.end();
    answer.elapsed_s = child.elapsed_s();
    std::error_code ignored;
    if (answer.kind != ProgramAnswer::Kind::kNoAnswer || !fs::exists(triangles_file, ignored)) return answer;
    try {
        if (!fs::is_regular_file(fs::symlink_status(triangles_file, ignored)))
            throw Error(triangles_file.filename().string() + ": is no file of its own");
        answer.triangles = read_triangles(triangles_file);
        warn_of_counting(points.size(), answer);
        answer.kind = ProgramAnswer::Kind::kAnswered;
    } catch (const Error& error) {
        std::string what = error.what();
        const std::string prefix = folder.string() + "/";
        if (const size_t at = what.find(prefix); at != std::string::npos) what.erase(at, prefix.size());
        read_nonsense(what, answer);
        answer.last_line = printable(error.what());
    }
    return answer;
}

/// What the program has written since its answer before must be blank.
void require_silence(ChildProcess& child) {
    char part[1 << 14];
    if (const ssize_t got = read(child.output(), part, sizeof part); got > 0) {
        const std::string more(part, static_cast<size_t>(got));
        if (more.find_first_not_of(" \t\r\n") != more.npos)
            throw Error("standard output: expected nothing behind the answer before, found " + excerpt(more));
    }
}

/// Writes the set and reads the answer concurrently. False: the program has ended or its time is up.
bool exchange(ChildProcess& child, std::string_view set, AnswerText& text, double seconds) {
    const double begin = child.elapsed_s();
    char part[1 << 14];
    for (bool reads = true; reads && child.elapsed_s() - begin < seconds && !(text.complete() && set.empty());) {
        throw_if_cancelled();
        pollfd ends[2] = {{child.output(), POLLIN, 0}, {set.empty() ? -1 : child.input(), POLLOUT, 0}};
        if (poll(ends, 2, 20) == 0 && child.has_ended()) break;
        if (ends[1].revents != 0) {
            const ssize_t put = write(child.input(), set.data(), set.size());
            if (put > 0) set.remove_prefix(static_cast<size_t>(put));
            if (put < 0 && errno != EAGAIN && errno != EINTR) set = {};  // it stopped reading, but may still answer
        }
        if (ends[0].revents == 0) continue;
        const ssize_t got = read(child.output(), part, sizeof part);
        reads = got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
        if (got > 0) text.add({part, static_cast<size_t>(got)});
        if (got == 0) text.add("\n");  // the end of the output ends a word
    }
    if (text.complete() && set.empty()) return true;
    if (child.elapsed_s() - begin < seconds) child.wait(std::max(0.01, seconds - (child.elapsed_s() - begin)));
    return false;
}

}  // namespace

std::string lines_of_points(std::span<const Point> points, const char* line) {
    std::string text;
    char buffer[96];
    for (const Point& p : points) {
        std::snprintf(buffer, sizeof buffer, line, p.x, p.y);
        text += buffer;
    }
    return text;
}

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
        const auto take = [&](const char* name, const std::vector<FormatInfo>& known, const std::string& usual,
                              std::string& to, bool& has) {
            if (!find_place(word, name, begin, end, extension)) return;
            const std::string& chosen = extension.empty() ? usual : extension;
            if (has && chosen != to)
                throw Error("--command: {" + std::string(name) + "} is there in two formats, " + to + " and " + chosen +
                            "; the file has one");
            is_place = has = true;
            to = chosen;
            if (extension.empty()) return;
            if (std::ranges::none_of(known, [&](const FormatInfo& format) { return has_extension(format, extension); }))
                throw Error("--command: {" + std::string(name) + extension +
                            "}: unknown format; known: " + known_extensions(known));
        };
        take("points", kPointsFormats, usual.points_extension, command.points_extension, has_points);
        take("triangles", triangle_formats(), usual.triangles_extension, command.triangles_extension, has_triangles);
        std::error_code ignored;
        if (!is_place && word.find('/') != std::string::npos && fs::exists(word, ignored))
            word = fs::absolute(word).lexically_normal().string();
        else if (!is_place && &word != &command.words[0] && fs::is_regular_file(word, ignored))
            word = fs::absolute(word).lexically_normal().string();
    }
    if (has_points != has_triangles)
        throw Error(
            "--command: expected both {points} and {triangles}, in place of the names of the two files, or neither, "
            "for a program that reads sets on its standard input; found " +
            excerpt(text));
    command.talks = !has_points;
    if (!can_be_found(command.words[0]))
        throw Error("--command: there is no program " + excerpt(command.words[0]) + " that can be run");
    return command;
}

const char* word_of(ProgramAnswer::Kind kind) {
    static constexpr const char* kWords[] = {"answered",  "refused",    "crashed",    "timed out",
                                             "no answer", "unreadable", "not started"};
    return kWords[static_cast<size_t>(kind)];
}

struct TestedProgram::Talk {
    ScratchFolder scratch;
    ChildProcess child;
    Talk(const ProgramCommand& command, const ChildLimits& limits)
        : child(command.words, scratch.path(), scratch.path() / "stderr", limits, true) {}
};

TestedProgram::TestedProgram(ProgramCommand command, ProgramLimits limits)
    : command_(std::move(command)), limits_(limits) {}
TestedProgram::~TestedProgram() = default;

void TestedProgram::restart() {
    talk_.reset();
    sets_read_ = 0;
}

ProgramAnswer TestedProgram::run(std::span<const Point> points) {
    if (!command_.talks) return answer_of_files(command_, points, limits_);
    if (talk_ && talk_->child.has_ended()) {
        // How it ended after its last answer is only known now.
        ProgramAnswer late;
        record_end(talk_->child, late);
        const bool well = late.kind == ProgramAnswer::Kind::kNoAnswer;
        if (!well) {
            talk_.reset();
            ++sets_read_;
            return late;
        }
    }
    if (!talk_ || talk_->child.has_ended()) {  // it ended regularly, if at all
        restart();
        talk_ = std::make_unique<Talk>(command_, ChildLimits{0, limits_.memory_bytes, limits_.file_bytes});
    }
    ChildProcess& child = talk_->child;
    const double begin = child.elapsed_s();
    ProgramAnswer answer;
    AnswerText text(points.size());
    const std::string set = std::to_string(points.size()) + "\n" + lines_of_points(points, "%.17g %.17g\n");
    ++sets_read_;
    bool ended_before = false;
    try {
        if (sets_before() > 0) require_silence(child);
        if (exchange(child, set, text, limits_.seconds)) {
            answer.elapsed_s = child.elapsed_s() - begin;
            answer.triangles = text.triangles();
            answer.kind = ProgramAnswer::Kind::kAnswered;
            warn_of_counting(points.size(), answer);
            return answer;
        }
        record_end(child, answer);
        // It had ended after its previous answer, but that was not visible yet.
        ended_before = answer.kind == ProgramAnswer::Kind::kNoAnswer && text.empty() && sets_before() > 0;
    } catch (const Error& error) {
        read_nonsense(error.what(), answer);
    }
    if (ended_before) {
        restart();
        return run(points);
    }
    child.end();
    answer.elapsed_s = child.elapsed_s() - begin;
    talk_.reset();
    return answer;
}

}  // namespace flipscope::app
