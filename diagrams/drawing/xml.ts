/** SVG elements as data and as text. Names and texts of a user's machine may contain any characters. */

export interface SvgElement {
  readonly name: string;
  readonly attributes: Attributes;
  /** Elements and texts. */
  readonly children: readonly (SvgElement | string)[];
}

type Attributes = Readonly<Record<string, string | number>>;

export function element(
  name: string,
  attributes: Attributes,
  ...children: readonly (SvgElement | string)[]
): SvgElement {
  return {name, attributes, children};
}

export function toXml({name, attributes, children}: SvgElement): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(attributeText(value))}"`,
  );
  const content = children.map((child) =>
    typeof child === 'string' ? escaped(child) : toXml(child),
  );
  return content.length === 0
    ? `<${name}${written.join('')}/>`
    : `<${name}${written.join('')}>${content.join('')}</${name}>`;
}

/** Numbers have at most two decimals. */
export function attributeText(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : value;
}

/** Escapes a text. Characters that XML forbids even as escapes are replaced: most control characters, lone surrogates. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\P{Cc}\u007f-\u009f]|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"'\u007f-\u009f\p{Cf}]/gu, (char) => `&#${char.codePointAt(0)};`);
}
