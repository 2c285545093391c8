#include "app/figures/figure_shapes.h"
#include "app/view/density.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <tuple>

#include "app/figures/clip.h"

namespace flipscope::app {

namespace {

using ShapeKind = ShapeGroup::Kind;

constexpr double kShapesBeyond = 24;  // margin around the view within which shapes are kept, points
constexpr double kPixel = 0.75;       // a screen pixel, points
constexpr int kScaleSteps = 128;      // colours per scale

struct TooMany {};

template <class T>
std::vector<T> downloaded(const Buffer<T>* buffer, size_t count) {
    std::vector<T> values;
    if (!buffer || buffer->empty()) return values;
    values.resize(std::min(count, buffer->size()));
    if (!values.empty()) buffer->download(values.data(), values.size());
    return values;
}

struct ElementLooks {
    Style style;
    std::string title;
    bool plain = false;
    int order = 0;  // drawing order of the group in the layer
};

class Collector {
  public:
    Collector(const SceneView& view, const DisplayOptions& display, const ShapeRequest& request, uint64_t& elements)
        : view_(view),
          display_(display),
          request_(request),
          colors_(palette(request.light)),
          elements_(elements),
          low_{request.area.x - kShapesBeyond, request.area.y - kShapesBeyond},
          high_{request.area.right() + kShapesBeyond, request.area.bottom() + kShapesBeyond},
          unit_(72 / request.dpi) {
        const double finer = request.dpi / 96;
        const double gap = std::min(point_spacing(view) * request.camera.scale / finer, 1e9);
        const Renderer::PlainSizes plain = Renderer::plain_sizes(view, gap);
        line_ = kPixel * plain.line;
        point_ = kPixel * plain.point;
        if (request.line_pt > 0) {
            point_ *= request.line_pt / line_;
            line_ = request.line_pt;
        }
        angles_ = display.angles && has_fills();
    }

    std::vector<ShapeLayer> layers(bool words_only) {
        std::vector<ShapeLayer> layers;
        for (const Layer& layer : view_.layers) {
            if (!display_.shows(layer.id, layer.shown) || layer.empty()) continue;
            if (std::holds_alternative<LatticeLayer>(layer.shape)) continue;
            if (words_only && !std::holds_alternative<LabelsLayer>(layer.shape)) continue;
            made_ = {layer.id, layer.title.empty() ? layer.id : layer.title, request_.area, {}, {}};
            groups_.clear();
            std::visit([&](const auto& shape) { collect(layer, shape); }, layer.shape);
            for (auto& [key, group] : groups_) made_.groups.push_back(std::move(group));
            layers.push_back(std::move(made_));
        }
        return layers;
    }

  private:
    bool has_fills() const {
        for (const Layer& layer : view_.layers)
            if (const auto* faces = std::get_if<TrianglesLayer>(&layer.shape))
                if (faces->place_count > 0 && display_.shows(layer.id, layer.shown)) return true;
        return false;
    }

    // From the difference to the camera's centre: accurate far from the origin.
    Point on_page(Point world) const {
        const Point off = request_.camera.to_pixels(world);
        return {request_.area.x + 0.5 * request_.area.width + off.x * unit_,
                request_.area.y + 0.5 * request_.area.height - off.y * unit_};
    }
    double page_length(double world) const { return world * request_.camera.scale * unit_; }
    bool beside(Point low, Point high) const {
        // A coordinate that is not finite is outside.
        return !(low.x <= request_.area.right() && low.y <= request_.area.bottom() && high.x >= request_.area.x &&
                 high.y >= request_.area.y);
    }

