// Style tables: what each state of an element looks like, for the shaders.
#include <array>

#include "app/renderer_impl.h"
#include "compute/error.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kStates = 1u << 16;
constexpr size_t kMostKept = 64;  // tables

struct StyleRow {
    float color[4];
    float size, loud, unused[2];
};

bool same_legend(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LegendEntry& x, const LegendEntry& y) {
        return x.bit == y.bit && x.role == y.role && x.strength == y.strength && x.mask == y.mask &&
               x.number == y.number;
    });
}

uint32_t plain_row(LegendEntry::Element element) {
    switch (element) {
        case LegendEntry::Element::kVertex:
            return kPlainVertex;
        case LegendEntry::Element::kEdge:
            return kPlainEdge;
        case LegendEntry::Element::kTriangle:
            return kPlainTriangle;
        case LegendEntry::Element::kPixel:
            break;
    }
    return kPlainSiteRow;
}

}  // namespace

// The first legend entry that matches a state word decides; here for all words at once.
const LayerStyles& Renderer::Impl::styles_of(LegendEntry::Element element, Role role,
                                             const std::vector<LegendEntry>& entries) {
    ++styles_asked;
    for (const auto& known : known_styles)
        if (known->element == element && known->role == role && known->light == light &&
            same_legend(known->legend, entries)) {
            known->used = styles_asked;
            return *known;
        }
    GLint most = 65536;  // texels, two to a row
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if (2 * (kFirstLegendRow + entries.size()) > static_cast<size_t>(most))
        throw Error("a layer with " + std::to_string(entries.size()) +
                    " legend entries: this graphics driver draws at most " +
                    std::to_string(most / 2 - static_cast<GLint>(kFirstLegendRow)) + " of them");
    if (known_styles.size() >= kMostKept)
        known_styles.erase(std::min_element(known_styles.begin(), known_styles.end(),
                                            [](const auto& a, const auto& b) { return a->used < b->used; }));
    known_styles.push_back(std::make_unique<LayerStyles>());
    LayerStyles& styles = *known_styles.back();
    styles.element = element;
    styles.role = role;
    styles.light = light;
    styles.legend = entries;
    styles.used = styles_asked;

    using Element = LegendEntry::Element;
    const Palette& colors = palette(light);
    std::vector<StyleRow> rows(kFirstLegendRow + entries.size());
    const auto put = [&](size_t row, const Style& style) {
        rows[row] = {
            {style.color.r, style.color.g, style.color.b, style.color.a}, style.size, style.loud ? 1.f : 0.f, {}};
    };
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
    put(kLayerRow, colors.style(element, role));

    std::vector<uint32_t> table(kStates, role == Role::kPlain ? plain_row(element) : uint32_t(kLayerRow));
    styles.loud = role != Role::kPlain && colors.style(element, role).loud;
    for (size_t i = entries.size(); i-- > 0;) {  // backwards, so that the first has the last word
        const LegendEntry& entry = entries[i];
        const auto row = static_cast<uint32_t>(kFirstLegendRow + i);
        Style style = colors.style(element, entry.role, entry.number);
        style.color.a *= std::clamp(entry.strength, 0.f, 1.f);
        put(row, style);
        if (entry.mask == 0xFFFF)
            table[entry.bit] = row;
        else
            for (uint32_t state = 0; state < kStates; ++state)
                if (entry.matches(static_cast<State>(state))) table[state] = row;
        styles.loud |= style.loud;
    }
    styles.rows.write(rows.data(), rows.size() * sizeof(StyleRow));
    styles.lookup.write(table.data(), table.size() * sizeof(uint32_t));
    glCreateTextures(GL_TEXTURE_BUFFER, 1, &styles.texture);
    glTextureBuffer(styles.texture, GL_RGBA32F, styles.rows.id);
    return styles;
}

const LayerStyles& Renderer::Impl::use_styles(const Layer& layer) {
    const LayerStyles& styles = styles_of(layer.element(), layer.role, layer.legend);
    bind(4, styles.lookup.id);
    glBindTextureUnit(0, styles.texture);
    return styles;
}

}  // namespace flipscope::app
