#include "app/view/palette.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace flipscope::app {

namespace {

template <size_t kCount>
std::array<Color, kCount> colors_of(const uint32_t (&rgb)[kCount]) {
    std::array<Color, kCount> colors;
    std::transform(std::begin(rgb), std::end(rgb), colors.begin(), [](uint32_t each) { return color_of(each); });
    return colors;
}

Palette make_palette(bool light) {
    struct OpaqueColour {
        Color Palette::*of;
        uint32_t dark, light;
    };
    static constexpr OpaqueColour kOpaque[] = {
        {&Palette::canvas, 0x0F1318, 0xFFFFFF},         {&Palette::panel, 0x171C23, 0xF3F5F8},
        {&Palette::panel_edge, 0x2A323D, 0xD3D9E1},     {&Palette::field, 0x232B35, 0xE3E8EE},
        {&Palette::text, 0xE8ECF1, 0x1A2129},           {&Palette::quiet_text, 0x9AA6B4, 0x57636F},
        {&Palette::accent, 0x56B4E9, 0x0072B2},         {&Palette::error, 0xFF5C55, 0xB3141A},
        {&Palette::warning, 0xE69F00, 0x9A6A00},        {&Palette::success, 0x2BC79A, 0x007A5A},
        {&Palette::grid, 0x2A323D, 0xD3D9E1},           {&Palette::second_series, 0xC9C1B0, 0x8A8272},
        {&Palette::mark, 0xE8ECF1, 0x1A2129},           {&Palette::surface, 0x73808F, 0xD5DCE4},
        {&Palette::surface_inside, 0x8A7462, 0xDCC9B6}, {&Palette::hatching, 0x626D7A, 0x75808B}};
    Palette p;
    p.light = light;
    for (const OpaqueColour& one : kOpaque) p.*one.of = color_of(light ? one.light : one.dark);
    p.surface_edge = light ? color_of(0x46525F, 0.9f) : color_of(0x0F1318, 0.8f);
    p.cell_border = light ? color_of(0x51606F, 0.8f) : color_of(0x080B0E, 0.9f);
    p.cell_outline = light ? p.cell_border : color_of(0xA3AEBB, 0.8f);
    p.lattice_line = light ? color_of(0xFFFFFF, 0.6f) : color_of(0x0F1318, 0.35f);
    p.ambient = light ? 0.55f : 0.38f;
    p.angle_stops = light ? colors_of({0x7A2E00, 0xB5732C, 0xB7A88B, 0xB3CFE2, 0xDCEAF4})
                          : colors_of({0xFFE45C, 0xD6AC4D, 0x8C8A6F, 0x446D8B, 0x24466B});
    p.field_stops = light ? colors_of({0x3F556B, 0x9FB8CD, 0xF7FAFC}) : colors_of({0x0B0F14, 0x3D5A75, 0xD5E6F3});
    p.cells = light ? colors_of({0xE6F0F8, 0xD2E3F0, 0xBCD3E5, 0xE2F2EF, 0xCBE5E0, 0xB3D6CF, 0xF7F0DF, 0xECE0C6,
                                 0xDFCFAC, 0xF0EAF5, 0xE1D7EB, 0xD0C2DE, 0xEEF0F3, 0xDDE1E6, 0xCAD0D7})
                    : colors_of({0x20313F, 0x2A4255, 0x36536B, 0x1C3634, 0x264846, 0x325A58, 0x37301F, 0x483F2C,
                                 0x5A5039, 0x31293C, 0x40364E, 0x504562, 0x2A2F36, 0x383F48, 0x48505B});
    p.categories = light ? colors_of({0x197FFE, 0xE21767, 0x477600, 0xD0A784, 0x4944BE, 0x06BCF6, 0x744A42, 0xA29703,
                                      0x8578A2, 0x478072, 0x9AA2AB})
                         : colors_of({0x45D1FC, 0xDF7D39, 0xB5F6BF, 0x7055B0, 0xEEE137, 0x538EFF, 0xE60069, 0x0C745B,
                                      0xB2ACA6, 0x845F00, 0x7A8490});
    return p;
}

/// Five stops of the colours that a kind has in a theme.
std::array<Color, 5> stops_of(const Palette& p, ColourScale::Kind kind) {
    const auto between = [](const Color& a, const Color& b) {
        return Color{0.5f * (a.r + b.r), 0.5f * (a.g + b.g), 0.5f * (a.b + b.b), 1};
    };
    switch (kind) {
        case ColourScale::Kind::kSequential:
            if (p.light)
                return {color_of(0xF3DE7A), color_of(0x9FC46C), color_of(0x3B9A85), color_of(0x2B6290),
                        color_of(0x3A1F63)};
            return {color_of(0x3B3A86), color_of(0x2F6C9E), color_of(0x2E9F8B), color_of(0x8BCB5C), color_of(0xFBE95A)};
        case ColourScale::Kind::kDiverging:
            if (p.light)
                return {color_of(0x1B5C96), color_of(0x7FB0D2), color_of(0xD3D6DA), color_of(0xE9A075),
                        color_of(0xA83A12)};
            return {color_of(0x6CC0FF), color_of(0x3B77A6), color_of(0x525D69), color_of(0xB06A3C), color_of(0xFF9A55)};
        case ColourScale::Kind::kCyclic:
            if (p.light)
                return {color_of(0xC2413B), color_of(0xB39A1E), color_of(0x1F8F86), color_of(0x5A4FCF),
                        color_of(0xC2413B)};
            return {color_of(0xF2605A), color_of(0xD9C23A), color_of(0x2FBFAE), color_of(0x7A78F0), color_of(0xF2605A)};
        case ColourScale::Kind::kAngles:  // 0° to 60°, the colours of key A
            return p.angle_stops;
        case ColourScale::Kind::kImage:
        case ColourScale::Kind::kCategories:
            break;
    }
    return {p.field_stops[0], between(p.field_stops[0], p.field_stops[1]), p.field_stops[1],
            between(p.field_stops[1], p.field_stops[2]), p.field_stops[2]};
}

}  // namespace

