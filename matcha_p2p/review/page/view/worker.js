/** The verifier in a worker: a transcript comes in, and its contents and verdict go out. */

import { judge } from "../verifier/transcript.js";
import { storyOf } from "./story.js";

addEventListener("message", ({ data: file }) => {
  const begun = performance.now();
  let told = begun;
  const report = judge(file, (read) => {
    const now = performance.now();
    if (now - told < 50) return;
    told = now;
    postMessage({ part: read / file.length });
  });
  const story = storyOf(report, file);
  postMessage({ story, seconds: (performance.now() - begun) / 1000 });
});
