/* Does what multiplies by secrets branch on them, or read an address that depends on them?
 *
 * memcheck takes every scalar here for uninitialised memory, and reports each branch and each
 * address that depends on such. With the argument "public" the other function runs, which must be
 * reported: so the check is known to see something. (The idea is Langley's, ctgrind, 2010.)
 * memcheck knows no AVX-512: of the lanes it sees what -DEMULATED makes of the same code.
 */

#include "fast.c"

#include <valgrind/memcheck.h>

enum { COUNT = 11 };

int main(int count, char **arguments)
{
    static uint8_t comb[64 * 8 * 160], wide[64 * 160], scalars[32 * COUNT];
    uint8_t base[160], points[160 * COUNT], sums[160 * COUNT], encodings[32 * COUNT];
    const uint8_t *tables[COUNT] = {comb}, *none[COUNT] = {0};
    /* A sum of one term, one of three, of which one is by a comb, and one of seven. */
    const uint32_t ends[3] = {1, 4, 11}, which[COUNT] = {1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    uint32_t each[COUNT], same[COUNT] = {0};
    int public = count > 1 && strcmp(arguments[1], "public") == 0;

    fast_generator(base);
    fast_comb(comb, base);
    fast_wide(wide, base);
    for (size_t i = 0; i < sizeof scalars; i++)
        scalars[i] = (uint8_t)(i % 32 == 31 ? 0 : 151 * i + 17);
    for (uint32_t i = 0; i < COUNT; i++)
        each[i] = i + 1;
    fast_secret_sums(points, COUNT, each, same, scalars, 1, base, tables);

    VALGRIND_MAKE_MEM_UNDEFINED(scalars, sizeof scalars);
    if (public) {
        const uint8_t *const tables_of[COUNT] = {NULL, NULL, NULL, wide};
        fast_public_sums(sums, 3, ends, which, scalars, COUNT, points, tables_of);
        return 0;
    }
    fast_secret_sums(sums, 3, ends, which, scalars, COUNT, points, tables);
    fast_secret_sums(sums, 1, each, which, scalars, COUNT, points, none);
    fast_secret_sums(sums, COUNT, each, same, scalars, 1, base, tables);
    fast_add(sums, COUNT, sums, points);
    fast_subtract(sums, sums, sums + 320);
    fast_encode(encodings, COUNT, sums);
    fast_double(encodings, COUNT, sums);
    return 0;
}
