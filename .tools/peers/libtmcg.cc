// What a shuffle costs with LibTMCG, Groth's proof, not interactive: for each size a line of N,
// prove ms, verify ms, bytes. Its group is one of 2048 bits.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <sstream>
#include <vector>

#include <libTMCG.hh>

static double median(const std::function<void()> &work)
{
	std::vector<double> times;
	for (int i = 0; i < 5; i++) {
		const std::clock_t start = std::clock();
		work();
		times.push_back(1000.0 * double(std::clock() - start) / CLOCKS_PER_SEC);
	}
	std::sort(times.begin(), times.end());
	return times[times.size() / 2];
}

int main(int count, char **arguments)
{
	if (!init_libTMCG())
		return 1;
	BarnettSmartVTMF_dlog masks;
	masks.KeyGenerationProtocol_GenerateKey();
	masks.KeyGenerationProtocol_Finalize();
	for (int argument = 1; argument < count; argument++) {
		const size_t n = std::strtoul(arguments[argument], nullptr, 10);
		SchindelhauerTMCG game(64, 2, 6);
		GrothVSSHE prover(n, masks.p, masks.q, masks.k, masks.g, masks.h);
		TMCG_OpenStack<VTMF_Card> faces;
		for (size_t type = 0; type < n; type++) {
			VTMF_Card card;
			game.TMCG_CreateOpenCard(card, &masks, type);
			faces.push(type, card);
		}
		TMCG_Stack<VTMF_Card> before, after;
		before.push(faces);
		std::string proof;
		const double prove = median([&] {
			TMCG_StackSecret<VTMF_CardSecret> secret;
			std::ostringstream out;
			after.clear();
			game.TMCG_CreateStackSecret(secret, false, n, &masks);
			game.TMCG_MixStack(before, after, secret, &masks);
			game.TMCG_ProveStackEquality_Groth_noninteractive(before, after, secret, &masks,
			                                                  &prover, out);
			proof = out.str();
		});
		const double verify = median([&] {
			std::istringstream in(proof);
			if (!game.TMCG_VerifyStackEquality_Groth_noninteractive(before, after, &masks,
			                                                        &prover, in))
				std::abort();
		});
		std::cout << n << " " << prove << " " << verify << " " << proof.size() << std::endl;
	}
	return 0;
}
