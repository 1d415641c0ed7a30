/** SVG elements as text. Names and texts of a user's machine may contain any characters. */

type Attributes = Readonly<Record<string, string | number>>;

/** Escapes a text. Characters that XML forbids even as escapes are replaced: most control characters, lone surrogates. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\P{Cc}\u007f-\u009f]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"'\u007f-\u009f\p{Cf}]/gu, (char) => `&#${char.codePointAt(0)};`);
}

/** `content` is elements or escaped text. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes).map(([key, value]) => {
    const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
    return ` ${key}="${escaped(text)}"`;
  });
  return content === ''
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content}</${name}>`;
}