const Palette& palette(bool light) {
    static const Palette dark_one = make_palette(false), light_one = make_palette(true);
    return light ? light_one : dark_one;
}

Color Palette::role(Role role) const {
    if (role == Role::kNumbered) return numbered(0);
    if (role == Role::kCategory) return category(0);
    struct RoleColour {
        Role role;
        uint32_t light, dark;
    };
    static constexpr RoleColour kColours[] = {
        {Role::kPlain, 0x5D6B7A, 0x8494A7},       {Role::kWaiting, 0x84909C, 0x6C7E96},
        {Role::kObstacle, 0xB1B9C1, 0x2E343C},    {Role::kCorner, 0x34495E, 0xC9D8E6},
        {Role::kFresh, 0x008EB7, 0x00B0FF},       {Role::kCreatedContact, 0x008EB7, 0x00B0FF},
        {Role::kIllegal, 0xCF7D5B, 0xFF8720},     {Role::kGranted, 0x10A487, 0x00CBA6},
        {Role::kLocked, 0x10A487, 0x00CBA6},      {Role::kDeferred, 0xAFA200, 0xFFE63C},
        {Role::kFlipped, 0x0C36FC, 0x006FFF},     {Role::kStale, 0xAD7400, 0xC0A56B},
        {Role::kCycling, 0x92004C, 0xFF3884},     {Role::kQueued, 0xA56DFF, 0xCACAFF},
        {Role::kChosen, 0xD98A00, 0xFFB626},      {Role::kMissing, 0xD0499E, 0xF7AAC8},
        {Role::kMissed, 0xD0499E, 0xF7AAC8},      {Role::kSeam, 0x5C3280, 0xA559B1},
        {Role::kForce, 0x5C3280, 0xA559B1},       {Role::kBlocked, 0x7F5E4C, 0xA06F54},
        {Role::kLostContact, 0xC50062, 0xFF768B}, {Role::kSpurious, 0x8AC018, 0xCDE120},
        {Role::kOdd, 0xD26A00, 0xE5A155},         {Role::kProlonged, 0x6B5F4B, 0x91865E},
        {Role::kActive, 0x037F62, 0x5DF3BF},      {Role::kUnmatched, 0x988FF6, 0xCDB3DA},
        {Role::kFailed, 0xBE201D, 0xFB1C22},      {Role::kExact, 0x472B00, 0xF0E2BB},
        {Role::kMoved, 0x472B00, 0xFFF6E6},       {Role::kPositive, 0xDB7269, 0xD28D6F},
        {Role::kZero, 0xF5DF6A, 0xF6FFD2},        {Role::kNegative, 0x3C84D8, 0x2E64B0},
        {Role::kHelper, 0xB5BEC8, 0x475361}};
    static_assert(std::size(kColours) + 2 == static_cast<size_t>(Role::kCategory) + 1, "a row for every role");
    const auto found =
        std::find_if(std::begin(kColours), std::end(kColours), [&](const RoleColour& one) { return one.role == role; });
    return color_of(light ? found->light : found->dark);
}

