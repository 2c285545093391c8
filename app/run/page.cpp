#include "app/run/page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "app/base/xml_text.h"
#include "app/view/palette.h"
#include "flipscope/colour_lattice.h"

namespace flipscope::app {

namespace {

constexpr double kSteps = 1 << 20;            // places in a view's longer side
constexpr size_t kMostExplained = 3000;       // elements of a step with reports
constexpr size_t kMostReportBytes = 6 << 20;  // of all reports, before compression
constexpr int kScaleSteps = 250;              // places on a colour scale

template <class T>
std::vector<T> downloaded(const Buffer<T>* buffer, size_t count) {
    std::vector<T> values;
    if (!buffer) return values;
    values.resize(std::min(count, buffer->size()));
    if (!values.empty()) buffer->download(values.data(), values.size());
    return values;
}

/// A colour in both themes.
template <class Of>
Json in_both(const Of& of) {
    return {hex_of(of(palette(true))), hex_of(of(palette(false)))};
}

Json scale_json(const ColourScale& scale) {
    Json stops = Json::array();
    if (scale.kind == ColourScale::Kind::kCategories)
        for (uint32_t k = 0; k <= ColourScale::kOtherClass; ++k)
            stops.push_back(in_both([&](const Palette& p) { return p.category(k); }));
    else
        for (size_t k = 0, last = scale.steps > 0 ? kScaleSteps : Palette::kStops - 1; k <= last; ++k)
            stops.push_back(in_both([&](const Palette& p) { return p.scale(scale, double(k) / double(last)); }));
    return {{"name", scale.name}, {"unit", scale.unit},      {"low", scale.low},
            {"high", scale.high}, {"steps", kScaleSteps},    {"logarithmic", scale.logarithmic},
            {"stops", stops},     {"classes", scale.classes}};
}

/// Places on the bar; -1: no number.
template <class T>
std::vector<int32_t> on_scale(const std::vector<T>& numbers, const ColourScale& scale) {
    std::vector<int32_t> places;
    places.reserve(numbers.size());
    for (const T number : numbers)
        places.push_back(std::isnan(number) ? -1
                                            : std::lround(kScaleSteps * std::clamp(scale.place(number), 0.0, 1.0)));
    return places;
}

template <class T>
std::vector<int32_t> as_numbers(const std::vector<T>& values) {
    std::vector<int32_t> numbers;
    numbers.reserve(values.size());
    for (const T value : values) numbers.push_back(static_cast<int32_t>(std::min<uint64_t>(value, INT32_MAX)));
    return numbers;
}

/// An array as its differences from an equally long one before it, where that is shorter.
Json array_json(const std::vector<const std::vector<int32_t>*>& arrays, size_t i) {
    const std::vector<int32_t>& own = *arrays[i];
    for (size_t k = i; own.size() >= 16 && k-- > (i > 64 ? i - 64 : 0);) {
        const std::vector<int32_t>& other = *arrays[k];
        if (other.size() != own.size()) continue;
        std::vector<int32_t> at, to;
        for (size_t j = 0; j < own.size() && 4 * at.size() < own.size(); ++j)
            if (own[j] != other[j]) {
                at.push_back(static_cast<int32_t>(j));
                to.push_back(own[j]);
            }
        if (4 * at.size() < own.size()) return {{"of", k}, {"at", at}, {"to", to}};
    }
    return own;
}

constexpr const char* kMarkKinds[] = {"point", "line", "polygon", "circle"};  // as Highlight::Kind

}  // namespace

/// Whole numbers: 2^20 along the longer side of the view, from its lower left corner. Surfaces are projected.
struct Page::Plane {
    Point low;
    double unit = 1;
    bool in_space = false;
    ViewAxes view;
    Point size;  // of the view, in these numbers

