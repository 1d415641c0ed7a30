/** Rounds integers of any size to the nearest float, and writes floats as text. */

/** A float has this many bits. */
const floatBits = 53;
/** The last bit of the smallest float has the value 2 ** lowestBit. */
const lowestBit = -1_074;

const safe = BigInt(Number.MAX_SAFE_INTEGER);

export function isSafe(value: bigint): boolean {
  return value <= safe && value >= -safe;
}

/** The length of the absolute value in bits: 0 for 0, 3 for 5. */
export function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return (hex.length - 1) * 4 + 32 - Math.clz32(Number.parseInt(hex.slice(0, 1), 16));
}

/** The float nearest to the exact quotient, ties to even; infinite when that is too large. `divisor` is not 0. */
export function nearestQuotient(dividend: bigint, divisor: bigint): number {
  if (isSafe(dividend) && isSafe(divisor)) return Number(dividend) / Number(divisor);
  const isNegative = dividend < 0n !== divisor < 0n;
  const [over, under] = [dividend, divisor].map((value) => (value < 0n ? -value : value));
  const size = positiveQuotient(over ?? 0n, under ?? 1n);
  return isNegative ? -size : size;
}

function positiveQuotient(dividend: bigint, divisor: bigint): number {
  const least = bitLength(dividend) - bitLength(divisor) - floatBits;
  const lastBit = Math.max(least, lowestBit);
  const quotient = roundedInUnits(dividend, divisor, lastBit);
  const fits = bitLength(quotient) <= floatBits;
  return fits
    ? Number(quotient) * 2 ** lastBit
    : Number(roundedInUnits(dividend, divisor, lastBit + 1)) * 2 ** (lastBit + 1);
}

/** The quotient in units of 2 ** `unit`, rounded to a whole number, ties to even. */
function roundedInUnits(dividend: bigint, divisor: bigint, unit: number): bigint {
  const over = unit < 0 ? dividend << BigInt(-unit) : dividend;
  const under = unit < 0 ? divisor : divisor << BigInt(unit);
  const whole = over / under;
  const twiceRest = (over % under) * 2n;
  const isUp = twiceRest > under || (twiceRest === under && whole % 2n === 1n);
  return isUp ? whole + 1n : whole;
}

/** The shortest text that reads as this float, as Python writes it: `2.0`, `1e+16`, `1e-05`. */
export function floatText(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 16) return Number.isInteger(value) ? `${value}.0` : `${value}`;
  const size = String(Math.abs(power)).padStart(2, '0');
  return `${digits}e${power < 0 ? '-' : '+'}${size}`;
}
