#include "app/session/lesson_player.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flipscope::app {

void LessonPlayer::forward() {
    if (step().question && !revealed_) {
        revealed_ = true;
        return;
    }
    if (index_ + 1 < lesson_.steps.size())
        go_to(index_ + 1);
    else
        ended_ = true;
}

void LessonPlayer::go_to(size_t index) {
    index = std::min(index, lesson_.steps.size() - 1);
    const size_t came_from = index_;
    const bool stood = phase_ == Phase::kRest && !failed_;
    index_ = index;
    revealed_ = ended_ = failed_ = false;
    phase_ = Phase::kArriving;
    before_first_ = false;
    if (!step().beside) return;
    // After a complete previous step, the window shows the picture to keep.
    if (stood && came_from + 1 == index) {
        needs_picture_ = true;
        before_of_ = came_from;
    } else if (before_of_ + 1 != index) {
        before_first_ = true;
    }
}

void LessonPlayer::replace(Lesson lesson, size_t index) {
    lesson_ = std::move(lesson);
    index_ = std::min(index, lesson_.steps.size() - 1);
    revealed_ = ended_ = false;
    before_of_ = SIZE_MAX;
    phase_ = Phase::kRest;
    before_first_ = false;
}

LessonPlayer::Act LessonPlayer::frame(const Stage& stage, double elapsed_s) {
    elapsed_s_ += elapsed_s;
    const LessonStep& wanted = lesson_.steps[run_step()];
    const uint64_t from = before_first_ ? wanted.end() : wanted.at;
    const std::vector<PlacedEdit>& plan = wanted.scenario.edits;
    const auto is_at = [&](uint64_t place) {
        const size_t made = stage.edits.size();
        if (made < plan.size() && (plan[made].at < place || place == Scenario::kAtEnd)) return false;
        return place == Scenario::kAtEnd ? stage.done
                                         : stage.position == place || (stage.done && stage.position < place);
    };
    const bool at_run = phase_ == Phase::kSeeking || phase_ == Phase::kPlaying;
    if (at_run && stage.idle && stage.input_revision != opened_revision_) phase_ = Phase::kRest;  // another run is open
    if (phase_ == Phase::kPlaying) {
        played_s_ += elapsed_s;
        if (!stage.idle) return {};
        if (is_at(wanted.play->to) || stage.position > wanted.play->to) {
            phase_ = Phase::kRest;
            return {};
        }
        const double due = std::floor(played_s_ * wanted.play->speed);
        const uint64_t target =
            std::min(wanted.play->to, (from == Scenario::kAtEnd ? stage.position : from) + static_cast<uint64_t>(due));
        if (target > stage.position) return {Act::Kind::kSeek, run_step(), target};
        return {};
    }
    if (phase_ == Phase::kShown) {  // wait until the picture is drawn
        if (stage.idle && ++frames_shown_ > 2) {
            needs_picture_ = true;
            before_of_ = index_ - 1;
            before_first_ = false;
            phase_ = Phase::kArriving;
        }
        return {};
    }
    if (phase_ == Phase::kRest || !stage.idle) return {};
    if (phase_ == Phase::kOpening) {
        if (stage.input_revision == requested_revision_) {  // the input was refused
            failed_ = true;
            phase_ = Phase::kRest;
            return {};
        }
        opened_ = wanted.run;
        opened_revision_ = stage.input_revision;
        starts_flight_ = true;
        flies_ = false;
        phase_ = Phase::kSeeking;
    }
    if (phase_ == Phase::kArriving) {
        sought_ = false;
        if (opened_ != wanted.run || opened_revision_ != stage.input_revision || !follows(stage.edits, plan)) {
            phase_ = Phase::kOpening;
            requested_revision_ = stage.input_revision;
            return {Act::Kind::kOpen, run_step()};
        }
        starts_flight_ = flies_ = true;
        phase_ = Phase::kSeeking;
    }
    if (!is_at(from) && !std::exchange(sought_, true)) return {Act::Kind::kSeek, run_step(), from};
    failed_ = !is_at(from);
    if (before_first_) {
        frames_shown_ = 0;
        phase_ = Phase::kShown;
    } else if (wanted.play && !failed_ && !is_at(wanted.play->to)) {
        played_s_ = 0;
        phase_ = Phase::kPlaying;
    } else {
        phase_ = Phase::kRest;
    }
    return {};
}

Camera camera_between(const Camera& from, const Camera& to, double part) {
    const double u = std::clamp(part, 0.0, 1.0), eased = u * u * (3 - 2 * u);
    if (u >= 1) return to;
    Camera between = to;
    between.scale = from.scale * std::pow(to.scale / from.scale, eased);
    // World units per pixel follow a power; the centre follows them, so that the zoom keeps one place fixed.
    const double a = 1 / from.scale, b = 1 / to.scale;
    const double weight = std::abs(a - b) > 1e-9 * std::max(a, b) ? (1 / between.scale - a) / (b - a) : eased;
    between.center = {from.center.x + weight * (to.center.x - from.center.x),
                      from.center.y + weight * (to.center.y - from.center.y)};
    return between;
}

std::string clock_text(double seconds) {
    const auto whole = static_cast<long>(std::max(0.0, seconds));
    char text[40];
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    return text;
}

}  // namespace flipscope::app
