/* ristretto255 for the engine `fast`: a field, a curve, sums of products, and nothing else.
 *
 * The caller (fast.py) keeps every element as the 160 bytes of a `point`, and asks whole sums at
 * once. No hashing, no parsing, no protocol here, no global state but what the processor can, no
 * allocation but in one place.
 *
 * Three kinds of arithmetic: plain; on processors with AVX-512 IFMA, the four coordinates of a point
 * side by side (`quad`) for one public sum, and eight points side by side (`oct`) for many sums,
 * of secrets too.
 *
 * Names say who may see how long a function takes. `secret_`: no branch and no address depends on
 * a scalar. `public_`: both do. Points are public in either, and what is decoded or encoded too,
 * though encoding takes constant time.
 *
 * Sources, by the letters that comments below use:
 * [R]  RFC 9496, ristretto255.
 * [H]  Hisil, Wong, Carter, Dawson, "Twisted Edwards Curves Revisited", ASIACRYPT 2008.
 * [B]  Bernstein, Duif, Lange, Schwabe, Yang, "High-speed high-security signatures", CHES 2011:
 *      limbs of 51 bits, and tables with a row for each digit of the scalar.
 * [S]  Straus, "Addition chains of vectors", 1964: the doublings of a sum are shared.
 * [L]  de Valence, "Accelerating Edwards Curve Arithmetic with Parallel Formulas", 2018, and the
 *      notes on parallel formulas in curve25519-dalek: the four coordinates side by side.
 * [D]  Hamburg, "Decaf: eliminating cofactors through point compression", CRYPTO 2015: what an
 *      encoding takes the root of is, for a double, a square that is known.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Two things that compilers do worse by themselves, a third of all time: what is INLINE must be, so
 * that limbs stay in registers, and the steps of a sum are WHOLE functions. For the same reason
 * .build/libraries.py asks for no vectors: limbs that were written one by one and are read by twos make
 * the processor wait. */
#define INLINE static inline __attribute__((always_inline))
#define WHOLE static __attribute__((noinline))

typedef uint64_t u64;
__extension__ typedef unsigned __int128 u128;

/* The first 31 bits of SHA-256 of this file: whoever loads the library asks first whether it was
 * made from the source that lies beside it. */
#ifndef SOURCE
#define SOURCE 0
#endif

/* ---- The field of 2^255 - 19 ------------------------------------------------------------------
 *
 * x = v[0] + v[1]·2^51 + v[2]·2^102 + v[3]·2^153 + v[4]·2^204, not reduced in general. What each
 * limb may be is one of these, and a build with -DCHECK_LIMBS looks at every limb:
 *
 *   TIGHT  what mul, square, carry and from_bytes return;
 *   SUM    the sum of two TIGHT; what may be subtracted: 4p must not become negative;
 *   LEFT   what may stand before a minus: with 4p added it is still LOOSE;
 *   LOOSE  what mul and square take. A column of mul is below 77·LOOSE² < 2^115, and 19 times
 *          what is carried out of the last one below 2^64.
 */
#define TIGHT (((u64)1 << 51) + ((u64)1 << 13))
#define SUM (2 * TIGHT)
#define LEFT ((u64)1 << 53)
#define LOOSE ((u64)1 << 54)
#define MASK (((u64)1 << 51) - 1)
#define LIMBS for (int i = 0; i < 5; i++)

typedef struct { u64 v[5]; } fe;

#ifdef CHECK_LIMBS
#include <assert.h>
static void check(const fe *a, u64 most)
{
    for (int i = 0; i < 5; i++)
        assert(a->v[i] <= most);
}
#else
#define check(a, most) ((void)0)
#endif

static const fe ZERO = {{0, 0, 0, 0, 0}}, ONE = {{1, 0, 0, 0, 0}};
static const fe D = {{0x34dca135978a3, 0x1a8283b156ebd, 0x5e7a26001c029, 0x739c663a03cbb,
                      0x52036cee2b6ff}};
static const fe D2 = {{0x69b9426b2f159, 0x35050762add7a, 0x3cf44c0038052, 0x6738cc7407977,
                       0x2406d9dc56dff}};
/* The constants of [R] section 4.1, with the RFC's signs. */
static const fe SQRT_M1 = {{0x61b274a0ea0b0, 0x0d5a5fc8f189d, 0x7ef5e9cbd0c60,
                            0x78595a6804c9e, 0x2b8324804fc1d}};
static const fe SQRT_AD_MINUS_ONE = {{0x7f6a0497b2e1b, 0x1836f0a97afd2, 0x7d747f6be7638,
                                      0x456079e7e6498, 0x376931bf2b834}};
static const fe INVSQRT_A_MINUS_D = {{0x0fdaa805d40ea, 0x2eb482e57d339, 0x007610274bc58,
                                      0x6510b613dc8ff, 0x786c8905cfaff}};
static const fe ONE_MINUS_D_SQ = {{0x409c1945fc176, 0x719abc6a1fc4f, 0x1c37f90b20684,
                                   0x06bccca55eedf, 0x029072a8b2b3e}};
static const fe D_MINUS_ONE_SQ = {{0x55aaa44ed4d20, 0x59603c3332635, 0x26d3baf4a7928,
                                   0x120a66e6997a9, 0x5968b37af66c2}};

INLINE fe add(fe a, fe b)
{
    fe r;
    for (int i = 0; i < 5; i++)
        r.v[i] = a.v[i] + b.v[i];
    check(&r, LOOSE);
    return r;
}

INLINE fe sub(fe a, fe b)
{
    check(&a, LEFT);
    check(&b, SUM);
    fe r; /* a + 4p - b */
    r.v[0] = a.v[0] + 4 * (MASK - 18) - b.v[0];
    for (int i = 1; i < 5; i++)
        r.v[i] = a.v[i] + 4 * MASK - b.v[i];
    check(&r, LOOSE);
    return r;
}

INLINE fe carry(fe a)
{
    check(&a, LOOSE);
    fe r;
    r.v[0] = (a.v[0] & MASK) + 19 * (a.v[4] >> 51);
    for (int i = 1; i < 5; i++)
        r.v[i] = (a.v[i] & MASK) + (a.v[i - 1] >> 51);
    check(&r, TIGHT);
    return r;
}

INLINE fe negative(fe a)
{
    return carry(sub(ZERO, a));
}

/* Bring five columns of products back to five TIGHT limbs: 2^255 = 19. What is carried out of a
 * column below 2^115 fits into one word. */
INLINE fe columns(u128 c0, u128 c1, u128 c2, u128 c3, u128 c4)
{
    fe r;
    c1 += (u64)(c0 >> 51);
    c2 += (u64)(c1 >> 51);
    c3 += (u64)(c2 >> 51);
    c4 += (u64)(c3 >> 51);
    r.v[0] = ((u64)c0 & MASK) + 19 * (u64)(c4 >> 51);
    r.v[1] = ((u64)c1 & MASK) + (r.v[0] >> 51);
    r.v[0] &= MASK;
    r.v[2] = (u64)c2 & MASK;
    r.v[3] = (u64)c3 & MASK;
    r.v[4] = (u64)c4 & MASK;
    check(&r, TIGHT);
    return r;
}

INLINE fe mul(fe a, fe b)
{
    check(&a, LOOSE);
    check(&b, LOOSE);
    u64 a0 = a.v[0], a1 = a.v[1], a2 = a.v[2], a3 = a.v[3], a4 = a.v[4];
    u64 b0 = b.v[0], b1 = b.v[1], b2 = b.v[2], b3 = b.v[3], b4 = b.v[4];
    u64 d1 = 19 * b1, d2 = 19 * b2, d3 = 19 * b3, d4 = 19 * b4;
    return columns(
        (u128)a0 * b0 + (u128)a1 * d4 + (u128)a2 * d3 + (u128)a3 * d2 + (u128)a4 * d1,
        (u128)a0 * b1 + (u128)a1 * b0 + (u128)a2 * d4 + (u128)a3 * d3 + (u128)a4 * d2,
        (u128)a0 * b2 + (u128)a1 * b1 + (u128)a2 * b0 + (u128)a3 * d4 + (u128)a4 * d3,
        (u128)a0 * b3 + (u128)a1 * b2 + (u128)a2 * b1 + (u128)a3 * b0 + (u128)a4 * d4,
        (u128)a0 * b4 + (u128)a1 * b3 + (u128)a2 * b2 + (u128)a3 * b1 + (u128)a4 * b0);
}

INLINE fe square(fe a)
{
    check(&a, LOOSE);
    u64 a0 = a.v[0], a1 = a.v[1], a2 = a.v[2], a3 = a.v[3], a4 = a.v[4];
    u64 t0 = 2 * a0, t1 = 2 * a1, d3 = 19 * a3, d4 = 19 * a4;
    return columns(
        (u128)a0 * a0 + (u128)t1 * d4 + (u128)(2 * a2) * d3,
        (u128)t0 * a1 + (u128)(2 * a2) * d4 + (u128)a3 * d3,
        (u128)t0 * a2 + (u128)a1 * a1 + (u128)(2 * a3) * d4,
        (u128)t0 * a3 + (u128)t1 * a2 + (u128)a4 * d4,
        (u128)t0 * a4 + (u128)t1 * a3 + (u128)a2 * a2);
}

