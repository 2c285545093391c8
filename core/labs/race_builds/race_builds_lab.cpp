// The Construction race: three constructions of the same triangulation side by side on one timeline. It shows a class
// which is done first, and why: work against passes. It runs the labs "strips", "build" and "subdivide".
//
// The work of a pass is one number that is comparable between constructions: the elements it touches, each counted
// once. An element is a point, a worklist edge, a triangle or a candidate, depending on the pass. Work follows from
// counters and sizes, so it is the same on every device and for every number of threads. It is not time: a sort counts
// every point once, and so does a walk through many triangles.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <stdexcept>
#include <utility>

#include "compute/text.h"
#include "geometry/bounds.h"
#include "instruments/side_by_side.h"
#include "lab/parameters.h"
#include "lab/vocabulary.h"
#include "labs/labs.h"
#include "mesh/hash.h"

namespace flipscope {

namespace {

/// Sizes after a pass.
struct PassSizes {
    uint64_t given = 0;      // points of the input
    uint64_t distinct = 0;   // without duplicates
    uint64_t triangles = 0;  // found so far, without ghosts
    /// A counter of the lab as of its latest count: after this pass, and before it. 0: not counted yet.
    std::function<uint64_t(const std::string&counter)> now, before;
};

uint64_t given(const PassSizes& of) { return of.given; }
uint64_t distinct(const PassSizes& of) { return of.distinct; }
uint64_t queued(const PassSizes& of) { return of.now("queued"); }
uint64_t illegal(const PassSizes& of) { return of.now("illegal"); }
uint64_t granted(const PassSizes& of) { return of.now("granted"); }
uint64_t waiting(const PassSizes& of) { return of.now("uninserted"); }
uint64_t candidates(const PassSizes& of) { return of.now("candidates"); }
uint64_t candidates_before(const PassSizes& of) { return of.before("candidates"); }

/// The elements that a pass touches.
constexpr struct {
    const char *lab, *pass;
    uint64_t (*count)(const PassSizes&);
} kRules[] = {
    {"strips", "order", given},
    {"strips", "chain", distinct},
    {"strips", "zip", [](const PassSizes& of) { return of.now("zipped"); }},
    {"strips", "close", [](const PassSizes& of) { return of.now("closed"); }},
    // Every edge, and with each flip four that it makes uncertain. A closed mesh of n points and the one at infinity
    // has 3n - 3 edges.
    {"strips", "legalise", [](const PassSizes& of) { return 3 * of.distinct - 3 + 5 * of.now("flipped"); }},
    {"strips", "claim", queued},
    {"strips", "flip", illegal},
    {"strips", "repair", granted},
    {"build", "order", given},
    {"build", "seed", distinct},
    {"build", "vote", waiting},
    {"build", "split", [](const PassSizes& of) { return of.before("uninserted"); }},
    {"build", "link", [](const PassSizes& of) { return of.now("inserted"); }},
    {"build", "claim", queued},
    {"build", "flip", illegal},
    {"build", "repair", granted},
    {"build", "relocate", waiting},
    {"subdivide", "order", given},
    {"subdivide", "broadcast", candidates},
    {"subdivide", "solve", candidates_before},  // those that leave included
    {"subdivide", "split", [](const PassSizes& of) { return of.now("copied"); }},
    {"subdivide", "leach", candidates},
    {"subdivide", "pack", candidates_before},  // superfluous ones included
    // Every distinct point, and once more those at the border.
    {"subdivide", "outside", [](const PassSizes& of) { return of.distinct + of.now("sequential"); }},
    {"subdivide", "join", [](const PassSizes& of) { return of.triangles; }},
};

uint64_t work_of(const std::string& lab, const std::string& pass, const PassSizes& sizes) {
    for (const auto& rule : kRules)
        if (lab == rule.lab && pass == rule.pass) return rule.count(sizes);
    throw std::logic_error("no rule for the work of the pass " + pass + " of " + lab);
}

/// One construction in the race: its lab, progress and work.
class Racer {
  public:
    /// The work done when the number of triangles was reached.
    struct Progress {
        uint64_t work = 0, triangles = 0;
    };

