/** What bundle.py puts before the page's own modules. */

/** The program of the worker; its source becomes the worker. */
declare const verifierProgram: () => void;

/** Sentences by language and key; of those with a count, their forms by plural category. */
declare const SENTENCES: Record<string, Record<string, string | Record<string, string>>>;

/** What each language calls itself, by its code. */
declare const LANGUAGES: Record<string, string>;

declare class TrustedScriptURL {}
interface Window {
  trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): TrustedScriptURL };
  };
}
