// Scratch memory for temporary buffers, carved out of blocks whose contents are not needed for a while: so the
// temporaries of an early stage do not add to the memory that later stages keep.
#pragma once

#include <initializer_list>
#include <memory>
#include <vector>

#include "compute/memory.h"

namespace flipscope {

class Context;

/// While it exists, its context allocates buffers of Residence::kTemporary from `blocks` as long as they fit; the
/// contents of the blocks are lost. No such buffer may outlive it. One at a time. Null blocks are ignored.
class ScratchPool {
  public:
    ScratchPool(Context& context, std::initializer_list<Memory*> blocks);
    ~ScratchPool();
    ScratchPool(const ScratchPool&) = delete;
    ScratchPool& operator=(const ScratchPool&) = delete;

    /// nullptr: no room is left.
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
