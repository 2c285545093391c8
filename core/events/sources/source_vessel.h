// The vessel of the droplets and the flow that carries them: impenetrable walls and posts, and a prescribed flow. Plain
// arithmetic, so that kernels on every device move droplets the same way.
#pragma once

#include <cmath>
#include <cstdint>

#include "flipscope/view.h"
#include "geometry/point.h"
#include "voronoi/lattice.h"

namespace flipscope {

/// The box of a lattice, possibly cut by a wall: a torus with a wall along one direction is a channel that is periodic
/// along the other.
struct Vessel {
    Lattice lattice;
    bool walled_x = false, walled_y = false;               // whether low and high are walls
    double low_x = 0, high_x = 0, low_y = 0, high_y = 0;   // the faces of the walls, world units
    uint32_t posts = 0;                                    // on the wall at low_x, equally spaced
    double post_depth = 0, post_half = 0, post_pitch = 0;  // length out of the wall, half the width along it, spacing
    bool posts_on_both = false;                            // walls
    bool keeps_wide_out = false;  // discs too wide for the gaps between posts stay in front of them

    /// The middle of the post nearest to y.
    FLIPSCOPE_HD double post_at(double y) const {
        double k = (y - low_y) / post_pitch;
        k = static_cast<double>(static_cast<int64_t>(k < 0 ? 0 : k));
        if (k > posts - 1.0) k = posts - 1.0;
        return low_y + (k + 0.5) * post_pitch;
    }
    FLIPSCOPE_HD bool blocked(Point p) const {
        if (walled_x && (p.x < low_x || p.x > high_x)) return true;
        if (walled_y && (p.y < low_y || p.y > high_y)) return true;
        if (posts == 0 || from_rough_wall(p) > post_depth) return false;
        const double dy = p.y - post_at(p.y);
        return (dy < 0 ? -dy : dy) < post_half;
    }
    /// Distance to the nearest wall with posts.
    FLIPSCOPE_HD double from_rough_wall(Point p) const {
        return posts_on_both && p.x > 0.5 * (low_x + high_x) ? high_x - p.x : p.x - low_x;
    }
    /// Distance across a channel from p to the nearest wall, or to a post in front of it.
    FLIPSCOPE_HD double gap_across(Point p) const {
        const double left = p.x - low_x, right = high_x - p.x, dy = posts > 0 ? p.y - post_at(p.y) : 0;
        const double depth = posts > 0 && (dy < 0 ? -dy : dy) < post_half ? post_depth : 0;
        const double to_left = left > depth ? left - depth : left;
        const double to_right = posts_on_both && right > depth ? right - depth : right;
        return to_left < to_right ? to_left : to_right;
    }
    /// The nearest place where a disc of this radius touches no wall or post.
    FLIPSCOPE_HD Point freed(Point p, double radius) const;