static fe squared(fe a, int times)
{
    while (times--)
        a = square(a);
    return a;
}

/* Return a^((p-5)/8) = a^(2^252 - 3); each name says the exponent, xN being 2^N - 1. */
static fe pow_p58(fe a)
{
    fe x2 = mul(square(a), a);
    fe x4 = mul(squared(x2, 2), x2);
    fe x5 = mul(square(x4), a);
    fe x10 = mul(squared(x5, 5), x5);
    fe x20 = mul(squared(x10, 10), x10);
    fe x40 = mul(squared(x20, 20), x20);
    fe x50 = mul(squared(x40, 10), x10);
    fe x100 = mul(squared(x50, 50), x50);
    fe x200 = mul(squared(x100, 100), x100);
    fe x250 = mul(squared(x200, 50), x50);
    return mul(squared(x250, 2), a);
}

/* 1/a = a^(p-2), and 0 for 0. */
static fe inverted(fe a)
{
    return mul(squared(pow_p58(a), 3), mul(square(a), a));
}

/* Read 32 bytes, little-endian, without bit 255. */
static fe from_bytes(const uint8_t in[32])
{
    u64 w[4] = {0, 0, 0, 0};
    for (int i = 0; i < 32; i++)
        w[i / 8] |= (u64)in[i] << 8 * (i % 8);
    fe r = {{w[0] & MASK, (w[0] >> 51 | w[1] << 13) & MASK, (w[1] >> 38 | w[2] << 26) & MASK,
             (w[2] >> 25 | w[3] << 39) & MASK, w[3] >> 12 & MASK}};
    return r;
}

/* Write the one representative below p. */
static void to_bytes(uint8_t out[32], fe a)
{
    a = carry(a);
    /* a < 2p now, so that the quotient is 0 or 1: the carry out of a + 19. */
    u64 q = 19;
    for (int i = 0; i < 5; i++)
        q = (a.v[i] + q) >> 51;
    q *= 19;
    for (int i = 0; i < 5; i++) {
        q += a.v[i];
        a.v[i] = q & MASK;
        q >>= 51;
    }
    u64 w[4] = {a.v[0] | a.v[1] << 51, a.v[1] >> 13 | a.v[2] << 38, a.v[2] >> 26 | a.v[3] << 25,
                a.v[3] >> 39 | a.v[4] << 12};
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(w[i / 8] >> 8 * (i % 8));
}

/* Conditions are 0 or 1, kept in numbers: `choose` has no branch. */
INLINE fe choose(u64 condition, fe yes, fe no)
{
    u64 mask = 0 - condition;
    for (int i = 0; i < 5; i++)
        no.v[i] ^= mask & (no.v[i] ^ yes.v[i]);
    return no;
}

static u64 is_zero(fe a)
{
    uint8_t bytes[32];
    u64 any = 0;
    to_bytes(bytes, a);
    for (int i = 0; i < 32; i++)
        any |= bytes[i];
    return (any - 1) >> 63;
}

static u64 is_negative(fe a)
{
    uint8_t bytes[32];
    to_bytes(bytes, a);
    return bytes[0] & 1;
}

static u64 equal(fe a, fe b)
{
    return is_zero(sub(a, b));
}

static fe absolute(fe a)
{
    return choose(is_negative(a), negative(a), a);
}

/* [R] section 4.2, SQRT_RATIO_M1: return whether u/v is a square, and in `r` the non-negative
 * root of u/v, or of i·u/v if it is none. power: (u·v^7)^((p-5)/8). */
static u64 sqrt_ratio_by(fe *r, fe u, fe v, fe power)
{
    fe v3 = mul(square(v), v);
    fe root = mul(mul(u, v3), power);
    fe test = mul(v, square(root));
    fe minus_u = negative(u);
    u64 correct = equal(test, u), flipped = equal(test, minus_u);
    u64 flipped_i = equal(test, mul(minus_u, SQRT_M1));
    root = choose(flipped | flipped_i, mul(root, SQRT_M1), root);
    *r = absolute(root);
    return correct | flipped;
}

/* u·v^7. */
static fe power_base(fe u, fe v)
{
    return mul(u, mul(square(mul(square(v), v)), v));
}

static u64 sqrt_ratio(fe *r, fe u, fe v)
{
    return sqrt_ratio_by(r, u, v, pow_p58(power_base(u, v)));
}

/* ---- The same field, four numbers side by side ------------------------------------------------
 *
 * For what is public, on processors with AVX-512 IFMA, asked at run time; -DONLY_PLAIN leaves it
 * out. Vector i of a `quad` has limb i of each number. The instructions multiply numbers below
 * 2^52, and return the lower or the upper 52 bits of the product.
 */
#if defined(__x86_64__) && !defined(ONLY_PLAIN) && !defined(EMULATED)
#include <cpuid.h>
#include <immintrin.h>

#define QUADS
#define LANES __attribute__((target("avx2,avx512f,avx512vl,avx512ifma")))
#define LANES_INLINE static inline __attribute__((always_inline)) LANES

typedef __m256i lanes;
typedef struct { lanes v[5]; } quad;

LANES_INLINE quad quad_load(const void *from)
{
    quad r;
    LIMBS r.v[i] = _mm256_loadu_si256((const lanes *)from + i);
    return r;
}

LANES_INLINE void quad_store(void *to, quad a)
{
    LIMBS _mm256_storeu_si256((lanes *)to + i, a.v[i]);
}

#ifdef CHECK_LIMBS
static void quad_check(const quad *a, u64 below)
{
    u64 limbs[20];
    memcpy(limbs, a, sizeof limbs);
    for (int i = 0; i < 20; i++)
        assert(limbs[i] < below);
}
#else
#define quad_check(a, below) ((void)0)
#endif

LANES_INLINE lanes times_19(lanes a)
{
    return a + (a << 1) + (a << 4);
}

/* From limbs below 2^61 to limbs below 2^51 + 2^15. */
LANES_INLINE quad quad_carry(quad a)
{
    const lanes mask = _mm256_set1_epi64x(MASK);
    quad_check(&a, (u64)1 << 61);
    quad r;
    r.v[0] = (a.v[0] & mask) + times_19(_mm256_srli_epi64(a.v[4], 51));
    for (int i = 1; i < 5; i++)
        r.v[i] = (a.v[i] & mask) + _mm256_srli_epi64(a.v[i - 1], 51);
    return r;
}

/* The upper half of a product weighs 2^52, which is two of the next limb. A column of the result is
 * below 5·3·2^52·(1 + 19), so below 2^61. */
LANES_INLINE quad quad_mul(quad a, quad b)
{
    quad_check(&a, (u64)1 << 52);
    quad_check(&b, (u64)1 << 52);
    lanes lower[10], upper[10];
    for (int k = 0; k < 10; k++)
        lower[k] = upper[k] = _mm256_setzero_si256();
    LIMBS
        for (int j = 0; j < 5; j++) {
            lower[i + j] = _mm256_madd52lo_epu64(lower[i + j], a.v[i], b.v[j]);
            upper[i + j + 1] = _mm256_madd52hi_epu64(upper[i + j + 1], a.v[i], b.v[j]);
        }
    quad r;
    LIMBS r.v[i] = lower[i] + (upper[i] << 1) + times_19(lower[i + 5] + (upper[i + 5] << 1));
    return quad_carry(r);
}

LANES_INLINE quad quad_of(const fe four[4])
{
    quad r;
    LIMBS r.v[i] = _mm256_set_epi64x((int64_t)four[3].v[i], (int64_t)four[2].v[i],
                                     (int64_t)four[1].v[i], (int64_t)four[0].v[i]);
    return r;
}

LANES_INLINE void quad_to(fe four[4], quad a)
{
    u64 limbs[5][4];
    memcpy(limbs, &a, sizeof limbs);
    for (int lane = 0; lane < 4; lane++) {
        LIMBS four[lane].v[i] = limbs[i][lane];
        four[lane] = carry(four[lane]);
    }
}

/* Whether the system keeps the wide registers when it changes tasks: bits 1, 2 and 5 to 7 of XCR0.
 * macOS sets bits 5 to 7 only after the first use. */
static int keeps_registers(void)
{
#ifdef __APPLE__
    const unsigned wanted = 0x06;
#else
    const unsigned wanted = 0xe6;
#endif
    unsigned low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & wanted) == wanted;
}

/* The processor is asked itself: __builtin_cpu_supports says no to everything in a build by zig. */
static int look_for_lanes(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !keeps_registers())
        return 0;
    const unsigned wanted = bit_AVX2 | bit_AVX512F | bit_AVX512VL | bit_AVX512IFMA;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & wanted) == wanted;
}

/* The answer is kept, because a virtual machine takes long for each cpuid. */
static int has_lanes(void)
{
    static _Atomic int known; /* 0: not asked yet; 1: no; 2: yes */
    if (!known)
        known = 1 + look_for_lanes();
    return known == 2;
}
#else
static int has_lanes(void)
{
#ifdef EMULATED
    return 1;
#else
    return 0;
#endif
}
#endif

