// From a frame of brightness to bubbles: the field smoothed and freed of uneven light, a mask of pixels past a global
// or a local threshold, the mask opened, closed and filled, and touching bubbles separated by a watershed. Recordings
// call it, one frame after the other; it finds no graph and no events. Brightness is in integers, distances are exact
// squares and ties have a rule, so that results are equal on every device and for any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/buffer.h"
#include "voronoi/components/label_cells.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// 0 or false: the step is left out. Lengths in pixels.
struct SegmentationParameters {
    double smoothing = 0;       // standard deviation of the Gaussian
    int background_radius = 0;  // the mean over (2 r + 1)² pixels is subtracted from the field
    int local_radius = 0;       // the threshold is the mean over (2 r + 1)² pixels,
    double local_offset = 0;    // less this, in the unit of the field
    int opening = 0;            // radius of a disc
    int closing = 0;            // radius of a disc
    int hole_area = 0;          // smaller holes are filled, pixels
    double split_height = 0;    // bubbles are split if each part is so much wider, in radius, than their neck
    int least_area = 0;         // smaller bubbles are left out, pixels
    bool inner_only = false;    // bubbles that touch an open border of the image are left out

    static constexpr double kMostSmoothing = 20;
    static constexpr int kMostRadius = 1000, kMostDisc = 100, kMostArea = 1000000;

    bool prepares() const { return smoothing > 0 || background_radius > 0 || local_radius > 0; }
    /// The bubbles are not simply the components of the pixels past a global threshold.
    bool selects() const {
        return local_radius > 0 || opening > 0 || closing > 0 || hole_area > 0 || split_height > 0 || least_area > 0 ||
               inner_only;
    }
};

class Segmentation {
  public:
    /// `low`, `high`: the range of all frames, which determines the unit of the integers: high - low is at least 2^29
    /// and at most 2^30 of them. Throws Error for parameters beyond their limits, and for 32767 pixels or more in a
    /// direction.
    Segmentation(const SegmentationParameters& parameters, const Lattice& lattice, double low, double high);

    const SegmentationParameters& parameters() const { return parameters_; }

    /// The frame smoothed and without its background. `frame`: (h, w) finite numbers between low and high. Beyond open
    /// borders the image is mirrored, with the pixels at the border repeated. Smoothing is a Gaussian cut off at 4
    /// standard deviations; means are those of all pixels of the square.
    template <class Number>
    std::vector<double> prepare(Context& context, const Number* frame);

    /// The bubbles of a frame, numbered from 1 in the order of their lowest pixels. `field`: (h, w) what prepare()
    /// returned, or the frame; `below`: bubbles lie below the threshold. A local threshold uses the frame of the last
    /// prepare(). The steps follow the order of the parameters:
    /// - opening, closing: by the disc dx² + dy² <= r²; pixels beyond the border have no influence;
    /// - holes: background connected over 4 neighbours;
    /// - bubbles: pixels connected over 8 neighbours, split as split_by_watershed() (segmentation.cu) says, with the
    ///   Euclidean distance to the nearest pixel of background;
    /// - too small bubbles, and those at an open border, are left out.
    LabelCells cells(Context& context, View<const float> field, double threshold, bool below);

  private:
    void smooth(Context& context);
    void sum_windows(Context& context, uint32_t radius);
    void measure_distances(Context& context, uint8_t target, uint32_t limit);
    void apply_disc(Context& context, int radius, bool erodes);
    void join(Context& context, uint8_t target, bool corners);
    void fill_holes(Context& context);
    std::vector<uint32_t> find_bubbles(Context& context);
    LabelCells number(const std::vector<uint32_t>& bubbles) const;

    SegmentationParameters parameters_;
    Lattice lattice_;
    double low_ = 0, scale_ = 1;            // of the field; integers per unit of it
    std::vector<uint32_t> weights_;         // of the Gaussian, by distance; all taps together are 2^31
    Buffer<int32_t> values_{"brightness"};  // (h, w)
    Buffer<int32_t> turned_{"brightness, columns as rows"};
    Buffer<uint32_t> tap_weights_{"weights of the Gaussian"};
    Buffer<int64_t> sums_{"sums over windows"}, row_sums_{"sums over rows, columns as rows"};
    Buffer<uint8_t> mask_{"pixels of bubbles"};
    Buffer<uint16_t> along_x_{"distances along x"};
    Buffer<uint32_t> squares_{"squared distances"};
    Buffer<uint32_t> parents_{"parents of pixels"}, roots_{"roots of pixels"};
    Buffer<uint32_t> hole_areas_{"areas of holes"};
};

}  // namespace flipscope
