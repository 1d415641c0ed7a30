/** For callers that can't wait. */

import type {Awaitable} from './journal.ts';

/** The value of a store that answers at once. Throws Error for a promise. */
export function atOnce<T>(value: Awaitable<T>): T {
  if (value instanceof Promise) throw new Error('this journal answers later, which is not served');
  return value;
}
