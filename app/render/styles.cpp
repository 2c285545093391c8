// Style tables for the shaders: the style of each state of an element.
#include <algorithm>
#include <cmath>

#include "app/render/renderer_impl.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kStates = 1u << 16;
constexpr size_t kMostKept = 64;      // limit on cached tables
constexpr uint32_t kScaleRows = 256;  // as in scalar_states.comp

struct StyleRow {
    Color color;
    float size, loud, fault, unused;  // fault: 1 for a failure, which is never omitted
};

bool same_legend(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LegendEntry& x, const LegendEntry& y) {
        return x.bit == y.bit && x.role == y.role && x.strength == y.strength && x.mask == y.mask &&
               x.number == y.number;
    });
}

uint32_t plain_row(LegendEntry::Element element) {
    using Element = LegendEntry::Element;
    return element == Element::kVertex     ? kPlainVertex
           : element == Element::kEdge     ? kPlainEdge
           : element == Element::kTriangle ? kPlainTriangle
                                           : kPlainSiteRow;
}

StyleRow row_of(const Style& style) { return {style.color, style.size, style.loud ? 1.f : 0.f, 0, 0}; }

/// The fixed rows, and room for `more`.
std::vector<StyleRow> common_rows(const Palette& colors, size_t more) {
    using Element = LegendEntry::Element;
    std::vector<StyleRow> rows(kFirstLegendRow + more, {{0, 0, 0, 0}, 0, 0, 0, 0});
    const auto put = [&](size_t row, const Style& style) { rows[row] = row_of(style); };
    put(kPlainVertex, colors.style(Element::kVertex, Role::kPlain));
    put(kPlainEdge, colors.style(Element::kEdge, Role::kPlain));
    put(kPlainTriangle, colors.style(Element::kTriangle, Role::kPlain));
    put(kHelperEdge, colors.style(Element::kEdge, Role::kHelper));
    put(kHelperVertex, colors.style(Element::kVertex, Role::kHelper));
    put(kWaitingVertex, colors.style(Element::kVertex, Role::kWaiting));
    put(kSurfaceRow, {colors.surface, colors.ambient, false});
    put(kSurfaceInsideRow, {colors.surface_inside, colors.ambient, false});
    put(kSurfaceEdgeRow, {colors.surface_edge, 1, false});
    for (uint32_t i = 0; i < colors.angle_stops.size(); ++i) put(kAngleStopsRow + i, {colors.angle_stops[i], 1, false});
    put(kPlainSiteRow, colors.style(Element::kPixel, Role::kPlain));
    return rows;
}

void upload(LayerStyles& styles, const std::vector<StyleRow>& rows, const std::vector<uint32_t>& table) {
    styles.rows.write(rows.data(), rows.size() * sizeof(StyleRow));
    styles.lookup.write(table.data(), table.size() * sizeof(uint32_t));
    glCreateTextures(GL_TEXTURE_BUFFER, 1, &styles.texture);
    glTextureBuffer(styles.texture, GL_RGBA32F, styles.rows.id);
}

}  // namespace

// The first matching legend entry decides; computed here for all state words.
const LayerStyles& Renderer::Impl::styles_of(LegendEntry::Element element, Role role,
                                             const std::vector<LegendEntry>& entries) {
    ++styles_used;
    for (const auto& known : known_styles)
        if (!known->scale && known->element == element && known->role == role && known->light == light &&
            same_legend(known->legend, entries)) {
            known->used = styles_used;
            return *known;
        }
    GLint most = 65536;  // texels, two per row
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if (2 * (kFirstLegendRow + entries.size()) > static_cast<size_t>(most))
        throw Error("a layer with " + std::to_string(entries.size()) +
                    " legend entries: this graphics driver draws at most " +
                    std::to_string(most / 2 - static_cast<GLint>(kFirstLegendRow)) + " of them");
    LayerStyles& styles = another_style(element, role);
    styles.legend = entries;
    const Palette& colors = palette(light);
    std::vector<StyleRow> rows = common_rows(colors, entries.size());
    rows[kLayerRow] = row_of(colors.style(element, role));

    std::vector<uint32_t> table(kStates, role == Role::kPlain ? plain_row(element) : uint32_t(kLayerRow));
    styles.loud = role != Role::kPlain && colors.style(element, role).loud;
    for (size_t i = entries.size(); i-- > 0;) {  // backwards, so that the first match wins
        const LegendEntry& entry = entries[i];
        const auto row = static_cast<uint32_t>(kFirstLegendRow + i);
        Style style = colors.style(element, entry.role, entry.number);
        style.color.a *= std::clamp(entry.strength, 0.f, 1.f);
        rows[row] = row_of(style);
        rows[row].fault = entry.role == Role::kFailed ? 1.f : 0.f;
        if (entry.mask == 0xFFFF)
            table[entry.bit] = row;
        else
            for (uint32_t state = 0; state < kStates; ++state)
                if (entry.matches(static_cast<State>(state))) table[state] = row;
        styles.loud |= style.loud;
    }
    upload(styles, rows, table);
    return styles;
}

