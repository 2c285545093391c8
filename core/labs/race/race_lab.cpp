// The Flip race: the Flip lab twice on the same input, side by side, with two rules for conflicts and one timeline. It
// shows a class the cost of a rule.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "compute/text.h"
#include "instruments/side_by_side.h"
#include "lab/lab.h"
#include "lab/vocabulary.h"
#include "labs/flip/flip_lab.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

constexpr const char* kRuleTitles[] = {"lowest id", "hashed id", "first claim"};  // as ConflictRule

constexpr const char* kSides[] = {"left", "right"};

class Race final : public Lab, public Inspectable, public Checkable, public Measurable {
  public:
    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override {
        visit_conflict_rule(visitor, requested_[0], "left");
        visit_conflict_rule(visitor, requested_[1], "right");
        ParameterVisitor of_side;
        sides_[0].parameters(of_side);
        visitor.add(std::move(of_side), [](const std::string& name) { return name != "conflict"; });
    }
    void reset(Context& context, std::shared_ptr<const Geometry> input) override {
        // If the left side accepts the input, so does the right one: an Error is thrown before anything has changed.
        sides_[0].set_conflict(static_cast<ConflictRule>(requested_[0]));
        sides_[0].reset(context, input);
        sides_[1].take_parameters(sides_[0]);
        sides_[1].set_conflict(static_cast<ConflictRule>(requested_[1]));
        sides_[1].reset(context, std::move(input));
        std::copy_n(requested_, 2, now_);
    }
    void set_records_states(bool records_states) override {
        for (FlipLab& side : sides_) side.set_records_states(records_states);
    }

