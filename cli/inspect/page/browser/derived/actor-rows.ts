/** The actors of a moment as the rows of a tree: children below their parent, without rows hidden by a filter or a collapsed parent; and its keys. */

import type {Moment} from '../../../../../machines/trace/moments.ts';
import type {ActorState} from '../../../../../machines/trace/step.ts';
import {stateText} from './active.ts';
import {idOf, type NameOf, type ServicesOf, type Wait, waitsAt} from './waiting.ts';

export interface ActorRow {
  readonly actor: ActorState;
  readonly id: string;
  readonly name: string;
  readonly waits: readonly Wait[];
  /** From 1. */
  readonly level: number;
  /** From 1, among the `size` rows below the same parent. */
  readonly position: number;
  readonly size: number;
  /** Undefined: it has no rows below it. */
  readonly isExpanded?: boolean;
  /** How many actors its collapse hides. */
  readonly hidden: number;
  /** The step changed it, or a hidden one. */
  readonly isChanged: boolean;
}

export interface RowChoice {
  readonly collapsed: ReadonlySet<string>;
  /** Words that must all occur in an actor's path, name, machine or state. Empty: all actors. */
  readonly filter: string;
  readonly changed: ReadonlySet<string>;
  readonly servicesOf: ServicesOf;
  /** Absent: its id. */
  readonly nameOf?: NameOf;
}

/** Effects are shown as waits of their parents, not as rows. A filter also keeps the parents, and ignores what is collapsed. */
export function actorRows(moment: Moment, choice: RowChoice): readonly ActorRow[] {
  const {nameOf = idOf} = choice;
  const waits = waitsAt(moment, choice.servicesOf, nameOf);
  const actors = [...moment.actors.values()].filter(({path}) => !moment.open.has(path));
  const kept = matching(actors, choice.filter, nameOf);
  const children = Map.groupBy(
    actors.filter(({path}) => !kept || kept.has(path)),
    ({parent}) => parent,
  );
  const rows: ActorRow[] = [];
  const add = (parent: string | undefined, level: number): void => {
    const siblings = children.get(parent) ?? [];
    for (const [index, actor] of siblings.entries()) {
      const {path} = actor;
      const hasChildren = children.has(path);
      const isCollapsed = hasChildren && !kept && choice.collapsed.has(path);
      const below = isCollapsed ? within(path, actors) : [];
      rows.push({
        actor,
        id: idOf(actor),
        name: nameOf(actor),
        waits: waits.get(path) ?? [],
        level,
        position: index + 1,
        size: siblings.length,
        ...(hasChildren ? {isExpanded: !isCollapsed} : {}),
        hidden: below.length,
        isChanged: [actor, ...below].some((each) => choice.changed.has(each.path)),
      });
      if (!isCollapsed) add(path, level + 1);
    }
  };
  add(undefined, 1);
  return rows;
}

function within(path: string, actors: readonly ActorState[]): ActorState[] {
  return actors.filter((actor) => actor.path.startsWith(`${path}/`));
}

/** The paths of the actors that match, and of their parents. Undefined: there is no filter. */
function matching(
  actors: readonly ActorState[],
  filter: string,
  nameOf: NameOf,
): Set<string> | undefined {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const parents = new Map(actors.map(({path, parent}) => [path, parent]));
  const kept = new Set<string>();
  for (const actor of actors) {
    const {path, machine = '', logic, state} = actor;
    const text = `${path} ${nameOf(actor)} ${machine} ${logic} ${stateText(state)}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    for (let at: string | undefined = path; at !== undefined; at = parents.get(at)) kept.add(at);
  }
  return kept;
}

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
