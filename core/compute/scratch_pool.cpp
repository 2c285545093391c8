#include "compute/scratch_pool.h"

#include <algorithm>

#include "compute/context.h"

namespace flipscope {

class ScratchPool::Piece : public Memory {
  public:
    Piece(ScratchPool& lender, const Range& range) : Memory(range.bytes), lender_(lender), data_(range.data) {}
    ~Piece() override { lender_.give_back({data_, bytes_}); }
    void* data() override { return data_; }

  private:
    ScratchPool& lender_;
    char* data_;
};

ScratchPool::ScratchPool(Context& context, std::initializer_list<Memory*> blocks) : context_(context) {
    for (Memory* const block : blocks)
        if (block) free_.push_back({static_cast<char*>(block->data()), block->bytes()});
    context_.set_scratch_pool(this);
}

ScratchPool::~ScratchPool() { context_.set_scratch_pool(nullptr); }

std::unique_ptr<Memory> ScratchPool::take(size_t bytes) {
    constexpr size_t kAlignment = 256;  // as of memory that the device gives
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    const auto smaller = [](const Range& a, const Range& b) { return a.bytes < b.bytes; };
    std::sort(free_.begin(), free_.end(), smaller);
    const auto range = std::lower_bound(free_.begin(), free_.end(), Range{nullptr, bytes}, smaller);
    if (range == free_.end()) return nullptr;
    const Range taken{range->data, bytes};
    range->data += bytes;
    range->bytes -= bytes;
    if (range->bytes == 0) free_.erase(range);
    return std::make_unique<Piece>(*this, taken);
}

void ScratchPool::give_back(const Range& given) {
    Range range = given;
    for (size_t k = 0; k < free_.size();) {
        const Range& other = free_[k];
        if (other.data + other.bytes == range.data || range.data + range.bytes == other.data) {
            range = {std::min(other.data, range.data), other.bytes + range.bytes};
            free_.erase(free_.begin() + static_cast<ptrdiff_t>(k));
        } else {
            ++k;
        }
    }
    free_.push_back(range);
}

}  // namespace flipscope
