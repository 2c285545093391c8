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

struct PlotSeries {
    struct Values {
        std::string name;            // "flipped", "harmonic index": with the unit in brackets, if there is one
        std::vector<double> values;  // at x = 1, 2, 3, …; NaN: none. All series of a plot are equally long
    };
    std::vector<Values> of;      // one, or two to be compared
    std::vector<double> places;  // x of each value; empty: 1, 2, 3, …
    size_t shown = 0;            // values from here on lie in the future of the scrubbed position and are drawn faint
    std::string x_name;          // "round"
    bool counted = false;        // some pass has had a value to show
    bool lines = false;          // values of any size, not counts: joined, on an axis that need not hold zero

    size_t count() const { return of.empty() ? 0 : of[0].values.size(); }
    /// Whether a logarithmic axis makes sense: lines of values that are not all above zero have none.
    bool has_logarithm() const;
};

/// 1, 2 or 5 times a power of ten, at least `least`.
double round_step(double least);

}  // namespace flipscope::app
