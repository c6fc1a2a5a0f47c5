/** A soft click, as of a card that is laid on a table. */

const SECONDS = 0.05;
const LOUDNESS = 0.15;
const DULL = 1600; // hertz

/** @type {AudioContext | null} */
let context = null;

/** Let the card click; a browser allows a sound after the first key or click of the reader. */
export function clickOfCard() {
  if (!window.AudioContext) return;
  context ??= new AudioContext();
  const length = Math.ceil(SECONDS * context.sampleRate);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let at = 0; at < length; at += 1)
    samples[at] = (2 * Math.random() - 1) * (1 - at / length) ** 6;
  const source = context.createBufferSource();
  source.buffer = buffer;
  const filter = context.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = DULL;
  const gain = context.createGain();
  gain.gain.value = LOUDNESS;
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
}
