/** What build.py has packed into letters. */

/** @param {string} letters base64 @returns {Uint8Array<ArrayBuffer>} */
export function decoded(letters) {
  return Uint8Array.from(atob(letters.trim()), (letter) => letter.charCodeAt(0));
}

/** @param {string} letters of a deflated text @returns {Promise<string>} the text */
export function unpacked(letters) {
  const packed = new Blob([decoded(letters)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("deflate"))).text();
}
