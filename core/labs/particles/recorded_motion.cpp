#include "labs/particles/recorded_motion.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "compute/text.h"
#include "particles/contact_rows.h"

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

constexpr size_t kLifetimeBins = 40;

NeighbourRows neighbour_rows(Context& context, const TorusBox& box, const std::vector<Point>& places, double longest) {
    TorusTriangulation triangulation;
    triangulation.build(context, box, places, false);
    ContactRows contacts;
    const Adjacency& made = contacts.make(context, triangulation, longest);
    NeighbourRows rows{made.starts.download(places.size() + 1), {}};
    rows.neighbours = made.neighbours.download(rows.starts.back());
    return rows;
}

double scattering_of(const MotionCurves& curves, size_t k) { return curves.scattering[k]; }

struct MeasuredByLag {
    const char *column, *curve, *sentence, *y_name;  // without a curve it is a column alone
    double (*value)(const MotionCurves& curves, size_t k);
};
const MeasuredByLag kMeasuredByLag[] = {
    {"msd", "displacement over all origins",
     "The mean-squared displacement within a lag time, of all particles and recorded time origins.",
     "world units squared",
     [](const MotionCurves& curves, size_t k) { return curves.displacement[k].x + curves.displacement[k].y; }},
    {"msd_x", "", "Its part along x.", "",
     [](const MotionCurves& curves, size_t k) { return curves.displacement[k].x; }},
    {"msd_y", "", "Its part along y.", "",
     [](const MotionCurves& curves, size_t k) { return curves.displacement[k].y; }},
    {"scattering", "self-intermediate scattering",
     "F_s(k, t): the mean of cos k\xCE\x94x and cos k\xCE\x94y within a lag time.", "F_s(k, t)", &scattering_of},
    {"neighbours_kept", "neighbours kept", "The share of pairs of neighbours that are neighbours after a lag time.",
     "share of pairs", [](const MotionCurves& curves, size_t k) { return curves.neighbours[k]; }},
    {"cages_kept", "cages kept",
     "The share of particles that have kept more than half of their neighbours after a lag time.", "share of particles",
     [](const MotionCurves& curves, size_t k) { return curves.cages[k]; }}};

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

ParticleFrames evenly_recorded(ParticleFrames frames) {
    const size_t count = frames.size();
    if (count < 2) return {};
    const double interval = frames[count - 1]->time - frames[count - 2]->time;
    size_t begin = count - 1;
    while (begin > 0) {
        const ParticleFrame &before = *frames[begin - 1], &after = *frames[begin];
        if (!(interval > 0) || std::fabs(after.time - before.time - interval) > 1e-6 * interval ||
            before.numbering != after.numbering || before.positions.size() != after.positions.size())
            break;
        --begin;
    }
    if (count - begin < 2) return {};
    frames.erase(frames.begin(), frames.begin() + static_cast<ptrdiff_t>(begin));
    return frames;
}

double cost_of_motion(const ParticleFrames& frames) {
    const auto count = static_cast<double>(frames.size());
    return frames.empty() ? 0
                          : static_cast<double>(frames.front()->positions.size()) * count *
                                std::min(count, 16 * std::log2(count + 1));
}

RecordedMotion recorded_motion(Context& context, const ParticleFrames& frames, const TorusBox& box,
                               const std::vector<uint8_t>& held, double wavenumber, double longest) {
    RecordedMotion motion;
    motion.wavenumber = wavenumber;
    if (frames.empty()) return motion;
    motion.interval = frames[1]->time - frames[0]->time;
    motion.ids = frames.back()->ids;
    std::vector<const std::vector<Point>*> displacements;
    std::vector<NeighbourRows> rows;
    for (const auto& frame : frames) {
        motion.times.push_back(frame->time);
        displacements.push_back(&frame->displacements);
        rows.push_back(neighbour_rows(context, box, frame->positions, longest));
    }
    motion.curves = motion_over_origins(displacements, rows, held, wavenumber);
    motion.pairs = lasting_pairs(rows);
    return motion;
}

