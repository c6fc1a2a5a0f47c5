/* Does what multiplies by secrets branch on them, or read an address that depends on them?
 *
 * memcheck takes every scalar here for uninitialised memory, and reports each branch and each
 * address that depends on such. With the argument "public" the other function runs, which must be
 * reported: so the check is known to see something. (The idea is Langley's, ctgrind, 2010.)
 */

#include "fast.c"

#include <valgrind/memcheck.h>

enum { COUNT = 4 };

int main(int count, char **arguments)
{
    static uint8_t comb[64 * 8 * 160], wide[64 * 160], scalars[32 * COUNT];
    uint8_t base[160], points[160 * COUNT], sums[160 * COUNT], encodings[32 * COUNT];
    const uint8_t *tables[1] = {comb};
    int public = count > 1 && strcmp(arguments[1], "public") == 0;

    fast_generator(base);
    fast_comb(comb, base);
    fast_wide(wide, base);
    for (size_t i = 0; i < sizeof scalars; i++)
        scalars[i] = (uint8_t)(i % 32 == 31 ? 0 : 151 * i + 17);
    fast_secret_products(points, COUNT, scalars, comb);

    VALGRIND_MAKE_MEM_UNDEFINED(scalars, sizeof scalars);
    if (public) {
        const uint8_t *const tables_of[COUNT] = {NULL, NULL, NULL, wide};
        const uint32_t end[1] = {COUNT}, which[COUNT] = {0, 1, 2, 3};
        fast_public_sums(sums, 1, end, which, scalars, COUNT, points, tables_of);
        return 0;
    }
    fast_secret_products(sums, COUNT, scalars, comb);
    fast_secret_sum(sums, scalars, COUNT - 1, points, 1, tables);
    fast_add(sums, sums, sums + 160);
    fast_subtract(sums, sums, sums + 320);
    fast_encode(encodings, COUNT, sums);
    fast_double(encodings, COUNT, sums);
    return 0;
}
