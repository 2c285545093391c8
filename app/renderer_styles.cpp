// The style table: what each state of an element looks like, for the shaders.
#include "app/renderer_impl.h"

namespace flipscope::app {

namespace {

constexpr uint32_t kStates = 1u << 16;

struct StyleRow {
    float color[4];
    float size, loud, unused[2];
};

bool same_legend(const std::vector<LegendEntry>& a, const std::vector<LegendEntry>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const LegendEntry& x, const LegendEntry& y) {
        return x.element == y.element && x.bit == y.bit && x.role == y.role && x.strength == y.strength;
    });
}

}  // namespace

// The first legend entry that matches a state word decides; here for all words at once.
void Renderer::Impl::learn(const std::vector<LegendEntry>& entries, bool light_theme) {
    if (legend_known && light == light_theme && same_legend(legend, entries)) return;
    using Element = LegendEntry::Element;
    const Palette& colors = palette(light_theme);
    std::array<StyleRow, kRows> rows{};
    const auto put = [&](uint32_t row, const Style& style) {
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

    put(kPlainSiteRow, colors.style(Element::kSite, Role::kPlain));

    std::vector<uint32_t> table(4 * size_t(kStates));
    std::fill_n(table.begin(), kStates, kPlainEdge);
    std::fill_n(table.begin() + kStates, kStates, kPlainTriangle);
    std::fill_n(table.begin() + 2 * kStates, kStates, kPlainVertex);
    std::fill_n(table.begin() + 3 * kStates, kStates, kPlainSiteRow);
    loud_points = false;
    const size_t usable = std::min<size_t>(entries.size(), kRows - kFirstLegendRow);
    for (size_t i = usable; i-- > 0;) {  // backwards, so that the first has the last word
        const LegendEntry& entry = entries[i];
        const auto row = static_cast<uint32_t>(kFirstLegendRow + i);
        Style style = colors.style(entry.element, entry.role);
        style.color.a *= std::clamp(entry.strength, 0.f, 1.f);
        put(row, style);
        const size_t base = entry.element == Element::kEdge       ? 0
                            : entry.element == Element::kTriangle ? 1
                            : entry.element == Element::kVertex   ? 2
                                                                  : 3;
        for (uint32_t state = 0; state < kStates; ++state)
            if (state & entry.bit) table[base * kStates + state] = row;
        if (entry.element == Element::kVertex && style.loud) loud_points = true;
    }
    styles.write(rows.data(), sizeof rows);
    lookup.write(table.data(), table.size() * sizeof(uint32_t));
    legend = entries;
    light = light_theme;
    legend_known = true;
}

}  // namespace flipscope::app
