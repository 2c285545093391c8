#include "instruments/history.h"

#include <cmath>
#include <stdexcept>
#include <utility>

#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

bool same_step(const StepResult& a, const StepResult& b) {
    return a.pass == b.pass && a.next == b.next && a.ended == b.ended && a.round == b.round &&
           a.iteration == b.iteration && a.counters == b.counters;  // measures are for display
}

/// A hash of the members compared by same_step(). Digests of several steps are summed, so their order does not matter.
uint64_t digest_of(const StepResult& step, uint64_t position) {
    uint64_t hash = mix64(position ^ uint64_t(step.pass) << 32);
    hash = mix64(hash ^ (uint64_t(step.next) << 32 | step.round));
    hash = mix64(hash ^ (uint64_t(step.iteration) << 32 | static_cast<uint32_t>(step.ended)));
    for (const int64_t counter : step.counters) hash = mix64(hash ^ static_cast<uint64_t>(counter));
    return hash;
}

size_t bytes_of(const StepResult& step) {
    constexpr size_t kOfAllocator = 16, kInString = 15;  // overhead per allocation; characters stored without one
    const auto of_text = [](const std::string& text) {
        return text.size() > kInString ? text.size() + kOfAllocator : 0;
    };
    size_t messages = step.message.empty() ? 0 : kOfAllocator;
    for (const StepMessage::Sentence& each : step.message.sentences)
        messages += sizeof each + of_text(each.kind) + of_text(each.text);
    const size_t counters = step.counters.size() * sizeof(int64_t), measures = step.measures.size() * sizeof(double);
    return sizeof step + counters + (counters ? kOfAllocator : 0) + measures + (measures ? kOfAllocator : 0) + messages;
}

void add(Bucket& to, const Bucket& more) {
    to.items += more.items;
    to.last_round = more.last_round;
    to.digest += more.digest;
    for (size_t k = 0; k < to.passes.size(); ++k) to.passes[k] += more.passes[k];
    for (size_t k = 0; k < to.counters.size(); ++k) to.counters[k].add(more.counters[k]);
    for (size_t k = 0; k < to.measures.size(); ++k) to.measures[k].add(more.measures[k]);
}

}  // namespace

void History::Window::restart(uint64_t begin) {
    steps.restart(begin);
    bytes = 0;
}

void History::Window::push(StepResult step, uint64_t least, size_t most_bytes) {
    bytes += bytes_of(step);
    steps.push_back(std::move(step));
    while (steps.block_count() > 2 && (steps.size() >= least + 256 || bytes > most_bytes)) {
        const uint64_t before = steps.begin();
        size_t dropped = 0;
        for (uint64_t i = before; i < before + 256 && i < steps.end(); ++i) dropped += bytes_of(steps[i]);
        steps.drop_first_block();
        bytes -= dropped;
    }
}

void History::Window::cut(uint64_t end) {
    for (uint64_t i = std::max(end, steps.begin()); i < steps.end(); ++i) bytes -= bytes_of(steps[i]);
    steps.cut(end);
}

const Bucket* History::Pyramid::find(uint64_t item) const {
    uint64_t low = full.begin(), high = full.end();  // search for the first one that ends after it
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (full[middle].end() <= item)
            low = middle + 1;
        else
            high = middle;
    }
    return low < full.end() ? &full[low] : nullptr;
}

void History::Pyramid::cut(uint64_t item) {
    uint64_t end = full.end();
    while (end > full.begin() && full[end - 1].begin >= item) --end;
    full.cut(end);
}

void History::Pyramid::push(Bucket bucket, const std::vector<Pin>& pins, uint64_t Pin::*place) {
    full.push_back(std::move(bucket));
    if (full.size() < kMostBuckets) return;
    // Merges neighbours, but not across a pinned position.
    std::vector<Bucket> merged(kMostBuckets);
    merged.clear();
    for (uint64_t i = full.begin(); i < full.end(); ++i) merged.push_back(full[i]);
    while (merged.size() > kMostBuckets / 2 && width < uint64_t(1) << 62) {
        width *= 2;
        size_t last = 0;
        auto pin = pins.begin();
        for (size_t i = 1; i < merged.size(); ++i) {
            while (pin != pins.end() && (*pin).*place < merged[i].begin) ++pin;
            const bool apart = pin != pins.end() && (*pin).*place == merged[i].begin;
            if (!apart && merged[last].items + merged[i].items <= width)
                flipscope::add(merged[last], merged[i]);
            else if (++last != i)
                merged[last] = std::move(merged[i]);
        }
        merged.resize(last + 1);
    }
    full.restart(0);
    for (Bucket& one : merged) full.push_back(std::move(one));
}

