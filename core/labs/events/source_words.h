// What the Events lab says of its source: an engine's numbers and kinds in sentences.
#pragma once

#include <string>

#include "events/sources/source.h"

namespace flipscope {

/// What it is: "bubbles of a random field on 512 × 256 pixels, periodic".
std::string text_of(const Source& source);
/// Where its usual threshold comes from, where that may be taken for another: ", by Otsu's method …"; or empty.
std::string text_of(ThresholdOrigin origin);
/// Of a source that has cells(): "Each number of cells.png but 0, the background, is a cell: 4 labels from 1 to 300. …"
std::string text_of_labels(const Source& source);
/// A sentence about a parameter that came out otherwise. `lattice`: of the source.
std::string sentence_of(const SourceNote& note, const Lattice& lattice);
/// Two notes of one kind say the same of other numbers: StepMessage::Sentence::kind.
const char* kind_of(const SourceNote& note);
std::string sentence_of(const SourceTrouble& trouble);
/// Over which time it is the mean, whether it is stationary, and by which criterion.
std::string sentence_of(const FlowProfile& profile);

}  // namespace flipscope
