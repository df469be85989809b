/*
 * Replays episodes in MuJoCo from C, as fast as possible: the reference for stepping from Java.
 *
 *   hopper_loop LIBRARY MODEL.xml EPISODES QPOS QVEL CTRL FRAME_SKIP
 *
 * QPOS, QVEL and CTRL are the offsets of these pointers in mjData, so that no MuJoCo header is needed. EPISODES is a file of
 * doubles in native byte order: nq, nv, nu, number of episodes, and for each its number of steps, qpos, qvel, and the controls
 * of every step. Each line read from standard input starts a round. The answer is a line with the nanoseconds of wall-clock
 * time, the nanoseconds of CPU time and the sum of all final positions, which shows that both languages simulated the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *(*load_xml)(const char *, const void *, char *, int);
typedef void *(*make_data)(const void *);
typedef void (*act)(const void *, void *);

static void die(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(1);
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) die(name, "not in the library");
    return found;
}

static double *read_episodes(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) die(path, "cannot be read");
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    double *values = malloc(size);
    if (!values || fread(values, 1, size, file) != (size_t) size) die(path, "cannot be read");
    fclose(file);
    return values;
}

static double *array_at(void *data, const char *offset) {
    return *(double **) ((char *) data + atol(offset));
}

static long long nanos(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

int main(int count, char **args) {
    if (count != 8) die(args[0], "needs 7 arguments");
    void *library = dlopen(args[1], RTLD_NOW | RTLD_GLOBAL);
    if (!library) die(args[1], dlerror());
    char error[1000] = "";
    void *model = ((load_xml) symbol(library, "mj_loadXML"))(args[2], NULL, error, sizeof error);
    if (!model) die(args[2], error);
    void *data = ((make_data) symbol(library, "mj_makeData"))(model);
    act reset = (act) symbol(library, "mj_resetData");
    act forward = (act) symbol(library, "mj_forward");
    act step = (act) symbol(library, "mj_step");

    const double *script = read_episodes(args[3]);
    double *qpos = array_at(data, args[4]);
    double *qvel = array_at(data, args[5]);
    double *ctrl = array_at(data, args[6]);
    int frame_skip = atoi(args[7]);
    int nq = (int) script[0], nv = (int) script[1], nu = (int) script[2], episodes = (int) script[3];

    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        long long wall = nanos(CLOCK_MONOTONIC), cpu = nanos(CLOCK_THREAD_CPUTIME_ID);
        const double *at = script + 4;
        double sum = 0;
        for (int e = 0; e < episodes; e++) {
            int steps = (int) *at++;
            reset(model, data);
            memcpy(qpos, at, nq * sizeof(double));
            memcpy(qvel, at + nq, nv * sizeof(double));
            at += nq + nv;
            forward(model, data);
            for (int t = 0; t < steps; t++, at += nu) {
                memcpy(ctrl, at, nu * sizeof(double));
                for (int i = 0; i < frame_skip; i++) step(model, data);
            }
            for (int i = 0; i < nq; i++) sum += qpos[i];
        }
        wall = nanos(CLOCK_MONOTONIC) - wall;
        cpu = nanos(CLOCK_THREAD_CPUTIME_ID) - cpu;
        printf("%lld %lld %.17g\n", wall, cpu, sum);
        fflush(stdout);
    }
    return 0;
}
