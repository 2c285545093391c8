// Lists what is seen of a layer's elements, in their order, so that what overlaps looks the same in every frame. In three
// stages: the records of every group of 64 elements are counted; the counts are summed up; the records are written.
layout(local_size_x = 64) in;
uniform uint stage, first_element, end_element;  // at most 64 * 2048 elements at once

/// Whether image `image` of an element is seen; if so put() can write its record.
bool make(uint element, uint image);
void put(uint place);

shared uint sums[64];

/// The sum of what the threads before this one have.
uint sum_before(uint mine) {
    const uint me = gl_LocalInvocationID.x;
    sums[me] = mine;
    barrier();
    for (uint reach = 1u; reach < 64u; reach *= 2u) {
        const uint other = me >= reach ? sums[me - reach] : 0u;
        barrier();
        sums[me] += other;
        barrier();
    }
    return sums[me] - mine;
}

void sum_groups() {
    const uint groups = (end_element - first_element + 63u) / 64u, each = (groups + 63u) / 64u;
    const uint begin = gl_LocalInvocationID.x * each, end = min(begin + each, groups);
    uint mine = 0u;
    for (uint g = begin; g < end; ++g) mine += records_before[g];
    uint before = sum_before(mine);
    for (uint g = begin; g < end; ++g) {
        const uint here = records_before[g];
        records_before[g] = before;
        before += here;
    }
    if (gl_LocalInvocationID.x == 63u) {
        vertices = 6u * before;
        instances = 1u;
        first_vertex = base_instance = 0u;
        box = box_on_picture();
    }
}

void main() {
    if (stage == 1u) {
        sum_groups();
        return;
    }
    const uint element = first_element + gl_GlobalInvocationID.x;
    uint seen = 0u;  // a bit for each image
    if (element < end_element)
        for (uint image = 0u; image < images; ++image)
            if (make(element, image)) seen |= 1u << image;
    const uint mine = uint(bitCount(seen)), before = sum_before(mine);
    if (stage == 0u) {
        if (gl_LocalInvocationID.x == 63u) records_before[gl_WorkGroupID.x] = before + mine;
        return;
    }
    uint place = records_before[gl_WorkGroupID.x] + before;
    if (images == 1u) {  // it is what was made last
        if (seen != 0u) put(place);
        return;
    }
    for (uint image = 0u; image < images; ++image)
        if ((seen >> image & 1u) != 0u && make(element, image)) put(place++);
}
