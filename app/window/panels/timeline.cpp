// The timeline of passes: coloured by pass, with a mark at every round; drag to seek. Positions beyond the known passes
// are computed on request.
#include <algorithm>
#include <cmath>

#include "app/base/number_text.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "lab/parameters.h"

namespace flipscope::app {

namespace {

constexpr uint64_t kLongRun = History::kMostBuckets;  // passes; up to this length every pass is drawn by itself

// Number of passes that the timeline spans; grows in strides, so that it does not rescale with every pass.
uint64_t room_of(const LabModel& model) {
    const uint64_t known = model.known();
    if (known > 0 && model.history.back().next == kNone) return known;
    uint64_t room = 32;
    while (room * 9 < known * 10) room *= 2;
    return room;
}

/// A pass that is no longer recorded: sums of its bucket.
std::string describe(const LabModel& model, const Bucket& bucket, uint64_t position) {
    std::string text = "after pass " + number_text(position) + "; of passes " + number_text(bucket.begin + 1) + " – " +
                       number_text(bucket.end());
    const auto range = [&](const std::string& name, double low, double high, const std::string& unit) {
        text += "\n" + name + " " + value_text(low) + (low < high ? " – " + value_text(high) : "") +
                (unit.empty() ? "" : " " + unit);
    };
    for (size_t i = 0; i < std::min(bucket.counters.size(), model.info.counters.size()); ++i)
        if (const auto& values = bucket.counters[i]; values.count > 0)
            range(model.info.counters[i].name, static_cast<double>(values.low), static_cast<double>(values.high), "");
    for (size_t i = 0; i < std::min(bucket.measures.size(), model.info.measures.size()); ++i)
        if (const auto& values = bucket.measures[i]; values.count > 0)
            range(model.info.measures[i].name, values.low, values.high, model.info.measures[i].unit);
    return text;
}

std::string describe(const LabModel& model, uint64_t position) {
    if (position == 0) return "the start";
    if (position > model.known()) return "not run yet: let go to run on to here";
    const StepResult* kept = model.history.find(position - 1);
    if (!kept) return describe(model, model.history.bucket_of(position - 1), position);
    const StepResult& step = *kept;
    std::string text = "after pass " + number_text(position) + ", " + model.info.passes[step.pass].name;
    if (step.round > 0) text += " (round " + number_text(step.round) + ")";
    for (size_t i = 0; i < step.counters.size() && i < model.info.counters.size(); ++i)
        if (step.counters[i] != kNotCounted)
            text += "\n" + model.info.counters[i].name + " " + number_text(step.counters[i]);
    for (size_t i = 0; i < step.measures.size() && i < model.info.measures.size(); ++i)
        if (!std::isnan(step.measures[i]))
            text += "\n" + model.info.measures[i].name + " " + value_text(step.measures[i]) +
                    (model.info.measures[i].unit.empty() ? "" : " " + model.info.measures[i].unit);
    return text;
}

}  // namespace

void draw_timeline(Ui& ui, float height) {
    const LabModel& model = ui.model;
    const float s = ui.scale, width = ImGui::GetContentRegionAvail().x;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - 4 * s);  // the handle can be gripped at both ends
    ImGui::InvisibleButton("timeline", {std::max(width, 1.f) + 8 * s, height});
    const bool hovered = ImGui::IsItemHovered(), held = ImGui::IsItemActive();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    ImGui::PushFont(ui.fonts.small_numbers);
    const float text_height = ImGui::GetTextLineHeight();
    const float x0 = origin.x, x1 = std::max(origin.x + width, x0 + 1);  // positive: x1 − x0 is a divisor
    const float y0 = origin.y + text_height + 3 * s, y1 = origin.y + height - 3 * s;
    const uint64_t room = room_of(model), known = model.known();
    const double per_step = (x1 - x0) / static_cast<double>(room);
    ui.boxes.add("timeline", {x0, y0, x1 - x0, y1 - y0}, std::to_string(room));
    const auto x_of = [&](uint64_t step) { return x0 + static_cast<float>(static_cast<double>(step) * per_step); };

