/** Detects the language of a text. */

/** BCP 47; undefined unless the script of the text belongs to a single language. */
export function languageOfScript(text: string): string | undefined {
  for (const [script, code] of scripts) if (script.test(text)) return code;
  return undefined;
}

const scripts: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Thai}/u, 'th'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Georgian}/u, 'ka'],
  [/\p{Script=Armenian}/u, 'hy'],
  [/\p{Script=Tamil}/u, 'ta'],
  [/[їєґ]/iu, 'uk'],
];

/** BCP 47 of a request; undefined if neither its script nor its words identify the language. */
export function languageOfRequest(text: string): string | undefined {
  return languageOfScript(text) ?? (englishWords.test(text) ? 'en' : undefined);
}

/** Frequent words of English that no other language of Latin script has. */
const englishWords =
  /\b(?:the|this|that|and|of|to|is|are|which|what|how|who|with|please|write|should)\b/i;

/** A language that the runtime's own texts exist in. */
export type Language = 'en' | 'ja';

const quoted = /```[^]*?```|`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」/g;

/** True for a text with letters that only Japanese has. */
export function hasKana(text: string): boolean {
  return /[\u3040-\u30ff]/.test(text);
}

/** Ignores quotations in the request, which may be in any language. */
export function isJapanese(request: string): boolean {
  return hasKana(request.replaceAll(quoted, ''));
}

/** The language member of a result; absent for English. */
export function languagePart(request: string): {readonly language?: 'ja'} {
  return isJapanese(request) ? {language: 'ja'} : {};
}