void add_curves(const RecordedMotion& motion, const std::string& label, Report& report) {
    if (motion.curves.lags.empty()) return;
    for (const MeasuredByLag& each : kMeasuredByLag) {
        if (!*each.curve) continue;
        Curve one;
        one.name = each.curve;
        one.sentence = each.sentence;
        if (each.value == &scattering_of) one.remark = "At k = " + format_short(motion.wavenumber) + " per world unit.";
        one.label = label;
        one.x_name = "lag time";
        one.y_name = each.y_name;
        one.logarithmic = {true, &each == kMeasuredByLag};  // displacements grow by decades; shares go from 1 to 0
        for (size_t k = 0; k < motion.curves.lags.size(); ++k) {
            const double value = each.value(motion.curves, k);
            if (std::isnan(value)) continue;  // without neighbours
            one.x.push_back(static_cast<double>(motion.curves.lags[k]) * motion.interval);
            one.y.push_back(value);
        }
        if (!one.x.empty()) report.add(std::move(one));
    }
    Distribution lifetimes;
    const size_t frames = motion.times.size();
    lifetimes.high = motion.interval * static_cast<double>(frames);
    lifetimes.now.assign(std::min(kLifetimeBins, frames), 0);
    uint64_t complete = 0;
    for (const NeighbourPair& pair : motion.pairs) {
        if (!pair.is_complete(frames)) continue;
        ++complete;
        ++lifetimes.now[(pair.end - pair.begin) * lifetimes.now.size() / frames];
    }
    lifetimes.name = "neighbour lifetimes";
    lifetimes.sentence =
        "How long pairs of neighbours last that come together and part while recorded: " + std::to_string(complete) +
        " of " + std::to_string(motion.pairs.size()) + ".";
    lifetimes.unit = "time";
    lifetimes.counted = "pairs";
    report.add(std::move(lifetimes));
}

Table table_of_motion(const std::shared_ptr<const RecordedMotion>& motion) {
    Table table;
    table.columns = {{"lag", "time"}, {"origins", "frames that it is counted from"}};
    for (const MeasuredByLag& each : kMeasuredByLag) table.columns.push_back({each.column, each.sentence});
    table.row_count = motion->curves.lags.size();
    table.row = [motion](size_t k) {
        Table::Row row;
        row.cells.push_back(Value::exactly(static_cast<double>(motion->curves.lags[k]) * motion->interval));
        row.cells.emplace_back(motion->curves.origins[k]);
        for (const MeasuredByLag& each : kMeasuredByLag) {
            const double value = each.value(motion->curves, k);
            row.cells.push_back(std::isnan(value) ? Value() : Value::exactly(value));
        }
        return row;
    };
    return table;
}

Table table_of_neighbours(const std::shared_ptr<const RecordedMotion>& motion) {
    Table table;
    table.columns = {{"a", "id of a particle"},
                     {"b", "id of its neighbour"},
                     {"from", "time of the first frame in which they are neighbours"},
                     {"until", "time of the first frame in which they are not; empty: the record ends"},
                     {"complete", "1: the record holds its start and its end"}};
    table.row_count = motion->pairs.size();
    table.row = [motion](size_t k) {
        const NeighbourPair& pair = motion->pairs[k];
        const auto id = [&](uint32_t i) { return motion->ids.empty() ? int64_t(i) : motion->ids[i]; };
        Table::Row row;
        row.cells.emplace_back(id(pair.a));
        row.cells.emplace_back(id(pair.b));
        row.cells.push_back(Value::exactly(motion->times[pair.begin]));
        row.cells.push_back(pair.end < motion->times.size() ? Value::exactly(motion->times[pair.end]) : Value());
        row.cells.emplace_back(pair.is_complete(motion->times.size()) ? 1 : 0);
        return row;
    };
    return table;
}

}  // namespace flipscope
