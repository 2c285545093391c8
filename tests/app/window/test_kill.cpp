// Windows that end by SIGKILL at random moments of manual edits, undo, steps, exports, changed settings and a lesson
// that is written. The next window has all that was a second old. FLIPSCOPE_LONG_TESTS=1 with FLIPSCOPE_TEST_SCALE=50
// kills a thousand.
#include <signal.h>

#include <chrono>
#include <optional>
#include <random>
#include <thread>

#include "app/run/lesson.h"
#include "app/window_hands.h"

using namespace flipscope;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kKept{1};  // the age from which nothing is lost

/// What windows have shown, with the moments at which they did.
template <class Value>
class Record {
  public:
    void add(const Value& value) { shown_.emplace_back(Clock::now(), value); }
    /// After a kill: drops what was replaced more than a second before.
    void kill(Clock::time_point moment) {
        size_t oldest = 0;
        for (size_t i = 0; i < shown_.size(); ++i)
            if (shown_[i].first <= moment - kKept) oldest = i;
        shown_.erase(shown_.begin(), shown_.begin() + std::ptrdiff_t(oldest));
    }
    bool has(const Value& value) const {
        return std::any_of(shown_.begin(), shown_.end(), [&](const auto& one) { return one.second == value; });
    }
    bool empty() const { return shown_.empty(); }
    const Value& oldest() const { return shown_.front().second; }
    const Value& last() const { return shown_.back().second; }
    void restart(const Value& value) {
        shown_.clear();
        add(value);
    }

  private:
    std::vector<std::pair<Clock::time_point, Value>> shown_;
};

struct Edited {
    size_t edits = 0;
    std::string hash;
    bool operator==(const Edited&) const = default;
};
Edited edited(const json& status) { return {status["edits"], status["state_hash"].dump()}; }

/// Kills a window after a random time and says when.
class Killer {
  public:
    Killer(const WindowDriver& window, double seconds)
        : thread_([this, process = window.process(), seconds] {
              std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
              moment_ = Clock::now();
              kill(process, SIGKILL);
          }) {}
    Clock::time_point moment() {
        if (thread_.joinable()) thread_.join();
        return moment_;
    }
    ~Killer() { moment(); }

  private:
    Clock::time_point moment_;
    std::thread thread_;
};

/// Acts until the window is killed.
template <class Act>
Clock::time_point act_until_killed(WindowDriver& window, double seconds, const Act& act) {
    Killer killer(window, seconds);
    std::string ended;
    while (ended.empty()) {
        try {
            act();
        } catch (const std::exception& error) {
            ended = error.what();
        }
    }
    const Clock::time_point moment = killer.moment();
    window.kill_at_once();
    CHECK_MESSAGE((has(ended, "has ended") || has(ended, "does not listen")), ended);
    return moment;
}

class Sessions {
  public:
    explicit Sessions(std::mt19937_64& random) : random_(random) {}
    ~Sessions() {
        MESSAGE(kills_, " windows killed: ", edits_, " edits and steps, ", restored_, " runs restored, ", exports_,
                " exports, ", settings_, " changed settings, ", steps_, " steps of lessons; ", in_flight_,
                " kills during an edit that nothing had shown");
    }

    /// One window with edits, exports and settings, from its restored run to its end. False: no window here.
    bool edit() {
        const auto window = window_or_skip({"--lab", "build", few_, "--size", "900x600", "--no-motion"}, kRemembered);
        if (!window) return false;
        json status = window->settle();
        if (light_.empty()) light_.add(status["light"]);
        CHECK(light_.has(status["light"]));
        light_.restart(status["light"]);
        check_nothing_is_broken();
        bool restored = false;
        const Clock::time_point moment = act_until_killed(*window, 4 * uniform(), [&] {
            if (!restored) restore(*window);
            restored = true;
            act(*window);
        });
        ++kills_;
        if (restored) state_.kill(moment);
        light_.kill(moment);
        // Of what nothing had shown either all or nothing is there.
        for (const auto& [file, whole] : std::exchange(exports_due_, {})) check_export(file, whole);
        return true;
    }

