// A kept picture beside the live one in the real window.
#include <doctest/doctest.h>

#include "app/window_hands.h"

using namespace flipscope;
using nlohmann::json;

TEST_CASE("window: a kept picture stands beside the live one and moves with it") {
    const auto window = window_or_skip({"--lab", "flip", "--points", "uniform:200"});
    if (!window) return;
    json status = window->settle();
    const double whole = status["canvas"]["width"].get<double>(), left = status["canvas"]["x"].get<double>();
    CHECK(status["kept"].is_null());
    press_key(*window, "Right", "/position", 1);
    status = press_key(*window, "9",
                       [](const json& s) { return !s["kept"].is_null() && s["kept"]["width"].get<double>() > 0; });
    CHECK(status["kept"]["caption"] == "Flip lab: uniform:200, pass 1: claim");
    CHECK(status["kept"]["x"] == left);
    CHECK(status["kept"]["width"] == status["canvas"]["width"]);
    CHECK(status["canvas"]["width"].get<double>() < 0.5 * whole);
    status = to_end(*window);
    const json hash = status["state_hash"];
    CHECK(status["kept"]["caption"] == "Flip lab: uniform:200, pass 1: claim");
    CHECK(linked(status));
    const double scale = status["camera"]["scale"].get<double>();
    const double x = left + 0.25 * whole, y = status["canvas"]["height"].get<double>() / 2;
    window->move(x, y);
    window->settle();
    window->click(4);  // the wheel, over the kept half
    status =
        window->wait_for("a closer look", [&](const json& s) { return s["camera"]["scale"].get<double>() > scale; });
    CHECK(linked(status));
    const double eye = status["camera"]["x"].get<double>();
    window->press();
    window->settle();
    window->move(x + 30, y);
    window->settle();
    window->release();
    status = window->wait_for("the picture moved", [&](const json& s) { return s["camera"]["x"].get<double>() < eye; });
    CHECK(linked(status));
    CHECK(status["inspected"].is_null());
    // A click inspects the live picture alone.
    window->click();
    status = window->wait_for("a word", [](const json& s) {
        return s["message"].is_string() && s["message"].get<std::string>().find("kept picture") != std::string::npos;
    });
    CHECK(status["inspected"].is_null());
    click(*window, {left + 0.75 * whole, y});
    status = window->wait_for("an element", [](const json& s) { return !s["inspected"].is_null(); });
    CHECK(status["state_hash"] == hash);
    status =
        press_key(*window, "9", [&](const json& s) { return s["kept"].is_null() && s["canvas"]["width"] == whole; });
}