    Plane(const SceneView& scene, const ViewAxes& from) : low(scene.low), in_space(scene.in_space), view(from) {
        Point high = scene.high;
        if (in_space) {
            low = {1e300, 1e300};
            high = {-1e300, -1e300};
            for (int corner = 0; corner < 8; ++corner) {
                const Point p =
                    view.project({corner & 1 ? scene.high.x : scene.low.x, corner & 2 ? scene.high.y : scene.low.y,
                                  corner & 4 ? scene.high_z : scene.low_z});
                low = {std::min(low.x, p.x), std::min(low.y, p.y)};
                high = {std::max(high.x, p.x), std::max(high.y, p.y)};
            }
        }
        const double side = std::max(high.x - low.x, high.y - low.y);
        unit = side > 0 ? side / kSteps : 1;
        size = {std::max((high.x - low.x) / unit, 1.0), std::max((high.y - low.y) / unit, 1.0)};
    }
    int32_t length(double world) const {
        const double steps = world / unit;
        return std::isfinite(steps) ? static_cast<int32_t>(std::lround(std::clamp(steps, -1e9, 1e9))) : 0;
    }
    void put(std::vector<int32_t>& to, Point3 p) const {
        const Point flat = in_space ? view.project(p) : Point{p.x, p.y};
        to.push_back(length(flat.x - low.x));
        to.push_back(length(flat.y - low.y));
    }
    std::vector<int32_t> places(const Buffer<Point>* points, const Buffer<double>* heights, size_t count) const {
        const std::vector<Point> plane = downloaded(points, count);
        const std::vector<double> up = downloaded(heights, count);
        std::vector<int32_t> numbers;
        numbers.reserve(2 * plane.size());
        for (size_t i = 0; i < plane.size(); ++i) put(numbers, {plane[i].x, plane[i].y, i < up.size() ? up[i] : 0});
        return numbers;
    }
};

/// Adds the parts of a layer that its kind has.
struct Page::ViewWriter {
    Page& page;
    const Plane& plane;
    const Layer& layer;
    Json& to;

