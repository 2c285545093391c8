// Recorded sources: frames of a field, and points with names.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <utility>

#include "compute/cancel.h"
#include "compute/error.h"
#include "compute/text.h"
#include "events/sources/source_parts.h"
#include "geometry/places.h"
#include "io/files.h"
#include "mesh/hash.h"
#include "voronoi/box_lattice.h"
#include "voronoi/components/threshold.h"

namespace flipscope {

namespace {

/// The lowest and the highest number of all frames.
template <class Number>
std::pair<double, double> range_of(const std::vector<Number>& numbers) {
    std::pair<double, double> range{HUGE_VAL, -HUGE_VAL};
    CancelPoll poll;
    for (const double number : numbers) {
        poll();
        range = {std::min(range.first, number), std::max(range.second, number)};
    }
    return range;
}

class Recording final : public Frames {
  public:
    Recording(Context& context, std::shared_ptr<const FieldStack> frames, const SourceParameters& parameters)
        : frames_(std::move(frames)),
          periodic_(parameters.frames_periodic),
          pixel_(std::isnan(parameters.pixel_size) ? frames_->pixel : parameters.pixel_size),
          interval_(std::isnan(parameters.frame_interval) ? frames_->interval : parameters.frame_interval) {
        if (frames_->frame_count() == 0) throw Error(frames_->name + ": has no frames");
        has_labels_ = parameters.values == SourceParameters::kLabels ||
                      (parameters.values == SourceParameters::kAuto && frames_->labels);
        if (!has_labels_ && (parameters.segmentation.prepares() || parameters.segmentation.selects())) {
            const auto [low, high] = frames_->exact.empty() ? range_of(frames_->values) : range_of(frames_->exact);
            segmentation_.emplace(parameters.segmentation, lattice(), low, high);
        }
        show(context);
        labels_last_ = !selects() && (!has_labels_ || frames_->frame_count() == 1 || most_stay());
    }
    Lattice lattice() const override { return {frames_->width, frames_->height, periodic_}; }
    Buffer<float>* field() override { return &field_; }
    const LabelCells* cells() const override { return has_labels_ || selects() ? &cells_ : nullptr; }
    const SegmentationParameters* segmentation() const override {
        return segmentation_ ? &segmentation_->parameters() : nullptr;
    }
    std::vector<int64_t> names() const override { return cells_.names; }
    bool labels_last() const override { return labels_last_; }
    double usual_threshold() const override { return threshold_; }
    std::optional<LatticeUnits> units() const override {
        return pixel_ > 0 ? std::optional(LatticeUnits{{0, 0}, {pixel_, pixel_}}) : std::nullopt;
    }
    double time() const override {
        char text[32];  // 7 · 0.04 is 0.28, not 0.28000000000000003
        std::snprintf(text, sizeof text, "%.15g", double(frame_) * (interval_ > 0 ? interval_ : 1));
        return std::strtod(text, nullptr);
    }
    const char* time_unit() const override { return interval_ > 0 ? "s" : "frames"; }
    ThresholdOrigin threshold_origin() const override {
        return frames_->frame_count() > 1 ? ThresholdOrigin::kOfFirstFrame : ThresholdOrigin::kOfFrame;
    }
    SourceDescription description() const override {
        return {.kind = SourceDescription::Kind::kRecording, .name = frames_->name, .count = frames_->frame_count()};
    }

  private:
    uint64_t frame_count() const override { return frames_->frame_count(); }
    void set_threshold(Context& context, double threshold, bool below) override {
        decided_by_ = {threshold, below};
        if (segmentation_ || (!frames_->exact.empty() && !has_labels_)) show(context);
    }
    /// Whether most labels common to the first two frames have moved by less than half the mean distance of cells.
    bool most_stay() const {
        const LabelCells later = label_cells(lattice(), *frames_, 1);
        const double most = 0.25 * lattice().pixel_count() / static_cast<double>(cells_.names.size());
        size_t both = 0, near = 0;
        for (size_t k = 0; k < cells_.names.size(); ++k) {
            const auto at = std::lower_bound(later.names.begin(), later.names.end(), cells_.names[k]);
            if (at == later.names.end() || *at != cells_.names[k]) continue;
            ++both;
            const Point there = later.centres[static_cast<size_t>(at - later.names.begin())];
            near += lattice().squared_distance(cells_.centres[k], there) < most;
        }
        return 2 * near > both;
    }
    void show(Context& context) override {
        const float* values = frames_->frame(frame_);
        const double* exact = frames_->exact_frame(frame_);
        std::vector<double> prepared;
        if (segmentation_ && segmentation_->parameters().prepares()) {
            prepared = exact ? segmentation_->prepare(context, exact) : segmentation_->prepare(context, values);
            exact = prepared.data();
        }
        const size_t count = size_t(frames_->width) * frames_->height;
        if (has_labels_) {
            cells_ = label_cells(lattice(), *frames_, frame_);
        } else if (!measured_) {
            threshold_ = exact ? otsu_threshold(exact, frames_->width, frames_->height)
                               : otsu_threshold(values, frames_->width, frames_->height);
            measured_ = true;
        }
        std::vector<float> rounded;
        if (exact) rounded.assign(exact, exact + count);
        for (size_t pixel = 0; decided_by_ && pixel < rounded.size(); ++pixel)
            rounded[pixel] = decided_by_->round(exact[pixel], rounded[pixel]);
        field_.upload(context, exact ? rounded.data() : values, count);
        if (selects() && decided_by_)
            cells_ = segmentation_->cells(context, field_.view(), decided_by_->threshold, decided_by_->below);
    }
    bool selects() const { return segmentation_ && segmentation_->parameters().selects(); }
    /// The threshold for values.
    struct Decision {
        double threshold;
        bool below;
        /// The float nearest to the value on the same side of the threshold.
        float round(double value, float nearest) const {
            const float away = below ? HUGE_VALF : -HUGE_VALF;
            const bool past = below ? value < threshold : value > threshold;
            const bool seems_past = below ? nearest < threshold : nearest > threshold;
            return past == seems_past ? nearest : std::nextafter(nearest, past ? -away : away);
        }
    };

