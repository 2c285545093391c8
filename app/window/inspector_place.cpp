#include "app/window/inspector_place.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/figures/clip.h"

namespace flipscope::app {

namespace {

std::vector<Point> cut(const std::vector<ImVec2>& shape, const Box& box) {
    std::vector<Point> points;
    for (const ImVec2 corner : shape) points.push_back({corner.x, corner.y});
    return clip_polygon(std::move(points), {box.x, box.y}, {double(box.x) + box.width, double(box.y) + box.height});
}

Box grown(const Box& box, float by) { return {box.x - by, box.y - by, box.width + 2 * by, box.height + 2 * by}; }

/// Finds a corner beside the shape; false if every box of this width overlaps the shape.
bool place_beside(const InspectorRequest& request, const std::vector<ImVec2>& shape, Box& found) {
    const Box& room = request.room;
    const float width = std::min(request.size.x, room.width), height = std::min(request.size.y, room.height);
    double middle = 0;
    const std::vector<Point> seen = cut(shape, room);
    for (const Point& corner : seen) middle += corner.x / static_cast<double>(seen.size());
    if (seen.empty())
        for (const ImVec2& corner : shape) middle += corner.x / static_cast<double>(shape.size());
    const float left = room.x, right = room.x + room.width - width;
    const bool lies_right = middle > room.x + 0.5 * room.width;
    const float columns[] = {lies_right ? left : right, lies_right ? right : left};
    for (const float x : columns)
        for (const float y : {room.y, room.y + room.height - height}) {
            found = {x, y, width, height};
            if (!covers(grown(found, request.margin), shape)) return true;
        }
    // Reduce the height: above or below the part in this column.
    Box best{columns[0], room.y, width, 0};
    for (const float x : columns) {
        const Box column{x - request.margin, room.y - request.margin, width + 2 * request.margin,
                         room.height + 2 * request.margin};
        float low = INFINITY, high = -INFINITY;
        for (const Point& corner : cut(shape, column)) {
            low = std::min(low, static_cast<float>(corner.y));
            high = std::max(high, static_cast<float>(corner.y));
        }
        const float above = low - request.margin - room.y, below = room.y + room.height - high - request.margin;
        const float most = std::max(above, below);
        if (most <= best.height) continue;
        const float tall = std::min(most, height);
        best = {x, above >= below ? room.y : room.y + room.height - tall, width, tall};
    }
    found = best;
    return best.height >= std::min(request.least, height);
}

}  // namespace

bool covers(const Box& box, const std::vector<ImVec2>& shape) { return !cut(shape, box).empty(); }

Box place_inspector(const InspectorRequest& request) {
    Box found;
    if (place_beside(request, request.shape, found)) return found;
    float low = INFINITY, high = -INFINITY;
    for (const ImVec2& corner : request.shape) {
        low = std::min(low, corner.x);
        high = std::max(high, corner.x);
    }
    InspectorRequest narrow = request;
    narrow.size.x =
        std::max(low - request.margin - request.room.x, request.room.x + request.room.width - high - request.margin) -
        1;
    if (request.least_width > 0 && narrow.size.x >= request.least_width && narrow.size.x < request.size.x &&
        place_beside(narrow, request.shape, found))
        return found;
    if (place_beside(request, {request.clicked}, found)) return found;
    return {request.room.x, request.room.y, std::min(request.size.x, request.room.width),
            std::min(request.size.y, request.room.height)};
}

}  // namespace flipscope::app
