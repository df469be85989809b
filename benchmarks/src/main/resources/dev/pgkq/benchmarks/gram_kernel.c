/*
 * The Gram matrix of episodes in C with AVX-512 intrinsics, one thread: the reference for the kernel in Java.
 *
 *   gram_kernel EPISODES
 *
 * EPISODES is a file of floats in native byte order: number of episodes, steps of each, then for every step its ten features
 * and its weight. Each line read from standard input starts a round: arrange the steps in memory, then compute
 * K_ij = sum over t, u of v_t v_u exp(-|f_t - f_u|^2 / 20) for i <= j. The answer is a line with the nanoseconds of wall-clock
 * time, the nanoseconds of CPU time and the sum of all K_ij, which shows that both languages computed the same.
 *
 * Two rows against two blocks of 16 columns was the fastest of 1 to 8 rows by 1 to 4 blocks, with the rows' values in
 * registers or broadcast from memory. Dedicated instructions for rounding and scaling (vrndscale, vscalef) were no faster than
 * adding a constant and shifting. Do not compile with -ffast-math: it removes the constant and thereby the rounding.
 */
#define _GNU_SOURCE
#include <stdio.h>

#ifndef __AVX512F__

int main(void) {
    puts("this processor has no AVX-512");
    return 0;
}

#else

#include <immintrin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FEATURES 10
#define LANES 16
#define ROWS 2
#define BLOCKS 2
/* Values of a row or column: square, weight, features. */
#define SIZE (2 + FEATURES)
#define BLOCK (SIZE * LANES)

static void die(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void *zeros(size_t floats) {
    size_t bytes = (floats * sizeof(float) + 63) / 64 * 64;
    void *memory = aligned_alloc(64, bytes);
    if (!memory) die("malloc", "out of memory");
    memset(memory, 0, bytes);
    return memory;
}

static float *read_floats(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path, "cannot be read");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    float *values = malloc(size);
    if (!values || fread(values, 1, size, file) != (size_t) size) die(path, "cannot be read");
    fclose(file);
    return values;
}

static long long nanos(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* 2^-d by a polynomial on [-1/2, 1/2]. */
static inline __m512 exp2_of_minus(__m512 d) {
    const __m512 rounder = _mm512_set1_ps(0x1.8p23f);
    d = _mm512_min_ps(_mm512_max_ps(d, _mm512_setzero_ps()), _mm512_set1_ps(126));
    __m512 rounded = _mm512_add_ps(d, rounder);
    __m512 f = _mm512_sub_ps(d, _mm512_sub_ps(rounded, rounder));
    __m512 p = _mm512_fmadd_ps(f, _mm512_set1_ps(-0.001327647197940257f), _mm512_set1_ps(0.009675541334219133f));
    p = _mm512_fmadd_ps(f, p, _mm512_set1_ps(-0.055507132735428406f));
    p = _mm512_fmadd_ps(f, p, _mm512_set1_ps(0.24022119723848384f));
    p = _mm512_fmadd_ps(f, p, _mm512_set1_ps(-0.693146967064733f));
    p = _mm512_fmadd_ps(f, p, _mm512_set1_ps(1.0000000716546824f));
    __m512i exponent = _mm512_slli_epi32(_mm512_castps_si512(rounded), 23);
    return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_castps_si512(p), exponent));
}

static double pair(const float *rows, int row_count, const float *columns, int blocks) {
    double total = 0;
    for (int t = 0; t < row_count; t += ROWS, rows += ROWS * SIZE) {
        __m512 sums[ROWS];
        for (int r = 0; r < ROWS; r++) sums[r] = _mm512_setzero_ps();
        for (int b = 0; b < blocks; b += BLOCKS) {
            const float *block = columns + (size_t) b * BLOCK;
            __m512 d[ROWS][BLOCKS];
            for (int c = 0; c < BLOCKS; c++) {
                __m512 square = _mm512_load_ps(block + c * BLOCK);
                for (int r = 0; r < ROWS; r++) d[r][c] = _mm512_add_ps(_mm512_set1_ps(rows[r * SIZE]), square);
            }
#pragma GCC unroll 10
            for (int k = 2; k < SIZE; k++) {
                for (int c = 0; c < BLOCKS; c++) {
                    __m512 y = _mm512_load_ps(block + c * BLOCK + k * LANES);
                    for (int r = 0; r < ROWS; r++) {
                        d[r][c] = _mm512_fmadd_ps(_mm512_set1_ps(rows[r * SIZE + k]), y, d[r][c]);
                    }
                }
            }
            for (int c = 0; c < BLOCKS; c++) {
                __m512 weight = _mm512_load_ps(block + c * BLOCK + LANES);
                for (int r = 0; r < ROWS; r++) sums[r] = _mm512_fmadd_ps(weight, exp2_of_minus(d[r][c]), sums[r]);
            }
        }
        for (int r = 0; r < ROWS; r++) total += (double) rows[r * SIZE + 1] * _mm512_reduce_add_ps(sums[r]);
    }
    return total;
}

/* Centred and scaled so that the kernel is 2^-|x - y|^2. */
static void lay_out(const float *steps, int episodes, int length, float *rows, int row_count, float *columns, int blocks) {
    double mean[FEATURES] = {0};
    double scale = sqrt(1 / (log(2) * 20));
    size_t count = (size_t) episodes * length;
    for (size_t s = 0; s < count; s++) {
        for (int k = 0; k < FEATURES; k++) mean[k] += steps[s * (FEATURES + 1) + k] / (double) count;
    }
    for (int e = 0; e < episodes; e++) {
        for (int t = 0; t < length; t++) {
            const float *step = steps + ((size_t) e * length + t) * (FEATURES + 1);
            float *row = rows + ((size_t) e * row_count + t) * SIZE;
            float *column = columns + ((size_t) e * blocks + t / LANES) * BLOCK + t % LANES;
            double square = 0;
            for (int k = 0; k < FEATURES; k++) {
                float x = scale * (step[k] - mean[k]);
                square += (double) x * x;
                row[2 + k] = -2 * x;
                column[(2 + k) * LANES] = x;
            }
            row[0] = column[0] = square;
            row[1] = column[LANES] = step[FEATURES];
        }
    }
}

int main(int count, char **args) {
    if (count != 2) die(args[0], "needs 1 argument");
    const float *file = read_floats(args[1]);
    int episodes = file[0], length = file[1];
    int row_count = (length + ROWS - 1) / ROWS * ROWS;
    int blocks = (length + BLOCKS * LANES - 1) / (BLOCKS * LANES) * BLOCKS;
    float *rows = zeros((size_t) episodes * row_count * SIZE);
    float *columns = zeros((size_t) episodes * blocks * BLOCK);
    puts("ready");
    fflush(stdout);

    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long long wall = nanos(CLOCK_MONOTONIC), cpu = nanos(CLOCK_THREAD_CPUTIME_ID);
        lay_out(file + 2, episodes, length, rows, row_count, columns, blocks);
        double sum = 0;
        for (int i = 0; i < episodes; i++) {
            for (int j = i; j < episodes; j++) {
                double value = pair(
                        rows + (size_t) i * row_count * SIZE, row_count, columns + (size_t) j * blocks * BLOCK, blocks);
                sum += i == j ? value : 2 * value;
            }
        }
        wall = nanos(CLOCK_MONOTONIC) - wall;
        cpu = nanos(CLOCK_THREAD_CPUTIME_ID) - cpu;
        printf("%lld %lld %.17g\n", wall, cpu, sum);
        fflush(stdout);
    }
    return 0;
}

#endif