    std::shared_ptr<const FieldStack> frames_;
    PeriodicAxes periodic_;
    double pixel_, interval_;  // of the unit, and s; 0: unknown
    bool measured_ = false, has_labels_ = false, labels_last_ = true;
    double threshold_ = 0.5;  // from the first frame
    LabelCells cells_;        // of this frame, if it has labels or is segmented
    std::optional<Segmentation> segmentation_;
    std::optional<Decision> decided_by_;
    Buffer<float> field_{"field", Residence::kDrawn};
};

class TracksSource final : public Frames {
  public:
    TracksSource(Context& context, std::shared_ptr<const Tracks> tracks, const SourceParameters& parameters)
        : tracks_(std::move(tracks)) {
        if (tracks_->frame_count() == 0 || tracks_->places.empty()) throw Error(tracks_->name + ": has no points");
        if (parameters.box.x > 0 || parameters.box.y > 0)
            fit_box(checked_lattice(parameters), {parameters.box_x, parameters.box_y}, parameters.box);
        else if (tracks_->box.x > 0 || tracks_->box.y > 0)
            fit_box(checked_lattice(parameters), tracks_->box_low, tracks_->box);
        else
            fit(checked_lattice(parameters));
        find_coincident();
        show(context);
    }
    Lattice lattice() const override { return lattice_; }
    double time() const override { return tracks_->times[frame_]; }
    const char* time_unit() const override {
        return tracks_->time_unit.empty() ? "units of the file" : tracks_->time_unit.c_str();
    }
    View<const Point> sites() override { return sites_.view(); }
    std::vector<int64_t> names() const override {
        return {tracks_->ids.begin() + begin(), tracks_->ids.begin() + end()};
    }
    std::vector<double> site_radii() const override {
        bool is_area = false;
        const Attribute* column = nullptr;
        for (const char* name : {"radius", "r", "area"})
            for (const Attribute& attribute : tracks_->attributes)
                if (!column && attribute.categories.empty() && io::lower_case(attribute.name) == name) {
                    column = &attribute;
                    is_area = io::lower_case(attribute.name) == "area";
                }
        if (!column)
            throw Error(tracks_->name + ": graph=radical needs the size of each point, a column radius, r or area; " +
                        "use graph=delaunay, which needs none");
        std::vector<double> radii;
        for (ptrdiff_t i = begin(); i < end(); ++i) {
            const double value = column->values[static_cast<size_t>(i)];
            if (!(value >= 0) || !std::isfinite(value))
                throw Error(tracks_->name + ": " + column->name + " of id " +
                            std::to_string(tracks_->ids[static_cast<size_t>(i)]) +
                            " at t = " + format_short(tracks_->times[frame_]) + " is " +
                            (std::isnan(value) ? std::string("missing") : format_short(value)) +
                            "; graph=radical needs a number from 0 on");
            radii.push_back((is_area ? std::sqrt(value / std::numbers::pi) : value) /
                            std::sqrt(units_.unit.x * units_.unit.y));
        }
        return radii;
    }
    std::unordered_map<int64_t, uint64_t> last_frames() const override {
        std::unordered_map<int64_t, uint64_t> last;
        for (size_t t = 0; t < tracks_->frame_count(); ++t)
            for (size_t i = tracks_->starts[t]; i < tracks_->starts[t + 1]; ++i) last[tracks_->ids[i]] = t;
        return last;
    }
    std::optional<LatticeUnits> units() const override { return units_; }
    SourceDescription description() const override {
        SourceDescription found{SourceDescription::Kind::kTracks};
        found.name = tracks_->name;
        found.count = tracks_->frame_count();
        found.box = box_;
        return found;
    }
    std::vector<SourceNote> notes() const override {
        std::vector<SourceNote> notes;
        if (outside_ > 0) notes.push_back({SourceNote::Kind::kOutsideBox, 0, 0, outside_, {}});
        if (coincident_.count > 0) notes.push_back(coincident_);
        return notes;
    }

