#include "labs/race_builds/racer.h"

#include <stdexcept>
#include <utility>

#include "compute/snapshot.h"
#include "compute/text.h"
#include "labs/race_builds/work.h"
#include "mesh/hash.h"

namespace flipscope {

Racer::Racer(std::string id, std::string name, std::unique_ptr<Lab> lab)
    : id_(std::move(id)), name_(std::move(name)), lab_(std::move(lab)) {
    const std::vector<CounterInfo>& counters = lab_->info().counters;
    if (counters.size() > kMostCounters) throw std::logic_error("a racer of more counters than there is room for");
    for (size_t i = 0; i < counters.size(); ++i)
        for (const char* made : {"zipped", "closed", "found"})
            if (counters[i].name == made) made_.push_back(i);
}

void Racer::reset(Context& context, const std::shared_ptr<const Geometry>& input) {
    lab_->reset(context, input);
    given_ = input->points.size();
    state_ = {};
    progress_.assign(1, {});
}

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

std::string Racer::so_far() const {
    return "work " + with_commas(state_.work) + " in " + count_text(state_.passes, "pass", "passes");
}

std::string Racer::heading() const {
    std::string heading = name_;
    heading[0] = static_cast<char>(heading[0] - 'a' + 'A');
    return heading;
}

std::string Racer::title() const {
    if (state_.passes == 0) return heading();
    return heading() + ", " + (done() ? "done after" : lab_->info().passes.at(state_.last_pass).name) + ": " + so_far();
}

uint64_t Racer::state_hash() const {
    return hash_words({state_.work, state_.passes, state_.triangles}, lab_->state_hash());
}

void Racer::put(Snapshot& snapshot) const {
    put_values(snapshot, &state_, 1);
    put_values(snapshot, progress_.data(), progress_.size());
}

void Racer::take(const Snapshot& snapshot, size_t first) {
    const auto state = load_value<State>(snapshot, first);
    std::vector<Progress> progress = load_vector<Progress>(snapshot, first + 1);
    const bool known = state.last_pass == kNone || state.last_pass < lab_->info().passes.size();
    if (!known || progress.size() != size_t(state.passes) + 1)
        throw std::logic_error("not a snapshot of a race of constructions");
    state_ = state;
    progress_ = std::move(progress);
}

}  // namespace flipscope
