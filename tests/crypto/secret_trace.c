/* Do the processor's own instructions stay the same, one by one, for other secrets?
 *
 * The child multiplies by the scalars that an argument gives the pattern of; the parent takes it
 * from instruction to instruction, and prints how many there were and a hash of their addresses.
 * This looks at the machine code with AVX-512, which memcheck does not know (secret_paths.c).
 */

#include "fast.c"

#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 3 };

int main(int count, char **arguments)
{
    static uint8_t comb[64 * 8 * 160], scalars[32 * COUNT], sums[160 * COUNT], points[160 * COUNT];
    const uint8_t *tables[COUNT] = {comb};
    /* A term by a table, and a sum of one such with one by a comb; then two by a comb. */
    const uint32_t ends[2] = {1, 3}, which[COUNT] = {1, 2, 0}, each[2] = {1, 2}, same[2] = {0};
    int pattern = count > 1 ? atoi(arguments[1]) : 0, status;

    fast_generator(points);
    fast_comb(comb, points);
    for (size_t i = 1; i < COUNT; i++)
        fast_from_uniform(points + 160 * i, comb + 64 * i);
    for (size_t i = 0; i < sizeof scalars; i++)
        scalars[i] = (uint8_t)(i % 32 == 31 ? pattern & 15 : (size_t)pattern * (i + 1));
    fast_lanes(); /* asks the processor, and keeps the answer */

    pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        fast_secret_sums(sums, 2, ends, which, scalars, COUNT, points, tables);
        fast_secret_sums(sums, 2, each, same, scalars, 1, points, tables);
        _exit(0);
    }
    u64 steps = 0, hash = 0;
    struct user_regs_struct registers;
    for (waitpid(child, &status, 0); WIFSTOPPED(status); waitpid(child, &status, 0)) {
        ptrace(PTRACE_GETREGS, child, NULL, &registers);
        hash = (hash ^ registers.rip) * 0x9e3779b97f4a7c15;
        steps++;
        ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
    }
    printf("%llu instructions, %016llx\n", (unsigned long long)steps, (unsigned long long)hash);
    return steps < 100000;
}