/* ---- The same field, eight numbers side by side -----------------------------------------------
 *
 * For many sums at once, of secrets too, on the same processors. Limb i of number k is in lane k of
 * vector i of an `oct`. No instruction here branches on a number or takes an address from one: all
 * is done in every lane, by +, -, bitwise operators, shifts and the two products. -DEMULATED does
 * the products one after another, so that the same code runs on any machine, and under memcheck.
 *
 * A limb is below one of these; a build with -DCHECK_LIMBS looks:
 *
 *   NEAT   what oct_carry returns, and what may be multiplied;
 *   RAW    what a multiplication returns: no carry is due before sums, or a difference, of these.
 */
#if defined(LANES) || defined(EMULATED)
#define EIGHTS 8
#define NEAT (((u64)1 << 51) + ((u64)1 << 18))
#define RAW ((u64)1 << 61)

typedef u64 eight __attribute__((vector_size(8 * EIGHTS)));
typedef struct { eight v[5]; } oct;

#ifdef EMULATED
#define LANES
#define LANES_INLINE INLINE

/* sum + the lower 52 bits of a·b, of which the lower 52 bits count. */
INLINE eight add_lower(eight sum, eight a, eight b)
{
    const u64 mask = ((u64)1 << 52) - 1;
    for (int k = 0; k < EIGHTS; k++)
        sum[k] += (u64)((u128)(a[k] & mask) * (b[k] & mask)) & mask;
    return sum;
}

/* sum + the upper 52 bits of it. */
INLINE eight add_upper(eight sum, eight a, eight b)
{
    const u64 mask = ((u64)1 << 52) - 1;
    for (int k = 0; k < EIGHTS; k++)
        sum[k] += (u64)((u128)(a[k] & mask) * (b[k] & mask) >> 52);
    return sum;
}
#else
LANES_INLINE eight add_lower(eight sum, eight a, eight b)
{
    return (eight)_mm512_madd52lo_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}

LANES_INLINE eight add_upper(eight sum, eight a, eight b)
{
    return (eight)_mm512_madd52hi_epu64((__m512i)sum, (__m512i)a, (__m512i)b);
}
#endif

#ifdef CHECK_LIMBS
static void oct_check(const oct *a, u64 below)
{
    u64 limbs[5 * EIGHTS];
    memcpy(limbs, a, sizeof limbs);
    for (int i = 0; i < 5 * EIGHTS; i++)
        assert(limbs[i] < below);
}
#else
#define oct_check(a, below) ((void)0)
#endif

/* From any limbs to NEAT ones: what leaves a limb is below 2^13, and 19·2^13 < 2^18. */
LANES_INLINE oct oct_carry(oct a)
{
    oct r;
    r.v[0] = (a.v[0] & MASK) + 19 * (a.v[4] >> 51);
    for (int i = 1; i < 5; i++)
        r.v[i] = (a.v[i] & MASK) + (a.v[i - 1] >> 51);
    oct_check(&r, NEAT);
    return r;
}

LANES_INLINE oct oct_add(oct a, oct b)
{
    oct r;
    LIMBS r.v[i] = a.v[i] + b.v[i];
    return r;
}

/* a + 2048p - b: a limb of 2048p is above RAW, and below 2·RAW, so that up to 3·RAW may be in a. */
LANES_INLINE oct oct_sub(oct a, oct b)
{
    oct_check(&a, 3 * RAW);
    oct_check(&b, RAW);
    oct r;
    LIMBS r.v[i] = a.v[i] + 2048 * (i ? MASK : MASK - 18) - b.v[i];
    return r;
}

/* The lower halves of ten columns, and the upper, whose place is the next and whose weight is two
 * there. With NEAT factors a result is below 5·3·2^52·(1 + 19), so below RAW. */
LANES_INLINE oct oct_columns(const eight lower[10], const eight upper[10])
{
    oct r;
    LIMBS r.v[i] = lower[i] + (upper[i] << 1) + 19 * (lower[i + 5] + (upper[i + 5] << 1));
    oct_check(&r, RAW);
    return r;
}

LANES_INLINE oct oct_raw_mul(oct a, oct b)
{
    oct_check(&a, NEAT);
    oct_check(&b, NEAT);
    eight lower[10] = {{0}}, upper[10] = {{0}};
    LIMBS
        for (int j = 0; j < 5; j++) {
            lower[i + j] = add_lower(lower[i + j], a.v[i], b.v[j]);
            upper[i + j + 1] = add_upper(upper[i + j + 1], a.v[i], b.v[j]);
        }
    return oct_columns(lower, upper);
}

/* The products of two different limbs come twice. */
LANES_INLINE oct oct_raw_square(oct a)
{
    oct_check(&a, NEAT);
    eight lower[10] = {{0}}, upper[10] = {{0}};
    LIMBS
        for (int j = 0; j < i; j++) {
            lower[i + j] = add_lower(lower[i + j], a.v[i], a.v[j]);
            upper[i + j + 1] = add_upper(upper[i + j + 1], a.v[i], a.v[j]);
        }
    for (int k = 0; k < 10; k++) {
        lower[k] <<= 1;
        upper[k] <<= 1;
    }
    LIMBS {
        lower[2 * i] = add_lower(lower[2 * i], a.v[i], a.v[i]);
        upper[2 * i + 1] = add_upper(upper[2 * i + 1], a.v[i], a.v[i]);
    }
    return oct_columns(lower, upper);
}

LANES_INLINE oct oct_mul(oct a, oct b)
{
    return oct_carry(oct_raw_mul(a, b));
}

LANES static oct oct_squared(oct a, int times)
{
    while (times--)
        a = oct_carry(oct_raw_square(a));
    return a;
}

/* As pow_p58. */
LANES static void oct_pow_p58(fe numbers[EIGHTS])
{
    u64 limbs[5][EIGHTS];
    for (int k = 0; k < EIGHTS; k++)
        LIMBS limbs[i][k] = numbers[k].v[i];
    oct a;
    memcpy(&a, limbs, sizeof a);
    oct x2 = oct_mul(oct_squared(a, 1), a);
    oct x4 = oct_mul(oct_squared(x2, 2), x2);
    oct x5 = oct_mul(oct_squared(x4, 1), a);
    oct x10 = oct_mul(oct_squared(x5, 5), x5);
    oct x20 = oct_mul(oct_squared(x10, 10), x10);
    oct x40 = oct_mul(oct_squared(x20, 20), x20);
    oct x50 = oct_mul(oct_squared(x40, 10), x10);
    oct x100 = oct_mul(oct_squared(x50, 50), x50);
    oct x200 = oct_mul(oct_squared(x100, 100), x100);
    oct x250 = oct_mul(oct_squared(x200, 50), x50);
    a = oct_mul(oct_squared(x250, 2), a);
    memcpy(limbs, &a, sizeof a);
    for (int k = 0; k < EIGHTS; k++) {
        LIMBS numbers[k].v[i] = limbs[i][k];
        numbers[k] = carry(numbers[k]);
    }
}
#endif

enum { TOGETHER = 8 }; /* encodings read or written together */

/* a^((p-5)/8) for each of `count` TIGHT numbers; one or two are quicker by themselves. */
static void powers_p58(fe numbers[TOGETHER], size_t count)
{
#ifdef LANES
    if (count > 2 && has_lanes()) {
        oct_pow_p58(numbers);
        return;
    }
#endif
    for (size_t i = 0; i < count; i++)
        numbers[i] = pow_p58(numbers[i]);
}

/* ---- The curve -x² + y² = 1 + d·x²·y² ---------------------------------------------------------
 *
 * The formulas of [H] sections 3.1 and 3.3 for a = -1: complete, so that no pair of points is a
 * special case, the identity and equal points included.
 */
typedef struct { fe X, Y, Z, T; } point; /* x = X/Z, y = Y/Z, T = XY/Z; all TIGHT */
typedef struct { fe minus, plus, Z2, T2d; } addend; /* Y - X, Y + X, 2Z, 2dT of a second operand, TIGHT */
typedef struct { fe E, F, G, H; } product; /* X = EF, Y = GH, Z = FG, T = EH: not multiplied yet */

_Static_assert(sizeof(point) == 160 && sizeof(addend) == 160, "fast.py knows these sizes");

static const point IDENTITY = {{{0}}, {{1}}, {{1}}, {{0}}};
static const addend NOTHING = {{{1}}, {{1}}, {{2}}, {{0}}}; /* the identity as an addend */
static const point GENERATOR = {
    {{0x62d608f25d51a, 0x412a4b4f6592a, 0x75b7171a4b31d, 0x1ff60527118fe, 0x216936d3cd6e5}},
    {{0x6666666666658, 0x4cccccccccccc, 0x1999999999999, 0x3333333333333, 0x6666666666666}},
    {{1}},
    {{0x68ab3a5b7dda3, 0x00eea2a5eadbb, 0x2af8df483c27e, 0x332b375274732, 0x67875f0fd78b7}}};

INLINE point whole(product p)
{
    return (point){mul(p.E, p.F), mul(p.G, p.H), mul(p.F, p.G), mul(p.E, p.H)};
}