    /// Of element `at`; elements without a state word have word 0.
    ElementLooks looks_of(const Layer& layer, const std::vector<State>& words, size_t at) const {
        const State word = at < words.size() ? words[at] : State(0);
        const LegendEntry::Element element = layer.element();
        const std::vector<LegendEntry>& legend = layer.legend;
        for (size_t i = 0; i < legend.size(); ++i) {
            if (!legend[i].matches(word)) continue;
            ElementLooks looks{
                colors_.style(element, legend[i].role, legend[i].number), {}, false, static_cast<int>(i) + 2};
            looks.style.color.a *= std::clamp(legend[i].strength, 0.f, 1.f);
            for (size_t k = i + 1; k-- > 0 && looks.title.empty();) looks.title = legend[k].name;
            return looks;
        }
        return {colors_.style(element, layer.role), made_.title, layer.role == Role::kPlain, 0};
    }

    void count() {
        if (++elements_ > request_.most) throw TooMany{};
    }

    /// `part`: further distinguishes groups of one layer.
    ShapeGroup& group(const ElementLooks& looks, ShapeKind kind, int part, const std::function<Paint()>& paint) {
        const auto key = std::tuple(looks.style.loud, looks.order, part, kind);
        const auto [found, fresh] = groups_.try_emplace(key);
        if (fresh) {
            found->second.kind = kind;
            found->second.title = looks.title;
            found->second.paint = paint();
        }
        return found->second;
    }

    /// Sets the colour of a number and returns its step of the scale; leaves the looks unchanged for NaN.
    int colour_by(const Layer& layer, float value, ElementLooks& looks) const {
        if (std::isnan(value)) {
            if (!layer.scale.shows_missing) return 0;
            looks.style.color = colors_.missing();
            looks.title = ColourScale::kNoValue;
            looks.order = 1;
            return -1;
        }
        const double place = layer.scale.place(value);
        const double steps = layer.scale.steps;
        const int step = static_cast<int>(steps > 0 ? std::min(std::floor(steps * place), steps - 1)
                                                    : std::round(kScaleSteps * place));
        looks.style.color = colors_.scale(layer.scale, steps > 0 ? (step + 0.5) / steps : step / double(kScaleSteps));
        looks.title = layer.scale.name;
        if (layer.scale.kind == ColourScale::Kind::kCategories &&
            value < static_cast<float>(layer.scale.classes.size()))
            looks.title += ": " + layer.scale.classes[static_cast<size_t>(std::max(0.f, value))];
        looks.order = 1;
        return step;
    }

    // ---- periodic boxes; as in shape.glsl
    static double wrapped(double at, double low, double size) {
        return size > 0 ? at - std::floor((at - low) / size) * size : at;
    }
    static double shortest(double way, double size) {
        return size > 0 ? way - std::floor(way / size + 0.5) * size : way;
    }
    Point wrapped(const Layer& layer, Point p) const {
        if (!layer.periodic) return p;
        const Point low = layer.periodic->low, size = layer.periodic->size;
        return {wrapped(p.x, low.x, size.x), wrapped(p.y, low.y, size.y)};
    }
    Point way(const Layer& layer, Point from, Point to) const {
        const Point off{to.x - from.x, to.y - from.y};
        if (!layer.periodic) return off;
        return {shortest(off.x, layer.periodic->size.x), shortest(off.y, layer.periodic->size.y)};
    }
    template <class Draw>
    void for_images(const Layer& layer, Point low, Point high, const Draw& draw) const {
        draw(Point{0, 0});
        if (!layer.periodic || !display_.shows(kImagesLayer, true)) return;
        const Point first = layer.periodic->low, size = layer.periodic->size;
        const double x = low.x < first.x ? size.x : -size.x, y = low.y < first.y ? size.y : -size.y;
        const bool has_x = size.x > 0 && (low.x < first.x || high.x > first.x + size.x);
        const bool has_y = size.y > 0 && (low.y < first.y || high.y > first.y + size.y);
        if (has_x) draw(Point{x, 0});
        if (has_y) draw(Point{0, y});
        if (has_x && has_y) draw(Point{x, y});
    }
    void clip_to_box(const Layer& layer) {
        if (!layer.periodic) return;
        const Point low = layer.periodic->low, size = layer.periodic->size;
        const Point a = on_page(low), b = on_page({low.x + size.x, low.y + size.y});
        Area& clip = made_.clip;
        if (size.x > 0) {
            const double left = std::max(clip.x, a.x), right = std::min(clip.right(), b.x);
            clip.x = left;
            clip.width = std::max(0.0, right - left);
        }
        if (size.y > 0) {
            const double top = std::max(clip.y, b.y), bottom = std::min(clip.bottom(), a.y);
            clip.y = top;
            clip.height = std::max(0.0, bottom - top);
        }
    }

