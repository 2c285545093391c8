// A machine of named passes, as the timeline and the benchmark see a lab: it runs pass by pass or to the end, is saved
// and loaded between rounds, and has a hash of its state after every step.
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

/// What a step says, in sentences. Two sentences of the same kind say the same of other numbers, so that one may stand
/// for all of them where a whole run is told of; a kind is a short code that no user sees: "one-bubble".
struct StepMessage {
    struct Sentence {
        std::string kind;  // empty: of no kind, and like no other
        std::string text;
    };
    std::vector<Sentence> sentences;

    bool empty() const { return sentences.empty(); }
    /// Nothing is said with an empty text.
    void add(std::string kind, std::string text) {
        if (!text.empty()) sentences.push_back({std::move(kind), std::move(text)});
    }
    void add(const StepMessage& more) {
        sentences.insert(sentences.end(), more.sentences.begin(), more.sentences.end());
    }
    /// All of them, with blanks between.
    std::string text() const {
        std::string all;
        for (const Sentence& each : sentences) all += (all.empty() ? "" : " ") + each.text;
        return all;
    }
};

/// What one step of a lab did: `pass` is an index into LabInfo::passes, `counters` are LabInfo::counters.
struct StepResult : PassResult {
    StepResult() = default;
    StepResult(PassResult result) : PassResult(std::move(result)) {}

    std::vector<double> measures;  // as LabInfo::measures, or empty; NaN: not taken in this pass
    StepMessage message;           // for the messages panel; mostly empty
    bool breakpoint_hit = false;   // something happened that one may want to stop at
    bool must_stop = false;        // playing stops at it, whatever the user has set
};

class Stepper {
  public:
    virtual ~Stepper() = default;

    /// Starts over on `input`. Throws Error for input that it cannot take, and then is as before the call.
    virtual void reset(Context& context, std::shared_ptr<const Geometry> input) = 0;
    /// Whether state words are kept up to date for display (default on). Takes effect at the next reset().
    virtual void set_records_states(bool records_states) = 0;

    virtual bool done() const = 0;
    /// A sentence where a run has no end of its own with the parameters as they stand, which need not have been used
    /// yet: "steps=none sets no end". Such a run is not finished: finish() throws std::logic_error. Empty: it has one.
    virtual std::string endless() const { return {}; }
    /// What step() would run; kNone when done.
    virtual uint32_t next_pass() const = 0;
    /// Runs one pass. Throws std::logic_error when done, Cancelled when the context was told to.
    virtual StepResult step() = 0;
    /// Runs to the end with as few round trips as it can: the same kernels, the same result and state hash as stepping.
    /// `after_round` (may be empty) is told the counters of each round, summed over its passes.
    virtual void finish(const std::function<void(const StepResult&)>& after_round) = 0;

    virtual uint64_t state_hash() const = 0;
    virtual Snapshot save() const = 0;
    /// The same to go on from elsewhere: what save() leaves with the lab is in it, too.
    virtual Snapshot save_whole() const { return save(); }
    /// Of either.
    virtual void load(const Snapshot& snapshot) = 0;
};

}  // namespace flipscope