Style Palette::style(LegendEntry::Element element, Role what, uint32_t number) const {
    using Element = LegendEntry::Element;
    Style style{what == Role::kNumbered   ? numbered(number)
                : what == Role::kCategory ? category(number)
                                          : role(what),
                1, true};
    if (what == Role::kPlain || what == Role::kHelper || what == Role::kWaiting || what == Role::kExact ||
        what == Role::kObstacle || what == Role::kCorner || what == Role::kPositive || what == Role::kZero ||
        what == Role::kNegative)
        style.loud = false;
    switch (element) {
        case Element::kVertex:
            if (what == Role::kPlain) style.color = light ? color_of(0x1A2129) : color_of(0xE8ECF1);
            if (what == Role::kWaiting) style.size = 0.7f;
            if (what == Role::kChosen || what == Role::kActive) style.size = 1.35f;
            if (what == Role::kUnmatched) style.size = 1.2f;
            if (what == Role::kFailed) style.size = 1.5f;
            break;
        case Element::kEdge:
            if (what == Role::kFresh || what == Role::kQueued) style.size = 1.15f;
            if (what == Role::kIllegal || what == Role::kFlipped || what == Role::kStale) style.size = 1.7f;
            if (what == Role::kGranted || what == Role::kDeferred) style.size = 2.1f;
            if (what == Role::kCycling || what == Role::kMissing) style.size = 2.4f;
            if (what == Role::kLostContact || what == Role::kCreatedContact) style.size = 2.2f;
            if (what == Role::kMissed || what == Role::kSpurious) style.size = 2.2f;
            if (what == Role::kExact) style.size = 0.75f;
            if (what == Role::kMoved || what == Role::kForce) style.size = 1.5f;
            if (what == Role::kFailed) style.size = 2.4f;
            if (what == Role::kObstacle) style.color = hatching, style.size = 2.4f;
            if (what == Role::kHelper) style.color.a = 0.7f;
            if (what == Role::kExact) style.color.a = 0.9f;
            break;
        case Element::kTriangle:
            style.color.a = light ? 0.20f : 0.22f;
            if (what == Role::kPlain) style.color = light ? color_of(0x5D6B7A, 0.07f) : color_of(0x8494A7, 0.09f);
            if (what == Role::kFresh) style.color.a = light ? 0.16f : 0.15f;
            if (what == Role::kHelper) style.color.a = 0;
            if (what == Role::kFailed) style.color.a = 0.5f;
            if (what == Role::kExact) style.color = canvas.alpha(0.75f);  // over what a study area leaves out
            break;
        case Element::kPixel:
            if (what == Role::kPlain || what == Role::kHelper) style.color.a = 0;
            break;
    }
    return style;
}

Color Palette::numbered(uint32_t number) const {
    // Hues in steps of the golden ratio never repeat; saturation and brightness alternate as well.
    constexpr double kStep = 0.6180339887498949;
    static constexpr float kSaturation[] = {0.72f, 0.45f, 0.9f}, kDark[] = {0.95f, 0.78f, 0.62f},
                           kLight[] = {0.78f, 0.55f, 0.92f};
    const double turns = number * kStep;
    const auto hue = static_cast<float>(6 * (turns - std::floor(turns)));
    const float* const values = light ? kLight : kDark;
    const float value = values[number % 3], low = value * (1 - kSaturation[number / 3 % 3]);
    const auto channel = [&](float at) {  // peak of this channel, in sixths of a turn
        const float off = std::fabs(std::remainder(hue - at, 6.f));
        return low + (value - low) * std::clamp(2 - off, 0.f, 1.f);
    };
    return {channel(0), channel(2), channel(4), 1};
}

std::string hex_of(const Color& color) {
    const auto byte = [](float part) { return static_cast<unsigned>(std::lround(255 * std::clamp(part, 0.f, 1.f))); };
    char text[10];
    std::snprintf(text, sizeof text, "#%02x%02x%02x%02x", byte(color.r), byte(color.g), byte(color.b), byte(color.a));
    return text;
}

