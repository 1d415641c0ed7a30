/** The differences between the actors of two moments of a trace. */

import type {Moment} from '../../../../../machines/trace/moments.ts';
import {
  type MemberDifference,
  membersBetween,
  patchBetween,
} from '../../../../../machines/trace/patch.ts';
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
