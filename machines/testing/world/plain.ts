/** Plain data: values that JSON can hold, and `undefined`. */

import {canonicalJson} from '../../domain/digest.ts';

export function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return ['string', 'boolean', 'undefined'].includes(typeof value);
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isRecord = prototype === null || prototype === Object.prototype;
  return isRecord && Object.values(value).every(isPlain);
}

/** True for the same value, and for plain ones that are equal. */
export function isEqual(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || isSame(one, other);
}

/** True if two values are plain and equal. */
export function isSame(one: unknown, other: unknown): boolean {
  return isPlain(one) && isPlain(other) && canonicalJson(one) === canonicalJson(other);
}
