// Sentences of the Events lab about its source, from an engine's numbers and enums.
#pragma once

#include <string>

#include "events/sources/source.h"

namespace flipscope {

/// The source: "bubbles of a random field on 512 × 256 pixels, periodic".
std::string text_of(const Source& source);
/// The origin of the usual threshold, if it is not obvious: ", by Otsu's method …"; or empty.
std::string text_of(ThresholdOrigin origin);
/// For a source that has cells(): "Each number of cells.png but 0, the background, is a cell: 4 labels from 1 to 300.
/// …"
std::string text_of_labels(const Source& source);
/// For a source with a segmentation(): "The field is the brightness smoothed by … 70 bubbles are found in the first
/// frame, …"
std::string text_of_segmentation(const Source& source);
/// A sentence about a parameter whose value was changed. `lattice`: of the source.
std::string sentence_of(const SourceNote& note, const Lattice& lattice);
/// Notes of one kind differ only in numbers: StepMessage::Sentence::kind.
const char* kind_of(const SourceNote& note);
/// Pixels per step beyond which a fluid's densities vary with its flow.
inline constexpr double kGreatSpeed = 0.1;
std::string sentence_of_fast_flow(uint64_t step, double speed);
std::string sentence_of(const SourceTrouble& trouble);
/// The time of the mean, whether it is stationary, and the criterion.
std::string sentence_of(const FlowProfile& profile);

}  // namespace flipscope
