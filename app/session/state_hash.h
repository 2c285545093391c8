// The hash of the model's state, which a job computes on request. The control line and tests ask for it.
#pragma once

#include <cstdint>
#include <optional>

#include "app/session/lab_worker.h"

namespace flipscope::app {

class StateHash {
  public:
    explicit StateHash(LabWorker& worker) : worker_(worker) {}

    /// Nothing while unknown.
    std::optional<uint64_t> value() const {
        return worker_.model().loaded && worker_.revision() == revision_ ? hash_ : std::nullopt;
    }
    /// Computes the hash on the worker's thread. False: a later frame has it; true: it is known, or cannot be computed
    /// at present.
    bool request();

  private:
    LabWorker& worker_;
    std::optional<uint64_t> hash_;
    uint64_t revision_ = 0;  // of the scene that has it
};

}  // namespace flipscope::app
