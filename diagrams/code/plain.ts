/** Values that can be written as JSON. */

import type {Json} from '../../machines/domain/json.ts';

const mostDepth = 20;

/** The value if it is JSON throughout. Undefined for values with functions, actors or cycles. */
export function plainOf(value: unknown): Json | undefined {
  return isPlain(value, mostDepth) ? value : undefined;
}

function isPlain(value: unknown, depth: number): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth === 0) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isData = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isData && Object.values(value).every((part) => isPlain(part, depth - 1));
}
