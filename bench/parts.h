// Experiments on one part of the program each: judging, readers, statistics, interpolation, the timeline, events and
// frames. They print a line for each thing that is measured, and add the numbers to `json`. Sizes are task.most, or
// their own.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/measure.h"

namespace flipscope::bench {

/// Time to judge a triangulation, compared with making the exact one of the same points.
void run_judging(const Task& task, nlohmann::ordered_json& json);

/// Time to read tables of points, compared with reading their bytes alone.
void run_readers(const Task& task, nlohmann::ordered_json& json);

/// Time of each part of the statistics of points and their triangulation.
void run_statistics(const Task& task, nlohmann::ordered_json& json);

/// Time to interpolate at a million places, from points in host memory to values there.
void run_interpolation(const Task& task, nlohmann::ordered_json& json);

/// The overhead of the timeline and its history: steps per second of a lab that does nothing, in a short and in a very
/// long run.
void run_timeline(const Task& task, nlohmann::ordered_json& json);

/// The benchmark of the Events lab, after Bernaschi, Lulli and Sbragaglia (2016, section IV): the time from a field to
/// events, pass by pass, and the share that comparing every so many steps adds to a running source. task.only: sources;
/// empty: bubbles and channel. Returns false if a run's check fails. Throws Error for an unknown source.
bool run_events(const Task& task, nlohmann::ordered_json& json);

/// Frame times of a large triangulation while the camera moves: frames as the window draws them, without a window.
/// `beside`: a picture and a kept copy side by side. `coloured`: triangles in the colours of their areas. Throws
/// std::runtime_error without OpenGL.
void run_frames(const Task& task, bool beside, bool coloured, nlohmann::ordered_json& json);

}  // namespace flipscope::bench
