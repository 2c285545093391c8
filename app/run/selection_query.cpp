#include "app/run/selection_query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>

#include "app/run/element_query.h"
#include "app/run/failures.h"
#include "compute/error.h"
#include "compute/printable.h"
#include "geometry/places.h"
#include "io/parse.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

bool read_all(std::string_view text, double& value) {
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return !text.empty() && read.ptr == end && read.ec == std::errc();
}

/// Marks duplicates of sites with a lower number.
std::vector<bool> copies_among_sites(const SceneView& view, uint32_t count) {
    std::vector<Point> places(count);
    SiteMesh::sites_of(view).download(places.data(), count);
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    const auto key = [&](uint32_t v) { return std::tuple(places[v].x, places[v].y, v); };
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
    std::vector<bool> copies(count);
    for (uint32_t k = 1; k < count; ++k) copies[order[k]] = places[order[k]] == places[order[k - 1]];
    return copies;
}

/// "oak,\"beech, red\"" as its values.
std::vector<std::string> read_values(std::string_view text) {
    std::vector<std::string> values{""};
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
            values.back() += text[++i];
        else if (c == '"' && (quoted || values.back().empty()))
            quoted = !quoted;
        else if (c == ',' && !quoted)
            values.emplace_back();
        else
            values.back() += c;
    }
    return values;
}

/// Stores the wanted values in a range of this quantity.
void load_values(const std::vector<std::string>& wanted, const Geometry* input, const std::string& where,
                 ExplorationChoice::Range& range) {
    const Attribute* const column =
        range.quantity.measured() ? nullptr : find_attribute(input, range.quantity.attribute);
    if (!column || column->categories.empty()) {
        if (wanted.empty()) return;
        if (wanted.size() > 1 || !read_all(wanted[0], range.low) || std::isnan(range.low))
            throw Error(where + ": " + range.quantity.id() + " is a number, of which one is selected, as " +
                        range.quantity.id() + "=5, or a range, as " + range.quantity.id() + ":5..7");
        range.high = range.low;
        return;
    }
    constexpr size_t kMostNamed = 12;
    std::vector<std::string> known(
        column->categories.begin(),
        column->categories.begin() + static_cast<ptrdiff_t>(std::min(kMostNamed, column->categories.size())));
    for (std::string& name : known) name = excerpt(name);
    const size_t more = column->categories.size() - known.size();
    const std::string there =
        join_words(known, more ? ", " : " and ") + (more ? " and " + std::to_string(more) + " more" : "");
    if (wanted.empty())
        throw Error(where + ": " + range.quantity.id() + " is text, which is selected by value, as " +
                    range.quantity.id() + "=" + column->categories.front() + "; it has " + there);
    const auto has = [&](const std::string& value) { return std::ranges::count(column->categories, value) > 0; };
    std::string whole;
    for (const std::string& value : wanted) whole += (whole.empty() ? "" : ",") + value;
    if (has(whole)) {  // a value with commas in it
        range.values = {whole};
        return;
    }
    for (const std::string& value : wanted)
        if (!has(value))
            throw Error(where + ": " + range.quantity.id() + " has no value " + excerpt(value) + "; it has " + there);
    range.values = wanted;
}

}  // namespace

SelectionQuery parse_selection(const std::string& text, const std::string& error_prefix) {
    const size_t colon = text.rfind(':');
    const auto refuse = [&] {
        return Error(error_prefix +
                     "expected QUANTITY:LOW..HIGH such as degree:7..20, COLUMN=VALUE such as species=oak, or ids such "
                     "as vertex:3,17,40..60, found " +
                     excerpt(text));
    };
    SelectionQuery query{text, std::nullopt, ElementKind::kVertex, false, {}};
    const auto by_value = [&]() -> SelectionQuery {
        const size_t equals = text.find('=');
        if (equals == text.npos || equals == 0 || equals + 1 == text.size()) throw refuse();
        query.range = ExplorationChoice::Range{Explored(text.substr(0, equals)), 0, 0,
                                               read_values(std::string_view(text).substr(equals + 1))};
        return query;
    };
    if (colon == text.npos || text.find('=') < colon) return by_value();
    const std::string what = text.substr(0, colon);
    if (const auto kind = kind_of_word(what); kind && *kind != ElementKind::kPixel) {
        query.kind = *kind;
        query.by_point = what == "point";
        for (size_t begin = colon + 1; begin <= text.size();) {
            const size_t end = std::min(text.find(',', begin), text.size());
            const std::string one = text.substr(begin, end - begin);
            const size_t dots = one.find("..");
            const auto first = io::whole<uint32_t>(one.substr(0, dots));
            const auto last = dots == one.npos ? first : io::whole<uint32_t>(one.substr(dots + 2));
            if (!first || !last || *last < *first) throw refuse();
            query.ids.emplace_back(*first, *last);
            begin = end + 1;
        }
        return query;
    }
    const size_t dots = text.find("..", colon);
    double low = NAN, high = NAN;
    const bool reads = dots != text.npos && read_all(text.substr(colon + 1, dots - colon - 1), low) &&
                       read_all(text.substr(dots + 2), high);
    if (!reads || !(low <= high)) return by_value();  // or throws
    query.range = ExplorationChoice::Range{Explored(what), low, high};
    return query;
}