Bucket History::empty_bucket(uint64_t begin) const {
    Bucket bucket;
    bucket.begin = begin;
    bucket.counters.resize(is_gauge_.size());
    bucket.measures.resize(measure_count_);
    return bucket;
}

/// Ends the incomplete buckets at the cursor.
void History::end_buckets() {
    if (cursor_.steps.items > 0)
        steps_.push(std::exchange(cursor_.steps, empty_bucket(cursor_.position)), pins_, &Pin::position);
    if (cursor_.round_bucket.items > 0)
        rounds_.push(std::exchange(cursor_.round_bucket, empty_bucket(cursor_.rounds)), pins_, &Pin::rounds);
}

/// The round of the cursor, up to the cursor.
Bucket History::open_round(const Cursor& at) const {
    Bucket bucket = empty_bucket(at.rounds);
    bucket.items = 1;
    bucket.step = at.round_step;
    bucket.round = bucket.last_round = at.round;
    bucket.digest = mix64(at.rounds ^ uint64_t(at.round) << 32);
    for (size_t k = 0; k < is_gauge_.size(); ++k) {
        bucket.digest = mix64(bucket.digest ^ static_cast<uint64_t>(at.round_counters[k]));
        if (at.round_counters[k] != kNotCounted) bucket.counters[k].add(at.round_counters[k]);
    }
    for (size_t k = 0; k < measure_count_; ++k)
        if (!std::isnan(at.round_measures[k])) bucket.measures[k].add(at.round_measures[k]);
    return bucket;
}

void History::clear(const LabInfo& info) {
    is_gauge_.clear();
    for (const CounterInfo& counter : info.counters) is_gauge_.push_back(counter.is_gauge);
    measure_count_ = info.measures.size();
    pass_count_ = info.passes.size();
    size_ = 0;
    recent_.restart(0);
    around_.restart(0);
    steps_ = rounds_ = {};
    pins_.clear();
    cursor_ = {};
    cursor_.totals.round.assign(is_gauge_.size(), kNotCounted);
    cursor_.totals.total = cursor_.round_counters = cursor_.totals.round;
    cursor_.totals.first.assign(measure_count_, kNan);
    cursor_.totals.now = cursor_.round_measures = cursor_.totals.first;
    cursor_.steps = cursor_.round_bucket = empty_bucket(0);
    end_ = start_ = {};
}

const StepResult* History::find(uint64_t i) const {
    const StepResult* step = recent_.find(i);
    return step || i >= size_ ? step : around_.find(i);
}

const StepResult& History::operator[](uint64_t i) const {
    if (const StepResult* step = find(i)) return *step;
    throw std::out_of_range("History: step " + std::to_string(i) + " of " + std::to_string(size_) +
                            " is not kept; go there to make it again");
}

std::optional<uint64_t> History::previous(Level level) const {
    if (cursor_.position == 0) return 0;
    uint64_t i = cursor_.position - 1;
    if (level == Level::kPass) return i;
    for (; i > 0; --i) {
        const StepResult* before = find(i - 1);
        if (!before) return std::nullopt;
        if (before->ended >= level) break;
    }
    return i;
}

bool History::agrees(const StepResult& step) const {
    const StepResult* known = cursor_.position < size_ ? recent_.find(cursor_.position) : nullptr;
    return !known || same_step(*known, step);
}

std::optional<uint64_t> History::add(StepResult step) {
    const bool fresh = cursor_.position == size_;
    if (step.round > 0 && step.round != cursor_.round) begin_round(step, fresh);
    count(step);
    Bucket& open = cursor_.steps;
    if (open.items == 0) {
        open.step = open.begin;
        open.passes.resize(pass_count_);
        open.round = step.round;
    }
    ++open.items;
    open.last_round = step.round;
    if (step.pass < pass_count_) ++open.passes[step.pass];
    open.digest += digest_of(step, cursor_.position);
    if (fresh)
        recent_.push(std::move(step), kRecentSteps, kMostStepBytes);
    else if (cursor_.position < recent_.steps.begin())
        around_.push(std::move(step), kStepsAround, kMostStepBytes / 8);
    ++cursor_.position;
    if (fresh) {
        ++size_;
        if (open.items >= steps_.width)
            steps_.push(std::exchange(open, empty_bucket(cursor_.position)), pins_, &Pin::position);
        return std::nullopt;
    }
    // Repeated steps: compare them when the bucket is complete.
    const Bucket* full = steps_.find(open.begin);
    const Bucket& known = full ? *full : end_.steps;
    if (open.end() != known.end()) return std::nullopt;
    const bool same = open.digest == known.digest;
    const uint64_t begin = open.begin;
    if (full && same) open = empty_bucket(cursor_.position);
    if (same) return std::nullopt;
    return begin;
}