  private:
    uint64_t frame_count() const override { return tracks_->frame_count(); }
    ptrdiff_t begin() const { return static_cast<ptrdiff_t>(tracks_->starts[frame_]); }
    ptrdiff_t end() const { return static_cast<ptrdiff_t>(tracks_->starts[frame_ + 1]); }

    size_t most_in_a_frame() const {
        size_t most = 1;
        for (size_t t = 0; t < tracks_->frame_count(); ++t)
            most = std::max(most, tracks_->starts[t + 1] - tracks_->starts[t]);
        return most;
    }
    void fit_box(const Lattice& asked, Point low, Point size) {
        box_ = size;
        const BoxLattice found = lattice_of_box(tracks_->name, double(asked.width) * asked.height, low, size,
                                                bounds_of(tracks_->places), most_in_a_frame());
        lattice_ = found.lattice;
        units_ = found.units;
        for (const Point& p : tracks_->places) {
            const Point at{p.x - low.x, p.y - low.y};
            outside_ +=
                !((box_.x == 0 || (at.x >= 0 && at.x <= box_.x)) && (box_.y == 0 || (at.y >= 0 && at.y <= box_.y)));
        }
    }

    /// About as many pixels as requested, in the shape of the bounds of all places, with a margin of about half a cell.
    void fit(const Lattice& asked) {
        const auto [low, high] = bounds_of(tracks_->places);
        double wide = high.x - low.x, tall = high.y - low.y;
        const double extent = std::max(wide, tall);
        const double least = (extent > 0 ? extent : 1) / 64;  // gives collinear points some height
        wide = std::max(wide, least), tall = std::max(tall, least);
        const double margin = 0.7 * std::sqrt(wide) * std::sqrt(tall / static_cast<double>(most_in_a_frame()));
        wide += 2 * margin, tall += 2 * margin;
        const double pixels = double(asked.width) * asked.height, shape = std::sqrt(wide / tall);
        const double root = std::sqrt(pixels);
        lattice_.width = static_cast<uint32_t>(std::clamp(std::round(root * shape), 8.0, 16384.0));
        lattice_.height = static_cast<uint32_t>(std::clamp(std::round(root / shape), 8.0, 16384.0));
        scale_ = std::min(lattice_.width / wide, lattice_.height / tall);
        given_ = {low.x + 0.5 * (high.x - low.x), low.y + 0.5 * (high.y - low.y)};
        at_ = {0.5 * (lattice_.width - 1), 0.5 * (lattice_.height - 1)};
        units_ = {{given_.x - at_.x / scale_, given_.y - at_.y / scale_}, {1 / scale_, 1 / scale_}};
    }

    /// Of coincident points only the one with the lowest id has neighbours.
    void find_coincident() {
        std::vector<size_t> order;
        for (size_t t = 0; t < tracks_->frame_count(); ++t) {
            order.resize(tracks_->starts[t + 1] - tracks_->starts[t]);
            std::iota(order.begin(), order.end(), tracks_->starts[t]);
            const auto& places = tracks_->places;
            sort_or_cancel(order.begin(), order.end(), [&](size_t a, size_t b) {
                const Point p = places[a], q = places[b];
                return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : a < b;
            });
            for (size_t i = 1; i < order.size(); ++i) {
                if (!(places[order[i]] == places[order[i - 1]])) continue;
                if (coincident_.count++ > 0) continue;
                coincident_.found = tracks_->times[t];
                coincident_.ids = {tracks_->ids[order[i - 1]], tracks_->ids[order[i]]};
            }
        }
    }

    void show(Context& context) override {
        std::vector<Point> places;
        for (ptrdiff_t i = begin(); i < end(); ++i) {
            const Point p = tracks_->places[static_cast<size_t>(i)];
            places.push_back(lattice_.periodic.any()
                                 ? lattice_.wrapped(units_.on_lattice(p))
                                 : Point{at_.x + (p.x - given_.x) * scale_, at_.y + (p.y - given_.y) * scale_});
        }
        sites_.upload(context, places.data(), places.size());
    }

    std::shared_ptr<const Tracks> tracks_;
    Lattice lattice_;
    double scale_ = 1;    // pixels per unit of the file
    Point given_, at_{};  // the same place, in units of the file and on the lattice
    LatticeUnits units_;
    Point box_;             // width and height, units of the file; 0: not periodic along that axis
    uint64_t outside_ = 0;  // places outside it
    SourceNote coincident_{SourceNote::Kind::kCoincident};
    Buffer<Point> sites_{"centres"};
};

}  // namespace

std::unique_ptr<Source> make_recording(Context& context, std::shared_ptr<const FieldStack> frames,
                                       const SourceParameters& parameters) {
    return std::make_unique<Recording>(context, std::move(frames), parameters);
}

std::unique_ptr<Source> make_tracks_source(Context& context, std::shared_ptr<const Tracks> tracks,
                                           const SourceParameters& parameters) {
    return std::make_unique<TracksSource>(context, std::move(tracks), parameters);
}

}  // namespace flipscope
