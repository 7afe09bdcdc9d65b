// The cheapest partners of sides, from rows of the all-pairs matrix; and what seams cost exactly.

typedef unsigned int u32;
typedef unsigned long long u64;

#define THREADS 256
#define DIGIT 11
#define BINS (1 << DIGIT)
#define ID_BITS (2 * DIGIT)  // so many members there may be: four million

__device__ u32 ordered(float value)
{
    u32 bits = __float_as_uint(value + 0.0f);  // there is one zero
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

__device__ u64 ordered(double value)
{
    u64 bits = (u64)__double_as_longlong(value + 0.0);
    return bits >> 63 ? ~bits : bits | 0x8000000000000000ull;
}

// Find in which bin the one of so many that are wanted lies, and how many of that bin are.
__device__ void find_bin(const u32* counts, u32* sums, u32* found)
{
    const int per_thread = BINS / THREADS;
    const int thread = threadIdx.x;
    const u32 wanted = found[1];
    u32 own = 0;
    for (int i = 0; i < per_thread; i++)
        own += counts[thread * per_thread + i];
    sums[thread] = own;
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const u32 before = thread >= step ? sums[thread - step] : 0;
        __syncthreads();
        sums[thread] += before;
        __syncthreads();
    }
    u32 below = sums[thread] - own;
    if (below < wanted && wanted <= below + own) {
        int bin = thread * per_thread;
        while (below + counts[bin] < wanted)
            below += counts[bin++];
        found[0] = bin;
        found[1] = wanted - below;
        found[2] = counts[bin];
    }
    __syncthreads();
}

// Write the members of the `keep` lowest values of each row, equal ones by their numbers, in any
// order. One block to a row. Digit by digit the values are counted that share the digits of the
// last one wanted, until all of these are wanted; those of equal values go on with their numbers.
template <typename Value, typename Key>
__device__ void select(
    const Value* values, int columns, int first_row, int bits, int keep, int* ids)
{
    __shared__ u32 counts[BINS];
    __shared__ u32 sums[THREADS];
    __shared__ u32 found[3];  // a bin, how many in it are wanted, how many there are
    __shared__ u32 filled;
    const Value* mine = values + (u64)blockIdx.x * columns;
    const int piece = (first_row + (int)blockIdx.x) >> bits;
    int value_shift = 8 * sizeof(Key), id_shift = ID_BITS;
    Key prefix = 0;
    u32 id_prefix = 0;
    if (threadIdx.x == 0) {
        filled = 0;
        found[1] = keep;
    }
    while (true) {
        const bool by_id = value_shift == 0;
        if (by_id && id_shift == 0)
            break;
        const int step = by_id || value_shift > DIGIT ? DIGIT : value_shift;
        for (int bin = threadIdx.x; bin < BINS; bin += THREADS)
            counts[bin] = 0;
        __syncthreads();
        for (int column = threadIdx.x; column < columns; column += THREADS) {
            const Key key = ordered(mine[column]);
            // A shift by all bits is none at all.
            const bool shares = value_shift == 8 * sizeof(Key) || key >> value_shift == prefix;
            if (column >> bits == piece || !shares)
                continue;
            if (!by_id)
                atomicAdd(&counts[(key >> (value_shift - step)) & ((1 << step) - 1)], 1);
            else if ((u32)column >> id_shift == id_prefix)
                atomicAdd(&counts[((u32)column >> (id_shift - step)) & (BINS - 1)], 1);
        }
        __syncthreads();
        find_bin(counts, sums, found);
        if (by_id) {
            id_shift -= step;
            id_prefix = id_prefix << step | found[0];
        } else {
            value_shift -= step;
            prefix = prefix << step | found[0];
        }
        if (found[1] == found[2])
            break;
        __syncthreads();
    }
    const bool by_id = id_shift < ID_BITS;
    for (int column = threadIdx.x; column < columns; column += THREADS) {
        if (column >> bits == piece)
            continue;
        const Key key = ordered(mine[column]) >> value_shift;
        if (key < prefix || (key == prefix && (!by_id || (u32)column >> id_shift <= id_prefix)))
            ids[(u64)blockIdx.x * keep + atomicAdd(&filled, 1)] = column;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) select_single(
    const float* values, int columns, int first_row, int bits, int keep, int* ids)
{
    select<float, u32>(values, columns, first_row, bits, keep, ids);
}

extern "C" __global__ void __launch_bounds__(THREADS) select_double(
    const double* values, int columns, int first_row, int bits, int keep, int* ids)
{
    select<double, u64>(values, columns, first_row, bits, keep, ids);
}

// What follows is compiled without fused multiply-add: the costs are those of `_kernels/costs.py`,
// to the last bit.

// Of each near row the seams with so many far rows, given by members: its own are the same.
extern "C" __global__ void magnitudes(
    const short* borders, int width, const int* near, const int* far, const int* ids, int keep,
    int count, float* costs)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count)
        return;
    const short* own = borders + (u64)near[index / keep] * width;
    const short* other = borders + (u64)far[ids[index]] * width;
    long long total = 0;
    for (int i = 0; i < width; i++) {
        const int difference = (int)own[i] - other[i];
        total += difference < 0 ? -difference : difference;
    }
    costs[index] = (float)total;
}

#define FORM 10

__device__ double gradient_cost(const short* side, const short* partner, int width)
{
    const int half = (width - FORM) / 2;
    const short* form = side + 2 * half;
    long long s_00 = 0, s_01 = 0, s_02 = 0, s_11 = 0, s_12 = 0, s_22 = 0;
    for (int i = 0; i < half - 2; i += 3) {
        const long long d_0 = (int)partner[i] - side[half + i];
        const long long d_1 = (int)partner[i + 1] - side[half + i + 1];
        const long long d_2 = (int)partner[i + 2] - side[half + i + 2];
        s_00 += d_0 * d_0;
        s_01 += d_0 * d_1;
        s_02 += d_0 * d_2;
        s_11 += d_1 * d_1;
        s_12 += d_1 * d_2;
        s_22 += d_2 * d_2;
    }
    const double t_00 = (double)s_00, t_01 = (double)s_01, t_02 = (double)s_02;
    const double t_11 = (double)s_11, t_12 = (double)s_12, t_22 = (double)s_22;
    double a = form[0], b = form[1], c = form[2];
    double first = a * a * t_00 + b * b * t_11 + c * c * t_22;
    first += 2.0 * (a * b * t_01 + a * c * t_02 + b * c * t_12);
    b = form[3];
    c = form[4];
    const double second = b * b * t_11 + c * c * t_22 + 2.0 * b * c * t_12;
    c = form[5];
    double total = ldexp(first, 2 * form[6]);
    total += ldexp(second, 2 * form[7]);
    total += ldexp(c * c * t_22, 2 * form[8]);
    return total > 0.0 ? total : 0.0;
}

extern "C" __global__ void gradients(
    const short* borders, int width, const int* near, const int* far, const int* ids, int keep,
    int count, float* costs)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count)
        return;
    const short* own = borders + (u64)near[index / keep] * width;
    const short* other = borders + (u64)far[ids[index]] * width;
    costs[index] = (float)(gradient_cost(own, other, width) + gradient_cost(other, own, width));
}