INLINE addend as_addend(point p)
{
    return (addend){carry(sub(p.Y, p.X)), carry(add(p.Y, p.X)), carry(add(p.Z, p.Z)),
                    mul(p.T, D2)};
}

INLINE addend opposite(addend q)
{
    return (addend){q.plus, q.minus, q.Z2, sub(ZERO, q.T2d)};
}

INLINE product sum(point p, const addend *q)
{
    fe A = mul(sub(p.Y, p.X), q->minus), B = mul(add(p.Y, p.X), q->plus);
    fe C = mul(p.T, q->T2d), S = mul(p.Z, q->Z2);
    return (product){sub(B, A), sub(S, C), add(S, C), add(B, A)};
}

/* p - q: as the sum with the opposite, of which nothing is written down. */
INLINE product difference(point p, const addend *q)
{
    fe A = mul(sub(p.Y, p.X), q->plus), B = mul(add(p.Y, p.X), q->minus);
    fe C = mul(p.T, q->T2d), S = mul(p.Z, q->Z2);
    return (product){sub(B, A), add(S, C), sub(S, C), add(B, A)};
}

INLINE product doubled(const point *p)
{
    fe A = square(p->X), B = square(p->Y), C = square(p->Z), XY = mul(p->X, p->Y);
    /* E, F, G and H, all with the other sign, which is the same point. */
    return (product){add(XY, XY), sub(add(add(C, C), A), B), sub(B, A), add(A, B)};
}

/* p += p. T, which no doubling reads, is right afterwards only if it is asked for. */
WHOLE void twice(point *p, int with_T)
{
    product d = doubled(p);
    p->X = mul(d.E, d.F);
    p->Y = mul(d.G, d.H);
    p->Z = mul(d.F, d.G);
    if (with_T)
        p->T = mul(d.E, d.H);
}

/* p += q. */
WHOLE void put(point *p, const addend *q)
{
    *p = whole(sum(*p, q));
}

/* p -= q. */
WHOLE void take(point *p, const addend *q)
{
    *p = whole(difference(*p, q));
}

static point load(const uint8_t *bytes)
{
    point p;
    memcpy(&p, bytes, sizeof p);
    return p;
}

static void store(uint8_t *bytes, point p)
{
    memcpy(bytes, &p, sizeof p);
}

/* ---- ristretto255 ---------------------------------------------------------------------------- */

int fast_source(void)
{
    return SOURCE;
}

/* Whether numbers are multiplied side by side. */
int fast_lanes(void)
{
    return has_lanes();
}

void fast_generator(uint8_t out[160])
{
    store(out, GENERATOR);
}

/* What [R] section 4.3.1 works out of an encoding, by its names, before the root. */
typedef struct { fe s, u1, u2, v, radicand; int canonical; } half_decoded;

static half_decoded begin_decoding(const uint8_t in[32])
{
    half_decoded h;
    h.s = from_bytes(in);
    uint8_t canonical[32];
    to_bytes(canonical, h.s);
    h.canonical = memcmp(in, canonical, 32) == 0 && !(in[0] & 1);
    fe ss = square(h.s);
    h.u1 = carry(sub(ONE, ss));
    h.u2 = add(ONE, ss);
    fe u2_sq = square(h.u2);
    h.v = carry(sub(negative(mul(D, square(h.u1))), u2_sq));
    h.radicand = mul(h.v, u2_sq);
    return h;
}

/* Return whether it is the encoding of an element. power: of the radicand, as sqrt_ratio_by asks. */
static int end_decoding(uint8_t out[160], const half_decoded *h, fe power)
{
    fe inverse;
    u64 was_square = sqrt_ratio_by(&inverse, ONE, h->radicand, power);
    fe den_x = mul(inverse, h->u2), den_y = mul(mul(inverse, den_x), h->v);
    fe x = absolute(mul(add(h->s, h->s), den_x)), y = mul(h->u1, den_y);
    point p = {x, y, ONE, mul(x, y)};
    store(out, p);
    return h->canonical && was_square && !is_negative(p.T) && !is_zero(y);
}

/* [R] section 4.3.1 for `n` encodings, of which eight are decoded together, most of which is one
 * long power; return how many stand before the first that encodes no element, or n. */
size_t fast_decode(uint8_t *out, size_t n, const uint8_t *in)
{
    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t count = n - first < TOGETHER ? n - first : TOGETHER;
        half_decoded begun[TOGETHER];
        fe powers[TOGETHER] = {{{0}}};
        for (size_t i = 0; i < count; i++) {
            begun[i] = begin_decoding(in + 32 * (first + i));
            powers[i] = power_base(ONE, begun[i].radicand);
        }
        powers_p58(powers, count);
        for (size_t i = 0; i < count; i++)
            if (!end_decoding(out + (first + i) * sizeof(point), &begun[i], powers[i]))
                return first + i;
    }
    return n;
}

/* [R] section 4.3.2 for one point. power: of u1·u2², as sqrt_ratio_by asks. */
static void end_encoding(uint8_t out[32], const point *p, fe u1, fe u2, fe power)
{
    fe inverse;
    sqrt_ratio_by(&inverse, ONE, mul(u1, square(u2)), power);
    fe den1 = mul(u1, inverse), den2 = mul(u2, inverse);
    fe z_inv = mul(mul(den1, den2), p->T);
    u64 rotate = is_negative(mul(p->T, z_inv));
    fe x = choose(rotate, mul(p->Y, SQRT_M1), p->X);
    fe y = choose(rotate, mul(p->X, SQRT_M1), p->Y);
    fe den_inv = choose(rotate, mul(den1, INVSQRT_A_MINUS_D), den2);
    y = choose(is_negative(mul(x, z_inv)), negative(y), y);
    to_bytes(out, absolute(mul(den_inv, sub(p->Z, y))));
}

/* [R] section 4.3.2 for `n` points, eight together as in fast_decode. */
void fast_encode(uint8_t *out, size_t n, const uint8_t *points)
{
    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t count = n - first < TOGETHER ? n - first : TOGETHER;
        point p[TOGETHER];
        fe u1[TOGETHER], u2[TOGETHER], powers[TOGETHER] = {{{0}}};
        for (size_t i = 0; i < count; i++) {
            p[i] = load(points + (first + i) * sizeof(point));
            u1[i] = mul(add(p[i].Z, p[i].Y), sub(p[i].Z, p[i].Y));
            u2[i] = mul(p[i].X, p[i].Y);
            powers[i] = power_base(ONE, mul(u1[i], square(u2[i])));
        }
        powers_p58(powers, count);
        for (size_t i = 0; i < count; i++)
            end_encoding(out + 32 * (first + i), &p[i], u1[i], u2[i], powers[i]);
    }
}

/* [R] section 4.3.2 for a double d with the coordinates p, without its root: F² - H² is (a - d)·E²,
 * so that s is |(F ∓ H)/(E·sqrt(a - d))|, or, rotated, |(G ∓ iE)/H|. inverse: 1/(Z·T), or 0 if T
 * is 0, which means the identity. */
static void encode_double(uint8_t out[32], product d, point p, fe inverse)
{
    fe z_inv = mul(p.T, inverse), t_inv = mul(p.Z, inverse);
    u64 rotate = is_negative(mul(p.T, z_inv));
    fe x = choose(rotate, mul(p.Y, SQRT_M1), p.X);
    fe from = carry(choose(rotate, d.G, d.F)), part = choose(rotate, mul(d.E, SQRT_M1), d.H);
    fe scale = choose(rotate, d.E, mul(d.H, INVSQRT_A_MINUS_D));
    part = choose(is_negative(mul(x, z_inv)), negative(part), part);
    to_bytes(out, absolute(mul(mul(scale, t_inv), sub(from, part))));
}

/* Double `n` points where they lie, and encode the doubles: one inversion serves them all [D].
 * Return 0 if there is no memory. */
int fast_double(uint8_t *out, size_t n, uint8_t *points)
{
    product *doubles = malloc((n + 1) * sizeof *doubles);
    fe *before = malloc((n + 1) * sizeof *before); /* the product of all ZT before, but the zeros */
    int enough = doubles != NULL && before != NULL;
    fe all = ONE;
    for (size_t i = 0; enough && i < n; i++) {
        point p = load(points + i * sizeof(point));
        doubles[i] = doubled(&p);
        p = whole(doubles[i]);
        store(points + i * sizeof(point), p);
        fe ZT = mul(p.Z, p.T);
        before[i] = all;
        all = choose(is_zero(ZT), all, mul(all, ZT));
    }
    fe inverse = inverted(all);
    for (size_t i = n; enough && i--;) {
        point p = load(points + i * sizeof(point));
        fe ZT = mul(p.Z, p.T);
        u64 zero = is_zero(ZT);
        encode_double(out + 32 * i, doubles[i], p,
                      choose(zero, ZERO, mul(inverse, before[i])));
        inverse = choose(zero, inverse, mul(inverse, ZT));
    }
    free(doubles);
    free(before);
    return enough;
}