/// Totals of the cursor, and the values of its open bucket of steps.
void History::count(const StepResult& step) {
    Totals& totals = cursor_.totals;
    const bool in_round = step.round > 0;
    const auto sum_up = [](int64_t& sum, int64_t value, bool is_gauge) {
        sum = is_gauge || sum == kNotCounted ? value : sum + value;
    };
    for (size_t k = 0; k < std::min(step.counters.size(), is_gauge_.size()); ++k) {
        if (step.counters[k] == kNotCounted) continue;
        cursor_.steps.counters[k].add(step.counters[k]);
        sum_up(totals.total[k], step.counters[k], is_gauge_[k]);
        if (in_round) sum_up(cursor_.round_counters[k], step.counters[k], is_gauge_[k]);
    }
    for (size_t k = 0; k < std::min(step.measures.size(), measure_count_); ++k) {
        if (std::isnan(step.measures[k])) continue;
        cursor_.steps.measures[k].add(step.measures[k]);
        totals.now[k] = step.measures[k];
        if (std::isnan(totals.first[k])) totals.first[k] = step.measures[k];
        if (in_round) cursor_.round_measures[k] = step.measures[k];
    }
    if (in_round)
        totals.round = cursor_.round_counters;
    else
        totals.round.assign(is_gauge_.size(), kNotCounted);
    if (step.round != cursor_.last_step_round) totals.message.clear();
    if (!step.message.empty()) totals.message = step.message.text();
    cursor_.last_step_round = step.round;
}

/// Ends the previous round, which becomes part of its bucket.
void History::begin_round(const StepResult& step, bool fresh) {
    if (cursor_.round > 0) {
        Bucket& open = cursor_.round_bucket;
        Bucket whole = open_round(cursor_);
        if (open.items == 0)
            open = std::move(whole);
        else
            flipscope::add(open, whole);
        ++cursor_.rounds;
        if (fresh && open.items >= rounds_.width) {
            rounds_.push(std::exchange(open, empty_bucket(cursor_.rounds)), pins_, &Pin::rounds);
        } else if (!fresh) {
            const Bucket* full = rounds_.find(open.begin);
            // If it differs it stays open, and replaces that bucket when the difference is detected.
            if (full && full->end() == open.end() && full->digest == open.digest) open = empty_bucket(cursor_.rounds);
        }
    }
    cursor_.round = step.round;
    cursor_.round_step = cursor_.position;
    cursor_.round_counters.assign(is_gauge_.size(), kNotCounted);
    cursor_.round_measures.assign(measure_count_, kNan);
}

void History::forget_future() {
    if (cursor_.position == size_) return;
    const bool much = cursor_.position < size_ / 2;
    size_ = cursor_.position;
    if (size_ <= recent_.steps.begin()) recent_ = std::move(around_);
    recent_.cut(size_);
    around_.restart(size_);
    steps_.cut(cursor_.steps.begin);
    rounds_.cut(cursor_.round_bucket.begin);
    end_ = {};
    if (much) refine();
}

void History::refine() {
    steps_.width = rounds_.width = 1;
    if (start_.position < recent_.steps.begin()) return end_buckets();
    std::vector<StepResult> again;
    for (uint64_t i = start_.position; i < size_; ++i) again.push_back(recent_.steps[i]);
    size_ = start_.position;
    recent_.cut(size_);
    steps_.cut(start_.steps.begin);
    rounds_.cut(start_.round_bucket.begin);
    cursor_ = start_;
    // Buckets end at pinned positions, as they do in pin(): the cursor returns to these.
    for (StepResult& step : again) {
        if (is_pinned(cursor_.position)) end_buckets();
        add(std::move(step));
    }
    if (is_pinned(cursor_.position)) end_buckets();
}