    void put(const char* key, std::vector<int32_t> numbers) {
        if (!numbers.empty()) to[key] = page.add_array(std::move(numbers));
    }
    void write(const PointsLayer& points) {
        to["kind"] = "points";
        put("places", plane.places(points.places, points.heights, points.drawn_end()));
        if (points.has_helpers()) to["helpers"] = {points.helper_begin, points.helper_end};
    }
    void write(const DiscsLayer& discs) {
        to["kind"] = "discs";
        put("places", plane.places(discs.centres, nullptr, discs.count));
        std::vector<int32_t> radii, turns;
        for (const double radius : downloaded(discs.radii, discs.count)) radii.push_back(plane.length(radius));
        for (const double turn : downloaded(discs.orientations, discs.count)) turns.push_back(std::lround(1000 * turn));
        put("radii", std::move(radii));
        put("turns", std::move(turns));
        to["radius"] = plane.length(discs.radius);
    }
    void write(const SegmentsLayer& lines) {
        to["kind"] = "segments";
        put("places", plane.places(lines.places, lines.heights, lines.place_count));
        put("ends",
            as_numbers(lines.few_ends.empty() ? downloaded(lines.ends, 2 * size_t(lines.count)) : lines.few_ends));
        if (lines.arrows) to["arrows"] = true;
        if (lines.helper_begin < lines.place_count) to["helpers"] = {lines.helper_begin, lines.place_count};
    }
    void write(const PolylinesLayer& lines) {
        to["kind"] = "polylines";
        put("places", plane.places(lines.points, nullptr, lines.point_count));
        put("starts", as_numbers(downloaded(lines.starts, size_t(lines.count) + 1)));
    }
    void write(const TrianglesLayer& faces) {
        to["kind"] = "triangles";
        put("places", plane.places(faces.places, faces.heights, faces.place_count));
        put("ends", as_numbers(downloaded(faces.corners, 3 * size_t(faces.count))));
        if (faces.helper_begin < faces.place_count) to["helpers"] = {faces.helper_begin, faces.place_count};
    }
    void write(const LatticeLayer& lattice) {
        const size_t count = lattice.element_count();
        to["kind"] = "lattice";
        to["width"] = lattice.width;
        to["height"] = lattice.height;
        std::vector<int32_t> corner;  // pixel (0, 0) reaches from -1/2 to 1/2
        plane.put(corner, {-0.5, -0.5, 0});
        to["corner"] = corner;
        to["pixel"] = 1 / plane.unit;
        if (lattice.fills) to["fills"] = true;
        std::vector<int32_t> cells, tints;
        const std::vector<uint32_t> names = downloaded(lattice.names, SIZE_MAX);
        for (const uint32_t colour : downloaded(lattice.colours, count)) {
            const bool is_cell = colour < kMaxLink;
            cells.push_back(is_cell ? colour : colour == kMaxLink ? -2 : -1);
            while (is_cell && tints.size() <= colour) {
                const auto cell = static_cast<uint32_t>(tints.size());
                const uint32_t name = cell < names.size() ? names[cell] : lattice.names ? kNone : cell;
                tints.push_back(name == kNone ? -1 : static_cast<int32_t>(Palette::cell_place(name)));
            }
        }
        put("inputs", as_numbers(downloaded(lattice.inputs, SIZE_MAX)));
        put("cells", std::move(cells));
        put("tints", std::move(tints));
        put("numbers", on_scale(downloaded(lattice.numbers, SIZE_MAX), layer.scale));
        put("field", on_scale(downloaded(lattice.field, count), layer.scale));
    }
    void write(const LabelsLayer& labels) {
        to["kind"] = "labels";
        std::vector<int32_t> places;
        Json texts = Json::array();
        for (const LabelsLayer::Label& label : labels.labels) {
            plane.put(places, {label.place.x, label.place.y, 0});
            texts.push_back(label.text);
        }
        put("places", std::move(places));
        to["texts"] = texts;
    }
};

size_t Page::element_count(const Scene& scene) {
    size_t count = 0;
    for (size_t i = 0; i < scene.view_count(); ++i)
        for (const Layer& layer : scene.view(i).layers)
            std::visit(
                [&](const auto& shape) {
                    // Pixels are compressed well.
                    if (!shape.empty())
                        count += std::is_same_v<std::decay_t<decltype(shape)>, LatticeLayer>
                                     ? shape.element_count() / 64
                                     : shape.element_count();
                },
                layer.shape);
    return count;
}

size_t Page::add_array(std::vector<int32_t> numbers) {
    const auto [found, fresh] = array_ids_.try_emplace(std::move(numbers), arrays_.size());
    if (fresh) arrays_.push_back(&found->first);
    return found->second;
}

size_t Page::add_text(const std::string& text) {
    const auto [found, fresh] = text_ids_.try_emplace(text, texts_.size());
    if (fresh) texts_.push_back(text);
    return found->second;
}

size_t Page::add_style(LegendEntry::Element element, Role role, uint32_t number, float strength) {
    const Style style = palette(true).style(element, role, number);
    const Json colours = in_both([&](const Palette& p) {
        Color color = p.style(element, role, number).color;
        return color.alpha(color.a * std::clamp(strength, 0.f, 1.f));
    });
    Json made{{"colours", colours}, {"size", std::lround(100 * style.size) / 100.0}, {"loud", style.loud}};
    const auto [found, fresh] = style_ids_.try_emplace(made.dump(), styles_.size());
    if (fresh) styles_.push_back(std::move(made));
    return found->second;
}

Json Page::json_of(const SceneView& view, const Plane& plane) {
    Json made{{"title", view.title}, {"size", {plane.size.x, plane.size.y}}, {"low", {plane.low.x, plane.low.y}},
              {"unit", plane.unit},  {"points", view.point_count},           {"layers", Json::array()}};
    // (v) the point of the input at each vertex, which a notebook selects.
    if (view.mesh) made["inputs"] = add_array(as_numbers(downloaded(&view.mesh->inputs, view.mesh->vertex_count)));
    for (const Layer& layer : view.layers) {
        if (layer.empty()) continue;
        const LegendEntry::Element element = layer.element();
        Json one{{"id", layer.id},
                 {"title", layer.title.empty() ? layer.id : layer.title},
                 {"shown", layer.shown},
                 {"sentence", layer.sentence},
                 {"count", 0},
                 {"element", static_cast<int>(element)},
                 {"style", add_style(element, layer.role)}};
        size_t drawn = 0;
        std::visit(
            [&](const auto& shape) {
                drawn = shape.element_count();
                if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, PointsLayer>) drawn = shape.drawn_end();
                one["count"] = shape.element_count();
                ViewWriter{*this, plane, layer, one}.write(shape);
            },
            layer.shape);
        one["numbered"] = std::visit([](const auto& shape) { return shape.elements().each; }, layer.shape) > 0;
        if (one.contains("helpers")) one["helper_style"] = add_style(element, Role::kHelper);
        if (const auto words = downloaded(layer.states(), drawn); !words.empty() && !layer.legend.empty()) {
            std::vector<int32_t> classes;
            for (const State word : words) {
                const auto found = std::find_if(
                    layer.legend.begin(), layer.legend.end(),
                    [&](const LegendEntry& entry) { return entry.element == element && entry.matches(word); });
                classes.push_back(found == layer.legend.end() ? -1 : found - layer.legend.begin());
            }
            one["classes"] = add_array(std::move(classes));
            Json entries = Json::array();
            for (const LegendEntry& entry : layer.legend)
                entries.push_back({add_style(element, entry.role, entry.number, entry.strength), add_text(entry.name),
                                   add_text(entry.sentence)});
            one["legend"] = std::move(entries);
        }
        if (layer.scalars) one["values"] = add_array(on_scale(downloaded(layer.scalars, drawn), layer.scale));
        if (layer.has_scale()) one["scale"] = scale_json(layer.scale);
        if (const auto& box = layer.periodic) {
            std::vector<int32_t> corner;
            plane.put(corner, {box->low.x, box->low.y, 0});
            one["box"] = {corner[0], corner[1], plane.length(box->size.x), plane.length(box->size.y)};
        }
        made["layers"].push_back(std::move(one));
    }
    return made;
}

