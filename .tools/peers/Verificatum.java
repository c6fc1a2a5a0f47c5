// What a shuffle costs with Verificatum, Terelius and Wikström's proof on P-256: for each size a
// line of N, prove ms, verify ms, bytes. Challenges come from a hash, as long as those that it takes
// where nobody else draws them: 256 bits.

import com.sun.management.OperatingSystemMXBean;
import com.verificatum.arithm.ArithmFormatException;
import com.verificatum.arithm.ECqPGroupParams;
import com.verificatum.arithm.LargeInteger;
import com.verificatum.arithm.PGroup;
import com.verificatum.arithm.PGroupElement;
import com.verificatum.arithm.PGroupElementArray;
import com.verificatum.arithm.PPGroup;
import com.verificatum.arithm.PRing;
import com.verificatum.arithm.PRingElementArray;
import com.verificatum.arithm.Permutation;
import com.verificatum.crypto.HashfunctionHeuristic;
import com.verificatum.crypto.PRG;
import com.verificatum.crypto.PRGHeuristic;
import com.verificatum.crypto.RandomDevice;
import com.verificatum.crypto.RandomSource;
import com.verificatum.eio.ByteTreeBasic;
import com.verificatum.protocol.hvzk.PoSBasicTW;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

public final class Verificatum {
    static final int BITS = 256, DISTANCE = 100;
    static final int RUNS = 30;  // of a sample: this clock ticks every 10 ms
    static final RandomSource RANDOM = new RandomDevice();
    static final HashfunctionHeuristic HASH = new HashfunctionHeuristic("SHA-256");
    static final PRG STREAM = new PRGHeuristic(HASH);

    static double cpu() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / 1e6;
    }

    /** Of one run: the median of several samples, after one for the compiler to learn from. */
    static double median(Runnable work) {
        double[] samples = new double[6];
        for (int i = 0; i < samples.length; i++) {
            double start = cpu();
            for (int run = 0; run < RUNS; run++) {
                work.run();
            }
            samples[i] = (cpu() - start) / RUNS;
        }
        Arrays.sort(samples, 1, samples.length);
        return samples[samples.length / 2];
    }

    static byte[] hash(ByteTreeBasic... said) {
        byte[] digest = new byte[0];
        for (ByteTreeBasic tree : said) {
            byte[] bytes = tree.toByteArray();
            byte[] both = Arrays.copyOf(digest, digest.length + bytes.length);
            System.arraycopy(bytes, 0, both, digest.length, bytes.length);
            digest = HASH.hash(both);
        }
        return digest;
    }

    static PoSBasicTW proof() {
        return new PoSBasicTW(BITS, BITS, DISTANCE, STREAM, RANDOM);
    }

    public static void main(String[] arguments) throws ArithmFormatException {
        PGroup group = ECqPGroupParams.getECqPGroup("P-256");
        PRing scalars = group.getPRing();
        PPGroup pairs = new PPGroup(group, 2);
        PGroupElement g = group.getg();
        PGroupElement key =
            pairs.product(g, g.exp(scalars.randomElement(RANDOM, DISTANCE)));
        for (String argument : arguments) {
            int n = Integer.parseInt(argument);
            PGroupElementArray h = g.exp(scalars.randomElementArray(n, RANDOM, DISTANCE));
            PGroupElementArray before =
                key.exp(scalars.randomElementArray(n, RANDOM, DISTANCE));
            PGroupElementArray[] after = new PGroupElementArray[1];
            ByteTreeBasic[] said = new ByteTreeBasic[3];
            double prove = median(() -> {
                PRingElementArray masks =
                    scalars.randomElementArray(n, RANDOM, DISTANCE);
                Permutation order = Permutation.random(n, RANDOM, DISTANCE);
                PoSBasicTW prover = proof();
                prover.precompute(g, h, order);
                after[0] = before.mul(key.exp(masks)).permute(order.inv());
                prover.setInstance(key, before, after[0], masks);
                said[0] = prover.getPermutationCommitment().toByteTree();
                byte[] seed = hash(before.toByteTree(), after[0].toByteTree(), said[0]);
                said[1] = prover.commit(seed);
                said[2] = prover.reply(LargeInteger.toPositive(hash(said[0], said[1])));
            });
            double verify = median(() -> {
                PoSBasicTW verifier = proof();
                verifier.precompute(g, h);
                verifier.setPermutationCommitment(said[0].getByteTreeReader());
                verifier.setInstance(key, before, after[0]);
                byte[] seed = hash(before.toByteTree(), after[0].toByteTree(), said[0]);
                verifier.setBatchVector(seed);
                verifier.setCommitment(said[1].getByteTreeReader());
                verifier.computeAF();
                verifier.setChallenge(LargeInteger.toPositive(hash(said[0], said[1])));
                if (!verifier.verify(said[2].getByteTreeReader())) {
                    throw new IllegalStateException("a good proof is refused");
                }
            });
            long bytes = 0;
            for (ByteTreeBasic tree : said) {
                bytes += tree.toByteArray().length;
            }
            System.out.println(n + " " + prove + " " + verify + " " + bytes);
        }
    }
}
