/** Elements of SVG as text. Names and texts of a user's machine may be anything. */

type Attributes = Readonly<Record<string, string | number>>;

/** A text that XML may hold, as it may hold neither most control characters nor halves of characters, however written. */
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