  private:
    FLIPSCOPE_HD Point freed_of_post(Point p, double radius) const;
};

FLIPSCOPE_HD inline Point Vessel::freed_of_post(Point p, double radius) const {
    const double middle = post_at(p.y), face = low_x + post_depth, dy = p.y - middle;
    if (keeps_wide_out && post_pitch - 2 * post_half < 2 * radius)
        return {p.x < face + radius ? face + radius : p.x, p.y};
    const double beyond_x = p.x - face, beyond_y = (dy < 0 ? -dy : dy) - post_half;
    if (beyond_x >= radius || beyond_y >= radius) return p;
    const double up = dy < 0 ? -1 : 1;
    if (beyond_x > 0 && beyond_y > 0) {  // at a corner
        const double squared = beyond_x * beyond_x + beyond_y * beyond_y;
        if (squared >= radius * radius) return p;
        const double stretch = radius / sqrt(squared);
        return {face + beyond_x * stretch, middle + up * (post_half + beyond_y * stretch)};
    }
    if (beyond_x > beyond_y) return {face + radius, p.y};
    return {p.x, middle + up * (post_half + radius)};
}

FLIPSCOPE_HD inline Point Vessel::freed(Point p, double radius) const {
    if (posts > 0 && from_rough_wall(p) < post_depth + radius) {
        const double turned = low_x + high_x;
        const bool right = posts_on_both && p.x > 0.5 * turned;
        p = freed_of_post({right ? turned - p.x : p.x, p.y}, radius);
        if (right) p.x = turned - p.x;
    }
    if (walled_x) {
        if (p.x < low_x + radius) p.x = low_x + radius;
        if (p.x > high_x - radius) p.x = high_x - radius;
    }
    if (walled_y) {
        if (p.y < low_y + radius) p.y = low_y + radius;
        if (p.y > high_y - radius) p.y = high_y - radius;
    }
    return p;
}

/// The flow that carries droplets, pixels per step.
struct Flow {
    enum class Kind : uint32_t { kStill, kShear, kChannel, kFourRolls } kind = Kind::kStill;
    double low_x = 0, high_x = 1, low_y = 0, high_y = 1;  // extent of the flow, world units
    double speed = 0;                                     // the fastest
    double plug = 0;                                      // fraction of the channel's width with uniform flow
    bool held_x = false, held_y = false;                  // of four rolls: fixed walls at low and high

    FLIPSCOPE_HD Point at(Point p) const {
        const double s = (p.x - low_x) / (high_x - low_x), t = (p.y - low_y) / (high_y - low_y);
        switch (kind) {
            case Kind::kShear:  // the walls move in opposite directions
                return {speed * (2 * t - 1), 0};
            case Kind::kChannel:
                return {0, speed * across(2 * s - 1)};
            case Kind::kFourRolls:  // from the stream function wave(s) · wave(t): incompressible
                return {speed * wave(s, held_x) * slope(t, held_y) * (high_x - low_x) / longer(),
                        -speed * slope(s, held_x) * wave(t, held_y) * (high_y - low_y) / longer()};
            default:
                return {0, 0};
        }
    }

    /// A parabola on either side of the plug (Bingham); 0 beyond the walls.
    FLIPSCOPE_HD double across(double s) const {
        if (s < 0) s = -s;
        if (s >= 1) return 0;
        if (s <= plug) return 1;
        const double away = (s - plug) / (1 - plug);
        return 1 - away * away;
    }
    /// A sine composed of parabolas, and its slope, both within -1…1; period 1.
    FLIPSCOPE_HD static double wave(double s) {
        s = s < 0 ? s + 1 : s >= 1 ? s - 1 : s;
        return s < 0.5 ? 16 * s * (0.5 - s) : -16 * (s - 0.5) * (1 - s);
    }
    FLIPSCOPE_HD static double slope(double s) {
        s = s < 0 ? s + 1 : s >= 1 ? s - 1 : s;
        return s < 0.5 ? 1 - 4 * s : 4 * s - 3;
    }
    /// A wave that is 0 at 0, ½ and 1, and flat at 0 and 1, and its slope; 0 outside.
    FLIPSCOPE_HD static double held_wave(double s) {
        if (s <= 0 || s >= 1) return 0;
        return 4 * s * (1 - s) * wave(s);
    }
    FLIPSCOPE_HD static double held_slope(double s) {
        if (s <= 0 || s >= 1) return 0;
        return 4 * s * (1 - s) * slope(s) + 0.5 * (1 - 2 * s) * wave(s);
    }
    FLIPSCOPE_HD static double wave(double s, bool held) { return held ? held_wave(s) : wave(s); }
    FLIPSCOPE_HD static double slope(double s, bool held) { return held ? held_slope(s) : slope(s); }
    FLIPSCOPE_HD double longer() const {
        const double x = high_x - low_x, y = high_y - low_y;
        return x > y ? x : y;
    }
};

}  // namespace flipscope