/* [R] section 4.3.4, MAP. */
static point elligator(fe t)
{
    fe r = mul(SQRT_M1, square(t));
    fe u = mul(add(r, ONE), ONE_MINUS_D_SQ);
    fe c = negative(ONE), s;
    fe v = mul(sub(c, mul(r, D)), add(r, D));
    u64 was_square = sqrt_ratio(&s, u, v);
    s = choose(was_square, s, negative(absolute(mul(s, t))));
    c = choose(was_square, c, r);
    fe N = carry(sub(mul(mul(c, sub(r, ONE)), D_MINUS_ONE_SQ), v));
    fe ss = square(s), sv = mul(s, v);
    return whole((product){add(sv, sv), add(ONE, ss), mul(N, SQRT_AD_MINUS_ONE), sub(ONE, ss)});
}

/* [R] section 4.3.4. */
void fast_from_uniform(uint8_t out[160], const uint8_t uniform[64])
{
    point first = elligator(from_bytes(uniform));
    addend second = as_addend(elligator(from_bytes(uniform + 32)));
    put(&first, &second);
    store(out, first);
}

/* [R] section 4.3.3. */
int fast_equal(const uint8_t p[160], const uint8_t q[160])
{
    point a = load(p), b = load(q);
    return (int)(equal(mul(a.X, b.Y), mul(a.Y, b.X)) | equal(mul(a.Y, b.Y), mul(a.X, b.X)));
}

/* p + q for each of `n` pairs. */
void fast_add(uint8_t *out, size_t n, const uint8_t *p, const uint8_t *q)
{
    for (size_t i = 0; i < n * sizeof(point); i += sizeof(point)) {
        point first = load(p + i);
        addend second = as_addend(load(q + i));
        put(&first, &second);
        store(out + i, first);
    }
}

void fast_subtract(uint8_t out[160], const uint8_t p[160], const uint8_t q[160])
{
    point first = load(p);
    addend second = as_addend(load(q));
    take(&first, &second);
    store(out, first);
}

/* What RFC 8032 section 5.1.2 writes: y, and in the highest bit whether x is odd. */
void fast_edwards(uint8_t out[32], const uint8_t p[160])
{
    point a = load(p);
    fe inverse = inverted(a.Z);
    to_bytes(out, mul(a.Y, inverse));
    out[31] |= (uint8_t)(is_negative(mul(a.X, inverse)) << 7);
}

/* ---- Sums of products by secret scalars -------------------------------------------------------
 *
 * A scalar below 2^253 is written with 64 digits -8..7 in base 16. Every digit costs the same: all
 * eight multiples are read, and the one that is due is kept by masks.
 */
#define DIGITS 64
#define MULTIPLES 8

typedef struct { addend of[MULTIPLES]; } row; /* 1P, 2P .. 8P */

static void secret_digits(int8_t digits[DIGITS], const uint8_t scalar[32])
{
    int over = 0;
    for (int i = 0; i < DIGITS; i++) {
        int digit = (scalar[i / 2] >> 4 * (i % 2) & 15) + over;
        over = (digit + 8) >> 4; /* 1 from 8 on */
        digits[i] = (int8_t)(digit - 16 * over);
    }
}

static void fill(row *multiples, point p)
{
    multiples->of[0] = as_addend(p);
    for (int i = 1; i < MULTIPLES; i++) {
        put(&p, &multiples->of[0]);
        multiples->of[i] = as_addend(p);
    }
}

/* Return digit·P. */
INLINE addend secret_choice(const row *multiples, int digit)
{
    u64 minus = (u64)(int64_t)digit >> 63;
    u64 size = (u64)((int64_t)digit * (1 - 2 * (int64_t)minus));
    addend found = NOTHING;
    for (u64 i = 0; i < MULTIPLES; i++) {
        u64 same = ((size ^ (i + 1)) - 1) >> 63;
        const addend *q = &multiples->of[i];
        found.minus = choose(same, q->minus, found.minus);
        found.plus = choose(same, q->plus, found.plus);
        found.Z2 = choose(same, q->Z2, found.Z2);
        found.T2d = choose(same, q->T2d, found.T2d);
    }
    addend other = opposite(found);
    found.minus = choose(minus, other.minus, found.minus);
    found.plus = choose(minus, other.plus, found.plus);
    found.T2d = choose(minus, other.T2d, found.T2d);
    return found;
}

/* A comb: for each digit the row of its own multiples, so that no product needs a doubling [B].
 * It pays from a few products of one point on. `out` has room for 64 rows, and what Python gives
 * is aligned as malloc does it. */
void fast_comb(uint8_t *out, const uint8_t p[160])
{
    row *rows = (row *)(void *)out;
    point power = load(p);
    for (int i = 0; i < DIGITS; i++) {
        fill(&rows[i], power);
        for (int j = 0; j < 4; j++)
            twice(&power, 1);
    }
}

#ifdef LANES
/* Eight sums side by side: the same formulas, digits and tables, in every lane. */
typedef struct { oct X, Y, Z, T; } oct_point;          /* all NEAT */
typedef struct { oct minus, plus, Z2, T2d; } oct_addend; /* all NEAT */
typedef struct { eight words[4]; } oct_scalar;         /* each with 8 added to each digit */

/* Eights of points and scalars are written, and read again, lane by lane. */
typedef union { oct_point whole; u64 limbs[20][EIGHTS]; } lanes_of_points;
typedef union { oct_scalar whole; u64 words[4][EIGHTS]; } lanes_of_scalars;

static void point_to_lane(lanes_of_points *to, size_t lane, point p)
{
    u64 limbs[20];
    memcpy(limbs, &p, sizeof limbs);
    for (int i = 0; i < 20; i++)
        to->limbs[i][lane] = limbs[i];
}

static point point_of_lane(const lanes_of_points *from, size_t lane)
{
    u64 limbs[20];
    point p;
    for (int i = 0; i < 20; i++)
        limbs[i] = from->limbs[i][lane];
    memcpy(&p, limbs, sizeof p);
    return (point){carry(p.X), carry(p.Y), carry(p.Z), carry(p.T)};
}

/* With 8 added to each digit, so with 0x88..8 in all, the digits of secret_digits are plain nibbles. */
static void scalar_to_lane(lanes_of_scalars *to, size_t lane, const uint8_t scalar[32])
{
    u64 over = 0;
    for (int i = 0; i < 4; i++) {
        u128 word = (u128)over + 0x8888888888888888;
        for (int j = 0; j < 8; j++)
            word += (u128)scalar[8 * i + j] << 8 * j;
        to->words[i][lane] = (u64)word;
        over = (u64)(word >> 64);
    }
}

static const uint8_t NO_SCALAR[32]; /* 0 */

LANES_INLINE oct_point oct_identity(void)
{
    oct_point p = {{{{0}}}, {{{0}}}, {{{0}}}, {{{0}}}};
    p.Y.v[0] += 1;
    p.Z.v[0] += 1;
    return p;
}

/* As `whole`, of raw sums and differences; without T if that is not asked for. */
LANES_INLINE void oct_whole(oct_point *p, oct E, oct F, oct G, oct H, int with_T)
{
    E = oct_carry(E);
    F = oct_carry(F);
    G = oct_carry(G);
    H = oct_carry(H);
    p->X = oct_mul(E, F);
    p->Y = oct_mul(G, H);
    p->Z = oct_mul(F, G);
    if (with_T)
        p->T = oct_mul(E, H);
}

/* p += p, as `twice`. */
LANES WHOLE void oct_twice(oct_point *p, int with_T)
{
    oct A = oct_raw_square(p->X), B = oct_raw_square(p->Y), C = oct_raw_square(p->Z);
    oct XY = oct_raw_mul(p->X, p->Y);
    oct_whole(p, oct_add(XY, XY), oct_sub(oct_add(oct_add(C, C), A), B), oct_sub(B, A),
              oct_add(A, B), with_T);
}

/* p += q, as `sum`. */
LANES WHOLE void oct_put(oct_point *p, const oct_addend *q)
{
    oct A = oct_raw_mul(oct_carry(oct_sub(p->Y, p->X)), q->minus);
    oct B = oct_raw_mul(oct_carry(oct_add(p->Y, p->X)), q->plus);
    oct C = oct_raw_mul(p->T, q->T2d), S = oct_raw_mul(p->Z, q->Z2);
    oct_whole(p, oct_sub(B, A), oct_sub(S, C), oct_add(S, C), oct_add(B, A), 1);
}

/* p -= q, as `difference`. */
LANES WHOLE void oct_take(oct_point *p, const oct_addend *q)
{
    oct A = oct_raw_mul(oct_carry(oct_sub(p->Y, p->X)), q->plus);
    oct B = oct_raw_mul(oct_carry(oct_add(p->Y, p->X)), q->minus);
    oct C = oct_raw_mul(p->T, q->T2d), S = oct_raw_mul(p->Z, q->Z2);
    oct_whole(p, oct_sub(B, A), oct_add(S, C), oct_sub(S, C), oct_add(B, A), 1);
}

LANES static void oct_fill(oct_addend multiples[MULTIPLES], oct_point p)
{
    oct twice_d;
    LIMBS twice_d.v[i] = (eight){0} + D2.v[i];
    for (int i = 0; i < MULTIPLES; i++) {
        if (i > 0)
            oct_put(&p, &multiples[0]);
        multiples[i] = (oct_addend){oct_carry(oct_sub(p.Y, p.X)), oct_carry(oct_add(p.Y, p.X)),
                                    oct_carry(oct_add(p.Z, p.Z)), oct_mul(p.T, twice_d)};
    }
}