Json Page::json_of(const std::vector<Highlight>& highlights, const std::vector<Plane>& planes) {
    Json list = Json::array();
    for (const Highlight& mark : highlights) {
        if (mark.part >= planes.size() || mark.places.empty()) continue;
        const Plane& plane = planes[mark.part];
        std::vector<int32_t> places;
        for (const Point3& place : mark.places) plane.put(places, place);
        Json one{{"kind", kMarkKinds[static_cast<int>(mark.kind)]},
                 {"part", mark.part},
                 {"places", places},
                 {"style", add_style(LegendEntry::Element::kEdge, mark.role)},
                 {"name", add_text(mark.name)}};
        if (mark.kind == Highlight::Kind::kCircle) one["radius"] = plane.length(mark.radius);
        if (mark.style == Highlight::Style::kDashed) one["dashed"] = true;
        list.push_back(std::move(one));
    }
    return list;
}

Json Page::report_json(const PageStep& step, const std::vector<Plane>& planes, const Element& element) {
    const auto before = static_cast<uint32_t>(step.views_beside);
    Report report = step.inspectable->inspect({element.kind, element.id, element.part - before});
    for (Highlight& mark : report.highlights) mark.part += before;
    Json sections = Json::array();
    for (const Section& section : report.sections) {
        const auto* const properties = std::get_if<Properties>(&section.content);
        if (!properties) continue;
        Json lines = Json::array();
        for (const Property& one : *properties)
            for (const std::string& text : {one.name, text_of(one.value), remark_of(one)})
                lines.push_back(add_text(text));
        sections.push_back({add_text(section.title), std::move(lines)});
    }
    return {std::move(sections), json_of(report.highlights, planes)};
}

Json Page::explain(const PageStep& step, const Element& element) { return report_json(step, planes_of(step), element); }

Json Page::reports_of(const PageStep& step, const std::vector<Plane>& planes) {
    Json found = Json::array();
    const auto before = static_cast<uint32_t>(step.views_beside);
    size_t elements = 0;
    constexpr ElementKind kKinds[] = {ElementKind::kVertex, ElementKind::kEdge, ElementKind::kTriangle};
    for (size_t part = before; part < step.scene.view_count(); ++part)
        for (const ElementKind kind : kKinds) elements += step.scene.view(part).count_of(kind);
    if (!step.inspectable || elements > kMostExplained) return found;
    for (uint32_t part = before; part < step.scene.view_count(); ++part) {
        for (const ElementKind kind : kKinds) {
            std::vector<int32_t> ids;
            const uint32_t count = step.scene.view(part).count_of(kind);
            for (uint32_t id = 0; id < count && report_bytes_ < kMostReportBytes; ++id) {
                Json made = report_json(step, planes, {kind, id, part});
                const std::string text = made.dump();
                const auto [same, fresh] = report_ids_.try_emplace(text, reports_.size());
                if (fresh) {
                    reports_.push_back(std::move(made));
                    report_bytes_ += text.size();
                }
                ids.push_back(static_cast<int32_t>(same->second));
            }
            if (!ids.empty())
                found.push_back({{"part", part}, {"element", static_cast<int>(kind)}, {"ids", add_array(ids)}});
        }
    }
    return found;
}

