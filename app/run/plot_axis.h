// The data of a plot and its axes: positions of values, and ticks at round values. Draws nothing.
#pragma once

#include <string>
#include <vector>

namespace flipscope::app {

/// "20 k" of a round number, without decimals that are 0.
std::string short_tick(double value);

struct Tick {
    double value;
    std::string text;  // with enough digits to distinguish neighbours
};

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    bool whole = true;  // counts: ticks at whole numbers only

    /// From zero to the largest count.
    static Axis of_counts(double most, bool logarithmic);
    /// Fits values of any size; above zero if logarithmic.
    static Axis of_values(double least, double most, bool logarithmic);
    /// Evenly spaced passes or rounds from 1, with room for eight at least, so that a few do not fill the axis.
    static Axis of_places(double last);
    /// 0 at the low end, 1 at the high one.
    double place(double value) const;
    /// Round values, at most about `room` of them.
    std::vector<Tick> ticks(int room) const;
};

struct PlotSeries {
    struct Values {
        std::string name;            // "flipped", "harmonic index", with any unit in brackets
        std::vector<double> values;  // at x = 1, 2, 3, …; NaN: none; all series of a plot are equally long
        // Range of the values behind a mean. Both empty: single values.
        std::vector<double> low = {}, high = {};
        std::vector<double> weights = {};  // numbers of values behind a mean; empty: one each

        double low_of(size_t i) const { return low.empty() ? values[i] : low[i]; }
        double high_of(size_t i) const { return high.empty() ? values[i] : high[i]; }
        double weight_of(size_t i) const { return weights.empty() ? 1 : weights[i]; }
    };
    std::vector<Values> of;      // one, or two to compare
    std::vector<double> places;  // x of each value, ascending; empty: 1, 2, 3, …
    std::vector<double> widths;  // numbers of places a value covers, centred on its own; empty: one each
    double last_place = 0;       // largest x; 0: that of the last value
    size_t shown = 0;            // values from this index on lie after the scrubbed position and are drawn faint
    std::string x_name;          // "round"
    bool counted = false;        // some pass had a value
    bool lines = false;          // joined values of any size, not counts; the axis need not include zero

    size_t count() const { return of.empty() ? 0 : of[0].values.size(); }
    double place_of(size_t i) const { return i < places.size() ? places[i] : static_cast<double>(i) + 1; }
    double end() const { return last_place > 0 ? last_place : count() > 0 ? place_of(count() - 1) : 0; }
    /// Index of the value nearest to x = `place`. Requires a value.
    size_t nearest(double place) const;
    double width_of(size_t i) const { return i < widths.size() ? widths[i] : 1; }
    /// Whether a logarithmic axis makes sense: joined values must all be above zero.
    bool has_logarithm() const;
};

/// A series in one column of pixels, so that drawing costs the plot's width and shows every spike.
struct PlotColumn {
    double low = 0, high = 0, mean = 0;  // of its values
    double weight = 0;                   // number of values in the mean
    size_t count = 0;                    // entries of the series; 0: none
    size_t first = 0;                    // index of the first entry

    /// `value`: the mean of `of` values; 0: zero weight, still drawn.
    void add(double least, double greatest, double value, size_t index, double of = 1);
};
/// The columns of one series, `slot` pixels per place, for all places.
std::vector<PlotColumn> columns_of(const PlotSeries& series, size_t which, double slot);

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least);

}  // namespace flipscope::app
