/** What build.py puts before the page's own modules. */

/** The program of the worker; its source becomes the worker. */
declare const verifierProgram: () => void;

/** Sentences by language and key; of those with a count, their forms by plural category. */
declare const SENTENCES: Record<string, Record<string, string | Record<string, string>>>;

/** What each language calls itself, by its code. */
declare const LANGUAGES: Record<string, string>;

/** What estimates chances, by edition; empty where nothing does. */
declare const NETWORKS: Record<string, import("./chances.js").Network>;

/** The games of an index, the latest first. page: its address, a URL; winner: a seat, or null. */
declare const GAMES: {
  page: string;
  date: string;
  names: string[];
  edition: string | null;
  sets: number;
  valid: boolean;
  over: boolean;
  winner: number | null;
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
