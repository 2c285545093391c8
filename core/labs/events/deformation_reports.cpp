#include "labs/events/event_reports.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "events/deformation.h"
#include "events/event_statistics.h"
#include "lab/unit_names.h"

namespace flipscope {

namespace {

constexpr struct {
    const char* name;
    double power;  // of lengths
    const char* unit;
} kDeformations[DeformationRecord::kQuantities] = {
    {"texture xx", 2, "world units², mean of \xE2\x84\x93x² over links"},
    {"texture xy", 2, "world units², mean of \xE2\x84\x93x\xE2\x84\x93y over links"},
    {"texture yy", 2, "world units², mean of \xE2\x84\x93y² over links"},
    {"elastic stress xy", -1, "surface tensions over world units, of the contours of bubbles"},
    {"elastic stress xx \xE2\x88\x92 yy", -1, "surface tensions over world units, of the contours of bubbles"},
    {"elongation", 0, "ratio of axes, mean over bubbles"},
    {"largest displacement", 1, "world units, between two compared frames"}};

/// The bubbles of the present frame that have pixels.
std::vector<PlaneTensor> shapes_in(const EventsMachine& machine) {
    const EventsChain& chain = machine.chain();
    if (!machine.at_rest() || !chain.has_field()) return {};
    const Components& components = chain.components();
    const size_t count = machine.state().counts.now - machine.held().size();
    return shapes_of(chain.lattice(), components.labels().download(), components.centres_of_mass().download(count),
                     components.windings().download(count));
}

struct Moved {
    uint32_t now;  // label
    Point from, by;
};
std::vector<Moved> displacements_in(const EventsMachine& machine) {
    std::vector<Moved> moved;
    if (!machine.at_rest() || machine.state().round == 0) return moved;
    const ComparedSites sites = machine.compared_sites();
    for (uint32_t p = 0; p < sites.past.size(); ++p)
        if (const uint32_t q = sites.to_now[p]; q != kNone)
            moved.push_back({q, sites.past[p], machine.chain().lattice().difference(sites.past[p], sites.now[q])});
    return moved;
}

}  // namespace

void DeformationRecord::observe(const EventsMachine& machine) {
    Sample sample;
    sample.fill(NAN);
    const EventsChain& chain = machine.chain();
    const LinkedFrame& frame = machine.present();
    const std::vector<Point> sites = machine.sites();
    if (!sites.empty()) {
        const PlaneTensor texture = texture_of(chain.lattice(), sites, frame.starts().download(sites.size() + 1),
                                               frame.neighbours().download(frame.read_entries()));
        sample[kTextureXx] = texture.xx, sample[kTextureXy] = texture.xy, sample[kTextureYy] = texture.yy;
    }
    if (chain.has_field() && !chain.has_labels()) {
        const std::vector<uint8_t> obstacles = chain.colouring().obstacles().download();
        const PlaneTensor tension =
            contour_tensor(chain.lattice(), machine.source()->field()->download(), chain.threshold_value(), obstacles)
                .scaled(1 / double(chain.lattice().pixel_count() -
                                   static_cast<size_t>(std::ranges::count_if(obstacles, [](auto o) { return o; }))));
        sample[kStressXy] = tension.xy, sample[kStressDifference] = tension.xx - tension.yy;
    }
    double sum = 0, number = 0;
    for (const PlaneTensor& shape : shapes_in(machine))
        if (const double ratio = shape.elongation(); !std::isnan(ratio)) sum += ratio, ++number;
    if (number > 0) sample[kElongation] = sum / number;
    displacements_.resize(kAll * machine.state().round);
    displacements_.resize(kAll * (machine.state().round + 1));
    const auto cell_of = [](double at, uint32_t size) {
        return static_cast<size_t>(std::clamp(std::floor((at + 0.5) / size * kCells), 0., kCells - 1.));
    };
    for (const Moved& one : displacements_in(machine)) {
        sample[kDisplacement] = std::fmax(sample[kDisplacement], std::hypot(one.by.x, one.by.y));
        const size_t row = cell_of(one.from.y, chain.lattice().height),
                     cell = row * kCells + cell_of(one.from.x, chain.lattice().width);
        displacements_[displacements_.size() - kAll + cell].add({one.by.x, one.by.y, 1});
    }
    Sample none;
    none.fill(NAN);
    samples_.resize(machine.state().round, none);
    samples_.push_back(sample);
}

void DeformationRecord::save(Snapshot& snapshot) const {
    put_values(snapshot, samples_.data(), samples_.size());
    put_values(snapshot, displacements_.data(), displacements_.size());
}

void DeformationRecord::load(const Snapshot& snapshot, size_t block) {
    samples_ = load_vector<Sample>(snapshot, block);
    displacements_ = load_vector<Displacements>(snapshot, block + 1);
}

Table DeformationRecord::mean_displacements(uint32_t first, const Lattice& lattice, const LatticeUnits& units,
                                            const DetectionUnits& names) const {
    const size_t end = displacements_.size() / kAll, frames = end > first ? end - first : 0;
    std::vector<Table::Row> rows;
    for (size_t cell = 0; cell < kAll; ++cell) {
        Displacements all;
        std::vector<double> x, y;  // means of blocks
        for (size_t block = 0; block < kBlocksOfMeans; ++block) {
            Displacements sum;
            for (size_t k = block * frames / kBlocksOfMeans; k < (block + 1) * frames / kBlocksOfMeans; ++k)
                sum.add(displacements_[(end - frames + k) * kAll + cell]);
            all.add(sum);
            if (sum.count > 0) x.push_back(sum.x / sum.count), y.push_back(sum.y / sum.count);
        }
        if (all.count == 0) continue;
        const auto error = [](const std::vector<double>& means) {
            return mean_by_blocks(std::span<const double>(means)).error;
        };
        const Point place{(cell % kCells + 0.5) * lattice.width / kCells - 0.5,
                          (cell / kCells + 0.5) * lattice.height / kCells - 0.5},
            unit = units.unit;
        rows.push_back({{Value(units.as_given(place)), Value::exactly(all.x / all.count * unit.x),
                         Value::exactly(error(x) * std::fabs(unit.x)), Value::exactly(all.y / all.count * unit.y),
                         Value::exactly(error(y) * std::fabs(unit.y)), Value(uint64_t(all.count))}});
    }
    return Table::of({{"place", "the middle of the cell", {}, 2, names.length},
                      {"ux", "the mean displacement between compared frames, along x", {}, 0, names.length},
                      {"ux error", "its standard error", {}, 0, names.length},
                      {"uy", "along y", {}, 0, names.length},
                      {"uy error", "its standard error", {}, 0, names.length},
                      {"displacements", "in the window of time", {}, 0, ""}},
                     std::move(rows));
}

void DeformationRecord::add_to(Properties& numbers, uint32_t first, double pixel, const std::string& length) const {
    if (samples_.empty()) return;
    for (size_t k = 0; k < kQuantities; ++k) {
        const double scale = std::pow(pixel, kDeformations[k].power), last = scale * samples_.back()[k];
        std::vector<double> series;
        for (size_t i = first; i < samples_.size(); ++i)
            if (!std::isnan(samples_[i][k])) series.push_back(scale * samples_[i][k]);
        const std::string name = kDeformations[k].name, unit = in_unit(kDeformations[k].unit, length);
        if (!std::isnan(last)) numbers.add_number(name, unit + ", in this frame", last);
        if (series.empty()) continue;
        const BlockMean mean = mean_by_blocks(std::span<const double>(series));
        numbers.add_number(name + " mean", unit + ", over the window of time", mean.mean);
        numbers.add_number(name + " error", "standard error of that mean, from block averages", mean.error);
    }
}

Table displacement_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names) {
    std::vector<Table::Row> rows;
    const std::vector<int64_t> ids = machine.ids();
    for (const auto& [now, from, by] : displacements_in(machine))
        rows.push_back({{Value(ids[now]), Value(units.as_given(from)), Value::exactly(by.x * units.unit.x),
                         Value::exactly(by.y * units.unit.y)}});
    return Table::of({{"name", "the bubble's, the same over time"},
                      {"place", "in the frame before", {}, 2, names.length},
                      {"ux", "the displacement since then, along x", {}, 0, names.length},
                      {"uy", "along y", {}, 0, names.length}},
                     std::move(rows));
}

