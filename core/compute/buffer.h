// Buffers, with their context and views as the library's own sources use them.
#pragma once

#include "compute/context.h"
#include "compute/view.h"
#include "flipscope/buffer.h"