    /// `id`: of a lab in kRules; `name`: for the race.
    Racer(std::string id, std::string name, std::unique_ptr<Lab> lab)
        : id_(std::move(id)), name_(std::move(name)), lab_(std::move(lab)) {
        const std::vector<CounterInfo>& counters = lab_->info().counters;
        if (counters.size() > kMostCounters) throw std::logic_error("a racer of more counters than there is room for");
        for (size_t i = 0; i < counters.size(); ++i)
            for (const char* made : {"zipped", "closed", "found"})
                if (counters[i].name == made) made_.push_back(i);
    }

    Lab& lab() { return *lab_; }
    const Lab& lab() const { return *lab_; }
    template <class Facet>
    const Facet& facet() const {
        return flipscope::facet<Facet>(lab());
    }
    const std::string& name() const { return name_; }
    /// The name with a capital letter.
    std::string heading() const {
        std::string heading = name_;
        heading[0] = static_cast<char>(heading[0] - 'a' + 'A');
        return heading;
    }

    void reset(Context& context, const std::shared_ptr<const Geometry>& input) {
        lab_->reset(context, input);
        given_ = input->points.size();
        state_ = {};
        progress_.assign(1, {});
    }
    bool done() const { return lab_->done(); }
    /// Whether the lab can be saved as it is: before its first pass, between its rounds and at its end.
    bool at_rest() const { return state_.at_rest != 0; }
    /// Runs one pass.
    StepResult step();

    uint64_t work() const { return state_.work; }  // elements touched
    uint32_t passes() const { return state_.passes; }
    /// As the lab counted them; if it does not count any, the number when it was last at rest.
    uint64_t triangles() const { return state_.triangles; }
    /// At the start and after each pass.
    const std::vector<Progress>& progress() const { return progress_; }
    /// Title of its view: "Strips, zip: work 1,234 in 3 passes".
    std::string title() const {
        if (state_.passes == 0) return heading();
        return heading() + ", " + (done() ? "done after" : lab_->info().passes.at(state_.last_pass).name) + ": " +
               so_far();
    }
    /// "work 1,234 in 3 passes"
    std::string so_far() const {
        return "work " + with_commas(state_.work) + " in " + count_text(state_.passes, "pass", "passes");
    }

    uint64_t state_hash() const {
        return hash_words({state_.work, state_.passes, state_.triangles}, lab_->state_hash());
    }
    /// The state without the lab's own, in kBlocks blocks.
    static constexpr size_t kBlocks = 2;
    void put(Snapshot& snapshot) const {
        put_values(snapshot, &state_, 1);
        put_values(snapshot, progress_.data(), progress_.size());
    }
    /// Throws std::logic_error, and changes nothing, for blocks that put() did not write.
    void take(const Snapshot& snapshot, size_t first) {
        const auto state = load_value<State>(snapshot, first);
        std::vector<Progress> progress = load_vector<Progress>(snapshot, first + 1);
        const bool known = state.last_pass == kNone || state.last_pass < lab_->info().passes.size();
        if (!known || progress.size() != size_t(state.passes) + 1)
            throw std::logic_error("not a snapshot of a race of constructions");
        state_ = state;
        progress_ = std::move(progress);
    }

  private:
    static constexpr size_t kMostCounters = 16;
    /// Saved and loaded as it is.
    struct State {
        uint64_t work = 0, triangles = 0, distinct = 0;
        uint32_t passes = 0, last_pass = kNone, at_rest = 1, padding = 0;
        std::array<int64_t, kMostCounters> counters{};  // of the latest pass that counts each; 0: no pass yet
    };

    void count_triangles(const StepResult& step);

