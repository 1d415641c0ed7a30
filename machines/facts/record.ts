/** The record of a tree: its facts in order. Actors anywhere in the tree add facts, and its charts read them. */

import {
  type ActionArgs,
  type AnyActorRef,
  type EventObject,
  fromTransition,
  type MachineContext,
  type ParameterizedObject,
} from 'xstate';

import {performerOf} from '../ports.ts';
import {pathOf} from '../tree/path.ts';
import {
  type Fact,
  isDialogue,
  isRecorded,
  progressIn,
  type Recorded,
  type RecordedDialogue,
} from './fact.ts';

export interface TreeRecord {
  /** The oldest facts, in full pages, so that a long record grows without being copied. */
  readonly pages: readonly (readonly Recorded[])[];
  /** The newest facts. */
  readonly facts: readonly Recorded[];
  readonly dialogue: readonly RecordedDialogue[];
}

const pageFacts = 100;

/** The `systemId` of the record of a tree. */
export const recordId = 'record';

export const recordLogic = fromTransition(
  (before: TreeRecord, event: Recorded | RecordedDialogue): TreeRecord => {
    if (!('path' in event)) return before;
    return isDialogue(event)
      ? {...before, dialogue: [...before.dialogue, event]}
      : withFact(before, event);
  },
  emptyRecord(),
);

function emptyRecord(): TreeRecord {
  return {pages: [], facts: [], dialogue: []};
}

function withFact(before: TreeRecord, fact: Recorded): TreeRecord {
  if (fact.type === 'messages.read' && isKnown(before, fact)) return before;
  const {pages, facts} = before;
  const more = [...facts, fact];
  return more.length < pageFacts
    ? {...before, facts: more}
    : {...before, pages: [...pages, more], facts: []};
}

type Reading = Extract<Recorded, {type: 'messages.read'}>;

/** An actor that repeats a request, as after an outage, reports the same messages as read again. */
function isKnown({pages, facts}: TreeRecord, {path, count}: Reading): boolean {
  const isSame = (fact: Recorded): boolean =>
    fact.type === 'messages.read' && fact.path === path && fact.count >= count;
  return facts.some(isSame) || pages.some((page) => page.some(isSame));
}

/** Adds to the record of the actor's tree. */
function recordFact(self: AnyActorRef, fact: Fact): void {
  const {system} = self;
  const record: AnyActorRef | undefined = system.get(recordId);
  record?.send({...fact, path: pathOf(self)});
}

/** The facts of the actor's tree, in order. */
export function factsAround({system}: AnyActorRef): readonly Recorded[] {
  const {pages, facts} = recordOf(system);
  return pages.length === 0 ? facts : [...pages.flat(), ...facts];
}

/** The facts about interactions of the actor's tree, in order. */
export function dialogueAround({system}: AnyActorRef): readonly RecordedDialogue[] {
  return recordOf(system).dialogue;
}

function recordOf(system: AnyActorRef['system']): TreeRecord {
  const record: AnyActorRef | undefined = system.get(recordId);
  return record?.getSnapshot().context ?? emptyRecord();
}

/** The facts of the actor and of all below it, in order. */
export function factsUnder(self: AnyActorRef): readonly Recorded[] {
  const own = pathOf(self);
  return factsAround(self).filter(({path}) => path === own || path.startsWith(`${own}/`));
}

// Reports of charts at work: one typed fact at a time, with the path of the actor.

/** An action that reports what `factsOf` returns: one fact, several, or none. */
export function report<
  Context extends MachineContext,
  Received extends EventObject,
  Params extends ParameterizedObject['params'] | undefined,
  Event extends EventObject,
>(
  factsOf: (
    args: ActionArgs<Context, Received, Event>,
    params: Params,
  ) => Fact | readonly Fact[] | undefined,
): (args: ActionArgs<Context, Received, Event>, params: Params) => void {
  return (args, params) => {
    for (const fact of [factsOf(args, params) ?? []].flat()) reportFact(args.self, fact);
  };
}

/**
 * Adds the fact to the record of the actor's tree if charts read its kind, and passes it to the performer of the actor's
 * system as progress, which the performer ignores in a replay.
 */
export function reportFact(self: AnyActorRef, fact: Fact): void {
  if (isRecorded(fact)) recordFact(self, fact);
  const progress = progressIn(fact);
  if (progress) performerOf(self.system).report(progress, self);
}