    bool done() const override { return sides_[0].done() && sides_[1].done(); }
    uint32_t next_pass() const override { return std::min(sides_[0].next_pass(), sides_[1].next_pass()); }
    StepResult step() override {
        if (done()) throw std::logic_error("the race is over: reset it to start again");
        StepResult both;
        StepMessage messages[2];
        // Both run the same pass until one of them is done.
        for (uint32_t k = 0; k < 2; ++k) {
            StepResult one;
            if (!sides_[k].done()) {
                one = sides_[k].step();
                both.pass = one.pass;
                both.round = both.iteration = std::max(both.iteration, one.iteration);
                both.ended = std::max(both.ended, std::min(one.ended, Level::kRound));
                messages[k] = message_of(one);
            }
            add(one, both);
        }
        both.message = combined(messages[0], messages[1]);
        both.next = next_pass();
        // When one side ends a round while the other is inside one, the race's round has not ended.
        for (const FlipLab& side : sides_)
            if (!side.done() && side.next_pass() != Flipping::kClaim) both.ended = Level::kPass;
        if (done()) both.ended = Level::kEnd;
        return both;
    }
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        std::vector<StepResult> rounds[2];
        for (uint32_t k = 0; k < 2; ++k) sides_[k].finish([&](const StepResult& round) { rounds[k].push_back(round); });
        if (!after_round) return;
        for (size_t i = 0; i < std::max(rounds[0].size(), rounds[1].size()); ++i) {
            StepResult both;
            StepMessage messages[2];
            for (uint32_t k = 0; k < 2; ++k) {
                const StepResult one = i < rounds[k].size() ? rounds[k][i] : StepResult{};
                both.pass = std::max(both.pass, one.pass);
                both.round = both.iteration = std::max(both.iteration, one.iteration);
                both.ended = std::max(both.ended, one.ended);
                messages[k] = message_of(one);
                add(one, both);
            }
            both.message = combined(messages[0], messages[1]);
            after_round(both);
        }
    }

    Scene scene() const override {
        std::vector<Scene> scenes;
        for (uint32_t k = 0; k < 2; ++k) {
            scenes.push_back(sides_[k].scene());
            scenes.back().title = title(k);
        }
        return side_by_side(std::move(scenes));
    }
    Report inspect(Element element) const override { return inspect_side(side(element.part), element); }
    Element pick(const Probe& probe) const override { return side(probe.part).pick(probe); }

    uint64_t state_hash() const override { return mix64(sides_[0].state_hash()) ^ sides_[1].state_hash(); }
    CheckReport check() const override {
        return check_of_all({{kSides[0], sides_[0].check()}, {kSides[1], sides_[1].check()}});
    }
    bool is_exact() const override { return sides_[0].is_exact() && sides_[1].is_exact(); }
    /// Counts of the left side, and for both sides the number of iterations and the illegal edges left.
    Result result() const override {
        Result result = sides_[0].result();
        if (!done()) return result;
        Properties numbers;
        uint64_t illegal[2];
        for (uint32_t k = 0; k < 2; ++k) {
            illegal[k] = sides_[k].illegal_edges();
            numbers.add_number(std::string("iterations, ") + kSides[k], "", sides_[k].iterations());
            numbers.add_number(std::string("illegal edges, ") + kSides[k], "", illegal[k]);
        }
        for (uint32_t k = 0; k < 2; ++k) {
            result.headline += std::string(k ? "; " : "") + kSides[k] + ", " + kRuleTitles[now_[k]] + ": " +
                               iterations_text(sides_[k].iterations());
            if (illegal[0] + illegal[1] > 0)
                result.headline += ", " + count_text(illegal[k], "illegal edge", "illegal edges");
        }
        if (illegal[0] + illegal[1] == 0) result.headline += "; no illegal edges remain";
        numbers.append(std::move(result.numbers));
        result.numbers = std::move(numbers);
        return result;
    }
    TriangleSoup soup() const override { return sides_[0].soup(); }
    Report statistics() const override { return sides_[0].statistics(); }

    Snapshot save() const override {
        Snapshot both;
        put_sides(both, {sides_[0].save(), sides_[1].save()});
        return both;
    }
    void load(const Snapshot& snapshot) override {
        const std::vector<Snapshot> both = read_sides(snapshot, 0, 2, info().title);
        for (uint32_t k = 0; k < 2; ++k) sides_[k].load(both[k]);
    }

  private:
    static std::string iterations_text(uint32_t count) { return count_text(count, "iteration", "iterations"); }
    /// Title of a side: its rule, and at the end its number of iterations.
    std::string title(uint32_t k) const {
        const std::string rule = kRuleTitles[now_[k]];
        const uint32_t count = sides_[k].iterations();
        return sides_[k].done() && count > 0 ? rule + ": done after " + iterations_text(count) : rule;
    }
    /// The side's message, and at its end its number of iterations.
    static StepMessage message_of(const StepResult& one) {
        StepMessage message;
        if (one.ended == Level::kEnd) message.add("done", "done after " + iterations_text(one.iteration) + ".");
        message.add(one.message);
        return message;
    }
    /// Gives a side's sentences kinds of their own.
    static StepMessage of_side(const std::string& title, StepMessage message) {
        for (StepMessage::Sentence& each : message.sentences)
            if (!each.kind.empty()) each.kind = title + "/" + each.kind;
        if (!message.empty()) message.sentences[0].text = title + ": " + message.sentences[0].text;
        return message;
    }
    /// The messages of both sides; only one if they are equal.
    static StepMessage combined(const StepMessage& left, const StepMessage& right) {
        if (left.text() == right.text()) return of_side("Both sides", left);
        StepMessage both = of_side("Left", left);
        both.add(of_side("Right", right));
        return both;
    }
    const FlipLab& side(uint32_t part) const { return sides_[part ? 1 : 0]; }
    /// Appends one side's counters and measures; kNotCounted if it did not run.
    static void add(const StepResult& one, StepResult& both) {
        std::vector<int64_t> counters = one.counters;
        counters.resize(Flipping::kCounters, kNotCounted);
        both.counters.insert(both.counters.end(), counters.begin(), counters.end());
        both.measures.push_back(one.measures.empty() ? std::numeric_limits<double>::quiet_NaN() : one.measures[0]);
    }

    FlipLab sides_[2];
    int requested_[2] = {static_cast<int>(ConflictRule::kLowestId), static_cast<int>(ConflictRule::kHashedId)};
    int now_[2] = {requested_[0], requested_[1]};  // as of the last reset
};

const LabInfo& Race::info() const {
    static const LabInfo info = [] {
        LabInfo made = FlipLab().info();
        made.id = "race";
        made.title = "Flip race";
        made.sentence =
            "The Flip lab twice on the same input, with two rules for which edge is granted a triangle that two edges "
            "need: one timeline, side by side.";
        made.edits.clear();
        made.passes.resize(Flipping::kEdit);  // no manual edits in a race
        made.example = "torus-knot:1000";     // where the two rules differ most
        made.counters = counters_of_sides(made.counters, {kSides[0], kSides[1]});
        const MeasureInfo measure = made.measures.at(0);
        made.measures = {{measure.name + ", left", measure.sentence, measure.unit, 1},
                         {measure.name + ", right", measure.sentence, measure.unit, 1}};
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_race_lab() { return std::make_unique<Race>(); }

}  // namespace flipscope
