// Parts shared by the sources, and included only by them. Without the labs only the inline ones are built.
#pragma once

#include <algorithm>
#include <string>

#include "events/sources/source.h"
#include "mesh/hash.h"

namespace flipscope {

/// The lattice in the parameters. Throws Error if it is empty or too large.
Lattice checked_lattice(const SourceParameters& parameters);

/// "512 × 256 pixels", for errors.
inline std::string size_text(const Lattice& lattice) {
    return std::to_string(lattice.width) + " × " + std::to_string(lattice.height) + " pixels";
}

inline constexpr uint32_t kProfileBins = 64;   // of a flow profile, across the channel
inline constexpr uint32_t kProfileSums = 3;    // of a bin: speeds and stresses in 1 / kPixelUnits, and their number
inline constexpr double kPixelUnits = 0x1p32;  // integers per pixel: their sums do not depend on order

/// Frames that exist already: the common part of recordings, tracks and given frames is a counter.
class Frames : public Source {
  public:
    bool ended() const override { return frame_ + 1 >= frame_count(); }
    uint64_t steps() const override { return frame_; }
    const char* time_unit() const override { return "frames"; }
    uint32_t advance(Context& context, uint32_t steps) override {
        const uint64_t taken = std::min<uint64_t>(steps, frame_count() - 1 - frame_);
        frame_ += taken;
        if (taken > 0) show(context);
        return static_cast<uint32_t>(taken);
    }
    void save(Snapshot& snapshot) const override { put_values(snapshot, &frame_, 1); }
    size_t load(Context& context, const Snapshot& snapshot, size_t first_block) override {
        load_values(snapshot, first_block, &frame_, 1);
        show(context);
        return first_block + 1;
    }
    uint64_t hash() const override { return hash_words({frame_}); }

  protected:
    virtual uint64_t frame_count() const = 0;
    virtual void show(Context& context) = 0;  // makes frame frame_ the present one
    uint64_t frame_ = 0;
};

}  // namespace flipscope
