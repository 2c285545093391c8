#include "app/session/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/run/report.h"
#include "app/run/saved_run.h"
#include "app/run/scenario_json.h"
#include "app/session/session.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "io/files.h"
#include "io/output_file.h"

namespace flipscope::app {

namespace {

using JournalJson = nlohmann::ordered_json;
using Path = std::filesystem::path;

constexpr std::string_view kFirstWords = "flipscope journal 1 ";
constexpr const char* kJournalEnding = ".journal";
constexpr const char* kLockEnding = ".lock";
constexpr double kLeastInterval = 0.25;  // seconds between two writes

/// FNV-1a over 64 bits (Fowler, Noll, Vo).
uint64_t checksum_of(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

JournalJson json_of_scenario(const Scenario& scenario) {
    return run_fields(scenario, [](const std::filesystem::path& file) {
        std::error_code ignored;
        return std::filesystem::absolute(file, ignored).string();
    });
}

/// "12 minutes"
std::string age_text(double seconds) {
    const auto whole = [](double value) { return static_cast<uint64_t>(std::max(0.0, std::floor(value))); };
    if (seconds < 90) return flipscope::count_text(whole(seconds), "second", "seconds");
    if (seconds < 5400) return flipscope::count_text(whole(seconds / 60), "minute", "minutes");
    if (seconds < 172800) return flipscope::count_text(whole(seconds / 3600), "hour", "hours");
    return flipscope::count_text(whole(seconds / 86400), "day", "days");
}

Path with_ending(Path file, const char* ending) { return file.replace_extension(ending); }

/// Opens and locks the file; empty if another program holds the lock.
io::Descriptor lock_file(const Path& path, int flags) {
    io::Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0600));
    if (file && flock(file.get(), LOCK_EX | LOCK_NB) != 0) return {};
    return file;
}

}  // namespace

std::string journal_text(const EditedRun& run) {
    JournalJson json{{"run", json_of_scenario(run.scenario)},
                     {"source", run.source},
                     {"input_hash", run.input ? hash_text(contents_hash(*run.input)) : ""},
                     {"position", run.position}};
    json["edits"] = json_of_edits(run.edits);
    const std::string body = json.dump(-1, ' ', false, JournalJson::error_handler_t::replace) + "\n";
    return std::string(kFirstWords) + std::to_string(body.size()) + " " + hash_text(checksum_of(body)) + "\n" + body;
}

EditedRun parse_journal(std::string_view text, const Path& file) {
    const std::string name = file.string();
    const size_t line = std::min(text.find('\n'), text.size());
    const std::string_view first = text.substr(0, line), body = text.substr(std::min(line + 1, text.size()));
    if (!first.starts_with(kFirstWords.substr(0, kFirstWords.size() - 2)))
        throw Error(name + ": is no journal of edits");
    if (!first.starts_with(kFirstWords)) throw Error(name + ": was written by a newer version of Flipscope");
    size_t bytes = 0;
    const char* const number = first.data() + kFirstWords.size();
    const auto [end, error] = std::from_chars(number, first.data() + first.size(), bytes);
    if (error != std::errc()) throw Error(name + ": is damaged in its first line");
    if (body.size() != bytes)
        throw Error(name + ": ends after " + std::to_string(body.size()) + " of " + std::to_string(bytes) + " bytes");
    if (first.substr(static_cast<size_t>(end - first.data())) != " " + hash_text(checksum_of(body)))
        throw Error(name + ": is damaged: its checksum is another one");
    try {
        const auto json = nlohmann::json::parse(body);
        EditedRun run;
        run.scenario = scenario_of_fields(json.at("run"), file, "/run");
        run.source = json.at("source");
        run.input_hash = std::stoull(json.at("input_hash").get<std::string>(), nullptr, 16);
        run.position = json.at("position");
        run.edits = edits_of_json({name}, JsonReader::Pointer("/edits"), json.at("edits"), 0);
        return run;
    } catch (const Error&) {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error_of_json) {
        throw Error(name + ": cannot be understood: " + excerpt(error_of_json.what()));
    }
}

Journal::Journal(Path folder) : folder_(std::move(folder)) {}

Journal::~Journal() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    std::error_code ignored;
    if (lock_ && kept_ == 0) std::filesystem::remove(with_ending(file_, kLockEnding), ignored);
}