History::Mark History::pin() {
    if (cursor_.position != size_) throw std::logic_error("History: only the end is pinned");
    end_buckets();
    if (!pins_.empty() && pins_.back().position == cursor_.position)
        ++pins_.back().count;
    else
        pins_.push_back({cursor_.position, cursor_.rounds, 1});
    Mark mark;
    mark.cursor_ = cursor_;
    if (cursor_.position > 0) mark.last_ = (*this)[cursor_.position - 1];
    return mark;
}

void History::unpin(uint64_t position) {
    const auto pin = std::find_if(pins_.begin(), pins_.end(), [&](const Pin& one) { return one.position == position; });
    if (pin == pins_.end()) throw std::logic_error("History: no such place is pinned");
    if (--pin->count == 0) pins_.erase(pin);
}

bool History::is_pinned(uint64_t position) const {
    return std::any_of(pins_.begin(), pins_.end(), [&](const Pin& one) { return one.position == position; });
}

void History::pin_only(const std::vector<uint64_t>& positions) {
    std::erase_if(pins_, [&](Pin& pin) {
        pin.count = 1;
        return std::find(positions.begin(), positions.end(), pin.position) == positions.end();
    });
    if (pins_.size() != positions.size()) throw std::logic_error("History: a place to be kept is not pinned");
}

void History::go_to(const Mark& mark) {
    if (cursor_.position == size_) end_ = std::move(cursor_);
    cursor_ = start_ = mark.cursor_;
    around_.restart(cursor_.position > 0 ? cursor_.position - 1 : 0);
    if (mark.last_ && !recent_.find(cursor_.position - 1)) around_.push(*mark.last_, kStepsAround, kMostStepBytes / 8);
}

void History::for_each_step_bucket(const std::function<void(const Bucket&)>& use) const {
    for (uint64_t i = steps_.full.begin(); i < steps_.full.end(); ++i) use(steps_.full[i]);
    if (frontier().steps.items > 0) use(frontier().steps);
}

void History::for_each_round_bucket(const std::function<void(const Bucket&)>& use) const {
    for (uint64_t i = rounds_.full.begin(); i < rounds_.full.end(); ++i) use(rounds_.full[i]);
    const Cursor& end = frontier();
    if (end.round_bucket.items > 0) use(end.round_bucket);
    if (end.round > 0) use(open_round(end));
}

const Bucket& History::bucket_of(uint64_t step) const {
    const Bucket* full = steps_.find(step);
    return full ? *full : frontier().steps;
}

History::Stretch History::stretch_of_round(uint32_t round) const {
    Stretch stretch;
    bool found = false;
    for_each_round_bucket([&](const Bucket& bucket) {
        if (found && stretch.end == size_) stretch.end = bucket.step;
        if (found || round < bucket.round || round > bucket.last_round) return;
        found = true;
        stretch = {bucket.step, size_};
    });
    return stretch;
}

uint32_t History::round_before_or_at(uint64_t step) const {
    if (const StepResult* kept = find(step)) return kept->round;
    uint32_t round = 0;
    for_each_round_bucket([&](const Bucket& bucket) {
        if (bucket.step <= step) round = bucket.round;
    });
    return round;
}

size_t History::share_of_bytes() const {
    const auto part = [](const auto& blocks) {
        return blocks.block_count() == 0 ? 0 : blocks.share_of_blocks() / static_cast<double>(blocks.block_count());
    };
    const Pyramid* pyramids[] = {&steps_, &rounds_};
    double bytes = sizeof *this;
    for (const Window* window : {&recent_, &around_}) bytes += part(window->steps) * static_cast<double>(window->bytes);
    for (const Pyramid* pyramid : pyramids)
        bytes += part(pyramid->full) * static_cast<double>(pyramid->full.size() * bytes_of_bucket());
    return static_cast<size_t>(bytes);
}

size_t History::bytes_of_bucket() const {
    return sizeof(Bucket) + is_gauge_.size() * sizeof(Summary<int64_t>) + measure_count_ * sizeof(Summary<double>) +
           pass_count_ * sizeof(uint64_t);
}

size_t History::bytes() const {
    const uint64_t buckets = steps_.full.size() + rounds_.full.size();
    const size_t blocks = recent_.steps.block_count() + around_.steps.block_count();
    return sizeof *this + recent_.bytes + around_.bytes + blocks * 256 * sizeof(void*) +
           static_cast<size_t>(buckets) * bytes_of_bucket() + pins_.capacity() * sizeof(Pin);
}

}  // namespace flipscope
