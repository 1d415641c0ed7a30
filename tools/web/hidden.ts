/** Decides whether a person would see an element, from the element's own attributes: style sheets are not read. */

import {areAlike, type Color, parseColor} from './color.ts';

type Attributes = Readonly<Record<string, string>>;
type Style = ReadonlyMap<string, string>;

/** Properties that an element passes to its children. */
export interface Paint {
  /** Undefined where unknown. */
  readonly color: Color | 'transparent' | undefined;
  readonly background: Color | undefined;
  readonly isTiny: boolean;
}

export const pagePaint: Paint = {color: [0, 0, 0], background: [255, 255, 255], isTiny: false};

/** These hide the element with all its content. */
const hiding: readonly (readonly [property: string, value: RegExp])[] = [
  ['display', /^none/],
  ['visibility', /^(hidden|collapse)/],
  ['content-visibility', /^hidden/],
  ['opacity', /^(0?\.0\d*|0|[0-4]%)( |$)/],
  ['left', /^-\d{3}/],
  ['top', /^-\d{3}/],
  ['text-indent', /^-\d{3}/],
  ['clip', /^rect\(\s*[01](px)?[\s,]/],
  ['clip-path', /^(inset\((50|100)%|circle\(0)/],
  ['transform', /scale\(0/],
];

/** The time to parse a style grows with the square of its length. */
const maxStyleLength = 1_000;

const noStyle: Style = new Map();

export function parseStyle(text: string | undefined): Style {
  if (text === undefined) return noStyle;
  const rules = text
    .slice(0, maxStyleLength)
    .toLowerCase()
    .replaceAll(/\/\*.*?\*\//gs, '')
    .split(';');
  return new Map(
    rules.map((rule) => {
      const colon = rule.indexOf(':');
      return [rule.slice(0, colon).trim(), rule.slice(colon + 1).trim()];
    }),
  );
}

export function isHidden(name: string, attributes: Attributes, style: Style): boolean {
  if ('hidden' in attributes || (name === 'dialog' && !('open' in attributes))) return true;
  if (hiding.some(([property, value]) => value.test(style.get(property) ?? ''))) return true;
  const isCut = /^(hidden|clip)/.test(style.get('overflow') ?? '');
  return isCut && ['height', 'width', 'max-height'].some((side) => isZero(style.get(side)));
}

function isZero(length: string | undefined): boolean {
  return length !== undefined && Number.parseFloat(length) === 0;
}

/** As inherited, except for the element's own properties. */
export function paintOf(attributes: Attributes, style: Style, inherited: Paint): Paint {
  const color = style.get('color') ?? attributes['color'];
  const behind = style.get('background-color') ?? style.get('background') ?? attributes['bgcolor'];
  const size = style.get('font-size');
  const background = behind === undefined ? inherited.background : parseColor(behind);
  return {
    color: color === undefined ? inherited.color : parseColor(color),
    background: background === 'transparent' ? inherited.background : background,
    isTiny: size === undefined ? inherited.isTiny : isTinySize(size, inherited.isTiny),
  };
}

/** Text in the colour of its background, or too small to read. */
export function isUnseen({color, background, isTiny}: Paint): boolean {
  if (isTiny || color === 'transparent') return true;
  return color !== undefined && background !== undefined && areAlike(color, background);
}

function isTinySize(size: string, isInTiny: boolean): boolean {
  const number = Number.parseFloat(size);
  if (/^[\d.]+(em|%)/.test(size)) return isInTiny || number < (size.includes('%') ? 10 : 0.1);
  return /^[\d.]+rem/.test(size) ? number < 0.1 : number < 2;
}