/* All bits where a is b, and none where it is not; both are below 2^63. */
LANES_INLINE eight where_equal(eight a, u64 b)
{
    return -(((a ^ b) - 1) >> 63);
}

/* *found = digit·P in each lane, as secret_choice: P's multiples are those of each lane, or, in
 * `common`, of all. */
LANES_INLINE void oct_choice(oct_addend *found, const oct_addend *multiples, const row *common,
                             const oct_scalar *scalars, int place)
{
    eight digit = (scalars->words[place / 16] >> 4 * (place % 16) & 15) - 8;
    eight minus = -(digit >> 63), size = (digit ^ minus) - minus, none = where_equal(size, 0);
    oct_addend q = {{{{0}}}, {{{0}}}, {{{0}}}, {{{0}}}};
    q.minus.v[0] = q.plus.v[0] = none & 1; /* NOTHING */
    q.Z2.v[0] = none & 2;
    for (u64 e = 0; e < MULTIPLES; e++) {
        eight same = where_equal(size, e + 1);
        if (common != NULL)
            LIMBS {
                q.minus.v[i] |= same & common->of[e].minus.v[i];
                q.plus.v[i] |= same & common->of[e].plus.v[i];
                q.Z2.v[i] |= same & common->of[e].Z2.v[i];
                q.T2d.v[i] |= same & common->of[e].T2d.v[i];
            }
        else
            LIMBS {
                q.minus.v[i] |= same & multiples[e].minus.v[i];
                q.plus.v[i] |= same & multiples[e].plus.v[i];
                q.Z2.v[i] |= same & multiples[e].Z2.v[i];
                q.T2d.v[i] |= same & multiples[e].T2d.v[i];
            }
    }
    oct zero = {{{0}}}, other = oct_carry(oct_sub(zero, q.T2d));
    LIMBS {
        eight swap = (q.minus.v[i] ^ q.plus.v[i]) & minus;
        q.minus.v[i] ^= swap;
        q.plus.v[i] ^= swap;
        q.T2d.v[i] ^= (q.T2d.v[i] ^ other.v[i]) & minus;
    }
    *found = q;
}

LANES WHOLE void oct_choice_own(oct_addend *found, const oct_addend multiples[MULTIPLES],
                                const oct_scalar *scalars, int place)
{
    oct_choice(found, multiples, NULL, scalars, place);
}

LANES WHOLE void oct_choice_common(oct_addend *found, const row *multiples,
                                   const oct_scalar *scalars, int place)
{
    oct_choice(found, NULL, multiples, scalars, place);
}

#endif

/* What a call computes: totals[sum] += scalar·P for terms, each the scalar and the point at one
 * place of a sum. */
typedef struct {
    point *totals;
    const uint32_t *which;
    const uint8_t *scalars, *points;
} task;

typedef struct { uint32_t sum, place; } term;

static const uint8_t *scalar_of(const task *of, term t)
{
    return of->scalars + 32 * (size_t)t.place;
}

static point point_of(const task *of, term t)
{
    return load(of->points + of->which[t.place] * sizeof(point));
}

/* Terms of one sum: the doublings are shared [S]. Return 0 if there is no memory for tables. */
static int add_terms(const task *of, const term *terms, size_t count)
{
    point *total = &of->totals[terms[0].sum];
    row *tables = malloc(count * sizeof *tables);
    int8_t *digits = malloc(count * DIGITS);
    int enough = tables != NULL && digits != NULL;
    for (size_t k = 0; enough && k < count; k++) {
        fill(&tables[k], point_of(of, terms[k]));
        secret_digits(digits + k * DIGITS, scalar_of(of, terms[k]));
    }
    for (int i = DIGITS; enough && i--;) {
        for (int j = 0; j < 4; j++)
            twice(total, j == 3);
        for (size_t k = 0; k < count; k++) {
            addend q = secret_choice(&tables[k], digits[k * DIGITS + (size_t)i]);
            put(total, &q);
        }
    }
    free(tables);
    free(digits);
    return enough;
}

/* A term whose point has a comb. */
static void add_product(const task *of, const row *comb, term t)
{
    int8_t digits[DIGITS];
    secret_digits(digits, scalar_of(of, t));
    for (int i = 0; i < DIGITS; i++) {
        addend q = secret_choice(&comb[i], digits[i]);
        put(&of->totals[t.sum], &q);
    }
}

#ifdef LANES
/* Terms of one sum, for one lane. */
typedef struct { size_t first, end; } part;

/* Cut the terms of each sum into parts of at most `most`; return how many. */
static size_t cut(part *parts, const term *terms, size_t count, size_t most)
{
    size_t n = 0, first = 0, end = 0;
    for (; first < count; first = end) {
        while (end < count && terms[end].sum == terms[first].sum)
            end++;
        size_t pieces = (end - first + most - 1) / most;
        for (size_t i = 0; i < pieces; i++)
            parts[n++] = (part){first + (end - first) * i / pieces,
                                first + (end - first) * (i + 1) / pieces};
    }
    return n;
}

static size_t longest(const part *parts, size_t count)
{
    size_t most = 0;
    for (size_t k = 0; k < count; k++)
        if (most < parts[k].end - parts[k].first)
            most = parts[k].end - parts[k].first;
    return most;
}

/* What a round of a batch adds for each digit: a term in each lane. */
typedef struct { oct_addend multiples[MULTIPLES]; oct_scalar scalars; } oct_round;

/* Add what the lanes have computed to the sums of the terms. */
static void add_lanes(const task *of, const uint32_t sums[EIGHTS], size_t count, const oct_point *p)
{
    lanes_of_points done = {*p};
    for (size_t lane = 0; lane < count; lane++) {
        addend q = as_addend(point_of_lane(&done, lane));
        put(&of->totals[sums[lane]], &q);
    }
}

/* As add_terms, up to eight parts side by side: in as many rounds a digit as the longest has terms. */
LANES static void add_parts(const task *of, const term *terms, const part *parts, size_t count,
                            oct_round *rounds)
{
    uint32_t sums[EIGHTS];
    size_t most = longest(parts, count);
    for (size_t r = 0; r < most; r++) {
        lanes_of_points p;
        lanes_of_scalars scalars;
        for (size_t lane = 0; lane < EIGHTS; lane++)
            if (lane < count && parts[lane].first + r < parts[lane].end) {
                term t = terms[parts[lane].first + r];
                sums[lane] = t.sum;
                point_to_lane(&p, lane, point_of(of, t));
                scalar_to_lane(&scalars, lane, scalar_of(of, t));
            } else {
                point_to_lane(&p, lane, IDENTITY);
                scalar_to_lane(&scalars, lane, NO_SCALAR);
            }
        oct_fill(rounds[r].multiples, p.whole);
        rounds[r].scalars = scalars.whole;
    }
    oct_point total = oct_identity();
    for (int i = DIGITS; i--;) {
        for (int j = 0; j < 4; j++)
            oct_twice(&total, j == 3);
        for (size_t r = 0; r < most; r++) {
            oct_addend q;
            oct_choice_own(&q, rounds[r].multiples, &rounds[r].scalars, i);
            oct_put(&total, &q);
        }
    }
    add_lanes(of, sums, count, &total);
}

/* As add_product, up to eight terms side by side. */
LANES static void add_products(const task *of, const row *comb, const term *terms, size_t count)
{
    uint32_t sums[EIGHTS];
    lanes_of_scalars scalars;
    for (size_t lane = 0; lane < EIGHTS; lane++) {
        sums[lane] = lane < count ? terms[lane].sum : 0;
        scalar_to_lane(&scalars, lane, lane < count ? scalar_of(of, terms[lane]) : NO_SCALAR);
    }
    oct_point total = oct_identity();
    for (int i = 0; i < DIGITS; i++) {
        oct_addend q;
        oct_choice_common(&q, &comb[i], &scalars.whole, i);
        oct_put(&total, &q);
    }
    add_lanes(of, sums, count, &total);
}

/* What a digit costs, measured: four doublings and, for each round, an addition with its look-up,
 * which takes as long as two doublings. */
static size_t cost(const part *parts, size_t count)
{
    size_t all = 0;
    for (size_t k = 0; k < count; k += EIGHTS)
        all += 4 + 2 * longest(parts + k, count - k < EIGHTS ? count - k : EIGHTS);
    return all;
}

/* As add_terms, for terms of any sums, the terms of each sum one after the other. */
static int add_eights(const task *of, const term *terms, size_t count)
{
    part *parts = malloc(count * sizeof *parts);
    if (parts == NULL)
        return 0;
    size_t best = count, lowest = cost(parts, cut(parts, terms, count, count));
    for (size_t most = longest(parts, cut(parts, terms, count, count)); most > 0; most--) {
        size_t of_most = cost(parts, cut(parts, terms, count, most));
        if (of_most <= lowest) {
            lowest = of_most;
            best = most;
        }
    }
    size_t n = cut(parts, terms, count, best);
    void *room = malloc((longest(parts, n) + 1) * sizeof(oct_round));
    if (room != NULL) {
        oct_round *rounds = (oct_round *)(((uintptr_t)room / sizeof(eight) + 1) * sizeof(eight));
        for (size_t k = 0; k < n; k += EIGHTS)
            add_parts(of, terms, parts + k, n - k < EIGHTS ? n - k : EIGHTS, rounds);
    }
    free(parts);
    free(room);
    return room != NULL;
}
#endif

