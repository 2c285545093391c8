#include "app/run/data_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compute/error.h"
#include "compute/printable.h"
#include "compute/text.h"
#include "geometry/places.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

std::optional<double> number_in(const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !std::isfinite(number)) return {};
    return number;
}

void set_map(ColourStyle& style, const std::string& text) {
    const size_t comma = text.find(',');
    const std::string first = text.substr(0, comma), second = comma == text.npos ? "" : text.substr(comma + 1);
    const bool alone = first == "reverse" && second.empty();
    const auto* const map = std::find(std::begin(kColourMaps), std::end(kColourMaps), alone ? "standard" : first);
    if (map == std::end(kColourMaps) || !(second.empty() || second == "reverse"))
        throw Error("expected one of " +
                    join_words(std::vector<std::string>(std::begin(kColourMaps), std::end(kColourMaps)), ", ") +
                    ", perhaps with \",reverse\"; found " + excerpt(text));
    style.map = static_cast<ColourScale::Map>(map - std::begin(kColourMaps));
    style.reversed = alone || !second.empty();
}

}  // namespace

std::string map_text(const ColourStyle& style) {
    const bool standard = style.map == ColourScale::Map::kOfKind;
    const std::string name = kColourMaps[static_cast<size_t>(style.map)];
    return style.reversed ? (standard ? "reverse" : name + ",reverse") : standard ? "" : name;
}

std::pair<Explored, Explored> scatter_named(const std::string& text, const Geometry* input, const std::string& where) {
    const size_t comma = text.find(',');
    const auto named = [&](const std::string& id) {
        const Explored found = explored_of(id, input, where + id);
        const Attribute* const column = found.measured() ? nullptr : find_attribute(input, found.attribute);
        if (column && !column->categories.empty())
            throw Error(where + id + ": this column has text, and a scatter needs numbers");
        if (found.measured() && found.quantity == ElementQuantity::kBeta)
            throw Error(where + id + ": this quantity is for colours and selections only");
        return found;
    };
    std::pair<Explored, Explored> both{named(text.substr(0, comma)), named(text.substr(comma + 1))};
    if (both.first.element() != both.second.element())
        throw Error(where + text +
                    ": the two are of different elements; choose two of vertices, of edges or of triangles");
    return both;
}

void DataView::set(const std::string& key, const std::string& text) {
    if (key == "colour-map") {
        set_map(style, text);
    } else if (key == "colour-range") {
        const size_t colon = text.find(':');
        const auto low = number_in(text.substr(0, colon)),
                   high = number_in(colon == text.npos ? "" : text.substr(colon + 1));
        if (!low || !high || !(*low < *high))
            throw Error("expected LOW:HIGH, the first number below the second, found " + excerpt(text));
        style.range = {*low, *high};
    } else if (key == "colour-scale") {
        if (text != "log" && text != "linear") throw Error("expected linear or log, found " + excerpt(text));
        style.logarithmic = text == "log";
    } else if (key == "colour-steps") {
        const auto steps = number_in(text);
        if (!steps || *steps != std::floor(*steps) || *steps < 1 || *steps > ColourScale::kMostSteps)
            throw Error("expected a whole number from 1 to 64, found " + excerpt(text));
        style.steps = static_cast<uint32_t>(*steps);
    } else if (key == "scatter") {
        const size_t comma = text.find(',');
        if (comma == text.npos || comma == 0 || comma + 1 == text.size())
            throw Error("expected two quantities, X,Y, found " + excerpt(text));
        scatter = text;
    } else if (key == "log-axes") {
        if (text != "x" && text != "y" && text != "x,y") throw Error("expected x, y or x,y, found " + excerpt(text));
        log = {text[0] == 'x', text.back() == 'y'};
    } else {
        if (text.empty()) throw Error("expected a name, found none");
        (key == "size-by" ? size_by : key == "select" ? select : curve) = text;
    }
    if (style.logarithmic.value_or(false) && style.range && !((*style.range)[0] > 0))
        throw Error("a logarithmic scale begins above 0, and the range begins at " + format_exactly((*style.range)[0]));
}

std::vector<std::pair<std::string, std::string>> DataView::texts() const {
    std::vector<std::pair<std::string, std::string>> all;
    const auto add = [&](const char* key, const std::string& text) {
        if (!text.empty()) all.emplace_back(key, text);
    };
    add("colour-map", map_text(style));
    if (style.range) add("colour-range", format_exactly((*style.range)[0]) + ":" + format_exactly((*style.range)[1]));
    if (style.logarithmic) add("colour-scale", *style.logarithmic ? "log" : "linear");
    if (style.steps > 0) add("colour-steps", std::to_string(style.steps));
    add("size-by", size_by);
    add("select", select);
    add("scatter", scatter);
    add("log-axes", log.x && log.y ? "x,y" : log.x ? "x" : log.y ? "y" : "");
    add("curve", curve);
    return all;
}

}  // namespace flipscope::app