    void add_line(const ElementLooks& looks, int part, Point a, Point b, double size, bool round) {
        ShapeGroup& to = group(looks, ShapeKind::kLines, part, [&] {
            return Paint{{}, looks.style.color, line_ * size, round};
        });
        to.places.push_back(a);
        to.places.push_back(b);
    }

    void add_disc(const ElementLooks& looks, int part, Point centre, double radius, bool rim) {
        ShapeGroup& to = group(looks, ShapeKind::kDiscs, 2 * part + rim, [&] {
            Paint paint{looks.style.color, {}};
            if (rim) {
                paint.stroke = colors_.canvas.alpha(0.55f);
                paint.width = kPixel;
            }
            return paint;
        });
        to.places.push_back(centre);
        to.radii.push_back(radius);
    }

    void add_point(const Layer& layer, Point world, const ElementLooks& looks, int part) {
        const double wanted = point_ * looks.style.size, least = kPixel * (looks.style.loud ? 3 : 1);
        const double radius = 0.5 * std::max(wanted, least);
        const double reach = radius / (request_.camera.scale * unit_);
        const Point at = wrapped(layer, world);
        const auto draw = [&](Point by) {
            const Point p = on_page({at.x + by.x, at.y + by.y});
            if (beside({p.x - radius, p.y - radius}, {p.x + radius, p.y + radius})) return;
            count();
            add_disc(looks, part, p, radius, false);
        };
        for_images(layer, {at.x - reach, at.y - reach}, {at.x + reach, at.y + reach}, draw);
    }

    void collect(const Layer& layer, const PointsLayer& points) {
        clip_to_box(layer);
        const uint32_t last = points.drawn_end();
        const auto places = downloaded(points.places, last);
        const auto words = downloaded(points.states, last);
        const auto values = downloaded(layer.scalars, points.count);
        const auto draw = [&](uint32_t i) {
            if (i >= places.size()) return;
            ElementLooks looks = looks_of(layer, words, i);
            if (looks.plain && i >= points.helper_begin)
                looks = {colors_.style(LegendEntry::Element::kVertex, Role::kHelper), "helpers", true, 1};
            const int part = i < values.size() ? colour_by(layer, values[i], looks) : 0;
            add_point(layer, places[i], looks, part);
        };
        for (uint32_t i = 0; i < points.count; ++i) draw(i);
        for (uint32_t i = points.helper_begin; i < points.helper_end; ++i) draw(i);
    }

    void collect(const Layer& layer, const DiscsLayer& discs) {
        clip_to_box(layer);
        const auto centres = downloaded(discs.centres, discs.count);
        const auto radii = downloaded(discs.radii, discs.count);
        const auto turns = downloaded(discs.orientations, discs.count);
        const auto words = downloaded(discs.states, discs.count);
        const auto values = downloaded(layer.scalars, discs.count);
        for (size_t i = 0; i < centres.size(); ++i) {
            ElementLooks looks = looks_of(layer, words, i);
            const int part = i < values.size() ? colour_by(layer, values[i], looks) : 0;
            const double world = std::max(i < radii.size() ? radii[i] : discs.radius, 0.0);
            const double radius = page_length(world);
            const Point at = wrapped(layer, centres[i]);
            const auto draw = [&](Point by) {
                const Point p = on_page({at.x + by.x, at.y + by.y});
                if (beside({p.x - radius, p.y - radius}, {p.x + radius, p.y + radius})) return;
                count();
                add_disc(looks, part, p, radius, radius > 5 * kPixel);
                if (i >= turns.size() || radius <= 3 * kPixel) return;
                ElementLooks spoke = looks;
                spoke.order = 1000;  // over all discs
                spoke.style.color = colors_.canvas.alpha(0.8f);
                spoke.style.loud = true;
                spoke.title = "orientation";
                add_line(spoke, 0, p, {p.x + radius * std::cos(turns[i]), p.y - radius * std::sin(turns[i])}, 1, false);
            };
            for_images(layer, {at.x - world, at.y - world}, {at.x + world, at.y + world}, draw);
        }
    }

