/** Colours as elements state them: enough to compare a text's colour with its background. */

export type Color = readonly [red: number, green: number, blue: number];

/** Every colour is shorter, and the time to parse one grows faster than its length. */
const maxLength = 60;

/** Undefined for an unknown colour, such as most names. */
export function parseColor(value: string): Color | 'transparent' | undefined {
  const [first = ''] = value
    .slice(0, maxLength)
    .trim()
    .toLowerCase()
    .split(/\s+(?![^(]*\))/);
  if (first === 'transparent' || /^(rgba|hsla)\(.*[,/]\s*0?\.?0*%?\)$/.test(first)) {
    return 'transparent';
  }
  return fromHex(first) ?? fromParts(first);
}

/** Too similar to distinguish by eye. */
export function areAlike(one: Color, other: Color): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= 16);
}

const named: Readonly<Record<string, string>> = {white: 'ffffff', black: '000000'};

function fromHex(text: string): Color | undefined {
  const hex = named[text] ?? /^#?([\da-f]{6}|[\da-f]{3})$/.exec(text)?.[1];
  if (hex === undefined) return undefined;
  const number = Number.parseInt(hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex, 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}

function fromParts(text: string): Color | undefined {
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)/.exec(text);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}
