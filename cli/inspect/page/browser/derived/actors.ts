/** The actors of a moment: their active states, who waits for whom, their rows in a tree, and what differs between two moments. */

import {isJsonObject, type Json} from '../../../../../machines/domain/json.ts';
import type {Moment} from '../../../../../machines/trace/moments.ts';
import {
  type MemberDifference,
  membersBetween,
  patchBetween,
} from '../../../../../machines/trace/patch.ts';
import type {
  ActorState,
  ChartState,
  ChartTransitionView,
  EffectRequest,
} from '../../../../../machines/trace/step.ts';

/** The active states, the root first. */
export function activeStates(states: readonly ChartState[], value: Json): readonly ChartState[] {
  const active = new Set(['', ...pathsIn(value, [])]);
  return states.filter(({path}) => active.has(keyOf(path)));
}

function pathsIn(value: Json, above: readonly string[]): string[] {
  if (typeof value === 'string') return [keyOf([...above, value])];
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, within]) => {
    const path = [...above, name];
    return [keyOf(path)].concat(pathsIn(within, path));
  });
}

function keyOf(path: readonly string[]): string {
  return path.length === 0 ? '' : JSON.stringify(path);
}

/** `a › b`; the regions of a parallel state are separated by `·`. */
export function stateText(value: Json): string {
  if (typeof value === 'string') return value;
  if (!isJsonObject(value)) return '';
  return Object.entries(value)
    .map(([name, within]) => [name, stateText(within)].filter(Boolean).join(' › '))
    .join(' · ');
}

export interface Enabled {
  readonly event: string;
  readonly kind: EventKind;
  /** In the order in which XState tries them: inner states first. */
  readonly transitions: readonly EnabledTransition[];
}

/** `outcome`: of an invoked actor or a child state; `timer`: a delay has passed. */
type EventKind = 'event' | 'outcome' | 'timer';

interface EnabledTransition extends ChartTransitionView {
  readonly state: ChartState;
}

/** The text of a transition without its state: `seat.settled`, `[isDecided]`, `decided`. */
interface TransitionParts {
  readonly event: string;
  readonly guard?: string;
  /** Absent: the state stays. */
  readonly target?: string;
}

export function transitionParts(
  {text}: Pick<ChartTransitionView, 'text'>,
  {id, path}: Pick<ChartState, 'id' | 'path'>,
): TransitionParts {
  const from = `${path.join('.') || id}: `;
  const rest = text.startsWith(from) ? text.slice(from.length) : text;
  const [, event = rest, guard, target] = /^(.*?)(?: (\[.*\]))?(?: → (.*))?$/.exec(rest) ?? [];
  return {
    event,
    ...(guard === undefined ? {} : {guard}),
    ...(target === undefined ? {} : {target}),
  };
}

/** The events that the active states and their parents accept. */
export function enabledEvents(active: readonly ChartState[]): readonly Enabled[] {
  const innerFirst = active.toSorted((one, other) => other.path.length - one.path.length);
  const accepted = innerFirst.flatMap((state) =>
    state.transitions
      .filter(({event}) => event !== '')
      .map(({name, event, text}) => ({name, event, text, state})),
  );
  const events = Map.groupBy(accepted, ({event}) => event);
  return [...events]
    .map(([event, transitions]) => ({event, kind: kindOf(event), transitions}))
    .toSorted((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind));
}

const order: readonly EventKind[] = ['event', 'outcome', 'timer'];

function kindOf(event: string): EventKind {
  if (event.startsWith('xstate.after.')) return 'timer';
  return event.startsWith('xstate.') ? 'outcome' : 'event';
}

// Who waits for whom at a moment: an actor waits for its open effects, and for its active children.

export interface Wait {
  readonly kind: WaitKind;
  /** The subject of an effect; the name of a child. */
  readonly text: string;
  /** The path of the actor that is waited for. */
  readonly path: string;
}

export type WaitKind = 'person' | 'model' | 'tool' | 'resume' | 'effect' | 'actor';

const kinds: Readonly<Record<string, WaitKind>> = {
  askHuman: 'person',
  askPerson: 'person',
  callModel: 'model',
  runTool: 'tool',
  previewTool: 'tool',
  awaitResume: 'resume',
};

export function kindOfPort(port: string): WaitKind {
  return kinds[port] ?? 'effect';
}

/** The ids of the children that live as long as an actor with this machine. It does not wait for them. */
export type ServicesOf = (machine: string) => ReadonlySet<string>;

type NameOf = (actor: ActorState) => string;

/** By path. Actors that wait for nothing are left out. */
export function waitsAt(
  {actors, open}: Moment,
  servicesOf: ServicesOf,
  nameOf: NameOf = idOf,
): ReadonlyMap<string, readonly Wait[]> {
  const waits = new Map<string, Wait[]>();
  for (const actor of actors.values()) {
    const {parent = '', status} = actor;
    const {machine} = actors.get(parent) ?? {};
    if (parent === '' || status !== 'active') continue;
    if (machine !== undefined && servicesOf(machine).has(idOf(actor))) continue;
    const wait = waitFor(actor, open.get(actor.path), nameOf);
    const others = waits.get(parent);
    if (others) others.push(wait);
    else waits.set(parent, [wait]);
  }
  return waits;
}

/** Without a request: for the actor itself. */
function waitFor(
  actor: ActorState,
  request: EffectRequest | undefined,
  nameOf: NameOf = idOf,
): Wait {
  const {path} = actor;
  if (!request) return {kind: 'actor', text: nameOf(actor), path};
  const {port, label} = request;
  return {kind: kindOfPort(port), text: label === '' ? port : label, path};
}

/** The last part of the path. An id may contain a `/` itself. */
export function idOf({path, parent}: Pick<ActorState, 'path' | 'parent'>): string {
  return parent === undefined ? path : path.slice(parent.length + 1);
}

// The actors of a moment as the rows of a tree: children below their parent, without rows hidden by a filter or a collapsed parent; and its keys.

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

interface RowChoice {
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
      const below = isCollapsed ? actorsWithin(path, actors) : [];
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

function actorsWithin(path: string, actors: readonly ActorState[]): ActorState[] {
  return actors.filter((actor) => actor.path.startsWith(`${path}/`));
}

/** The paths of the matching actors and their parents. Undefined: without a filter. */
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

// The differences between the actors of two moments of a trace.

export interface ActorDifference {
  readonly path: string;
  readonly kind: 'began' | 'ended' | 'changed';
  /** Absent: it has begun since. */
  readonly before?: ActorState;
  /** Absent: it has ended since. */
  readonly after?: ActorState;
  /** The members of its context that differ. */
  readonly members: readonly MemberDifference[];
}

/** In the order of the actors of `after`; the ended ones are last. Actors without a difference are left out. */
export function differencesBetween(before: Moment, after: Moment): ActorDifference[] {
  const ended = [...before.actors.values()].filter(({path}) => !after.actors.has(path));
  return [
    ...[...after.actors.values()].flatMap((actor) =>
      differenceOf(before.actors.get(actor.path), actor),
    ),
    ...ended.map(
      (actor) => ({path: actor.path, kind: 'ended', before: actor, members: []}) as const,
    ),
  ];
}

function differenceOf(before: ActorState | undefined, after: ActorState): ActorDifference[] {
  const {path} = after;
  if (!before) return [{path, kind: 'began', after, members: []}];
  if (before === after) return [];
  const members = membersBetween(before.context, after.context);
  const isSame =
    members.length === 0 &&
    before.status === after.status &&
    patchBetween(before.state, after.state).length === 0;
  return isSame ? [] : [{path, kind: 'changed', before, after, members}];
}
