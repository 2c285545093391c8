// Long runs: the history is bounded, exact in its totals, and shows every spike; and going back over any distance ends
// in the same states with the same counters.
#include "instruments/history.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <thread>
#include <vector>

#include "labs/counting.h"
#include "test_support.h"

using namespace flipscope;

namespace {

/// Counts like its base, up to a length that the test chooses, with more to count: a sum, something that stands, a
/// measure, and spikes at steps of the test's choice.
class Long : public Counting {
  public:
    uint64_t length = 1000;
    std::map<uint64_t, int64_t> spikes;  // by index of the step
    uint64_t other_from = UINT64_MAX;    // from this step on it is another history

    const LabInfo& info() const override {
        static const LabInfo info = [this] {
            LabInfo made{
                "long", "Long", "", "", {{"even", ""}, {"odd", ""}}, {{"work", ""}, {"left", "", true}, {"rare", ""}}};
            made.measures = {{"height", "", ""}};
            made.edits = Counting::info().edits;
            return made;
        }();
        return info;
    }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override {
        Counting::reset(context, std::move(input));
        last = length;
    }
    int64_t work_of(uint64_t i) const {
        const auto spike = spikes.find(i);
        return spike != spikes.end() ? spike->second : static_cast<int64_t>(mix(i) % 5) + (i >= other_from ? 7 : 0);
    }
    StepResult step() override {
        const uint64_t i = at;
        StepResult result = Counting::step();
        result.counters = {work_of(i), static_cast<int64_t>(length - i), i % 1000 == 7 ? 1 : kNotCounted};
        result.measures = {i % 2 == 0 ? std::nan("") : static_cast<double>(work_of(i)) / 8};
        result.breakpoint_hit = i % 4 == 1;
        return result;
    }

  private:
    static uint64_t mix(uint64_t i) { return (i * 0x9E3779B97F4A7C15ull) >> 40; }
};

struct LongBench {
    Context context{DeviceRequest::kCpu, 1};
    std::unique_ptr<Long> made = std::make_unique<Long>();
    Long& machine = *made;
    Timeline timeline{std::move(made)};