LayerStyles& Renderer::Impl::another_style(LegendEntry::Element element, Role role) {
    if (known_styles.size() >= kMostKept)
        known_styles.erase(
            std::ranges::min_element(known_styles, [](const auto& a, const auto& b) { return a->used < b->used; }));
    known_styles.push_back(std::make_unique<LayerStyles>());
    LayerStyles& styles = *known_styles.back();
    styles.element = element;
    styles.role = role;
    styles.light = light;
    styles.used = styles_used;
    return styles;
}

// Elements without a number are plain. Coloured dots and edges are loud: drawn over plain ones, and never omitted where
// they crowd.
const LayerStyles& Renderer::Impl::scale_styles_of(LegendEntry::Element element, const ColourScale& scale) {
    ++styles_used;
    for (const auto& known : known_styles)
        if (known->scale && known->scale->has_colours_of(scale) && known->element == element && known->light == light) {
            known->used = styles_used;
            return *known;
        }
    LayerStyles& styles = another_style(element, Role::kPlain);
    styles.scale = scale;
    styles.loud = true;
    const Palette& colors = palette(light);
    std::vector<StyleRow> rows = common_rows(colors, kScaleRows + 1);
    std::vector<uint32_t> table(kStates, plain_row(element));
    for (uint32_t i = 0; i < kScaleRows; ++i) {
        rows[kFirstLegendRow + i] = row_of({colors.scale(scale, i / (kScaleRows - 1.0)), 1.5f, true});
        table[i] = static_cast<uint32_t>(kFirstLegendRow) + i;
    }
    if (scale.shows_missing) {
        rows[kFirstLegendRow + kScaleRows] = row_of({colors.missing(), 1.2f, true});
        table[0xFFFF] = static_cast<uint32_t>(kFirstLegendRow) + kScaleRows;
    }
    upload(styles, rows, table);
    return styles;
}

void Renderer::Impl::use(const LayerStyles& styles) {
    bind(4, styles.lookup.id);
    glBindTextureUnit(0, styles.texture);
}

const LayerStyles& Renderer::Impl::use_styles(const Layer& layer) {
    const LayerStyles& styles = styles_of(layer.element(), layer.role, layer.legend);
    use(styles);
    return styles;
}

const LayerStyles& Renderer::Impl::use_scale(const Layer& layer) {
    const LayerStyles& styles = scale_styles_of(layer.element(), layer.scale);
    use(styles);
    return styles;
}

ScaleRange range_of(const ColourScale& scale) {
    const bool logarithmic = scale.logarithmic && scale.low > 0;
    const double low = logarithmic ? std::log(scale.low) : scale.low;
    const double range = (logarithmic ? std::log(scale.high) : scale.high) - low;
    return {logarithmic, static_cast<float>(low), range > 0 ? static_cast<float>(1 / range) : 0};
}

void require_scalars(const Layer& layer, uint32_t count) {
    if (layer.scalars->size() < count)
        throw Error("the layer \"" + layer.id + "\" has " + std::to_string(count) + " elements and only " +
                    std::to_string(layer.scalars->size()) + " numbers to colour them by");
}

GLuint Renderer::Impl::states_of_scalars(const Layer& layer, uint32_t count) {
    require_scalars(layer, count);
    const ScaleRange range = range_of(layer.scale);
    scalar_words.reserve((size_t(count) + 1) / 2 * sizeof(uint32_t));
    bind(5, drawable_or(layer.scalars, nothing.id));
    bind(6, scalar_words.id);
    glUseProgram(shared->scalar_states.id());
    glUniform1ui(shared->scalar_states.place("scalar_count"), count);
    glUniform2f(shared->scalar_states.place("scalar_range"), range.low, range.scale);
    glUniform1ui(shared->scalar_states.place("logarithmic"), range.logarithmic ? 1 : 0);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);  // an earlier layer was drawn from the same words
    dispatch((count + 1) / 2);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    return scalar_words.id;
}

}  // namespace flipscope::app
