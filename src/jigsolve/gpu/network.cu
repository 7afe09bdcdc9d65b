// What the seam networks do between their matrix products, one thread to a number or to a channel of
// a position. `measures/whole_arrays.py` has the same for NumPy's arrays.
//
// `hidden` is (seams, length, 4, channels), four readings of a seam; `mixed` holds their sums and
// differences with what the taps see of them, (4, seams, length, 3 channels); `products` what a layer
// makes of them, (4, seams, length, channels).

typedef unsigned char u8;

#define CEILING 32.0f

#define INDEX ((long long)blockIdx.x * blockDim.x + threadIdx.x)

__device__ float limited(float value)
{
    return fminf(fmaxf(value, 0.0f), CEILING);
}

extern "C" __global__ void enter_seams(
    const u8* near, const u8* far, const float* near_levels, const float* far_levels,
    const float* scales, const long long* ones, const long long* others, int backwards,
    int length, int width, long long count, float* values)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int entry = index % (2 * width), i = entry % width;
    const int at = index / (2 * width) % length;
    const long long seam = index / (2 * width) / length;
    const long long one = ones[seam], other = others[seam];
    const float level = 0.5f * (near_levels[3 * one + i % 3] + far_levels[3 * other + i % 3]);
    const int there = backwards ? length - 1 - at : at;
    const u8 value = entry < width ? near[(one * length + at) * width + i]
                                   : far[(other * length + there) * width + i];
    values[index] = ((float)value - level) * (1.0f / scales[seam]);
}

extern "C" __global__ void first_readings(
    const float* products, const float* shifts, int length, int channels, long long count,
    float* hidden)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int entry = index % (2 * channels);
    const long long row = index / (2 * channels), seam = row / length;
    const float value = products[index] + shifts[seam * 2 * channels + entry];
    hidden[row * 4 * channels + entry] = limited(value);
}

__device__ bool straddles(const int* ends, long long side, int kind, int at, int length)
{
    return at < ends[4 * side + 2 * kind] || at >= length - ends[4 * side + 2 * kind + 1];
}

extern "C" __global__ void add_sides(
    const float* near_lines, const float* near_told, const int* near_ends,
    const float* near_moved, const float* far_lines, const float* far_told, const int* far_ends,
    const float* far_moved, const float* flags, const float* shifts, const float* scales,
    const long long* ones, const long long* others, int backwards, int length, int channels,
    long long count, float* hidden)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int both = 2 * channels, i = index % both;
    const int j = i < channels ? i + channels : i - channels;  // read from the other side
    const long long row = index / both, seam = row / length;
    const int at = row % length, beyond = backwards ? length - 1 - at : at;
    const long long one = ones[seam], other = others[seam];
    float value = near_lines[(one * length + at) * both + i] + near_moved[seam * both + i];
    value += far_lines[(other * length + beyond) * both + j] - far_moved[seam * both + j];
    value = value * (1.0f / scales[seam]) + near_told[one * both + i] + far_told[other * both + j];
    value += shifts[seam * both + i];
    for (int kind = 0; kind < 2; kind++) {
        if (straddles(near_ends, one, kind, at, length))
            value += flags[kind * both + i];
        if (straddles(far_ends, other, kind, beyond, length))
            value += flags[kind * both + j];
    }
    hidden[row * 4 * channels + i] = limited(value);
}

extern "C" __global__ void mix_two(
    const float* hidden, int length, int channels, long long count, float* mixed)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int channel = index % channels;
    const long long row = index / channels, rows = count / channels;
    const int at = row % length;
    float sums[5], differences[5];
    for (int step = -2; step <= 2; step++) {
        const bool within = at + step >= 0 && at + step < length;
        const float* here = hidden + (row + step) * 4 * channels + channel;
        sums[step + 2] = within ? here[0] + here[channels] : 0.0f;
        differences[step + 2] = within ? here[0] - here[channels] : 0.0f;
    }
    for (int sign = 0; sign < 2; sign++) {
        const float* taps = sign ? differences : sums;
        float* even = mixed + (sign * rows + row) * 3 * channels + channel;
        float* odd = mixed + ((2 + sign) * rows + row) * 3 * channels + channel;
        even[0] = taps[2];
        even[channels] = taps[3] + taps[1];
        even[2 * channels] = taps[4] + taps[0];
        odd[0] = taps[3] - taps[1];
        odd[channels] = taps[4] - taps[0];
        odd[2 * channels] = 0.0f;
    }
}

__device__ void exchange(const float* four, float* results)
{
    results[0] = (four[0] + four[1]) + (four[2] + four[3]);
    results[1] = (four[0] - four[1]) + (four[2] - four[3]);
    results[2] = (four[0] + four[1]) - (four[2] + four[3]);
    results[3] = (four[0] - four[1]) - (four[2] - four[3]);
}

extern "C" __global__ void mix_four(
    const float* hidden, int length, int channels, long long count, float* mixed)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int channel = index % channels;
    const long long row = index / channels, rows = count / channels;
    const int at = row % length;
    float sums[3][4];
    for (int step = -1; step <= 1; step++) {
        float four[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        if (at + step >= 0 && at + step < length)
            for (int reading = 0; reading < 4; reading++)
                four[reading] = hidden[((row + step) * 4 + reading) * channels + channel];
        exchange(four, sums[step + 1]);
    }
    for (int part = 0; part < 4; part++) {
        float* taps = mixed + (part * rows + row) * 3 * channels + channel;
        taps[0] = sums[1][part];
        taps[channels] = sums[2][part] + sums[0][part];
        taps[2 * channels] = sums[2][part ^ 2] - sums[0][part ^ 2];
    }
}

extern "C" __global__ void read_back(
    const float* products, const float* bias, int is_residual, int channels, long long count,
    float* hidden)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int channel = index % channels;
    const long long row = index / channels;
    float four[4], readings[4];
    for (int part = 0; part < 4; part++)
        four[part] = products[part * count + index];
    exchange(four, readings);
    for (int reading = 0; reading < 4; reading++) {
        float* here = hidden + (row * 4 + reading) * channels + channel;
        const float value = fmaxf(readings[reading] + bias[channel], 0.0f);
        *here = is_residual ? value + *here : value;
    }
}

extern "C" __global__ void pool(
    const float* hidden, int length, int channels, long long count, float* pooled)
{
    const long long index = INDEX;
    if (index >= count)
        return;
    const int channel = index % channels, reading = index / channels % 4;
    const long long seam = index / channels / 4;
    float sum = 0.0f, most = 0.0f;  // nothing is negative
    for (int at = 0; at < length; at++) {
        const float value = hidden[((seam * length + at) * 4 + reading) * channels + channel];
        sum += value;
        most = fmaxf(most, value);
    }
    float* row = pooled + (seam * 4 + reading) * 2 * channels;
    row[channel] = sum * (1.0f / length);
    row[channels + channel] = most;
}