    /// `whole_ms`: how long all its passes take, by the machine's clock; keyframes come every 30 ms, at first.
    explicit LongBench(uint64_t length, double whole_ms = 0) {
        machine.length = length;
        machine.pass_ms = whole_ms / static_cast<double>(length);
        timeline.set_clock([this] { return machine.now_ms; });
    }
    void reset() { timeline.reset(context, std::make_shared<Geometry>()); }
    const History& history() const { return timeline.history(); }
};

/// The totals of all steps before `end`, from the machine itself.
Totals expected_totals(const Long& machine, uint64_t end) {
    Totals totals;
    totals.total = {0, kNotCounted, kNotCounted};
    totals.round = totals.total;
    totals.first = totals.now = {std::nan("")};
    int64_t rare = 0;
    for (uint64_t i = 0; i < end; ++i) {
        totals.total[0] += machine.work_of(i);
        rare += i % 1000 == 7;
        if (i % 2 == 1) totals.now[0] = static_cast<double>(machine.work_of(i)) / 8;
        if (i == 1) totals.first = totals.now;
    }
    if (end > 0) totals.total[1] = static_cast<int64_t>(machine.length - (end - 1));
    if (end == 0) totals.total[0] = kNotCounted;
    if (rare > 0) totals.total[2] = rare;
    return totals;
}

void check_totals(const LongBench& bench) {
    const Totals expected = expected_totals(bench.machine, bench.timeline.position());
    const Totals& totals = bench.history().totals();
    CHECK(totals.total == expected.total);
    for (size_t k = 0; k < 1; ++k) {
        CHECK((std::isnan(expected.first[k]) ? std::isnan(totals.first[k]) : totals.first[k] == expected.first[k]));
        CHECK((std::isnan(expected.now[k]) ? std::isnan(totals.now[k]) : totals.now[k] == expected.now[k]));
    }
}

/// Buckets follow each other without a gap and come to all there was.
void check_buckets(const History& history, const Long& machine, bool rounds_too = true) {
    uint64_t next = 0, count = 0;
    int64_t work = 0;
    history.for_each_step_bucket([&](const Bucket& bucket) {
        REQUIRE(bucket.begin == next);
        REQUIRE(bucket.items > 0);
        next = bucket.end();
        work += bucket.counters[0].sum;
        count += bucket.counters[0].count;
    });
    CHECK(next == history.size());
    CHECK(count == history.size());
    if (history.size() > 0) CHECK(work == expected_totals(machine, history.size()).total[0]);
    if (!rounds_too) return;
    next = 0;
    work = 0;
    uint64_t step = 0;
    history.for_each_round_bucket([&](const Bucket& bucket) {
        REQUIRE(bucket.begin == next);
        REQUIRE(bucket.round == bucket.begin + 1);
        REQUIRE(bucket.step >= step);
        next = bucket.end();
        step = bucket.step;
        work += bucket.counters[0].sum;
    });
    CHECK(next == (history.size() + 3) / 4);
    if (history.size() > 0) CHECK(work == expected_totals(machine, history.size()).total[0]);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// Resident memory of this program, in bytes; 0: not known here.
size_t resident_bytes() {
    std::FILE* file = std::fopen("/proc/self/status", "r");
    if (!file) return 0;
    char line[256];
    size_t kib = 0;
    while (std::fgets(line, sizeof line, file))
        if (std::sscanf(line, "VmRSS: %zu", &kib) == 1) break;
    std::fclose(file);
    return kib * 1024;
}

}  // namespace

TEST_CASE("history: ten million steps take bounded memory and time, every spike is seen, and going back is exact") {
    const uint64_t length = std::max<uint64_t>(200'000, case_count(10'000'000));
    LongBench bench(length, 60'000);  // more keyframes than are kept
    for (uint64_t i = 0; i < 40; ++i)
        bench.machine.spikes[(i * 7919 + 13) * (length / 400'000 + 1) % length] = 1000 + static_cast<int64_t>(i);
    bench.machine.spikes[0] = 5000;
    bench.machine.spikes[length - 1] = 6000;
    bench.reset();
    const size_t resident = resident_bytes();
    size_t most_bytes = 0;
    for (int part = 1; part <= 8; ++part) {
        REQUIRE(bench.timeline.seek(length * static_cast<uint64_t>(part) / 8));
        most_bytes = std::max(most_bytes, bench.history().bytes());
    }
    CHECK(bench.timeline.known() == length);
    CHECK(bench.timeline.done());
    CHECK(most_bytes < size_t(24) << 20);
    // Keyframes, marks and what the allocator keeps are in it, too. A sanitizer uses additional memory.
    if (resident > 0 && !kSanitized) CHECK(resident_bytes() < resident + (size_t(40) << 20));
    CHECK(bench.timeline.keyframe_count() <= Timeline::kMostKeyframes);
    CHECK(bench.history().step_bucket_count() <= History::kMostBuckets);
    check_totals(bench);
    check_buckets(bench.history(), bench.machine);
    for (const auto& [place, height] : bench.machine.spikes) {
        const Bucket& bucket = bench.history().bucket_of(place);
        CHECK(bucket.begin <= place);
        CHECK(place < bucket.end());
        CHECK(bucket.items <= std::max<uint64_t>(1, 4 * length / History::kMostBuckets));  // well below a pixel
        CHECK(bucket.counters[0].high >= height);
    }
    // Recent steps are there as they were.
    for (uint64_t i = length - History::kRecentSteps; i < length; i += 97) {
        REQUIRE(bench.history().holds(i));
        CHECK(bench.history()[i].counters[0] == bench.machine.work_of(i));
    }
    CHECK_FALSE(bench.history().holds(length / 2));
    CHECK_THROWS_AS(bench.timeline.result(length / 2), std::out_of_range);

    const uint64_t end_hash = bench.machine.state_hash();
    const std::vector<int64_t> end_totals = bench.history().totals().total;
    for (const uint64_t target : {length / 2, uint64_t(0), uint64_t(1), length / 3 + 1, length / 2, length}) {
        INFO(target);
        const uint64_t before = bench.machine.steps_run;
        REQUIRE(bench.timeline.seek(target));
        CHECK(bench.machine.at == target);
        CHECK(bench.timeline.known() == length);
        check_totals(bench);
        if (target == 0) continue;
        CHECK(bench.timeline.result(target - 1).counters[0] == bench.machine.work_of(target - 1));
        CHECK(bench.machine.steps_run - before < length / 100);  // from the nearest keyframe
    }
    CHECK(bench.machine.state_hash() == end_hash);
    CHECK(bench.history().totals().total == end_totals);
    check_buckets(bench.history(), bench.machine);
}

TEST_CASE("history: a pass, an iteration and a round back lead over any distance, whatever is kept") {
    const uint64_t length = 3 * History::kRecentSteps;
    LongBench bench(length, 60'000);
    bench.reset();
    bench.timeline.run_to_end();
    for (const uint64_t from :
         {length, length - History::kRecentSteps - 300, length / 2, uint64_t(20'003), uint64_t(9)})
        for (const Level level : {Level::kPass, Level::kIteration, Level::kRound}) {
            bench.timeline.seek(from);
            const uint64_t stride = level == Level::kPass ? 1 : level == Level::kIteration ? 2 : 4;
            uint64_t expected = from;
            for (int i = 0; i < 5 && expected > 0; ++i) {
                expected = (expected - 1) / stride * stride;
                REQUIRE(bench.timeline.back(level));
                REQUIRE(bench.timeline.position() == expected);
                REQUIRE(bench.machine.at == expected);
            }
            CHECK(bench.timeline.known() == length);
        }
    bench.timeline.seek(length / 2);
    CHECK(bench.timeline.back(Level::kEnd));
    CHECK(bench.timeline.position() == 0);
    bench.timeline.seek(length / 2);
    CHECK_FALSE(bench.timeline.back(Level::kEnd, patience(3)));  // told to stop on its way
    CHECK(bench.timeline.seek(length));
    check_totals(bench);
}

TEST_CASE("history: a round of long ago is found again, at the step that hit the breakpoint") {
    const uint64_t length = 3 * History::kRecentSteps;
    LongBench bench(length, 60'000);
    bench.reset();
    bench.timeline.run_to_end();
    for (const uint32_t round : {1u, 2u, 10'000u, static_cast<uint32_t>(length / 4)}) {
        const auto [begin, end] = bench.history().stretch_of_round(round);
        CHECK(begin <= 4 * (round - 1));
        CHECK(end >= 4 * round);
        CHECK(bench.timeline.seek_round(round));
        CHECK(bench.timeline.position() == 4 * (round - 1) + 2);
        CHECK(bench.timeline.known() == length);
    }
    const uint64_t there = bench.timeline.position();
    CHECK(bench.timeline.seek_round(static_cast<uint32_t>(length)));  // there is none
    CHECK(bench.timeline.position() == there);
}

TEST_CASE("history: an edit in the far past begins another history, with totals and buckets of its own") {
    const uint64_t length = 3 * History::kRecentSteps;
    for (const uint64_t place : {uint64_t(0), uint64_t(2), length / 2 + 2, length - 1000}) {
        INFO(place);
        LongBench bench(length, 60'000);
        bench.machine.spikes[place + 10] = 100'000;  // in what is forgotten
        bench.reset();
        bench.timeline.run_to_end();
        bench.timeline.seek(place);
        bench.timeline.edit(move(3));
        CHECK(bench.timeline.position() == place + 1);
        CHECK(bench.timeline.known() == place + 1);
        CHECK(bench.timeline.result(place).counters == std::vector<int64_t>{-3});
        uint64_t next = 0;
        int64_t highest = 0;
        bench.history().for_each_step_bucket([&](const Bucket& bucket) {
            REQUIRE(bucket.begin == next);
            next = bucket.end();
            highest = std::max(highest, bucket.counters[0].high);
        });
        CHECK(next == place + 1);
        CHECK(highest < 100'000);
        CHECK(bench.history().totals().total[0] ==
              std::max<int64_t>(expected_totals(bench.machine, place).total[0], 0) - 3);
        // More of the same stroke takes the place of what it was; then on, and back over it.
        bench.timeline.edit(stroke({1}, false, 4));
        bench.timeline.edit(stroke({2}, true, 4));
        bench.timeline.edit(stroke({3}, true, 4));
        CHECK(bench.timeline.known() == place + 2);
        CHECK(bench.history().totals().total[0] ==
              std::max<int64_t>(expected_totals(bench.machine, place).total[0], 0) - 3 - 4);
        bench.timeline.seek(place + 5000);
        const uint64_t hash = bench.machine.state_hash();
        const std::vector<int64_t> totals = bench.history().totals().total;
        bench.timeline.seek(place / 2);
        bench.timeline.seek(place + 5000);
        CHECK(bench.machine.state_hash() == hash);
        CHECK(bench.history().totals().total == totals);
    }
}

TEST_CASE("history: after an edit near the start of a long run the rest is summed up as finely as in a short one") {
    LongBench bench(3 * History::kRecentSteps, 60'000);
    bench.reset();
    bench.timeline.run_to_end();
    REQUIRE(bench.history().step_width() > 1);
    bench.timeline.seek(102);
    bench.timeline.edit(move(3));
    for (int i = 0; i < 400; ++i) bench.timeline.step();
    bench.history().for_each_step_bucket([](const Bucket& bucket) { CHECK(bucket.items == 1); });
    bench.history().for_each_round_bucket([](const Bucket& bucket) { CHECK(bucket.items == 1); });
    for (uint64_t i = 0; i < 102; ++i) CHECK(bench.timeline.result(i).counters[0] == bench.machine.work_of(i));
    const std::vector<int64_t> totals = bench.history().totals().total;
    bench.timeline.seek(50);
    bench.timeline.seek(503);
    CHECK(bench.history().totals().total == totals);
    CHECK(bench.timeline.known() == 503);
}

TEST_CASE("history: sums computed again after an edit end at keyframes, and are the same from each of them") {
    LongBench bench(60'000, 60'000);
    bench.reset();
    bench.timeline.run_to_end();
    bench.timeline.seek(0);
    for (int i = 0; i < 25'000; ++i) bench.timeline.step();  // not from a keyframe near the place
    bench.timeline.edit(move(3));
    for (int i = 0; i < 300; ++i) bench.timeline.step();
    REQUIRE(bench.timeline.known() == 25'301);
    REQUIRE(bench.history().step_width() > 1);
    REQUIRE(bench.timeline.keyframe_count() > 20);
    for (uint64_t place = 8'000; place < 25'000; place += 487) {
        bench.timeline.seek(place);
        for (int i = 0; i < 40; ++i) bench.timeline.step();
        REQUIRE(bench.timeline.known() == 25'301);
    }
    bench.timeline.seek(25'301);
    CHECK(bench.machine.edits_made >= 1);
    CHECK(bench.machine.mark == 3);
}

TEST_CASE("history: a machine that does not repeat itself is found out, however long ago the steps were") {
    const uint64_t length = 3 * History::kRecentSteps;
    LongBench bench(length);  // no keyframes but the first
    bench.reset();
    bench.timeline.run_to_end();
    const uint64_t width = bench.history().step_width();
    REQUIRE(width > 1);
    bench.timeline.take_unchanged();
    bench.machine.other_from = 40'000;
    bench.timeline.seek(40'000 + 2 * width);
    CHECK(bench.timeline.position() == 40'000 + 2 * width);
    CHECK(bench.timeline.known() == bench.timeline.position());
    CHECK(bench.timeline.take_unchanged() <= 40'000);
    CHECK(bench.timeline.take_unchanged() == UINT64_MAX);
    check_totals(bench);
    check_buckets(bench.history(), bench.machine);
    bench.timeline.run_to_end();
    check_totals(bench);
    check_buckets(bench.history(), bench.machine);
}

TEST_CASE("history: a copy is whole, and stays as it is while the original goes on, on another thread, too") {
    const uint64_t length = std::max<uint64_t>(100'000, case_count(400'000));
    LongBench bench(length, 60'000);
    bench.reset();
    uint64_t copied = 0, held = 0;
    for (uint64_t target = 1; target < length; target = target * 3 + 11) {
        bench.timeline.seek(target);
        const History copy = bench.history();  // as the window does it, while the worker rests
        std::thread worker([&] {
            bench.timeline.seek(std::min(target + 5000, length));
            bench.timeline.seek(target / 2);
            if (target % 2 == 1) bench.timeline.edit(move(0));
        });
        CHECK(copy.size() >= target);
        CHECK(copy.position() == target);
        check_buckets(copy, bench.machine, false);
        held += target - copy.recent_begin();
        for (uint64_t i = copy.recent_begin(); i < target; ++i)
            copied += copy[i].counters[0] == bench.machine.work_of(i);
        worker.join();
        CHECK(copy.position() == target);
        CHECK(copy.totals().total == expected_totals(bench.machine, target).total);
        bench.reset();
    }
    CHECK(copied == held);
    CHECK(held > length / 4);
}

TEST_CASE("history: steps so large that few fit are kept by their size") {
    LongBench bench(20'000);
    bench.reset();
    History history;
    history.clear(bench.machine.info());
    StepResult step;
    step.message.add("", std::string(100'000, 'x'));
    for (int i = 0; i < 5000; ++i) history.add(step);
    CHECK(history.bytes() < History::kMostStepBytes + (size_t(8) << 20) + 512 * 100'000);
    CHECK(history.size() == 5000);
    CHECK(history.back().message.text().size() == 100'000);
    CHECK(history.totals().message.size() == 100'000);
}
