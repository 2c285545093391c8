// How the numbers of the data are shown: the colours of a colouring, discs sized by a column, a selection, and the
// plots beside the picture. Options of the command line and fields of scenarios have the same names and texts, which
// are understood here, once.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "instruments/exploration.h"

namespace flipscope::app {

struct DataView {
    ColourStyle style;    // of the colouring
    std::string size_by;  // a column of numbers: a disc at each point, of this area; or empty
    std::string select;   // as --select; or empty
    std::string scatter;  // "dbh_cm,cell-area", one over the other; or empty
    LogarithmicAxes log;  // of histograms and of the scatter
    std::string curve;    // the curve or distribution that is plotted; or empty

    /// `key`: of kDataOptions. Throws Error: `expected …, found …`.
    void set(const std::string& key, const std::string& text);
    /// Everything that differs from the default, as set() reads it.
    std::vector<std::pair<std::string, std::string>> texts() const;
    friend bool operator==(const DataView&, const DataView&) = default;
};

/// An option of `flipscope run`, --colour-map; in a scenario the field colour_map.
struct DataOption {
    const char *name, *value, *help;
};
inline constexpr std::array kDataOptions{
    DataOption{
        "colour-map", "NAME[,reverse]",
        "The colours of --colour-by: viridis, cividis, magma, strata, grey, diverging or cyclic; or reverse alone"},
    DataOption{"colour-range", "LOW:HIGH", "The ends of the colour bar; arrows mark numbers beyond them"},
    DataOption{"colour-scale", "linear|log",
               "Whether equal steps along the bar are equal differences or equal factors"},
    DataOption{"colour-steps", "N", "Equal parts of the colour bar with one colour each, 1 to 64"},
    DataOption{"size-by", "COLUMN",
               "Draws a disc at each point, whose area is proportional to a column of the input; --hide mesh leaves "
               "these alone"},
    DataOption{"scatter", "X,Y",
               "For --plot: a column or a measure of --statistics over another of the same elements, coloured as the "
               "picture"},
    DataOption{"log-axes", "x|y|x,y",
               "Logarithmic axes of --scatter and of distributions, whose bins are then equal in the logarithm"}};

/// The names of the colour maps, in the order of ColourScale::Map; "standard" is that of the quantity.
inline constexpr const char* kColourMaps[] = {"standard", "viridis", "cividis",   "magma",
                                              "strata",   "grey",    "diverging", "cyclic"};

/// "viridis,reverse"; empty: the standard.
std::string map_text(const ColourStyle& style);
/// The quantities of "dbh_cm,cell-area". Throws Error that starts with `where` for unknown ones, for text, and if they
/// are not of the same elements.
std::pair<Explored, Explored> scatter_named(const std::string& text, const Geometry* input, const std::string& where);

}  // namespace flipscope::app
