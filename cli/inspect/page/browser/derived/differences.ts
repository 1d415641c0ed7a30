/** The differences between the actors of two moments of a trace. */

import {isJsonArray, isJsonObject, type Json} from '../../../../../machines/domain/json.ts';
import type {Moment} from '../../../../../machines/trace/moments.ts';
import {type JsonPath, patchBetween} from '../../../../../machines/trace/patch.ts';
import type {ActorState} from '../../../../../machines/trace/step.ts';

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

export interface MemberDifference {
  readonly path: JsonPath;
  readonly before?: Json;
  readonly after?: Json;
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

/** An array that became shorter is one difference. */
export function membersBetween(before: Json, after: Json): MemberDifference[] {
  const patch = patchBetween(before, after);
  const cut = patch.filter(({length}) => length !== undefined).map(({path}) => path);
  const isInCut = (path: JsonPath): boolean => cut.some((each) => isWithin(path, each));
  const isInner = (path: JsonPath): boolean =>
    cut.some((each) => each !== path && isWithin(path, each));
  const paths = cut.filter((path) => !isInner(path));
  paths.push(...patch.map(({path}) => path).filter((path) => !isInCut(path)));
  return paths.map((path) =>
    memberAt(path, {before: valueAt(before, path), after: valueAt(after, path)}),
  );
}

function memberAt(
  path: JsonPath,
  {before, after}: {readonly before: Json | undefined; readonly after: Json | undefined},
): MemberDifference {
  return {
    path,
    ...(before === undefined ? {} : {before}),
    ...(after === undefined ? {} : {after}),
  };
}

function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((key, at) => key === path[at]);
}

function valueAt(value: Json, path: JsonPath): Json | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (isJsonArray(found)) found = found[Number(key)];
    else found = isJsonObject(found) ? found[String(key)] : undefined;
  }
  return found;
}