std::vector<std::string> Journal::take_up() {
    std::vector<std::string> said;
    std::vector<Path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == kJournalEnding) files.push_back(at->path());
    for (const Path& file : files) {
        io::Descriptor lock = lock_file(with_ending(file, kLockEnding), O_CREAT);
        if (!lock || !std::filesystem::exists(file, error)) continue;
        try {
            Left left{file, std::move(lock), parse_journal(io::read_file(file), file), 0};
            const auto age =
                std::filesystem::file_time_type::clock::now() - std::filesystem::last_write_time(file, error);
            left.seconds = std::chrono::duration<double>(age).count();
            left_.push_back(std::move(left));
        } catch (const Error& wrong) {
            const Path aside = file.string() + ".broken";
            std::filesystem::rename(file, aside, error);
            std::filesystem::remove(with_ending(file, kLockEnding), error);
            said.push_back(std::string("Edits that were not saved cannot be restored: ") + wrong.what() +
                           ". The file is now " + aside.string() + ".");
        }
    }
    std::stable_sort(left_.begin(), left_.end(), [](const Left& a, const Left& b) { return a.seconds > b.seconds; });
    return said;
}

std::string Journal::offer() const {
    if (left_.empty() || restoring_) return {};
    const Left& left = left_.back();
    const size_t edits = left.run.edits.size();
    return "Flipscope ended before your " + flipscope::count_text(edits, "edit", "edits") + " of " +
           left.run.edited_text() + (edits == 1 ? " was saved, " : " were saved, ") + age_text(left.seconds) + " ago.";
}

void Journal::restore(Session& session) {
    if (left_.empty()) return;
    restoring_ = true;
    session.restorer().restore(left_.back().run);
}

void Journal::remove(const Left& left) {
    std::error_code ignored;
    std::filesystem::remove(left.file, ignored);
    std::filesystem::remove(with_ending(left.file, kLockEnding), ignored);
}

void Journal::discard() {
    if (left_.empty()) return;
    remove(left_.back());
    left_.pop_back();
}

void Journal::postpone() {
    if (!left_.empty()) left_.pop_back();
}

size_t Journal::kept() const {
    const std::lock_guard lock(mutex_);
    return busy_ || next_ ? 0 : kept_;
}

void Journal::follow(Session& session, double now) {
    if (session.restorer().take_restored() && restoring_) restored_ = true;
    double cost = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!failure_.empty() && !std::exchange(warned_, true))
            session.say(Message::Kind::kWarning,
                        "Edits cannot be recovered if the program ends early: " + failure_ + ".");
        // Restored edits are now in this program's journal.
        if (restored_ && kept_ > 0 && !busy_ && !next_ && !left_.empty()) {
            remove(left_.back());
            left_.pop_back();
            restoring_ = restored_ = false;
        }
        if (busy_ || next_) return;
        cost = cost_;
    }
    // Offer a refused or cancelled restoration again.
    if (restoring_ && !restored_ && session.idle() && !session.undo().question()) restoring_ = false;
    if (session.state_id() == seen_ || session.busy() || now - written_at_ < std::max(kLeastInterval, 10 * cost))
        return;
    seen_ = session.state_id();
    std::optional<EditedRun> run = session.restorer().edited_run();
    if (!run && kept() == 0) return;
    if (run && !run->named) {
        if (!std::exchange(warned_, true))
            session.say(Message::Kind::kNote,
                        "These edits cannot be recovered if the program ends early: " + run->source +
                            " exists only in memory and is too large to be saved with them.");
        run.reset();
    }
    written_at_ = now;
    {
        const std::lock_guard lock(mutex_);
        next_ = run ? std::move(*run) : EditedRun{};
    }
    if (!writer_.joinable()) writer_ = std::thread([this] { write_on(); });
    changed_.notify_all();
}

// Runs on the writer's thread.
void Journal::write_on() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [&] { return ends_ || next_; });
        if (!next_) return;
        const EditedRun run = *std::exchange(next_, std::nullopt);
        busy_ = true;
        lock.unlock();
        const auto begin = std::chrono::steady_clock::now();
        std::string failure;
        try {
            if (file_.empty()) {
                std::error_code wrong;
                std::filesystem::create_directories(folder_, wrong);
                if (wrong) throw Error(folder_.string() + ": cannot be made: " + wrong.message());
                const Path file =
                    folder_ /
                    ("edits-" + std::to_string(getpid()) + "-" +
                     std::to_string(std::chrono::system_clock::now().time_since_epoch().count()) + kJournalEnding);
                lock_ = lock_file(with_ending(file, kLockEnding), O_CREAT | O_EXCL);
                if (!lock_) throw Error(folder_.string() + ": no file can be made there");
                file_ = file;
            }
            if (run.edits.empty())
                std::filesystem::remove(file_);
            else
                write_whole_file(file_, journal_text(run));
        } catch (const std::exception& error) {
            failure = error.what();
        }
        lock.lock();
        cost_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        busy_ = false;
        failure_ = failure;
        if (failure.empty()) kept_ = run.edits.size();
    }
}

void Journal::forget() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        next_.reset();
    }
    changed_.notify_all();
    if (writer_.joinable()) writer_.join();
    std::error_code ignored;
    if (!file_.empty()) std::filesystem::remove(file_, ignored);
    kept_ = 0;
    if (restored_) discard();
}

}  // namespace flipscope::app