    /// One window that writes a lesson.
    bool write_lesson() {
        const TemporaryFolder folder;
        const Environment state("XDG_STATE_HOME", folder.path().string());
        const auto window = window_or_skip({"--lab", "build", few_}, {900, 600});
        if (!window) return false;
        Record<size_t> steps;
        steps.add(0);
        press_key(*window, "5", "/lesson/writing", true);
        const Clock::time_point moment = act_until_killed(*window, 1 + 4 * uniform(), [&] {
            const json status = window->settle();
            click_box(*window, status["boxes"].at("lesson/Add this view as a step"));
            steps.add(window->wait_for("a step", [&](const json& s) {
                return s["lesson"].value("steps", size_t(0)) > steps.last();
            })["lesson"]["steps"]);
            ++steps_;
            window->move(300, 300);
            window->click();  // out of the caption
        });
        ++kills_;
        steps.kill(moment);
        const auto file = folder / "flipscope/unsaved-lesson.json";
        const size_t kept = std::filesystem::exists(file) ? app::read_lesson(file).steps.size() : 0;
        INFO("steps kept: ", kept, " of ", steps.oldest(), " … ", steps.last());
        CHECK(kept >= steps.oldest());
        CHECK(kept <= steps.last() + 1);
        return true;
    }

  private:
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }

    /// The edits that are offered, or a run without edits.
    void restore(WindowDriver& window) {
        json status = window.settle();
        if (status["leftover"] != "") {
            window.key("Return");
            status = window.wait_for("the restored run", [](const json& s) {
                return s["leftover"] == "" && s["edits"] > 0 && s["edits_kept"] == s["edits"];
            });
            ++restored_;
        }
        const Edited now = edited(status);
        if (!state_.empty() && !state_.has(now)) {
            INFO("edits kept: ", now.edits, "; shown before: ", state_.oldest().edits, " … ", state_.last().edits);
            ++in_flight_;
            REQUIRE(pending_);
            CHECK(now.edits == state_.last().edits + size_t(*pending_));
        }
        state_.restart(now);
        pending_.reset();
    }

    void act(WindowDriver& window) {
        const double what = uniform();
        json status = window.settle();
        if (what < 0.1) {
            window.key("l");
            const bool light = !status["light"].get<bool>();
            light_.add(wait_for_value(window, "/light", light)["light"]);
            ++settings_;
        } else if (what < 0.2) {
            const bool picture = what < 0.15;
            const std::string file = (folder_ / (std::to_string(++exports_) + (picture ? ".png" : ".xy"))).string();
            exports_due_.emplace_back(file, false);
            save_as(window, file);
            window.wait_for("the file", [&](const json& s) { return was_said(s, file); });
            exports_due_.back().second = true;
        } else {
            const bool undoes = what < 0.3, steps = !undoes && what < 0.35;
            if (!undoes && !steps && status["tool"] != "add") press_key(window, "n", "/tool", "add");
            pending_ = undoes ? (state_.last().edits > 0 ? -1 : 0) : steps ? 0 : 1;
            if (undoes)
                window.key("ctrl+z");
            else if (steps)
                window.key("Right");
            else
                click(window, seen_in_plane(status, 0.2 + 3.6 * uniform(), 0.2 + 2.6 * uniform()));
            state_.add(edited(window.settle()));
            pending_.reset();
            ++edits_;
        }
    }

    void check_export(const std::string& file, bool whole) const {
        INFO(file);
        if (!std::filesystem::exists(file)) {
            CHECK_FALSE(whole);
            return;
        }
        const std::string bytes = read_file(file);
        if (file.ends_with(".png"))
            CHECK(bytes.substr(bytes.size() - std::min<size_t>(8, bytes.size()), 4) == "IEND");
        else
            CHECK((std::count(bytes.begin(), bytes.end(), '\n') >= 7 && bytes.back() == '\n'));
    }

    void check_nothing_is_broken() const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
            CHECK(entry.path().extension() != ".broken");
    }

    std::mt19937_64& random_;
    TemporaryFolder folder_;
    Environment state_home_{"XDG_STATE_HOME", (folder_ / "state").string()};
    Environment config_home_{"XDG_CONFIG_HOME", (folder_ / "config").string()};
    const std::string few_ = few_points(folder_);
    Record<Edited> state_;
    Record<bool> light_;
    std::vector<std::pair<std::string, bool>> exports_due_;  // and whether the window has said that they are saved
    std::optional<int> pending_;  // by how many edits the action changes them that nothing has shown yet
    uint64_t kills_ = 0, edits_ = 0, restored_ = 0, exports_ = 0, settings_ = 0, steps_ = 0, in_flight_ = 0;
};

}  // namespace

TEST_CASE("window: after SIGKILL at any moment nothing is lost that was a second old") {
    std::mt19937_64 random(5);
    Sessions sessions(random);
    for (size_t i = 0; i < case_count(2); ++i) {
        CAPTURE(i);
        if (!(i % 5 == 1 ? sessions.write_lesson() : sessions.edit())) return;
    }
}
