#include "app/view/pass_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "lab/registry.h"

namespace flipscope::app {

Lab2000 lab_of(const Color& color, ColourVision vision) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    std::array<double, 3> rgb{linear(color.r), linear(color.g), linear(color.b)};
    static constexpr double kSeen[2][3][3] = {
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    if (vision != ColourVision::kAll) {
        std::array<double, 3> seen{};
        for (size_t i = 0; i < 3; ++i)
            for (size_t k = 0; k < 3; ++k) seen[i] += kSeen[vision == ColourVision::kNoRed ? 0 : 1][i][k] * rgb[k];
        for (size_t i = 0; i < 3; ++i) rgb[i] = std::clamp(seen[i], 0.0, 1.0);
    }
    const auto [r, g, b] = rgb;
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
    const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
    const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(const Lab2000& p, const Lab2000& q) {
    constexpr double kPi = 3.14159265358979323846, kDegree = kPi / 180, k25to7 = 6103515625.0;
    const auto part = [&](double chroma) { return std::sqrt(std::pow(chroma, 7) / (std::pow(chroma, 7) + k25to7)); };
    const double grey = 0.5 * (1 - part((std::hypot(p.a, p.b) + std::hypot(q.a, q.b)) / 2));
    const double a1 = (1 + grey) * p.a, a2 = (1 + grey) * q.a, c1 = std::hypot(a1, p.b), c2 = std::hypot(a2, q.b);
    const auto hue = [&](double a, double b) { return std::atan2(b, a) + (std::atan2(b, a) < 0 ? 2 * kPi : 0); };
    const double h1 = hue(a1, p.b), h2 = hue(a2, q.b);
    double turn = 0, middle = h1 + h2;
    if (c1 * c2 > 0) {
        turn = std::remainder(h2 - h1, 2 * kPi);
        middle = std::fabs(h1 - h2) <= kPi ? middle / 2 : (middle < 2 * kPi ? middle / 2 + kPi : middle / 2 - kPi);
    }
    const double l = (p.l + q.l) / 2, c = (c1 + c2) / 2;
    const double t = 1 - 0.17 * std::cos(middle - 30 * kDegree) + 0.24 * std::cos(2 * middle) +
                     0.32 * std::cos(3 * middle + 6 * kDegree) - 0.2 * std::cos(4 * middle - 63 * kDegree);
    const double bend = 30 * kDegree * std::exp(-std::pow((middle / kDegree - 275) / 25, 2));
    const double dl = (q.l - p.l) / (1 + 0.015 * std::pow(l - 50, 2) / std::sqrt(20 + std::pow(l - 50, 2)));
    const double dc = (c2 - c1) / (1 + 0.045 * c),
                 dh = 2 * std::sqrt(c1 * c2) * std::sin(turn / 2) / (1 + 0.015 * c * t);
    const double rotation = -2 * part(c) * std::sin(2 * bend);
    return std::sqrt(std::max(0.0, dl * dl + dc * dc + dh * dh + rotation * dc * dh));
}

double difference(const Color& p, const Color& q, ColourVision vision) {
    return difference(lab_of(p, vision), lab_of(q, vision));
}

namespace {

std::vector<std::string> names_of(const LabInfo& info) {
    std::vector<std::string> names;
    for (const PassInfo& pass : info.passes) names.push_back(pass.name);
    return names;
}

constexpr double kApart = 12, kApartForFewCones = 7;  // CIEDE2000

/// Which pairs of Palette::pass() may occur in one lab.
std::vector<char> distinct_pairs() {
    std::vector<char> apart(size_t(Palette::kPasses) * Palette::kPasses, 1);
    for (const bool light : {false, true})
        for (const ColourVision eyes : {ColourVision::kAll, ColourVision::kNoRed, ColourVision::kNoGreen}) {
            std::vector<Lab2000> seen;
            for (uint32_t i = 0; i < Palette::kPasses; ++i) seen.push_back(lab_of(palette(light).pass(i), eyes));
            for (size_t i = 0; i < seen.size(); ++i)
                for (size_t k = 0; k < seen.size(); ++k)
                    if (difference(seen[i], seen[k]) <= (eyes == ColourVision::kAll ? kApart : kApartForFewCones))
                        apart[i * seen.size() + k] = 0;
        }
    return apart;
}

}  // namespace

std::vector<uint32_t> pass_colours(const std::vector<std::vector<std::string>>& labs,
                                   const std::vector<std::string>& passes, uint32_t colours,
                                   const std::function<bool(uint32_t, uint32_t)>& apart) {
    std::vector<std::vector<std::string>> all = labs;
    if (std::find(labs.begin(), labs.end(), passes) == labs.end()) all.push_back(passes);
    std::map<std::string, uint32_t> colour_of;
    for (const std::vector<std::string>& lab : all)
        for (const std::string& name : lab) {
            if (colour_of.count(name)) continue;
            std::set<uint32_t> of_all, of_companions;  // of passes that share a lab with this one
            for (const auto& [other, colour] : colour_of) of_all.insert(colour);
            for (const std::vector<std::string>& beside : all)
                if (std::find(beside.begin(), beside.end(), name) != beside.end())
                    for (const std::string& other : beside)
                        if (const auto known = colour_of.find(other); known != colour_of.end())
                            of_companions.insert(known->second);
            // By preference: unused and distinct, shared and distinct, unused, or only different from its companions'.
            std::optional<uint32_t> best;
            int best_worth = -1;
            for (uint32_t colour = 0; colour < colours; ++colour) {
                if (of_companions.count(colour)) continue;
                const bool clear =
                    std::ranges::all_of(of_companions, [&](uint32_t other) { return apart(colour, other); });
                if (const int worth = 2 * clear + !of_all.count(colour); worth > best_worth)
                    best = colour, best_worth = worth;
            }
            colour_of[name] = best.value_or(colours - 1);  // with more companions than colours, the last ones share one
        }
    std::vector<uint32_t> found;
    for (const std::string& name : passes) found.push_back(colour_of[name]);
    return found;
}

std::vector<uint32_t> pass_colours(const LabInfo& info) {
    static const std::vector<char> apart = distinct_pairs();
    std::vector<std::vector<std::string>> labs;
    for (const RegistryEntry& entry : registry()) labs.push_back(names_of(entry.info()));
    return pass_colours(labs, names_of(info), Palette::kPasses,
                        [](uint32_t a, uint32_t b) { return apart[size_t(a) * Palette::kPasses + b] != 0; });
}

}  // namespace flipscope::app
