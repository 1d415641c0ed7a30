/** Makes text from models, tools and files safe to show: what can steer a terminal or hide is spelled out. */

const plain = /^[\n\t -~]*$/;

/** Control, format, bidi and invisible characters and lone surrogates; not the selector that colours emoji. */
const unsafe = /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const unsafeAll = new RegExp(unsafe, 'gu');

const shortNames: Readonly<Record<string, string>> = {
  '\r': String.raw`\r`,
  '\b': String.raw`\b`,
  '\n': String.raw`\n`,
  '\t': String.raw`\t`,
};

/** Escapes everything unsafe but line ends and tabs: `\x1b`, `\r`, `<U+202E>`. Never throws; plain text is returned as it is. */
export function escapeForTerminal(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(unsafeAll, (found) =>
    found === '\n' || found === '\t' ? found : spell(found),
  );
}

/** As `escapeForTerminal`, for what must stay on one line, such as a file's name. */
export function escapeLine(text: string): string {
  return text.replace(unsafeAll, spell);
}

/** The first character that `escapeLine` would spell out, spelled out. */
export function firstUnsafe(text: string): string | undefined {
  const found = unsafe.exec(text);
  return found ? spell(found[0]) : undefined;
}

function spell(character: string): string {
  const short = shortNames[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return String.raw`\x` + code.toString(16).padStart(2, '0');
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
