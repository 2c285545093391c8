// What a plot shows, and its axis: where a value lies on it, and which round values are marked. Draws nothing.
#pragma once

#include <string>
#include <vector>

namespace flipscope::app {

struct Tick {
    double value;
    std::string text;  // with as many digits as tell it from its neighbours
};

struct Axis {
    double low = 0, high = 1;
    bool logarithmic = false;
    bool whole = true;  // counts: no tick between two whole numbers

    /// From zero to the largest count.
    static Axis of_counts(double most, bool logarithmic);
    /// Around values of any size; above zero when logarithmic.
    static Axis of_values(double least, double most, bool logarithmic);
    /// 0 at the low end, 1 at the high one.
    double place(double value) const;
    /// Round values, at most about `room` of them.
    std::vector<Tick> ticks(int room) const;
};

/// Along the bottom of a plot: passes or rounds from 1 on, evenly spaced, whether all of them have a value or not.
struct PlaceAxis {
    double last = 1;        // the largest number on it
    float x0 = 0, x1 = 1;   // pixels, its ends
    double least_room = 8;  // numbers that there is room for at least, so that the first few do not fill it

    double slot() const;  // pixels from one number to the next; 0: there is no room at all
    /// In the middle of the place's slot.
    float x_of(double place) const { return x0 + static_cast<float>((place - 0.5) * slot()); }
    /// The number whose slot x lies in; less than 1 or more than `last`: beside them.
    double place_at(float x) const;
    /// Round numbers, so far apart that texts up to `widest` pixels fit side by side.
    std::vector<Tick> ticks(float widest) const;
};

struct PlotSeries {
    struct Values {
        std::string name;            // "flipped", "harmonic index": with the unit in brackets, if there is one
        std::vector<double> values;  // at x = 1, 2, 3, …; NaN: none. All series of a plot are equally long
        // Where a value is the mean of several: the least and the greatest of them. Both empty: each stands for itself.
        std::vector<double> low = {}, high = {};
        std::vector<double> weights = {};  // and of how many values that is; empty: one each

        double low_of(size_t i) const { return low.empty() ? values[i] : low[i]; }
        double high_of(size_t i) const { return high.empty() ? values[i] : high[i]; }
        double weight_of(size_t i) const { return weights.empty() ? 1 : weights[i]; }
    };
    std::vector<Values> of;      // one, or two to be compared
    std::vector<double> places;  // x of each value, ascending; empty: 1, 2, 3, …
    std::vector<double> widths;  // how many places a value is of, its own in the middle; empty: one each
    double last_place = 0;       // up to where x goes; 0: to the last value
    size_t shown = 0;            // values from here on lie in the future of the scrubbed position and are drawn faint
    std::string x_name;          // "round"
    bool counted = false;        // some pass has had a value to show
    bool lines = false;          // values of any size, not counts: joined, on an axis that need not hold zero

    size_t count() const { return of.empty() ? 0 : of[0].values.size(); }
    double place_of(size_t i) const { return i < places.size() ? places[i] : static_cast<double>(i) + 1; }
    double end() const { return last_place > 0 ? last_place : count() > 0 ? place_of(count() - 1) : 0; }
    /// Index of the value nearest to x = `place`; there must be one.
    size_t nearest(double place) const;
    double width_of(size_t i) const { return i < widths.size() ? widths[i] : 1; }
    /// Whether a logarithmic axis makes sense: lines of values that are not all above zero have none.
    bool has_logarithm() const;
};

/// What a series comes to in a column of pixels, so that drawing it costs what the plot is wide, and shows every spike.
struct PlotColumn {
    double low = 0, high = 0, mean = 0;  // of its values
    double weight = 0;                   // of how many values the mean is
    size_t count = 0;                    // of entries of the series; 0: none
    size_t first = 0;                    // index of the first of them

    /// `value`: the mean of so many values; of none, it counts for nothing but is seen.
    void add(double least, double greatest, double value, size_t index, double of = 1);
};
/// Of one of the series, `slot` pixels from one place to the next: as many as it takes for all places.
std::vector<PlotColumn> columns_of(const PlotSeries& series, size_t which, double slot);

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least);

}  // namespace flipscope::app
