/** The record of a tree: its facts in order. Actors anywhere in the tree add facts, and its charts read them. */

import {type AnyActorRef, fromTransition} from 'xstate';

import {pathOf} from '../tree/path.ts';
import {type Fact, isDialogue, type Recorded, type RecordedDialogue} from './fact.ts';

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
export function recordFact(self: AnyActorRef, fact: Fact): void {
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