    std::string id_, name_;
    std::unique_ptr<Lab> lab_;
    std::vector<size_t> made_;  // counters of triangles that a pass makes
    uint64_t given_ = 0;        // points of the input
    State state_;
    std::vector<Progress> progress_{{}};
};

StepResult Racer::step() {
    const LabInfo& info = lab_->info();
    const std::array<int64_t, kMostCounters> before = state_.counters;
    StepResult step = lab_->step();
    for (size_t i = 0; i < info.counters.size(); ++i)
        if (step.counters[i] != kNotCounted) state_.counters[i] = step.counters[i];
    state_.at_rest = step.ended >= Level::kRound;
    if (state_.passes == 0) {
        const Result ordered = lab_->result();
        state_.distinct = ordered.points - ordered.duplicates;
    }
    count_triangles(step);
    const auto look_up = [&](const std::array<int64_t, kMostCounters>& values) {
        return [&info, &values](const std::string& name) {
            for (size_t i = 0; i < info.counters.size(); ++i)
                if (info.counters[i].name == name) return static_cast<uint64_t>(values[i]);
            throw std::logic_error("the " + info.title + " has no counter " + name);
        };
    };
    state_.work += work_of(id_, info.passes.at(step.pass).name,
                           {given_, state_.distinct, state_.triangles, look_up(state_.counters), look_up(before)});
    ++state_.passes;
    state_.last_pass = step.pass;
    progress_.push_back({state_.work, state_.triangles});
    return step;
}

void Racer::count_triangles(const StepResult& step) {
    for (const size_t made : made_)
        if (step.counters[made] != kNotCounted) state_.triangles += static_cast<uint64_t>(step.counters[made]);
    // Between rounds there is a mesh. Some labs that count triangles have one only then, others only at the end.
    if (!at_rest()) return;
    const uint64_t triangles = lab_->result().triangles;
    if (triangles > 0 || done()) state_.triangles = triangles;
}

struct Entry {
    const char *lab, *name;
    std::unique_ptr<Lab> (*make)();
    std::vector<std::string> parameters;  // parameters of this lab that the race also has
};

/// The order of the racers on screen, of passes, and of turns between equal ones.
const std::array<Entry, 3>& entries() {
    static const std::array<Entry, 3> all{{
        {"strips", "strips", &make_strips_lab, {"strips"}},
        {"build", "insertion", &make_build_lab, {}},
        {"subdivide", "subdivision", &make_subdivide_lab, {"leaf", "patience"}},
    }};
    return all;
}

enum class Clock : int { kWork, kPasses };

class BuildsRace final : public Lab, public Inspectable, public Checkable, public Measurable {
  public:
    BuildsRace() {
        for (const Entry& entry : entries()) racers_.emplace_back(entry.lab, entry.name, entry.make());
    }

    const LabInfo& info() const override;
    void parameters(ParameterVisitor& visitor) override;
    void reset(Context& context, std::shared_ptr<const Geometry> input) override {
        // If the first accepts the input, so do the others: an Error is thrown before anything has changed.
        for (Racer& racer : racers_) {
            set_parameter(racer.lab(), "block_size", std::to_string(block_size_));
            racer.reset(context, input);
        }
        clock_ = static_cast<Clock>(wanted_clock_);
        rounds_ = 0;
    }
    void set_records_states(bool records_states) override {
        for (Racer& racer : racers_) racer.lab().set_records_states(records_states);
    }

    bool done() const override {
        return std::all_of(racers_.begin(), racers_.end(), [](const Racer& one) { return one.done(); });
    }
    uint32_t next_pass() const override;
    StepResult step() override;
    /// Runs step by step: the next racer depends on the counts of earlier passes.
    void finish(const std::function<void(const StepResult&)>& after_round) override {
        StepMessage message;
        while (!done()) {
            StepResult result = step();
            message.add(result.message);
            if (result.ended < Level::kRound) continue;
            result.message = std::exchange(message, {});
            if (after_round) after_round(result);  // counters keep their values: the last call has those of the round
        }
    }

    Scene scene() const override;
    Report inspect(Element element) const override {
        return inspect_side(racer(element.part).facet<Inspectable>(), element);
    }
    Element pick(const Probe& probe) const override { return racer(probe.part).facet<Inspectable>().pick(probe); }
    CheckReport check() const override;
    bool is_exact() const override {
        return std::all_of(racers_.begin(), racers_.end(),
                           [](const Racer& one) { return one.facet<Checkable>().is_exact(); });
    }
    Result result() const override;
    TriangleSoup soup() const override { return racers_[0].lab().soup(); }
    Report statistics() const override;

    uint64_t state_hash() const override {
        uint64_t hash = 0;
        for (const Racer& racer : racers_) hash = mix64(hash ^ racer.state_hash());
        return hash;
    }
    Snapshot save() const override {
        Snapshot all;
        put_values(all, &rounds_, 1);
        for (const Racer& racer : racers_) racer.put(all);
        std::vector<Snapshot> sides;
        for (const Racer& racer : racers_) sides.push_back(racer.lab().save());
        put_sides(all, sides);
        return all;
    }
    void load(const Snapshot& snapshot) override {
        const size_t own = 1 + Racer::kBlocks * racers_.size();
        if (snapshot.blocks.size() <= own) throw std::logic_error("not a snapshot of the " + info().title);
        const std::vector<Snapshot> sides = read_sides(snapshot, own, racers_.size(), info().title);
        const auto rounds = load_value<uint32_t>(snapshot, 0);
        for (size_t k = 0; k < racers_.size(); ++k) {
            racers_[k].lab().load(sides[k]);
            racers_[k].take(snapshot, 1 + Racer::kBlocks * k);
        }
        rounds_ = rounds;
    }