    draw.AddRectFilled({x0, y0}, {x1, y1}, packed(ui.colors.field), 4 * s);
    const auto shade = [&](uint64_t step) { return step < model.position ? 0.95f : 0.35f; };
    const bool in_buckets = known > kLongRun || model.history.recent_begin() > 0;
    if (in_buckets) {
        // For each pixel column, the shares of the passes stacked.
        for (float x = x0; x < x_of(known); ++x) {
            const auto i = std::min(static_cast<uint64_t>((x - x0) / per_step), known - 1);
            const Bucket& bucket = model.history.bucket_of(i);
            float top = y0;
            for (size_t pass = 0; pass < bucket.passes.size(); ++pass) {
                const float high =
                    (y1 - y0) * static_cast<float>(bucket.passes[pass]) / static_cast<float>(bucket.items);
                if (high > 0)
                    draw.AddRectFilled({x, top}, {std::min(x + 1, x_of(known)), top + high},
                                       packed(ui.colour_of_pass(static_cast<uint32_t>(pass)).alpha(shade(i))));
                top += high;
            }
        }
    }
    // Adjacent passes of one colour share a rectangle; passes narrower than a pixel share one.
    for (uint64_t i = 0; i < known && !in_buckets;) {
        uint64_t end = i + 1;
        const auto pass_of = [&](uint64_t step) {
            const StepResult* kept = model.history.find(step);
            return kept ? kept->pass : kNone;
        };
        const uint32_t pass = pass_of(i);
        while (end < known && (pass_of(end) == pass || x_of(end) - x_of(i) < 1)) ++end;
        const float gap = per_step > 5 * s ? s : 0;
        const Color color = ui.colour_of_pass(pass);
        if (per_step > 5 * s)
            for (uint64_t k = i; k < end; ++k)
                draw.AddRectFilled({x_of(k), y0}, {x_of(k + 1) - gap, y1}, packed(color.alpha(shade(k))));
        else if (end <= model.position || i >= model.position)
            draw.AddRectFilled({x_of(i), y0}, {x_of(end), y1}, packed(color.alpha(shade(i))));
        else {
            draw.AddRectFilled({x_of(i), y0}, {x_of(model.position), y1}, packed(color.alpha(0.95f)));
            draw.AddRectFilled({x_of(model.position), y0}, {x_of(end), y1}, packed(color.alpha(0.35f)));
        }
        i = end;
    }
    // A mark at the start of each round, with its number if it fits.
    float free_from = x0;
    model.history.for_each_round_bucket([&](const Bucket& bucket) {
        const float x = x_of(bucket.step);
        if (x < free_from) return;
        const std::string text = number_text(bucket.round);
        const float wide = ImGui::CalcTextSize(text.c_str()).x;
        if (x + wide > x1) return;
        draw.AddLine({x, y0 - 4 * s}, {x, y0}, packed(ui.colors.quiet_text), s);
        draw.AddText({x + 3 * s, origin.y}, packed(ui.colors.quiet_text), text.c_str());
        free_from = x + wide + 12 * s;
    });
    ImGui::PopFont();

    const double at = std::clamp((ImGui::GetIO().MousePos.x - x0) / per_step, 0.0, static_cast<double>(room));
    const auto wanted = static_cast<uint64_t>(std::llround(at));
    if (held && model.loaded) {
        if (ui.state.scrub_target != wanted) {
            // A position beyond the known passes runs only when the mouse is released.
            if (wanted <= known) ui.session.playback().seek(wanted);
            ui.state.scrub_target = wanted;
        }
    } else if (const auto target = std::exchange(ui.state.scrub_target, std::nullopt)) {
        if (*target > known) ui.session.playback().seek(*target);
    }
    const float x = x_of(ui.state.scrub_target.value_or(model.position));
    draw.AddLine({x, y0 - 3 * s}, {x, y1 + 3 * s}, packed(ui.colors.text), 2.5f * s);
    draw.AddCircleFilled({x, y0 - 3 * s}, 4.5f * s, packed(ui.colors.text), 16);
    if (hovered || held) tooltip(ui, describe(model, wanted));
}

void draw_pass_key(Ui& ui) {
    const std::vector<PassInfo>& passes = ui.model.info.passes;
    const Scoped font(ui.fonts.small);
    const float line = ImGui::GetTextLineHeight(), side = std::round(0.62f * line);
    const float begin = ImGui::GetCursorPosX(), y = ImGui::GetCursorPosY(), end = ImGui::GetContentRegionMax().x;
    const std::string keys = ui.layout.compact ? "F1 keys" : "";
    const float right = end - (keys.empty() ? 0 : ImGui::CalcTextSize(keys.c_str()).x + ui.em(16));
    const float more = ImGui::CalcTextSize("and 00 more").x;
    std::vector<std::string> left_over;
    float x = begin;
    const auto width_of = [&](const PassInfo& pass) {
        return side + ui.em(4) + ImGui::CalcTextSize(pass.name.c_str()).x;
    };
    float rest = 0;  // remaining width
    for (const PassInfo& pass : passes) rest += width_of(pass) + ui.em(12);
    for (uint32_t i = 0; i < passes.size(); ++i) {
        const float wide = width_of(passes[i]);
        const bool fits = left_over.empty() && (x + rest - ui.em(12) <= right || x + wide + ui.em(12) + more <= right);
        rest -= wide + ui.em(12);
        if (!fits) {
            left_over.push_back(passes[i].name);
            continue;
        }
        ImGui::SetCursorPos({x, y});
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 low(at.x, std::round(at.y + 0.5f * (line - side)));
        ImGui::GetWindowDrawList()->AddRectFilled(low, {low.x + side, low.y + side}, packed(ui.colour_of_pass(i)),
                                                  ui.em(2));
        ui.boxes.add("pass/" + passes[i].name, {low.x, low.y, side, side});
        ImGui::SetCursorPos({x + side + ui.em(4), y});
        quiet_text(ui, passes[i].name);
        help_for_last(ui, capitalised(passes[i].name) + ": " + passes[i].sentence);
        x += wide + ui.em(12);
    }
    if (!left_over.empty() && x + more <= right) {
        ImGui::SetCursorPos({x, y});
        quiet_text(ui, "and " + std::to_string(left_over.size()) + " more");
        help_for_last(ui, join_words(left_over, ", "));
    }
    if (!keys.empty()) {
        ImGui::SetCursorPos({end - ImGui::CalcTextSize(keys.c_str()).x, y});
        quiet_text(ui, keys);
    }
}

}  // namespace flipscope::app
