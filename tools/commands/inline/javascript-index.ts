/** `a[b]` in JavaScript: a computed member name could be any name, including `constructor`. */

import type {Bound} from './javascript-bound.ts';
import type {Source} from './tokens.ts';

/** A number, a literal name, or any name if the value is only printed. */
export function isSafeIndex(source: Source, open: number, bound: Bound): boolean {
  const end = source.partner.get(open) ?? open;
  if (end === open + 2 && /^(?:number|string)$/.test(source.kindAt(open + 1) ?? '')) return true;
  return isNumeric(source, open, end, bound) || isPrinted(source, open, end);
}

/** Every arithmetic operator except `+` results in a number. */
function isNumeric(
  {is, kindAt, textAt, around}: Source,
  open: number,
  end: number,
  {counters}: Bound,
): boolean {
  const inner = Array.from({length: end - open - 1}, (_, index) => open + 1 + index);
  if (inner.length === 0) return false;
  const isPlain = inner.every(
    (at) =>
      kindAt(at) === 'number' || kindAt(at) === 'name' || is(at, '.', '+', '-', '*', '%', '(', ')'),
  );
  if (!isPlain) return false;
  const isCounted = (at: number) =>
    kindAt(at) === 'name'
      ? counters.has(textAt(at))
      : kindAt(at) === 'number' || is(at, '+', '-', '*', '%');
  if (inner.every(isCounted)) return true;
  const isOuter = (at: number) => around[at] === open;
  return (
    inner.some((at) => isOuter(at) && is(at, '-', '*', '%')) &&
    !inner.some((at) => is(at, '+')) &&
    !inner.some((at) => is(at, '-', '*', '%') && is(at + 1, '-', '*', '%'))
  );
}

/** `${scripts[name]}`, `console.log(name, scripts[name])`: the value only becomes text. */
function isPrinted(source: Source, open: number, end: number): boolean {
  const {is, fits, around} = source;
  const start = beginOf(source, open - 1);
  if (start === undefined || !fits(open, '[ NAME ]')) return false;
  const outer = around[open] ?? -1;
  if (is(outer, '${')) return is(start - 1, '${') && is(end + 1, '}$');
  const isConsole = fits(outer - 3, 'console . NAME (') && around[start] === outer;
  return isConsole && is(start - 1, '(', ',') && is(end + 1, ')', ',');
}

/** The position of `a` in `a.b.c`. */
function beginOf({is, kindAt}: Source, end: number): number | undefined {
  let start = end;
  while (kindAt(start) === 'name' && is(start - 1, '.')) start -= 2;
  return kindAt(start) === 'name' ? start : undefined;
}