std::array<Color, Palette::kStops> Palette::scale_stops(const ColourScale& scale) const {
    using Map = ColourScale::Map;
    // Maps of both themes. Viridis and magma: S. van der Walt and N. Smith (2015); cividis: J. Nuñez, C. Anderton and
    // R. Renslow (2018), made to look alike to people who see red and green alike; every 32nd of their 256 colours.
    // Strata and grey are ours: even steps of Oklab's lightness (B. Ottosson 2020), strata from blue over green and
    // ochre to rose.
    static constexpr uint32_t kMaps[][kStops] = {
        {0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x27AD81, 0x5CC863, 0xAADC32, 0xFDE725},
        {0x00224E, 0x1A386F, 0x434E6C, 0x61656F, 0x7D7C78, 0x9A9376, 0xBBAD6D, 0xDDC858, 0xFEE838},
        {0x000004, 0x1D1147, 0x51127C, 0x832681, 0xB73779, 0xE55064, 0xFB8761, 0xFEC287, 0xFCFDBF},
        {0x102743, 0x134056, 0x125B62, 0x2E7660, 0x668B50, 0xA69946, 0xD9A65C, 0xF8BA99, 0xFFD8D4},
        {0x1B1B1B, 0x313131, 0x4A4A4A, 0x636363, 0x7F7F7F, 0x9B9B9B, 0xB8B8B8, 0xD6D6D6, 0xF5F5F5}};
    std::array<Color, kStops> stops;
    if (scale.map >= Map::kViridis && scale.map <= Map::kGrey) {
        const auto& map = kMaps[static_cast<size_t>(scale.map) - static_cast<size_t>(Map::kViridis)];
        std::transform(std::begin(map), std::end(map), stops.begin(), [](uint32_t rgb) { return color_of(rgb); });
    } else {
        const ColourScale::Kind kind = scale.map == Map::kDiverging ? ColourScale::Kind::kDiverging
                                       : scale.map == Map::kCyclic  ? ColourScale::Kind::kCyclic
                                                                    : scale.kind;
        const std::array<Color, 5> own = stops_of(*this, kind);
        for (size_t i = 0; i < kStops; ++i) {
            const Color &a = own[i / 2], &b = own[(i + 1) / 2];
            stops[i] = {0.5f * (a.r + b.r), 0.5f * (a.g + b.g), 0.5f * (a.b + b.b), 1};
        }
    }
    if (scale.reversed) std::reverse(stops.begin(), stops.end());
    return stops;
}

Color Palette::scale(const ColourScale& scale, double place) const {
    if (std::isnan(place)) place = scale.kind == ColourScale::Kind::kCategories;
    place = std::clamp(place, 0.0, 1.0);
    if (scale.kind == ColourScale::Kind::kCategories)
        return category(static_cast<uint32_t>(std::lround(ColourScale::kOtherClass * place)));
    const std::array<Color, kStops> stops = scale_stops(scale);
    const double along = scale.colour_place(place) * (kStops - 1);
    const auto i = static_cast<size_t>(std::min(along, kStops - 2.0));
    const auto t = static_cast<float>(along - static_cast<double>(i));
    const Color &a = stops[i], &b = stops[i + 1];
    return {a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b), 1};
}

Color Palette::pass(uint32_t number) const {
    // Muted, so that hundreds of them side by side look calm. Colours within a lab differ at a glance, also for
    // colour-blind eyes, and all colours differ from each other. A claim's colour is close to its grant's, a flip's to
    // the flipped element's.
    static constexpr uint32_t kDark[kPasses] = {
        0x854762, 0x8B432F, 0x42BFEB, 0x398D9E, 0xDDC364, 0x0BBC92, 0x377FC4, 0xC99256, 0xBCB6B6, 0x727465, 0xB4BED4,
        0x546A78, 0xB19884, 0x6F75B7, 0xA9A9FC, 0x6CA8B2, 0x63591E, 0x87E3A9, 0xC3C7BD, 0x30656C, 0x9672C0, 0x515DA6,
        0xA98127, 0xC57D67, 0xDFB9D5, 0x676666, 0x2D998B, 0x226E4B, 0x8A8B95, 0x77B0F6, 0x34D4D7, 0x6C5E80};
    static constexpr uint32_t kLight[kPasses] = {
        0x8993A4, 0x6B6B6A, 0xBCB06B, 0x515182, 0x5D4C03, 0x40B081, 0x477DCB, 0x966B3C, 0xBE7563, 0xA6619E, 0xBB9456,
        0xCE838F, 0xE19768, 0xD492E5, 0x98830E, 0x7AA5A2, 0xB4B1A1, 0x245D83, 0x21735E, 0x4D4E4D, 0x3991AC, 0x9F9BFA,
        0x465F5C, 0xA397A2, 0x3B732E, 0x47C8D3, 0x80A152, 0x915E76, 0x658367, 0x75B5EC, 0x6E383A, 0x683F67};
    const uint32_t* const colours =
        light ? kLight : kDark;  // g++ 12 with -fsanitize=bounds miscompiles indexing a conditional expression
    return color_of(colours[number % kPasses]);
}

Color Palette::angle(double degrees) const { return scale({.kind = ColourScale::Kind::kAngles}, degrees / 60); }

}  // namespace flipscope::app
