// A machine of named passes, the part of a lab that the timeline and the benchmark use: it runs pass by pass or to the
// end, can be saved and loaded between rounds, and has a state hash after every step.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compute/context.h"
#include "compute/pass.h"
#include "compute/snapshot.h"
#include "geometry/point.h"

namespace flipscope {

/// The message of a step, in sentences. Sentences of one kind differ only in their numbers, so a summary of a run may
/// show one for all of them. A kind is an internal code: "one-bubble".
struct StepMessage {
    struct Sentence {
        std::string kind;  // empty: unique
        std::string text;
    };
    std::vector<Sentence> sentences;

    bool empty() const { return sentences.empty(); }
    /// Ignores an empty text.
    void add(std::string kind, std::string text) {
        if (!text.empty()) sentences.push_back({std::move(kind), std::move(text)});
    }
    void add(const StepMessage& more) {
        sentences.insert(sentences.end(), more.sentences.begin(), more.sentences.end());
    }
    /// All sentences, separated by blanks.
    std::string text() const {
        std::string all;
        for (const Sentence& each : sentences) all += (all.empty() ? "" : " ") + each.text;
        return all;
    }
};

/// The result of one step: `pass` is an index into LabInfo::passes, `counters` are LabInfo::counters.
struct StepResult : PassResult {
    StepResult() = default;
    StepResult(PassResult result) : PassResult(std::move(result)) {}

    std::vector<double> measures;  // as LabInfo::measures, or empty; NaN: not taken in this pass
    StepMessage message;           // for the messages panel; mostly empty
    bool breakpoint_hit = false;   // the lab's breakpoint condition holds
    bool must_stop = false;        // playback stops here in any case
};

class Stepper {
  public:
    virtual ~Stepper() = default;

    /// Restarts with `input`. Throws Error, and changes nothing, for unsuitable input.
    virtual void reset(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// Whether state words are kept up to date for display (default on). Takes effect at the next reset().
    virtual void set_records_states(bool records_states) = 0;

    virtual bool done() const = 0;
    /// A sentence if a run with the present parameters, used or pending, never ends: "steps=none sets no end"; finish()
    /// then throws std::logic_error. Otherwise empty.
    virtual std::string endless() const { return {}; }
    /// The pass that step() runs next; kNone when done.
    virtual uint32_t next_pass() const = 0;
    /// Runs one pass. Throws std::logic_error when done, and Cancelled.
    virtual StepResult step() = 0;
    /// Runs to the end with as few round trips as possible: the same kernels, result and state hash as stepping.
    /// `after_round` (may be empty) receives the counters of each round, summed over its passes.
    virtual void finish(const std::function<void(const StepResult&)>& after_round) = 0;

    virtual uint64_t state_hash() const = 0;
    virtual Snapshot save() const = 0;
    /// A self-contained snapshot, for another instance: includes what save() leaves in the lab.
    virtual Snapshot save_whole() const { return save(); }
    /// Loads a snapshot of either kind.
    virtual void load(const Snapshot& snapshot) = 0;
};

}  // namespace flipscope