  private:
    const Racer& racer(uint32_t part) const { return racers_[std::min<size_t>(part, racers_.size() - 1)]; }
    /// A racer's progress on the race's clock.
    uint64_t time_of(const Racer& one) const { return clock_ == Clock::kWork ? one.work() : one.passes(); }
    Level level_after(const StepResult& own) const;

    std::vector<Racer> racers_;
    int wanted_clock_ = static_cast<int>(Clock::kWork), block_size_ = 128;
    Clock clock_ = Clock::kWork;  // as of the last reset
    uint32_t rounds_ = 0;         // of the race, ended so far
};

void BuildsRace::parameters(ParameterVisitor& visitor) {
    visitor.choice(
        "clock", "Clock", "Which construction runs its next pass.", wanted_clock_,
        {{"work", "the one that has touched the fewest elements so far, so that all have done about as much work"},
         {"passes", "each in turn, so that all have run the same number of passes"}});
    for (size_t k = 0; k < racers_.size(); ++k) {
        ParameterVisitor of_racer;
        racers_[k].lab().parameters(of_racer);
        visitor.add(std::move(of_racer), [&](const std::string& name) {
            const std::vector<std::string>& shown = entries()[k].parameters;
            return std::find(shown.begin(), shown.end(), name) != shown.end();
        });
    }
    visit_block_size(visitor, block_size_);
}

uint32_t BuildsRace::next_pass() const {
    uint32_t next = kNone;
    for (uint32_t k = 0; k < racers_.size(); ++k)
        if (!racers_[k].done() && (next == kNone || time_of(racers_[k]) < time_of(racers_[next]))) next = k;
    return next;
}

StepResult BuildsRace::step() {
    const uint32_t next = next_pass();
    if (next == kNone) throw std::logic_error("the race is over: reset it to start again");
    Racer& racer = racers_[next];
    const StepResult own = racer.step();
    StepResult result;
    result.pass = next;
    result.next = next_pass();
    result.round = rounds_ + 1;
    result.iteration = own.iteration;
    result.ended = level_after(own);
    if (result.ended >= Level::kRound) ++rounds_;
    for (const Racer& one : racers_)
        for (const uint64_t count : {one.work(), uint64_t(one.passes()), one.triangles()})
            result.counters.push_back(static_cast<int64_t>(count));
    // Messages about the points are the same for all racers.
    if (next == 0) result.message.add(own.message);
    if (racer.done())
        result.message.add("done/" + racer.name(), racer.heading() + ": done after " + racer.so_far() + ".");
    return result;
}

/// A round of the race ends where all of it can be saved: each racer is between two rounds or done. Other ends of a
/// racer's round count as the end of a flip pass.
Level BuildsRace::level_after(const StepResult& own) const {
    if (done()) return Level::kEnd;
    const bool all = std::all_of(racers_.begin(), racers_.end(), [](const Racer& one) { return one.at_rest(); });
    return all ? Level::kRound : std::min(own.ended, Level::kIteration);
}

Scene BuildsRace::scene() const {
    std::vector<Scene> scenes;
    for (const Racer& racer : racers_) {
        scenes.push_back(racer.lab().scene());
        scenes.back().title = racer.title();
    }
    // One camera for all: it shows the bounds of all.
    std::optional<Bounds> all;
    for (const Scene& one : scenes) {
        if (one.empty()) continue;  // its points are not ordered yet
        const Bounds bounds{one.low, one.high};
        all = all ? all->with(bounds) : bounds;
    }
    for (Scene& one : scenes)
        if (all) one.low = all->low, one.high = all->high;
    return side_by_side(std::move(scenes));
}

CheckReport BuildsRace::check() const {
    std::vector<SideCheck> sides;
    for (const Racer& racer : racers_) sides.push_back({racer.name(), racer.facet<Checkable>().check()});
    CheckReport report = check_of_all(std::move(sides));
    if (!done()) return report;
    const uint64_t expected = racers_[0].lab().result().triangulation_hash;
    bool same = true;
    for (const Racer& racer : racers_) {
        if (racer.lab().result().triangulation_hash == expected) continue;
        same = false;
        const std::string sentence = "the triangulation by " + racer.name() + " is not that by " + racers_[0].name();
        add_failure(report, {"other-triangulation", sentence, {}, {}, {}});
        report.sentence = sentence + "; " + report.sentence;
    }
    report.passed = report.passed && same;
    if (report.passed) report.sentence += "; all constructions have the same triangles";
    return report;
}

/// Counts of the first racer; for all of them the finishing order and the work.
Result BuildsRace::result() const {
    Result result = racers_[0].lab().result();
    Properties numbers;
    for (const Racer& racer : racers_) {
        numbers.add_number("work, " + racer.name(), "elements touched", racer.work());
        numbers.add_number("passes, " + racer.name(), "", racer.passes());
    }
    numbers.append(std::move(result.numbers));
    result.numbers = std::move(numbers);
    if (!done()) return result;
    std::vector<const Racer*> order;
    for (const Racer& racer : racers_) order.push_back(&racer);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Racer* one, const Racer* other) { return time_of(*one) < time_of(*other); });
    for (const Racer* racer : order)
        result.headline += (racer == order.front()  ? "done first: "
                            : racer == order.back() ? ", and last: "
                                                    : ", then ") +
                           racer->name() + " (" + racer->so_far() + ")";
    return result;
}

