/** The actors of a moment as the rows of a tree: children below their parent, without rows hidden by a filter or a collapsed parent. */

import type {Moment} from '../../../../../machines/trace/moments.ts';
import type {ActorState} from '../../../../../machines/trace/step.ts';
import {stateText} from './active.ts';
import {idOf, type ServicesOf, type Wait, waitsAt} from './waiting.ts';

export interface ActorRow {
  readonly actor: ActorState;
  readonly id: string;
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
  /** Words that must all occur in an actor's path, machine or state. Empty: all actors. */
  readonly filter: string;
  readonly changed: ReadonlySet<string>;
  readonly servicesOf: ServicesOf;
}

/** Effects are shown as waits of their parents, not as rows. A filter also keeps the parents, and ignores what is collapsed. */
export function actorRows(moment: Moment, choice: RowChoice): readonly ActorRow[] {
  const waits = waitsAt(moment, choice.servicesOf);
  const actors = [...moment.actors.values()].filter(({path}) => !moment.open.has(path));
  const kept = matching(actors, choice.filter);
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
function matching(actors: readonly ActorState[], filter: string): Set<string> | undefined {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  const parents = new Map(actors.map(({path, parent}) => [path, parent]));
  const kept = new Set<string>();
  for (const {path, machine = '', logic, state} of actors) {
    const text = `${path} ${machine} ${logic} ${stateText(state)}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    for (let at: string | undefined = path; at !== undefined; at = parents.get(at)) kept.add(at);
  }
  return kept;
}
