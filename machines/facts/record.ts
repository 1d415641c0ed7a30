/** The record of a tree: its facts in order, to which actors anywhere in it add, and which its charts read. */

import {type AnyActorRef, fromTransition} from 'xstate';

import {pathOf} from '../tree/path.ts';
import {type Fact, isDialogue, type Recorded, type RecordedDialogue} from './fact.ts';

export interface TreeRecord {
  /** The oldest, in full pages: a record of many facts grows without being copied. */
  readonly pages: readonly (readonly Recorded[])[];
  /** The newest. */
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
  nothing(),
);

function nothing(): TreeRecord {
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

/** An actor that asks once more, as after an outage, reports what it has read once more. */
function isKnown({pages, facts}: TreeRecord, {path, count}: Reading): boolean {
  const isSame = (fact: Recorded): boolean =>
    fact.type === 'messages.read' && fact.path === path && fact.count >= count;
  return facts.some(isSame) || pages.some((page) => page.some(isSame));
}

/** Adds to the record of the actor's tree. */
export function recordFact(self: AnyActorRef, fact: Fact): void {
  const {system} = self;
  const told: AnyActorRef | undefined = system.get(recordId);
  told?.send({...fact, path: pathOf(self)});
}

/** The facts of the actor's tree, in order. */
export function factsAround({system}: AnyActorRef): readonly Recorded[] {
  const {pages, facts} = recordOf(system);
  return pages.length === 0 ? facts : [...pages.flat(), ...facts];
}

/** What the interactions of the actor's tree have reported of each other, in order. */
export function dialogueAround({system}: AnyActorRef): readonly RecordedDialogue[] {
  return recordOf(system).dialogue;
}

function recordOf(system: AnyActorRef['system']): TreeRecord {
  const told: AnyActorRef | undefined = system.get(recordId);
  return told?.getSnapshot().context ?? nothing();
}

/** The facts of the actor and of all below it, in order. */
export function factsUnder(self: AnyActorRef): readonly Recorded[] {
  const own = pathOf(self);
  return factsAround(self).filter(({path}) => path === own || path.startsWith(`${own}/`));
}
