#include "app/window_session.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "compute/error.h"
#include "compute/printable.h"
#include "labs/failure_marks.h"
#include "labs/registry.h"

namespace flipscope::app {

namespace {

// Seconds between asking a run to end after its pass and ending the pass on its way, which then has to be made again.
constexpr double kPatienceToCancel = 0.3;
constexpr size_t kMostMessages = 500;

double now_s() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Session::Session(const WindowOptions& options, std::function<void()> wake)
    : wake_(std::move(wake)), worker_([this] {
          sharing_->wake();
          wake_();
      }) {
    opened_ = now_s();
    context_ = std::make_unique<Context>(options.device, options.threads);
    sharing_ = std::make_unique<SharedMemory>(*context_, options.shared_memory);
    context_->set_shared_memory(sharing_.get());
    timeline_ = std::make_unique<Timeline>(make_lab(options.lab));
    for (const auto& [name, value] : options.parameters) flipscope::set_parameter(timeline_->lab(), name, value);
    model_.info = timeline_->lab().info();
    model_.parameters = list_parameters(timeline_->lab());
    drafts_.assign(model_.parameters.size(), "");
    model_.device_name = context_->device_name();
    model_.sharing = sharing_->description();
    if (!context_->notice().empty()) say(Message::Kind::kNote, context_->notice(), Message::Holds::kForGood, 0);
    playing_ = options.play;
    auto input = options.input;
    if (!input) input = std::make_shared<const Geometry>();
    start_opening(
        "Preparing", "",
        [input, said = options.notes](const LabInfo&, std::vector<std::string>& notes) {
            notes = said;
            return input;
        },
        options.source_text);
}

Session::~Session() {
    stop_ = true;
    context_->cancel();
    while (worker_.busy()) {
        sharing_->service(0.02);
        if (worker_.finished()) worker_.collect();
    }
    context_->clear_cancel();  // what is still copied is copied whole
    try {
        sharing_->acquire();  // blocks are given back under the lease, as everywhere
        timeline_.reset();
        sharing_->release();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "flipscope: giving back what was drawn from: %s\n", error.what());
    }
}

void Session::say(Message::Kind kind, std::string text, Message::Holds holds, uint64_t since) {
    if (model_.messages.size() >= kMostMessages) model_.messages.erase(model_.messages.begin());
    model_.messages.push_back({kind, printable(text), now_s() - opened_, holds, since});
}

bool Session::holds(const Message& message) const {
    if (message.over) return false;
    if (message.holds == Message::Holds::kForMoment) return message.since == moment_;
    if (message.holds == Message::Holds::kBehindStep) return message.since < model_.position;
    return true;
}

const Message* Session::message() const {
    for (auto last = model_.messages.rbegin(); last != model_.messages.rend(); ++last)
        if (holds(*last)) return &*last;
    return nullptr;
}

// Where the run begins anew because something went wrong, what was said of that is still to be read.
void Session::end_messages_of_run() {
    const Message* kept = keeps_message_ ? message() : nullptr;
    ++moment_;
    for (Message& message : model_.messages) {
        if (&message == kept && message.holds == Message::Holds::kForMoment) message.since = moment_;
        if (&message != kept) message.over |= message.holds != Message::Holds::kForGood;
    }
}

// ---- wishes
// --------------------------------------------------------------------------------------------------------------

void Session::play(bool on) {
    if (on && model_.done) {
        if (!model_.refusal.empty()) reply(Message::Kind::kError, model_.refusal);
        if (model_.position == 0) return;  // nothing to play
        go({Goal::Kind::kSeek, 0, Level::kPass, true});
    }
    playing_ = on;
    due_ = on ? 1 : 0;
    if (!on && goal_ && goal_->paced) goal_.reset();
}

void Session::go(Goal goal) {
    if (!goal.paced) playing_ = false;
    if (worker_.busy() && is_journey_) stop_ = true;  // the new one takes over where the old one stands
    goal_ = goal;
}

void Session::step(Level level) { go({Goal::Kind::kLevel, 0, level}); }

void Session::back(Level level) {
    if (model_.position == 0) return;
    if (const auto target = model_.history.previous(level))
        seek(*target);
    else
        go({Goal::Kind::kBack, 0, level});
}

void Session::seek(uint64_t position) { go({Goal::Kind::kSeek, position}); }
void Session::run_to_end() { go({Goal::Kind::kSeek, std::numeric_limits<uint64_t>::max()}); }

void Session::stand_down() {
    playing_ = false;
    goal_.reset();
    if (worker_.busy() && is_journey_) stop_ = true;
}

void Session::restart() {
    stand_down();
    wishes_.push_back({Wish::Kind::kRestart});
}

void Session::load(std::string text, bool is_file) {
    stand_down();
    wishes_.push_back({Wish::Kind::kLoad, std::move(text), is_file});
}

void Session::leave_out_frames() {
    stand_down();
    wishes_.push_back({Wish::Kind::kLeaveOut, "frames"});
}

void Session::leave_out_points() {
    stand_down();
    wishes_.push_back({Wish::Kind::kLeaveOut, "points"});
}

void Session::open_lab(const std::string& id) {
    stand_down();
    wishes_.push_back({Wish::Kind::kLab, id});
}

void Session::verify() {
    playing_ = false;
    wishes_.push_back({Wish::Kind::kVerify});
}

void Session::inspect(const Probe& probe) {
    std::erase_if(wishes_, [](const Wish& wish) { return wish.kind == Wish::Kind::kInspect; });
    wishes_.push_back({Wish::Kind::kInspect, "", false, probe});
}

void Session::close_inspection() { model_.inspection = {}; }

void Session::set_parameter(size_t index, std::string value) {
    drafts_[index] = value == model_.parameters[index].value ? "" : std::move(value);
}
std::string Session::parameter(size_t index) const {
    return drafts_[index].empty() ? model_.parameters[index].value : drafts_[index];
}
bool Session::parameters_changed() const {
    return std::any_of(drafts_.begin(), drafts_.end(), [](const std::string& draft) { return !draft.empty(); });
}
void Session::drop_drafts() { drafts_.assign(model_.parameters.size(), ""); }

void Session::cancel() {
    playing_ = false;
    goal_.reset();
    wishes_.clear();
    miss_grip();
    if (!worker_.busy() || title_.empty()) return;  // what has no title is soon over, and nobody saw it begin
    stop_ = true;
    if (cancelled_at_ == 0) cancelled_at_ = now_s();
    if (!is_journey_) context_->cancel();
}

bool Session::cancellable() const { return (worker_.busy() && !title_.empty()) || (goal_ && !goal_->paced); }

// ---- the frame
// -----------------------------------------------------------------------------------------------------------

void Session::frame(double elapsed_s) {
    const double begin = now_s();
    if (worker_.busy()) {
        sharing_->service();
        const bool patient =
            (is_recovering_ && !retrace_) || cancelled_at_ == 0 || begin - cancelled_at_ <= kPatienceToCancel;
        if (!worker_.finished() && !patient) context_->cancel();
        if (worker_.finished()) conclude();
    }
    if (!worker_.busy()) context_->collect_timings();
    if (!worker_.busy() && recover_) {
        recover_ = false;
        if (timeline_->can_recover())
            start_recovery();
        else
            start_again();
    }
    if (!worker_.busy() && !wishes_.empty()) {
        const Wish wish = wishes_.front();
        wishes_.pop_front();
        start_wish(wish);
    }
    if (playing_ && !goal_) {
        due_ = std::min(due_ + elapsed_s * speed, std::max(1.0, speed));  // never owes more than a second's worth
        const uint64_t passes = unlimited ? std::numeric_limits<uint64_t>::max() : static_cast<uint64_t>(due_);
        if (passes > 0 && !worker_.busy()) {
            if (!unlimited) due_ -= static_cast<double>(passes);
            goal_ = Goal{Goal::Kind::kPasses, passes, Level::kPass, true};
        }
    }
    if (!worker_.busy() && check_due_ && model_.loaded && wishes_.empty() && !goal_) start_check(false);
    if (!worker_.busy() && behind_ && model_.loaded && wishes_.empty()) {
        const bool at_rest = !goal_ && !playing_ && grip_ == Grip::kNone;
        if (at_rest || now_s() - caught_up_ > std::max(0.1, 10 * catching_up_cost_)) start_catching_up();
    }
    if (!worker_.busy() && goal_) start_goal();
    // A job begun in an earlier frame is long: look in only now and then, and leave it the processor.
    if (worker_.busy()) wait_for_worker(began_ >= begin ? budget_ms * 1e-3 + 0.004 : 0.015);
    last_wait_ms_ = (now_s() - begin) * 1e3;
}

void Session::wait_for_worker(double seconds) {
    const double end = now_s() + seconds;
    while (!worker_.finished()) {
        const double left = end - now_s();
        if (left <= 0) return;
        sharing_->service(left);
    }
    conclude();
}

void Session::start(std::string title, bool changes_scene, std::function<void()> job, std::function<void()> after) {
    title_ = std::move(title);
    changes_scene_ = changes_scene;
    is_journey_ = is_recovering_ = keeps_message_ = false;
    after_ = std::move(after);
    began_ = now_s();
    cancelled_at_ = 0;
    stop_ = false;
    context_->clear_cancel();
    sharing_->acquire();
    // Marks of failures are of one moment; what comes of it must not inherit them.
    const bool unmarks = changes_scene && std::exchange(marked_, false);
    worker_.start([this, unmarks, job = std::move(job)] {
        const CancelScope scope(context_->cancel_flag());
        if (unmarks && timeline_->usable()) unmark_failures(*context_, timeline_->lab().scene());
        job();
    });
}

void Session::start_goal() {
    if (!model_.loaded) {
        goal_.reset();
        return;
    }
    const Goal goal = *goal_;
    const bool backwards = (goal.kind == Goal::Kind::kSeek && goal.count < model_.position) ||
                           goal.kind == Goal::Kind::kBack || goal.kind == Goal::Kind::kRound;
    if (!backwards && model_.done) {
        if (!model_.refusal.empty()) reply(Message::Kind::kError, model_.refusal);
        goal_.reset();
        playing_ = false;
        return;
    }
    {
        std::lock_guard lock(live_mutex_);
        live_ = {model_.position, model_.known(), goal.kind == Goal::Kind::kSeek ? goal.count : 0, model_.position};
    }
    // Playing keeps to its budget. A long way forward is shown as it goes, a way back only where it ends.
    double limit_ms = goal.paced ? budget_ms : std::max(budget_ms, 2 * patience_ms);
    if (backwards) limit_ms = 1e12;
    auto reached = std::make_shared<bool>(false), paused = std::make_shared<bool>(false);
    const bool wary = pause_when_notable && goal.paced;
    start(backwards                        ? "Going back"
          : goal.kind == Goal::Kind::kSeek ? "Running on"
                                           : "Stepping",
          true, [=, this] {
              const double deadline = now_s() + limit_ms * 1e-3;
              uint64_t left = goal.count;
              const auto keep_going = [&] {
                  {
                      std::lock_guard lock(live_mutex_);
                      live_.position = timeline_->position();
                      live_.known = timeline_->known();
                  }
                  return !stop_ && now_s() < deadline;
              };
              switch (goal.kind) {
                  case Goal::Kind::kPasses:
                      while (left > 0 && timeline_->step()) {
                          *paused = wary && timeline_->result(timeline_->position() - 1).notable;
                          if (*paused || --left == 0 || !keep_going()) break;
                      }
                      *reached = true;  // what the budget does not hold is dropped, not owed
                      break;
                  case Goal::Kind::kLevel:
                      *reached = timeline_->step_level(goal.level, keep_going);
                      break;
                  case Goal::Kind::kSeek:
                      *reached = timeline_->seek(goal.count, keep_going);
                      break;
                  case Goal::Kind::kBack:
                      *reached = timeline_->back(goal.level, keep_going);
                      break;
                  case Goal::Kind::kRound:
                      *reached = timeline_->seek_round(static_cast<uint32_t>(goal.count), keep_going);
                      break;
              }
          });
    is_journey_ = true;
    // Unless a later wish took its place, the goal stays until it is reached.
    goal_.reset();
    after_ = [this, goal, reached, paused] {
        if (!*reached && !goal_ && !stop_ && !model_.done) goal_ = goal;
        if (*paused) playing_ = false;
    };
}

void Session::start_wish(const Wish& wish) {
    switch (wish.kind) {
        case Wish::Kind::kLoad:
            start_load(wish.text, wish.is_file);
            break;
        case Wish::Kind::kLeaveOut:
            start_leaving_out(wish.text == "points");
            break;
        case Wish::Kind::kRestart:
            start_reset("Starting over", input_, model_.source_text);
            break;
        case Wish::Kind::kLab:
            start_lab(wish.text);
            break;
        case Wish::Kind::kVerify:
            if (model_.loaded) start_check(true);
            break;
        case Wish::Kind::kInspect: {
            if (!model_.loaded) break;
            auto found = std::make_shared<Inspection>();
            start(
                "", false, [=, this, probe = wish.probe] { *found = look(pick(probe)); },
                [=, this] { model_.inspection = *found; });
            break;
        }
        case Wish::Kind::kGrab:
            start_grab(wish.probe);
            break;
        case Wish::Kind::kEdit:
            if (model_.loaded) start_edit(wish.edit);
            break;
        case Wish::Kind::kRemove:
            if (model_.loaded) start_removal(wish.probe);
            break;
        case Wish::Kind::kHash:
            start("", false, [this] { hash_ = timeline_->lab().state_hash(); });
            break;
        case Wish::Kind::kLoupe:
            start_loupe();
            break;
    }
}

// What is too dear for every frame: the result and the distributions.
void Session::start_catching_up() {
    struct Found {
        std::optional<Result> result;
        std::vector<Result::Number> numbers;
        std::vector<Histogram> histograms;
        std::vector<Curve> curves;
    };
    auto found = std::make_shared<Found>();
    behind_ = false;
    const double begin = now_s();
    start(
        "", false,
        [=, this] {
            const Lab& algorithm = timeline_->lab();
            // Of a triangulation it takes long, and says little before the end.
            if (timeline_->done() || !algorithm.info().makes_triangles) {
                const Result result = algorithm.result();
                found->numbers = result.numbers;
                if (timeline_->done()) found->result = result;
            }
            if (const auto* measurable = find_facet<Measurable>(algorithm)) {
                found->histograms = measurable->histograms();
                found->curves = measurable->curves();
            }
        },
        [=, this] {
            model_.result = std::move(found->result);
            model_.numbers = std::move(found->numbers);
            model_.histograms = std::move(found->histograms);
            model_.curves = std::move(found->curves);
            caught_up_ = now_s();
            catching_up_cost_ = caught_up_ - begin;
        });
}

Session::Progress Session::progress() const {
    if (!worker_.busy()) return {};
    Progress progress{title_, -1, now_s() - began_, cancelled_at_ > 0};
    std::lock_guard lock(live_mutex_);
    if (is_journey_ && live_.target > 0 && live_.target < std::numeric_limits<uint64_t>::max())
        progress.fraction = static_cast<double>(live_.position) / static_cast<double>(live_.target);
    return progress;
}

std::optional<uint64_t> Session::state_hash(double patience_s) {
    const double end = now_s() + patience_s;
    hash_.reset();
    while (worker_.busy() && now_s() < end) wait_for_worker(0.05);
    if (worker_.busy() || !model_.loaded) return std::nullopt;
    start_wish({Wish::Kind::kHash});
    while (worker_.busy() && now_s() < end) wait_for_worker(0.05);
    return hash_;
}

}  // namespace flipscope::app