Table shape_table(const EventsMachine& machine, const LatticeUnits& units, const DetectionUnits& names) {
    std::vector<Table::Row> rows;
    const std::vector<PlaneTensor> shapes = shapes_in(machine);
    const std::vector<int64_t> ids = machine.ids();
    const std::vector<Point> sites = machine.sites();
    const std::vector<uint32_t> areas =
        shapes.empty() ? std::vector<uint32_t>{} : machine.chain().components().areas().download(shapes.size());
    const Point unit = units.unit;
    for (size_t label = 0; label < shapes.size(); ++label) {
        const auto& [xx, xy, yy] = shapes[label];
        const PlaneTensor given{xx * unit.x * unit.x, xy * unit.x * unit.y, yy * unit.y * unit.y};
        const double ratio = given.elongation();
        rows.push_back({{Value(ids[label]), Value(units.as_given(sites[label])),
                         Value::exactly(areas[label] * std::fabs(unit.x * unit.y)),
                         std::isnan(ratio) ? Value() : Value::exactly(ratio),
                         std::isnan(ratio) ? Value() : Value::exactly(given.angle() * 180 / std::numbers::pi)}});
    }
    return Table::of({{"name", "the bubble's, the same over time"},
                      {"place", "the centre of mass", {}, 2, names.length},
                      {"area", "", {}, 0, names.length.empty() ? "" : names.length + "²"},
                      {"elongation", "ratio of the axes of the ellipse with the same second moments"},
                      {"angle", "of the long axis, from x", {}, 0, "°"}},
                     std::move(rows));
}

}  // namespace flipscope