std::vector<Page::Plane> Page::planes_of(const PageStep& step) {
    std::vector<Plane> planes;
    for (size_t i = 0; i < step.scene.view_count(); ++i) planes.emplace_back(step.scene.view(i), step.view);
    return planes;
}

void Page::add(const PageStep& step) {
    Json made = step.words;
    const std::vector<Plane> planes = planes_of(step);
    if (!step.images.empty()) {
        made["images"] = Json::array();
        for (const std::string& png : step.images) made["images"].push_back("data:image/png;base64," + base64(png));
    } else {
        made["views"] = Json::array();
        for (size_t i = 0; i < planes.size(); ++i) made["views"].push_back(json_of(step.scene.view(i), planes[i]));
        made["marks"] = json_of(step.highlights, planes);
        if (!step.answer.empty()) made["question"]["marks"] = json_of(step.answer, planes);
        made["reports"] = reports_of(step, planes);
        Json labels = Json::array();
        for (const ElementLabel& label : step.labels) {
            if (label.element.part >= planes.size()) continue;
            std::vector<int32_t> place;
            planes[label.element.part].put(place, {label.place.x, label.place.y, 0});
            labels.push_back({label.element.part, place[0], place[1], label.text});
        }
        made["labels"] = std::move(labels);
    }
    made["first"] = step.views_beside;
    made["display"] = step.display.layers;
    steps_.push_back(std::move(made));
}

Json Page::added(bool in_memory) {
    const auto rest = [](const auto& list, size_t from) {
        Json some = Json::array();
        for (size_t i = from; i < list.size(); ++i) some.push_back(list[i]);
        return some;
    };
    Json arrays = Json::array();
    for (size_t i = sent_.arrays; i < arrays_.size(); ++i)
        arrays.push_back(in_memory ? Json{reinterpret_cast<uintptr_t>(arrays_[i]->data()), arrays_[i]->size()}
                                   : array_json(arrays_, i));
    Json made{{"steps", rest(steps_, sent_.steps)},
              {"arrays", std::move(arrays)},
              {"texts", rest(texts_, sent_.texts)},
              {"styles", rest(styles_, sent_.styles)},
              {"reports", rest(reports_, sent_.reports)}};
    sent_ = {steps_.size(), arrays_.size(), texts_.size(), styles_.size(), reports_.size()};
    return made;
}

Json Page::json() {
    sent_ = {};
    Json made = added(), cells = Json::array();
    for (size_t k = 0; k < Palette::kCells; ++k) cells.push_back(in_both([k](const Palette& p) { return p.cells[k]; }));
    made["title"] = title_;
    made["cells"] = std::move(cells);
    made["border"] = in_both([](const Palette& p) { return p.cell_border; });
    made["obstacle"] = in_both([](const Palette& p) { return p.role(Role::kObstacle); });
    return made;
}

Json words_of_pass(const Timeline& timeline) {
    const Lab& lab = timeline.lab();
    const LabInfo& info = lab.info();
    char hash[20];
    std::snprintf(hash, sizeof hash, "%016llx", static_cast<unsigned long long>(lab.state_hash()));
    Json words{{"position", timeline.position()}, {"hash", hash}, {"done", timeline.done()}};
    if (timeline.position() == 0) {
        words["pass"] = "The start";
        words["sentence"] = info.sentence;
        return words;
    }
    const StepResult& last = timeline.result(timeline.position() - 1);
    if (last.pass < info.passes.size()) {
        words["pass"] = info.passes[last.pass].name;
        words["sentence"] = info.passes[last.pass].sentence;
    }
    if (!last.message.empty()) words["message"] = last.message.text();
    Json counters = Json::array();
    for (size_t i = 0; i < std::min(info.counters.size(), last.counters.size()); ++i)
        if (last.counters[i] != kNotCounted)
            counters.push_back({info.counters[i].name, last.counters[i], info.counters[i].sentence});
    words["counters"] = std::move(counters);
    return words;
}

}  // namespace flipscope::app
