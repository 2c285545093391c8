// Once per cell: the counts smoothed along a row (stage 0), then along a column (stage 1), with the weights 1 4 6 4 1.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Counts { uint counts[]; };
layout(std430, binding = 1) buffer Rows { float rows[]; };
layout(std430, binding = 2) writeonly buffer Smooth { float smoothed[]; };
uniform ivec2 cells;
uniform uint stage;

void main() {
    const int i = int(gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 64u) + gl_GlobalInvocationID.x);
    if (i >= cells.x * cells.y) return;
    const int x = i % cells.x, y = i / cells.x, w = cells.x;
    if (stage == 0u)
        rows[i] = x < 2 || x >= w - 2 ? 0.0
                                      : (float(counts[i - 2]) + float(counts[i + 2]) +
                                         4.0 * (float(counts[i - 1]) + float(counts[i + 1])) + 6.0 * float(counts[i])) /
                                            16.0;
    else
        smoothed[i] = y < 2 || y >= cells.y - 2
                          ? 0.0
                          : (rows[i - 2 * w] + rows[i + 2 * w] + 4.0 * (rows[i - w] + rows[i + w]) + 6.0 * rows[i]) /
                                16.0;
}