    void add_stroke(const Layer& layer, Point from, Point off, const ElementLooks& looks, int part, bool arrow,
                    bool counted) {
        if (looks.style.color.a == 0) return;
        const Point at = wrapped(layer, from), to{at.x + off.x, at.y + off.y};
        const auto draw = [&](Point by) {
            Point p = on_page({at.x + by.x, at.y + by.y}), q = on_page({to.x + by.x, to.y + by.y});
            if (beside({std::min(p.x, q.x), std::min(p.y, q.y)}, {std::max(p.x, q.x), std::max(p.y, q.y)})) return;
            const Point tip = q;
            const double whole = std::hypot(q.x - p.x, q.y - p.y);
            if (!clip_segment(p, q, low_, high_)) return;
            if (counted) count();
            const bool has_head = arrow && q == tip && whole > 0;
            if (has_head) {
                const double head = std::min(0.45 * whole, 5 * line_ * looks.style.size);
                const Point along{(tip.x - p.x) / std::max(std::hypot(tip.x - p.x, tip.y - p.y), 1e-12),
                                  (tip.y - p.y) / std::max(std::hypot(tip.x - p.x, tip.y - p.y), 1e-12)};
                const Point base{tip.x - head * along.x, tip.y - head * along.y};
                q = {tip.x - 0.7 * head * along.x, tip.y - 0.7 * head * along.y};
                ShapeGroup& heads = group(looks, ShapeKind::kPolygons, part, [&] {
                    return Paint{looks.style.color, {}};
                });
                heads.places.push_back(tip);
                heads.places.push_back({base.x - 0.5 * head * along.y, base.y + 0.5 * head * along.x});
                heads.places.push_back({base.x + 0.5 * head * along.y, base.y - 0.5 * head * along.x});
                heads.ends.push_back(static_cast<uint32_t>(heads.places.size()));
            }
            add_line(looks, part, p, q, looks.style.size, !counted);
        };
        for_images(layer, {std::min(at.x, to.x), std::min(at.y, to.y)}, {std::max(at.x, to.x), std::max(at.y, to.y)},
                   draw);
    }

    void collect(const Layer& layer, const SegmentsLayer& segments) {
        clip_to_box(layer);
        const uint32_t total = segments.element_count();
        const auto places = downloaded(segments.places, segments.place_count);
        std::vector<uint32_t> ends = segments.few_ends;
        if (ends.empty()) ends = downloaded(segments.ends, 2 * size_t(total));
        const bool given = !ends.empty() || segments.ends;
        const auto words = downloaded(segments.states, total);
        const auto values = downloaded(layer.scalars, total);
        for (uint32_t i = 0; i < total; ++i) {
            if (given && 2 * size_t(i) + 1 >= ends.size()) break;
            const uint32_t a = given ? ends[2 * size_t(i)] : 2 * i, b = given ? ends[2 * size_t(i) + 1] : 2 * i + 1;
            if (a >= places.size() || b >= places.size()) continue;
            ElementLooks looks = looks_of(layer, words, i);
            if (looks.plain && (a >= segments.helper_begin || b >= segments.helper_begin))
                looks = {colors_.style(LegendEntry::Element::kEdge, Role::kHelper), "helpers", false, 1};
            if (looks.plain && angles_ && !layer.periodic && !segments.arrows)
                looks.style = {colors_.surface_edge, 1, false};
            const int part = i < values.size() ? colour_by(layer, values[i], looks) : 0;
            add_stroke(layer, places[a], way(layer, places[a], places[b]), looks, part, segments.arrows, true);
        }
    }

