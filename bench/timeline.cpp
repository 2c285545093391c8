#include <chrono>
#include <cstdio>

#include "bench/parts.h"
#include "instruments/timeline.h"

namespace flipscope::bench {

namespace {

/// Only counts, four passes a round, with the usual number of counters.
class Nothing : public Lab {
  public:
    explicit Nothing(uint64_t length) : length_(length) {}
    const LabInfo& info() const override {
        static const LabInfo info = [] {
            LabInfo made{"nothing", "Nothing", "", "", {{"a", ""}, {"b", ""}}, {}};
            for (const char* name : {"first", "second", "third", "fourth", "fifth", "sixth"})
                made.counters.push_back({name, ""});
            made.measures = {{"height", "", ""}, {"width", "", ""}};
            return made;
        }();
        return info;
    }
    void parameters(ParameterVisitor&) override {}
    void reset(Context&, std::shared_ptr<const Geometry>) override { at_ = 0; }
    void set_records_states(bool) override {}
    bool done() const override { return at_ >= length_; }
    uint32_t next_pass() const override { return done() ? kNone : static_cast<uint32_t>(at_ % 2); }
    StepResult step() override {
        StepResult result;
        result.pass = static_cast<uint32_t>(at_ % 2);
        const auto i = static_cast<int64_t>(at_++);
        result.next = next_pass();
        result.round = static_cast<uint32_t>((at_ + 3) / 4);
        result.ended = at_ % 4 == 0 ? flipscope::Level::kRound : flipscope::Level::kPass;
        result.counters = {i % 7, i % 11, i % 13, kNotCounted, i, 1};
        result.measures = {static_cast<double>(i % 5), static_cast<double>(i % 3)};
        return result;
    }
    void finish(const std::function<void(const StepResult&)>&) override { at_ = length_; }
    Scene scene() const override { return {}; }
    uint64_t state_hash() const override { return at_; }
    Result result() const override { return {}; }
    TriangleSoup soup() const override { return {}; }
    Snapshot save() const override {
        Snapshot snapshot;
        put_values(snapshot, &at_, 1);
        return snapshot;
    }
    void load(const Snapshot& snapshot) override { load_values(snapshot, 0, &at_, 1); }

  private:
    uint64_t length_, at_ = 0;
};

}  // namespace

void run_timeline(const Task& task, nlohmann::ordered_json& json) {
    std::printf("The timeline with a lab that does nothing\n%12s %14s %12s %16s %12s\n", "steps", "million/s",
                "history MB", "buckets a plot", "keyframes");
    json["timeline"] = nlohmann::ordered_json::array();
    Context context(DeviceRequest::kCpu, 1);
    const auto nothing = std::make_shared<const Geometry>();
    for (const uint64_t steps : {uint64_t(100'000), task.sizes({10'000'000}).front()}) {
        Timeline timeline(std::make_unique<Nothing>(steps));
        std::vector<double> samples;
        double spent_ms = 0;
        const auto again = [&] {
            const auto runs = static_cast<int>(samples.size());
            return runs < task.patience.fewest || (runs < task.patience.most && spent_ms < task.patience.seconds * 1e3);
        };
        while (again()) {
            timeline.reset(context, nothing);
            const auto begin = std::chrono::steady_clock::now();
            timeline.run_to_end();
            samples.push_back(ms_since(begin));
            spent_ms += samples.back();
        }
        const double rate = static_cast<double>(steps) / median(samples) * 1e-3;  // million a second
        const double megabytes = static_cast<double>(timeline.history().bytes()) * 1e-6;
        std::printf("%12llu %14.2f %12.1f %16zu %12zu\n", static_cast<unsigned long long>(steps), rate, megabytes,
                    timeline.history().step_bucket_count(), timeline.keyframe_count());
        json["timeline"].push_back({{"steps", steps},
                                    {"steps_per_second", rate * 1e6},
                                    {"history_bytes", timeline.history().bytes()},
                                    {"keyframes", timeline.keyframe_count()},
                                    {"samples_ms", samples}});
    }
}

}  // namespace flipscope::bench