/* Sums of terms of points without a comb. */
static int add_all(const task *of, const term *terms, size_t count)
{
#ifdef LANES
    if (count > 1 && has_lanes())
        return add_eights(of, terms, count);
#endif
    for (size_t first = 0, end = 0; first < count; first = end) {
        while (end < count && terms[end].sum == terms[first].sum)
            end++;
        if (!add_terms(of, terms + first, end - first))
            return 0;
    }
    return 1;
}

/* Terms of one point, by its comb. */
static void add_combed(const task *of, const row *comb, const term *terms, size_t count)
{
#ifdef LANES
    if (count > 1 && has_lanes())
        for (; count > 0; terms += EIGHTS, count = count < EIGHTS ? 0 : count - EIGHTS)
            add_products(of, comb, terms, count < EIGHTS ? count : EIGHTS);
#endif
    for (; count > 0; count--)
        add_product(of, comb, *terms++);
}

/* `sums` sums of products of `n` points, as fast_public_sums has them; combs[i] is the comb of point
 * i, or NULL. Return 0 if there is no memory. */
int fast_secret_sums(uint8_t *out, size_t sums, const uint32_t *ends, const uint32_t *which,
                     const uint8_t *scalars, size_t n, const uint8_t *points,
                     const uint8_t *const *combs)
{
    size_t all = sums > 0 ? ends[sums - 1] : 0;
    point *totals = malloc((sums + 1) * sizeof *totals);
    term *terms = malloc((all + 1) * sizeof *terms);
    int enough = totals != NULL && terms != NULL;
    const task of = {totals, which, scalars, points};
    for (size_t s = 0; enough && s < sums; s++)
        totals[s] = IDENTITY;
    /* First, as i = n, the points without a comb: their doublings double what a total has. */
    for (size_t i = n + 1; enough && i--;) {
        size_t count = 0;
        uint32_t place = 0;
        if (i < n && combs[i] == NULL)
            continue;
        for (uint32_t s = 0; s < sums; s++)
            for (; place < ends[s]; place++)
                if (i < n ? which[place] == i : combs[which[place]] == NULL)
                    terms[count++] = (term){s, place};
        if (i < n)
            add_combed(&of, (const row *)(const void *)combs[i], terms, count);
        else if (count > 0)
            enough = add_all(&of, terms, count);
    }
    for (size_t s = 0; enough && s < sums; s++)
        store(out + s * sizeof(point), totals[s]);
    free(totals);
    free(terms);
    return enough;
}

/* ---- Sums of products by public scalars -------------------------------------------------------
 *
 * A scalar is written with odd digits of up to w bits and a sign, at least w - 1 zeros between any
 * two (wNAF). A point that is met once has a table for w = 5; one that is met again and again, for
 * w = 8, made beforehand. That takes 50 additions a term, or 28. Buckets (Pippenger) would take
 * fewer from about 450 terms on; no sum of the protocol has more than 66.
 */
#define BITS 256
#define NARROW 5
#define WIDE 8
#define ODD(w) (1 << ((w) - 2)) /* how many odd multiples: 1P, 3P .. (2^(w-1) - 1)P */

static const uint8_t MINUS_ONE[32] = { /* the order of the group, less 1 */
    0xec, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde, 0x14,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10};

/* Write scalar < 2^255 as the sum of digits[i·step]·2^i, where `digits` holds zeros; return how
 * many digits there are, and in `largest` the size of the largest. */
static int public_digits(int8_t *digits, size_t step, const uint8_t scalar[32], int w, int *largest)
{
    u64 words[5] = {0, 0, 0, 0, 0};
    int over = 0, count = 0;
    *largest = 1;
    if (memcmp(scalar, MINUS_ONE, 32) == 0) { /* frequent, and one subtraction this way */
        digits[0] = -1;
        return 1;
    }
    for (int i = 0; i < 32; i++)
        words[i / 8] |= (u64)scalar[i] << 8 * (i % 8);
    for (int i = 0; i < BITS;) {
        u64 bits = words[i / 64] >> i % 64;
        if (i % 64 > 64 - w)
            bits |= words[i / 64 + 1] << (64 - i % 64);
        int digit = (int)(bits & (((u64)1 << w) - 1)) + over;
        if (digit % 2 == 0) {
            i++; /* an `over` stays for the next bit */
            continue;
        }
        over = digit >> (w - 1);
        digit -= over << w;
        digits[(size_t)i * step] = (int8_t)digit;
        if (abs(digit) > *largest)
            *largest = abs(digit);
        count = i + 1;
        i += w;
    }
    return count;
}

/* What a sum does with points, and how it keeps them: `enter` and `leave` lead from and to a point
 * as all others know it. */
typedef struct {
    void (*enter)(point *p);
    void (*leave)(point *p);
    void (*twice)(point *p, int with_T);
    void (*put)(point *p, const addend *q);
    void (*take)(point *p, const addend *q);
    void (*make_addend)(addend *q, const point *p);
} arithmetic;

static void as_it_is(point *p)
{
    (void)p;
}

static void make_addend(addend *q, const point *p)
{
    *q = as_addend(*p);
}

static const arithmetic PLAIN = {as_it_is, as_it_is, twice, put, take, make_addend};

#ifdef QUADS
/* X, Y, Z and T side by side: each formula above is two multiplications of four numbers by four [L]. */

/* Lane a of v first, then its lane b, c and d; and `no`, but of `yes` the lanes in `which`. */
#define LANE(v, a, b, c, d) _mm256_permute4x64_epi64(v, (a) | (b) << 2 | (c) << 4 | (d) << 6)
#define MIX(which, yes, no) _mm256_mask_mov_epi64(no, which, yes)
/* Bits that choose lanes for MIX. */
#define X_LANE 1
#define Y_LANE 2
#define Z_LANE 4
#define T_LANE 8

_Static_assert(sizeof(quad) == sizeof(point) && sizeof(quad) == sizeof(addend), "one room for all");

/* 4p, so that nothing below 2^53 - 76 leaves less than 0. */
LANES_INLINE lanes quad_bias(int limb)
{
    return _mm256_set1_epi64x(4 * (limb ? MASK : MASK - 18));
}

/* (E, G, F, E)·(F, H, G, H) = (X, Y, Z, T). */
LANES_INLINE quad quad_whole(quad left, quad right)
{
    return quad_mul(quad_carry(left), quad_carry(right));
}

LANES static void lanes_twice(point *p, int with_T)
{
    quad of = quad_load(p), s, left, right;
    (void)with_T;
    LIMBS { /* X, Y, Z, X + Y */
        lanes y = _mm256_maskz_permutex_epi64(T_LANE, of.v[i], 0x55);
        s.v[i] = LANE(of.v[i], 0, 1, 2, 0) + y;
    }
    s = quad_carry(s);
    s = quad_mul(s, s);
    LIMBS { /* E = (X + Y)² - H, F = 2Z² - G, G = Y² - X², H = X² + Y², signs as in `doubled` */
        lanes x = LANE(s.v[i], 0, 0, 0, 0), y = LANE(s.v[i], 1, 1, 1, 1);
        lanes H = x + y, G = y + quad_bias(i) - x;
        lanes from = LANE(s.v[i], 3, 1, 2, 3) + MIX(Z_LANE, s.v[i], _mm256_setzero_si256());
        left.v[i] = from + quad_bias(i) + quad_bias(i) - MIX(Y_LANE, x, MIX(Z_LANE, G, H));
        right.v[i] = MIX(X_LANE, LANE(left.v[i], 2, 2, 2, 2), MIX(Z_LANE, G, H));
    }
    quad_store(p, quad_whole(left, right));
}

/* Y - X, Y + X, Z, T, not carried. */
LANES_INLINE quad quad_turned(quad p)
{
    quad r;
    LIMBS {
        lanes x = MIX(X_LANE, quad_bias(i) - p.v[i], p.v[i]);
        r.v[i] = LANE(p.v[i], 1, 0, 2, 3) + MIX(X_LANE | Y_LANE, x, _mm256_setzero_si256());
    }
    return r;
}

/* p + q, or p - q: then minus and plus of q, and so F and G, change places. */
LANES_INLINE quad quad_sum(quad p, quad q, int minus)
{
    quad left, right;
    if (minus)
        LIMBS q.v[i] = LANE(q.v[i], 1, 0, 2, 3);
    quad s = quad_mul(quad_carry(quad_turned(p)), q); /* A, B, S, C */
    LIMBS {
        lanes other = LANE(s.v[i], 1, 0, 3, 2);
        lanes add = s.v[i] + other, sub = other + quad_bias(i) - s.v[i];
        /* add: H, H, S + C, S + C; sub: E, -E, C - S, S - C */
        if (minus) {
            left.v[i] = MIX(Z_LANE, add, LANE(sub, 0, 3, 3, 0));
            right.v[i] = MIX(Z_LANE, LANE(sub, 3, 3, 3, 3), LANE(add, 2, 1, 1, 1));
        } else {
            left.v[i] = MIX(Y_LANE, LANE(add, 2, 2, 2, 2), LANE(sub, 0, 0, 3, 0));
            right.v[i] = MIX(X_LANE, LANE(sub, 3, 3, 3, 3), LANE(add, 1, 1, 2, 1));
        }
    }
    return quad_whole(left, right);
}

