/** The place of an interaction in its tree: its id is that of its parent, a dot, and its number below it. */

import {rootIdOf} from '../../../machines/tree/path.ts';

/** `1.2`: the second below the first below the root; empty for a root. */
export function placeInRun(id: string): string {
  return id.slice(rootIdOf(id).length + 1);
}

/** Undefined for a root. */
export function parentIdOf(id: string): string | undefined {
  const dot = id.lastIndexOf('.');
  return dot < 0 ? undefined : id.slice(0, dot);
}

/** 0 for a root. */
export function depthOf(id: string): number {
  return id.split('.').length - 1;
}

/** Orders interactions for reading: each above those below it, these by their numbers. */
export function byPlace(one: string, other: string): number {
  const [left, right] = [numbersIn(one), numbersIn(other)];
  const at = left.findIndex((number, index) => number !== right[index]);
  if (at < 0) return left.length - right.length;
  return (left[at] ?? 0) - (right[at] ?? -1);
}

function numbersIn(id: string): number[] {
  const place = placeInRun(id);
  return place === '' ? [] : place.split('.').map(Number);
}
