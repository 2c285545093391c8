// Figures of the benchmark as SVG: time against n, both axes logarithmic, or counts on a linear axis.
#pragma once

#include <string>
#include <vector>

namespace flipscope::bench {

struct Curve {
    std::string name;
    int colour = 0;                      // palette index, one per distribution
    int dash = 0;                        // 0: solid, for ours and exact; others for peers and variants
    std::vector<double> x = {}, y = {};  // > 0; y may be 0 on a linear axis

    void add(double at, double value);
};

/// A horizontal line across the figure.
struct Level {
    std::string name;
    double y = 0;  // > 0
};

struct Figure {
    std::string title, x_label, y_label;
    std::vector<Curve> curves = {};
    std::vector<Level> levels = {};
    bool y_linear = false;  // from 0
    /// The curve of that name, created with this colour and dash if new.
    Curve& curve(const std::string& name, int colour, int dash);
};

/// Index in the list; appends a new word.
int index_of(const std::string& word, std::vector<std::string>& list);

/// In one picture, two in a row.
std::string to_svg(const std::vector<Figure>& figures);

}  // namespace flipscope::bench
