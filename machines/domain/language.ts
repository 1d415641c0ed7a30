/** The language that a text is written in. */

/** BCP 47, where the script of a text is that of one language. */
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

/** BCP 47 of a request, where its script or its words tell. */
export function languageOfRequest(text: string): string | undefined {
  return languageOfScript(text) ?? (englishWords.test(text) ? 'en' : undefined);
}

/** Frequent words of English that no other language of Latin script has. */
const englishWords =
  /\b(?:the|this|that|and|of|to|is|are|which|what|how|who|with|please|write|should)\b/i;

/** A language that texts of the runtime's own have. */
export type Language = 'en' | 'ja';

const kana = /[\u3040-\u30ff]/;
const quoted = /```[^]*?```|`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」/g;

/** By the words of the request; a quotation in it may be in any language. */
export function isJapanese(request: string): boolean {
  return kana.test(request.replaceAll(quoted, ''));
}

/** Of a result; English needs no word. */
export function languagePart(request: string): {readonly language?: 'ja'} {
  return isJapanese(request) ? {language: 'ja'} : {};
}
