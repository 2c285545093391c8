// Memory that holds nothing of use for a while, lent to buffers that live no longer than that: what a first stage needs
// for a moment need not be added to what the later ones keep.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "compute/memory.h"

namespace flipscope {

class Context;

/// While it lives, its context takes buffers of Residence::kPassing out of `blocks`, whose contents are lost, as far as
/// they fit. No such buffer may outlive it. One at a time; `blocks` that are nullptr are left out.
class LentMemory {
  public:
    LentMemory(Context& context, std::initializer_list<Memory*> blocks);
    ~LentMemory();
    LentMemory(const LentMemory&) = delete;
    LentMemory& operator=(const LentMemory&) = delete;

    /// nullptr: there is no room.
    std::unique_ptr<Memory> take(size_t bytes);

  private:
    class Piece;
    struct Range {
        char* data;
        size_t bytes;
    };
    void give_back(const Range& range);

    Context& context_;
    std::vector<Range> free_;  // in no order, no two of them adjacent
};

}  // namespace flipscope