std::string selection_text(const ExplorationChoice& choice) {
    if (choice.region.size() > 2) return {};
    if (choice.range) {
        const auto& [quantity, low, high, values] = *choice.range;
        std::string text = quantity.id() + (values.empty() && low < high ? ":" : "=");
        if (values.empty()) return text + format_exactly(low) + (low < high ? ".." + format_exactly(high) : "");
        for (const std::string& value : values) {
            if (text.back() != '=') text += ',';
            std::string doubled;
            for (const char c : value) doubled += c == '"' ? "\"\"" : std::string(1, c);
            text += value.find_first_of(",\"") == value.npos ? value : "\"" + doubled + "\"";
        }
        return text;
    }
    std::string text;
    for (size_t i = 0, end = 0; i < choice.ids.size(); i = end) {
        for (end = i + 1; end < choice.ids.size() && choice.ids[end] == choice.ids[end - 1] + 1;) ++end;
        text += (text.empty() ? word_of(choice.id_kind) + std::string(":") : ",") + std::to_string(choice.ids[i]) +
                (end > i + 1 ? ".." + std::to_string(choice.ids[end - 1]) : "");
    }
    return text;
}

void apply_selection(const SelectionQuery& query, const Scene& scene, const Geometry* input,
                     const std::string& error_prefix, ExplorationChoice& choice) {
    const std::string where = error_prefix + query.text;
    ExplorationChoice chosen = choice;
    chosen.clear_selection();
    chosen.hides_rest = choice.hides_rest;
    if (query.range) {
        chosen.range = {explored_of(query.range->quantity.attribute, input, where), query.range->low,
                        query.range->high};
        load_values(query.range->values, input, where, *chosen.range);
        choice = std::move(chosen);
        return;
    }
    const uint32_t explored = explored_view(scene);
    if (explored == kNone) throw Error(where + ": there is no mesh whose elements could be selected");
    const SceneView* const view = &scene.view(explored);
    if (!view->mesh && query.kind != ElementKind::kVertex)
        throw Error(where + ": cells of a lattice are selected by vertex:ID, the number of the site");
    const uint32_t vertices = view->mesh ? std::min(view->mesh->vertex_count, view->count_of(ElementKind::kVertex))
                                         : std::get<LatticeLayer>(SiteMesh::cells_of(*view)->shape).site_count;
    std::vector<std::pair<uint32_t, uint32_t>> vertex_of;  // by point
    uint32_t count = query.kind == ElementKind::kVertex ? vertices : view->count_of(query.kind);
    const Buffer<uint32_t>* const inputs_of =
        view->mesh ? &view->mesh->inputs : std::get<LatticeLayer>(SiteMesh::cells_of(*view)->shape).inputs;
    if (query.by_point && inputs_of) {
        std::vector<uint32_t> inputs(vertices);
        inputs_of->download(inputs.data(), vertices);
        const uint32_t points = input ? static_cast<uint32_t>(input->points.size()) : 0;
        const std::vector<bool> copies = view->mesh ? std::vector<bool>(vertices) : copies_among_sites(*view, vertices);
        for (uint32_t v = 0; v < vertices; ++v)
            if (!copies[v] && (view->mesh || inputs[v] < points)) vertex_of.emplace_back(inputs[v], v);
        std::sort(vertex_of.begin(), vertex_of.end());
        count = points;
        if (view->mesh && !vertex_of.empty()) count = std::max(count, vertex_of.back().first + 1);
    }
    for (const auto& [from, to] : query.ids) {
        if (to >= count)
            throw Error(where + ": " + std::to_string(to) + " is beyond the last, ids of " +
                        query.text.substr(0, query.text.rfind(':')) +
                        (count == 0 ? " are none at this point" : " go from 0 to " + std::to_string(count - 1)));
        if (!query.by_point || !inputs_of) {
            for (uint32_t id = from; id <= to; ++id) chosen.ids.push_back(id);
            continue;
        }
        for (auto at = std::lower_bound(vertex_of.begin(), vertex_of.end(), std::pair(from, 0u));
             at != vertex_of.end() && at->first <= to; ++at)
            chosen.ids.push_back(at->second);
    }
    if (chosen.ids.empty())
        throw Error(where + ": none of these points is a vertex; equal points are the first of them");
    std::sort(chosen.ids.begin(), chosen.ids.end());
    chosen.ids.erase(std::unique(chosen.ids.begin(), chosen.ids.end()), chosen.ids.end());
    chosen.id_kind = query.kind;
    choice = std::move(chosen);
}

}  // namespace flipscope::app