Report BuildsRace::statistics() const {
    Report report;
    const auto add = [&](const char* name, const char* sentence, const char* x_name, const char* y_name,
                         const auto& put) {
        for (const Racer& racer : racers_) {
            if (racer.passes() == 0) continue;
            Curve curve{name, sentence, racer.name(), x_name, y_name, 0, 0, {}, {}};
            for (size_t i = 0; i < racer.progress().size(); ++i) put(curve, i, racer.progress()[i]);
            report.add(std::move(curve));
        }
    };
    add("triangles over work", "How many triangles there were when so many elements had been touched.",
        "work (elements touched)", "triangles", [](Curve& curve, size_t, const Racer::Progress& at) {
            // A pass without work adds no point; its triangles belong to the point before.
            if (curve.x.empty() || curve.x.back() != static_cast<double>(at.work)) {
                curve.x.push_back(static_cast<double>(at.work));
                curve.y.push_back(0);
            }
            curve.y.back() = static_cast<double>(at.triangles);
        });
    add("work over passes", "How many elements had been touched after so many passes.", "passes",
        "work (elements touched)", [](Curve& curve, size_t passes, const Racer::Progress& at) {
            curve.x.push_back(static_cast<double>(passes));
            curve.y.push_back(static_cast<double>(at.work));
        });
    return report;
}

/// "One pass of the Strips lab: order, chain, … or repair."
std::string sentence_of(const LabInfo& lab) {
    std::vector<std::string> names;
    for (const PassInfo& pass : lab.passes)
        if (pass.name != "edit" && pass.name != "untangle") names.push_back(pass.name);  // manual edits; torus only
    return "One pass of the " + lab.title + ": " + join_words(names) + ".";
}

const LabInfo& BuildsRace::info() const {
    static const LabInfo info = [] {
        LabInfo made{"race-builds",
                     "Construction race",
                     "Strips, insertion and subdivision build the triangulation of the same points side by side, on "
                     "one timeline: which is done first, and with how much work in how many passes.",
                     "The comparison is our own; the constructions are those of the Strips lab, the Build lab and the "
                     "Subdivision lab.",
                     {},
                     {}};
        for (const Entry& entry : entries()) {
            made.passes.push_back({entry.name, sentence_of(entry.make()->info())});
            const std::string of = std::string(", ") + entry.name, by = std::string(" by ") + entry.name;
            made.counters.push_back({"work" + of, "elements touched so far" + by, true, false, Quantity::kOther, 1});
            made.counters.push_back({"passes" + of, "passes so far" + by, true, false, Quantity::kOther, 2});
            made.counters.push_back(
                {"triangles" + of, "triangles so far" + by + ", without ghosts", true, false, Quantity::kOther, 3});
        }
        made.example = "uniform:150";
        made.plotted_per_round = {"work, insertion", "work, subdivision"};
        made.plotted_per_pass = {"triangles, insertion", "triangles, subdivision"};
        return made;
    }();
    return info;
}

}  // namespace

std::unique_ptr<Lab> make_race_builds_lab() { return std::make_unique<BuildsRace>(); }

}  // namespace flipscope