    void collect(const Layer& layer, const PolylinesLayer& lines) {
        clip_to_box(layer);
        constexpr int kFading = 8;  // steps
        const auto points = downloaded(lines.points, lines.point_count);
        const auto starts = downloaded(lines.starts, size_t(lines.count) + 1);
        const auto words = downloaded(lines.states, lines.count);
        const auto values = downloaded(layer.scalars, lines.count);
        for (size_t i = 0; i + 1 < starts.size(); ++i) {
            const uint32_t first = starts[i], end = starts[i + 1];
            if (end > points.size() || first + 1 >= end) continue;
            ElementLooks looks = looks_of(layer, words, i);
            int part = i < values.size() ? colour_by(layer, values[i], looks) : 0;
            const uint32_t pieces = end - first - 1;
            for (uint32_t k = 0; k < pieces; ++k) {
                ElementLooks faded = looks;
                int step = kFading;
                if (lines.fades) {
                    step = std::min<int>(kFading, 1 + static_cast<int>(kFading * (k + 0.5) / pieces));
                    faded.style.color.a *= static_cast<float>(step) / kFading;
                }
                count();
                add_stroke(layer, points[first + k], way(layer, points[first + k], points[first + k + 1]), faded,
                           part * (kFading + 1) + step, false, false);
            }
        }
    }

    void collect(const Layer& layer, const TrianglesLayer& faces) {
        clip_to_box(layer);
        const auto places = downloaded(faces.places, faces.place_count);
        const auto corners = downloaded(faces.corners, 3 * size_t(faces.count));
        const auto words = downloaded(faces.states, faces.count);
        const auto values = downloaded(layer.scalars, faces.count);
        const bool one_style = layer.role != Role::kPlain && !faces.states;
        const bool by_angle = angles_ && !layer.scalars && !layer.periodic && !one_style;
        for (size_t t = 0; 3 * t + 2 < corners.size(); ++t) {
            const uint32_t* const c = &corners[3 * t];
            if (c[0] >= places.size() || c[1] >= places.size() || c[2] >= places.size()) continue;  // a ghost
            if (faces.helper_begin != kNone &&
                (c[0] >= faces.helper_begin || c[1] >= faces.helper_begin || c[2] >= faces.helper_begin))
                continue;
            ElementLooks looks = looks_of(layer, words, t);
            int part = t < values.size() ? colour_by(layer, values[t], looks) : 0;
            const Point a = wrapped(layer, places[c[0]]), d = way(layer, places[c[0]], places[c[1]]),
                        e = way(layer, places[c[0]], places[c[2]]);
            if (by_angle) {
                part = static_cast<int>(std::lround(least_angle(d, e)));
                const Color ground = colors_.angle(part);
                const float over = looks.plain || looks.order == 0 ? 0 : std::min(3 * looks.style.color.a, 1.f);
                const Color own = looks.style.color;
                looks.style.color = {ground.r + over * (own.r - ground.r), ground.g + over * (own.g - ground.g),
                                     ground.b + over * (own.b - ground.b), 1};
            }
            if (looks.style.color.a == 0) continue;
            const Point b{a.x + d.x, a.y + d.y}, f{a.x + e.x, a.y + e.y};
            const auto draw = [&](Point by) {
                std::vector<Point> shape{on_page({a.x + by.x, a.y + by.y}), on_page({b.x + by.x, b.y + by.y}),
                                         on_page({f.x + by.x, f.y + by.y})};
                const auto [left, right] = std::minmax({shape[0].x, shape[1].x, shape[2].x});
                const auto [top, bottom] = std::minmax({shape[0].y, shape[1].y, shape[2].y});
                if (beside({left, top}, {right, bottom})) return;
                if (left < low_.x || top < low_.y || right > high_.x || bottom > high_.y)
                    shape = clip_polygon(std::move(shape), low_, high_);
                if (shape.size() < 3) return;
                count();
                ShapeGroup& to = group(looks, ShapeKind::kPolygons, part, [&] {
                    Paint paint{looks.style.color, {}};
                    paint.adjoining = true;
                    return paint;
                });
                to.places.insert(to.places.end(), shape.begin(), shape.end());
                to.ends.push_back(static_cast<uint32_t>(to.places.size()));
            };
            const auto [left, right] = std::minmax({a.x, b.x, f.x});
            const auto [low, high] = std::minmax({a.y, b.y, f.y});
            for_images(layer, {left, low}, {right, high}, draw);
        }
    }

