// A function so costly that its paths are joined in the end. The plain one on which the caller gets
// what was made is kept apart, so that the caller's loss is seen.
// run: --level=likely
#include <stdlib.h>

struct level {
    int width;
    union {
        int code;
        struct level *below;
    } at;
};

static int build(const unsigned *codes, unsigned count, unsigned most, int bits,
                 struct level **root) {
    struct level *top[16], *t = NULL, entry;
    unsigned size = 0, left, step, code = 0, marks[17], k;
    int depth = -1, done = -bits, length = 0, rest = 0;
    while (count--) {
        length = (int)codes[count];
        while (length > done + bits) {
            depth++;
            done += bits;
            size = most - (unsigned)done;
            size = size > (unsigned)bits ? (unsigned)bits : size;
            k = (unsigned)(length - done);
            step = 1u << k;
            if (step > count + 1) {
                left = step - (count + 1);
                while (++k < size) {
                    left <<= 1;
                    if (left <= codes[k])
                        break;
                    left -= codes[k];
                }
            }
            size = 1u << k;
            t = malloc((size + 1) * sizeof *t);
            if (t == NULL)
                return 3;
            *root = t + 1;
            root = &t->at.below;
            *root = NULL;
            top[depth] = ++t;
            if (depth) {
                marks[depth] = code;
                entry.width = bits;
                entry.at.below = t;
                k = code >> (done - bits);
                top[depth - 1][k] = entry;
            }
        }
        step = 1u << (length - done);
        for (k = code >> done; k < size; k += step)
            t[k] = entry;
        for (k = 1u << (length - 1); code & k; k >>= 1)
            code ^= k;
        code ^= k;
        while ((code & ((1u << done) - 1)) != marks[depth]) {
            depth--;
            done -= bits;
        }
    }
    return rest != 0 && most != 1;
}

static void drop(struct level *t) {
    while (t != NULL) {
        struct level *below = (--t)->at.below;
        free(t);
        t = below;
    }
}

int forgotten_by_the_caller(const unsigned *codes, unsigned count, int bits) {
    struct level *root = NULL;
    build(codes, count, 9, bits, &root); // LEAK root
    return 0;                            // LOST root
}

int dropped_by_the_caller(const unsigned *codes, unsigned count, int bits) {
    struct level *root = NULL;
    build(codes, count, 9, bits, &root); // OK
    drop(root);
    return 0;
}