LANES static void lanes_put(point *p, const addend *q)
{
    quad_store(p, quad_sum(quad_load(p), quad_load(q), 0));
}

LANES static void lanes_take(point *p, const addend *q)
{
    quad_store(p, quad_sum(quad_load(p), quad_load(q), 1));
}

LANES static void lanes_make_addend(addend *q, const point *p)
{
    quad factors; /* 1, 1, 2, 2d */
    LIMBS factors.v[i] = _mm256_set_epi64x((int64_t)D2.v[i], i ? 0 : 2, i ? 0 : 1, i ? 0 : 1);
    quad_store(q, quad_mul(quad_carry(quad_turned(quad_load(p))), factors));
}

LANES static void lanes_enter(point *p)
{
    const fe four[4] = {p->X, p->Y, p->Z, p->T};
    quad_store(p, quad_of(four));
}

LANES static void lanes_leave(point *p)
{
    fe four[4];
    quad_to(four, quad_load(p));
    *p = (point){four[0], four[1], four[2], four[3]};
}

static const arithmetic IN_LANES = {lanes_enter, lanes_leave, lanes_twice,
                                    lanes_put,   lanes_take,  lanes_make_addend};
#endif

static const arithmetic *quickest(void)
{
#ifdef QUADS
    if (has_lanes())
        return &IN_LANES;
#endif
    return &PLAIN;
}

/* Write P, 3P .. largest·P. */
static void fill_odd(const arithmetic *by, addend *multiples, point p, int largest)
{
    by->enter(&p);
    by->make_addend(&multiples[0], &p);
    if (largest == 1)
        return;
    point doubled = p;
    by->twice(&doubled, 1);
    addend step;
    by->make_addend(&step, &doubled);
    for (int i = 1; i <= largest / 2; i++) {
        by->put(&p, &step);
        by->make_addend(&multiples[i], &p);
    }
}

/* The table of a point that is met again and again; `out` has room for 64 addends. */
void fast_wide(uint8_t *out, const uint8_t p[160])
{
    fill_odd(quickest(), (addend *)(void *)out, load(p), (1 << (WIDE - 1)) - 1);
}

/* Double a total and add the multiples that one place of its sum asks for; `digits` holds those of
 * the place side by side, one for each of `terms` products. */
static void add_place(const arithmetic *by, point *total, const int8_t *digits,
                      const addend *const *multiples, size_t terms, int last)
{
    int any = last;
    for (size_t k = 0; k < terms; k++)
        any |= digits[k];
    by->twice(total, any);
    for (size_t k = 0; any && k < terms; k++) {
        if (digits[k] > 0)
            by->put(total, &multiples[k][digits[k] / 2]);
        else if (digits[k] < 0)
            by->take(total, &multiples[k][-digits[k] / 2]);
    }
}

#ifdef LANES
enum { FEW = 4 }; /* terms of a sum among eights */

/* Return how many sums from `first` on are to be added side by side: up to eight, of as many terms
 * as this one; or 0. */
static size_t alike(size_t sums, const uint32_t *ends, size_t first)
{
    size_t count = 0, terms = ends[first] - (first > 0 ? ends[first - 1] : 0);
    while (count < EIGHTS && first + count < sums &&
           ends[first + count] == ends[first] + count * terms)
        count++;
    return has_lanes() && terms <= FEW && count >= FEW ? count : 0;
}

/* `count` sums of `terms` terms each, side by side. If all have one scalar, as the challenge of a
 * proof, its digits are as in other public sums; else as in sums with secrets. */
LANES static void public_alike(uint8_t *out, size_t count, size_t terms, const uint32_t *which,
                               const uint8_t *scalars, const uint8_t *points)
{
    oct_addend multiples[FEW][MULTIPLES], q;
    int8_t digits[FEW][BITS] = {{0}};
    lanes_of_scalars own[FEW];
    int largest, common[FEW];
    for (size_t k = 0; k < terms; k++) {
        lanes_of_points p;
        common[k] = 1;
        for (size_t lane = 0; lane < EIGHTS; lane++) {
            size_t place = k + (lane < count ? lane * terms : 0);
            point_to_lane(&p, lane, load(points + which[place] * sizeof(point)));
            scalar_to_lane(&own[k], lane, scalars + 32 * place);
            common[k] &= memcmp(scalars + 32 * place, scalars + 32 * k, 32) == 0;
        }
        oct_fill(multiples[k], p.whole);
        public_digits(digits[k], 1, scalars + 32 * k, 4, &largest);
    }
    lanes_of_points total = {oct_identity()};
    for (int i = BITS; i--;) {
        int any = i == 0;
        for (size_t k = 0; k < terms; k++)
            any |= common[k] ? digits[k][i] : i % 4 == 0;
        oct_twice(&total.whole, any);
        for (size_t k = 0; k < terms; k++)
            if (!common[k] && i % 4 == 0) {
                oct_choice_own(&q, multiples[k], &own[k].whole, i / 4);
                oct_put(&total.whole, &q);
            } else if (common[k] && digits[k][i] > 0)
                oct_put(&total.whole, &multiples[k][digits[k][i] - 1]);
            else if (common[k] && digits[k][i] < 0)
                oct_take(&total.whole, &multiples[k][-digits[k][i] - 1]);
    }
    for (size_t lane = 0; lane < count; lane++)
        store(out + lane * sizeof(point), point_of_lane(&total, lane));
}
#endif

/* `sums` sums of products of `n` points; wide[i] is the wide table of point i, or NULL. All terms
 * of all sums follow each other: scalars[32·k] belongs to the point which[k], and ends[s] is where
 * the terms of sum s end. The table of a point serves all sums. Return 0 if there is no memory for
 * the tables. */
int fast_public_sums(uint8_t *out, size_t sums, const uint32_t *ends, const uint32_t *which,
                     const uint8_t *scalars, size_t n, const uint8_t *points,
                     const uint8_t *const *wide)
{
    const arithmetic *by = quickest();
    size_t terms = sums > 0 ? ends[sums - 1] : 0, begin = 0;
    int8_t *digits = calloc(terms + 1, BITS);
    const addend **multiples = malloc((terms + 1) * sizeof *multiples);
    int *counts = calloc(sums + 1, sizeof *counts), *largest = calloc(n + 1, sizeof *largest);
    addend *own = malloc((n + 1) * ODD(NARROW) * sizeof *own);
    point *totals = malloc((sums + 1) * sizeof *totals);
    int enough = digits && multiples && counts && largest && own && totals, places = 0;
    enum { DONE = -1 }; /* in place of a count of digits: side by side with others */
    for (size_t s = 0; enough && s < sums; begin = ends[s++]) {
#ifdef LANES
        size_t count = alike(sums, ends, s);
        if (count > 0) {
            public_alike(out + s * sizeof(point), count, ends[s] - begin, which + begin,
                         scalars + 32 * begin, points);
            for (size_t lane = 0; lane < count; lane++)
                counts[s + lane] = DONE;
            s += count - 1;
            continue;
        }
#endif
        for (size_t k = begin; k < ends[s]; k++) {
            uint32_t i = which[k];
            int most, w = wide[i] ? WIDE : NARROW;
            int8_t *first = digits + begin * BITS + (k - begin);
            int count = public_digits(first, ends[s] - begin, scalars + 32 * k, w, &most);
            if (counts[s] < count)
                counts[s] = count;
            if (!wide[i] && largest[i] < most)
                largest[i] = most;
            multiples[k] = wide[i] ? (const addend *)(const void *)wide[i] : own + i * ODD(NARROW);
        }
    }
    for (size_t k = 0; enough && k < n; k++)
        if (largest[k] > 0)
            fill_odd(by, own + k * ODD(NARROW), load(points + k * sizeof(point)), largest[k]);
    for (size_t s = 0; enough && s < sums; s++) {
        totals[s] = IDENTITY;
        by->enter(&totals[s]);
        if (places < counts[s])
            places = counts[s];
    }
    for (int i = places; enough && i--;) {
        begin = 0;
        for (size_t s = 0; s < sums; begin = ends[s++]) {
            size_t terms = ends[s] - begin;
            if (i < counts[s])
                add_place(by, &totals[s], digits + begin * BITS + (size_t)i * terms,
                          multiples + begin, terms, i == 0);
        }
    }
    for (size_t s = 0; enough && s < sums; s++)
        if (counts[s] != DONE) {
            by->leave(&totals[s]);
            store(out + s * sizeof(point), totals[s]);
        }
    free(digits);
    free(multiples);
    free(counts);
    free(largest);
    free(own);
    free(totals);
    return enough;
}