    void collect(const Layer& layer, const LabelsLayer& labels) {
        const Color color = layer.role == Role::kPlain ? colors_.text : colors_.role(layer.role);
        for (const LabelsLayer::Label& label : labels.labels) {
            const Point p = on_page(label.place);
            const Area& area = request_.area;
            if (!(p.x >= area.x && p.x <= area.right() && p.y >= area.y && p.y <= area.bottom())) continue;
            made_.words.push_back({p, label.text, color});
        }
    }

    void collect(const Layer&, const LatticeLayer&) {}

    static double least_angle(Point d, Point e) {  // degrees
        const double size = std::max({std::abs(d.x), std::abs(d.y), std::abs(e.x), std::abs(e.y)});
        if (size == 0) return 0;
        const Point p{d.x / size, d.y / size}, q{e.x / size, e.y / size}, r{q.x - p.x, q.y - p.y};
        const double area = std::abs(p.x * q.y - p.y * q.x);
        const double least =
            std::min({std::atan2(area, p.x * q.x + p.y * q.y), std::atan2(area, -p.x * r.x - p.y * r.y),
                      std::atan2(area, q.x * r.x + q.y * r.y)});
        return least * 180 / std::numbers::pi;
    }

    const SceneView& view_;
    const DisplayOptions& display_;
    const ShapeRequest& request_;
    const Palette& colors_;
    uint64_t& elements_;
    Point low_, high_;  // bounds for shapes
    double unit_;       // points per pixel
    double line_ = 1, point_ = 1;
    bool angles_ = false;
    ShapeLayer made_;
    std::map<std::tuple<bool, int, int, ShapeKind>, ShapeGroup> groups_;
};

}  // namespace

size_t ShapeGroup::count() const {
    return kind == Kind::kLines ? places.size() / 2 : kind == Kind::kDiscs ? radii.size() : ends.size();
}

std::optional<std::vector<ShapeLayer>> shapes_of(const SceneView& view, const DisplayOptions& display,
                                                 const ShapeRequest& request, uint64_t& elements) {
    try {
        return Collector(view, display, request, elements).layers(false);
    } catch (const TooMany&) {
        return std::nullopt;
    }
}

std::vector<ShapeLayer> words_of(const SceneView& view, const DisplayOptions& display, const ShapeRequest& request) {
    uint64_t elements = 0;
    return Collector(view, display, request, elements).layers(true);
}

void draw_shapes(const Ink& ink, const ShapeLayer& layer) {
    Drawing& drawing = ink.drawing;
    drawing.begin_layer(layer.id, layer.title, layer.clip);
    for (const ShapeGroup& group : layer.groups) {
        drawing.begin_group(group.title, group.paint);
        if (group.kind == ShapeKind::kLines)
            for (size_t i = 0; i + 1 < group.places.size(); i += 2) drawing.line(group.places[i], group.places[i + 1]);
        for (size_t i = 0; i < group.radii.size(); ++i) drawing.disc(group.places[i], group.radii[i]);
        for (size_t i = 0, begin = 0; i < group.ends.size(); begin = group.ends[i++])
            drawing.polygon({group.places.begin() + static_cast<ptrdiff_t>(begin),
                             group.places.begin() + static_cast<ptrdiff_t>(group.ends[i])});
        drawing.end_group();
    }
    for (const ShapeLayer::Word& word : layer.words) draw_word(ink, layer.clip, word.at, word.text, word.color);
    drawing.end_layer();
}

}  // namespace flipscope::app
