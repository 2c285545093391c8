#include "labs/particles/recorded_motion.h"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace flipscope {

namespace {

/// Header of a frame; its arrays follow.
struct FrameHead {
    uint64_t id, round, numbering;
    double time;
    uint64_t count, oriented, named;  // particles; how many have an orientation and an id: all or none
    uint64_t species;                 // number of species
    uint64_t sized;                   // particles with a size: all or none
};

template <class T>
void put(std::vector<std::byte>& bytes, const T* values, size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* from = reinterpret_cast<const std::byte*>(values);
    bytes.insert(bytes.end(), from, from + count * sizeof(T));
}

class Reader {
  public:
    explicit Reader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
    bool done() const { return at_ == bytes_.size(); }
    template <class T>
    std::vector<T> take(uint64_t count) {
        if (count > (bytes_.size() - at_) / sizeof(T))
            throw std::logic_error("a snapshot of another Particles lab: its frames are cut off");
        std::vector<T> values(count);
        if (count) std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
        return values;
    }

  private:
    const std::vector<std::byte>& bytes_;
    size_t at_ = 0;
};

}  // namespace

std::vector<std::byte> bytes_of(const ParticleFrames& frames) {
    std::vector<std::byte> bytes;
    size_t size = 0;
    for (const auto& frame : frames)
        size += sizeof(FrameHead) + frame->positions.size() * (2 * sizeof(Point) + 1) +
                (frame->orientations.size() + frame->ids.size() + frame->diameters.size() + frame->sizes.size()) *
                    sizeof(double);
    bytes.reserve(size);
    for (const auto& frame : frames) {
        const FrameHead head{frame->id,
                             frame->round,
                             frame->numbering,
                             frame->time,
                             frame->positions.size(),
                             frame->orientations.size(),
                             frame->ids.size(),
                             frame->diameters.size(),
                             frame->sizes.size()};
        put(bytes, &head, 1);
        put(bytes, frame->positions.data(), head.count);
        put(bytes, frame->displacements.data(), head.count);
        put(bytes, frame->species.data(), head.count);
        put(bytes, frame->orientations.data(), head.oriented);
        put(bytes, frame->ids.data(), head.named);
        put(bytes, frame->diameters.data(), head.species);
        put(bytes, frame->sizes.data(), head.sized);
    }
    return bytes;
}

ParticleFrames frames_of(const std::vector<std::byte>& bytes) {
    ParticleFrames frames;
    for (Reader reader(bytes); !reader.done();) {
        const FrameHead head = reader.take<FrameHead>(1).front();
        auto frame = std::make_shared<ParticleFrame>();
        frame->id = head.id;
        frame->round = head.round;
        frame->numbering = head.numbering;
        frame->time = head.time;
        frame->positions = reader.take<Point>(head.count);
        frame->displacements = reader.take<Point>(head.count);
        frame->species = reader.take<uint8_t>(head.count);
        frame->orientations = reader.take<double>(head.oriented);
        frame->ids = reader.take<int64_t>(head.named);
        frame->diameters = reader.take<double>(head.species);
        frame->sizes = reader.take<double>(head.sized);
        frames.push_back(std::move(frame));
    }
    return frames;
}

}  // namespace flipscope
