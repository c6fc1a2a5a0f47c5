// What a shuffle costs with kyber: for each size a line of N, prove ms, verify ms, bytes.
package main

import (
	"fmt"
	"os"
	"sort"
	"strconv"
	"syscall"

	"go.dedis.ch/kyber/v4"
	"go.dedis.ch/kyber/v4/group/edwards25519"
	"go.dedis.ch/kyber/v4/proof"
	"go.dedis.ch/kyber/v4/shuffle"
	"go.dedis.ch/kyber/v4/xof/blake2xb"
)

func cpu() float64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func median(repeat int, work func()) float64 {
	times := make([]float64, repeat)
	for i := range times {
		start := cpu()
		work()
		times[i] = cpu() - start
	}
	sort.Float64s(times)
	return times[repeat/2]
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	suite := edwards25519.NewBlakeSHA256Ed25519WithRand(blake2xb.New(nil))
	random := suite.RandomStream()
	for _, argument := range os.Args[1:] {
		n, err := strconv.Atoi(argument)
		must(err)
		key := suite.Point().Mul(suite.Scalar().Pick(random), nil)
		left, right := make([]kyber.Point, n), make([]kyber.Point, n)
		for i := range left {
			r := suite.Scalar().Pick(random)
			left[i] = suite.Point().Mul(r, nil)
			right[i] = suite.Point().Add(suite.Point().Mul(r, key), suite.Point().Pick(random))
		}
		var newLeft, newRight []kyber.Point
		var proven []byte
		prove := median(9, func() {
			var prover proof.Prover
			newLeft, newRight, prover = shuffle.Shuffle(suite, nil, key, left, right, random)
			proven, err = proof.HashProve(suite, "bench", prover)
			must(err)
		})
		verify := median(9, func() {
			verifier := shuffle.Verifier(suite, nil, key, left, right, newLeft, newRight)
			must(proof.HashVerify(suite, "bench", verifier, proven))
		})
		fmt.Println(n, prove, verify, len(proven))
	}
}
