// Included before every source of a mutated build: mutation.py writes `(flipscope_mutates(17) ? (a <= b) : (a < b))`
// where the source has `a < b`. The environment variable FLIPSCOPE_MUTANT chooses the mutant when the program starts.
#pragma once

extern int flipscope_mutant;  // 0: none; -1: record which are reached

bool flipscope_records(int id);  // false

// Constant expressions are never mutated.
constexpr bool flipscope_mutates(int id) {
    return !__builtin_is_constant_evaluated() &&
           (flipscope_mutant == id || (flipscope_mutant < 0 && flipscope_records(id)));
}
