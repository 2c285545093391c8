// Error, with the functions that its sentences are written with.
#pragma once

#include "compute/printable.h"
#include "flipscope/error.h"
