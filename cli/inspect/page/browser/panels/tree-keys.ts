/** The keys of a tree, as in the ARIA pattern. */

import type {ActorRow} from '../derived/actor-rows.ts';

export interface Move {
  /** The actor to select, or to expand or collapse. */
  readonly path: string;
  readonly toggle?: 'open' | 'close';
}

/** The rows of a page key. */
const page = 10;

/** `index`: of the selected row; -1: none is in sight. Undefined: the key does nothing. */
export function moveFor(key: string, rows: readonly ActorRow[], index: number): Move | undefined {
  const row = rows[index];
  const toggle = row && toggleFor(key, row);
  if (row && toggle) return {path: row.actor.path, toggle};
  if (key === 'ArrowLeft')
    return row?.actor.parent === undefined ? undefined : {path: row.actor.parent};
  const target = rows[targetFor(key, rows, index)];
  return target && {path: target.actor.path};
}

function toggleFor(key: string, {isExpanded}: ActorRow): Move['toggle'] | undefined {
  const keys = isExpanded === true ? ['ArrowLeft', 'Enter', ' '] : ['ArrowRight', 'Enter', ' '];
  if (isExpanded === undefined || !keys.includes(key)) return undefined;
  return isExpanded ? 'close' : 'open';
}

function targetFor(key: string, rows: readonly ActorRow[], index: number): number {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: index + 1,
    ArrowUp: Math.max(0, index - 1),
    ArrowRight: rows[index]?.isExpanded === true ? index + 1 : -1,
    PageDown: Math.min(index + page, rows.length - 1),
    PageUp: Math.max(0, index - page),
    Home: 0,
    End: rows.length - 1,
  };
  return targets[key] ?? -1;
}
