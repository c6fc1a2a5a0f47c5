/** What build.py puts before the page's own modules. */

/** The program of the worker, packed (packed.js). */
declare const VERIFIER: string;

/** Sentences by language and key; of those with a count, their forms by plural category. */
declare const SENTENCES: Record<string, Record<string, string | Record<string, string>>>;

/** What each language calls itself, by its code. */
declare const LANGUAGES: Record<string, string>;

/** What estimates chances, by edition; empty where nothing does. */
declare const NETWORKS: Record<string, import("../matcha/chances.js").Network>;

/** The game as matcha_p2p tells it, packed; "" where the view reads the transcript alone. */
declare const TOLD: string;
declare const MISTAKES: string;

/** The games of an index, the latest first. page: its address, a URL; winners: none in a draw. */
declare const GAMES: {
  page: string;
  date: string;
  names: string[];
  game: string;
  edition: string | null;
  sets: number;
  valid: boolean;
  over: boolean;
  winners: number[];
}[];

declare class TrustedScriptURL {}
interface Window {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): TrustedScriptURL };
  };
}
