/**
 * What happens in a tree, as it happens: one list, to which actors anywhere in the tree add, and which those that have to
 * tell of it read. What a run cut short has done stands here as well as what it finished.
 */

import {
  type ActionArgs,
  type AnyActorRef,
  type EventObject,
  fromTransition,
  type MachineContext,
  type ParameterizedObject,
} from 'xstate';

import type {AllowRule} from '../domain/allow-rule.ts';
import type {InteractionForm, SpawnableForm} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import type {Report} from '../domain/progress.ts';
import type {Decision, Denied, FormOutput, TaskResult} from '../domain/result.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {LoopStep} from '../domain/tool.ts';
import type {SpawnError, Spawner} from '../tree/form-event.ts';
import {pathOf} from '../tree/path.ts';

export type Fact =
  | {readonly type: 'action.denied'; readonly denied: Denied}
  | {readonly type: 'task.begun'; readonly task: string}
  | {readonly type: 'task.ended'; readonly result: TaskResult}
  | {readonly type: 'steps.taken'; readonly steps: readonly LoopStep[]}
  /** So much of what its interaction was told has been read by whoever tells this: see `newsFor`. */
  | {readonly type: 'news.heard'; readonly heard: number}
  | {readonly type: 'decision.taken'; readonly decision: Decision}
  | RecordedReport;

/** Reports that the record takes as they are: see `report`. */
export type RecordedReport = Extract<Report, {readonly type: RecordedType}>;

type RecordedType = 'quorum.decided' | 'decision.refused' | 'rule.made';

const recordedTypes: ReadonlySet<Report['type']> = new Set<RecordedType>([
  'quorum.decided',
  'decision.refused',
  'rule.made',
]);

export function isRecorded(report: Report): report is RecordedReport {
  return recordedTypes.has(report.type);
}

/** What interactions tell of each other; told by the one above, or by the one that is spoken to. */
export type Dialogue =
  | {
      readonly type: 'interaction.spawned';
      readonly id: string;
      readonly form: SpawnableForm;
      readonly parent: string;
      readonly depth: number;
      readonly contextMode: ContextMode;
      readonly request: string;
      readonly by: Spawner;
      /** Whoever asked for it waits for what it comes to. */
      readonly isAwaited: boolean;
      /** Of whoever asked for it, in its own words. */
      readonly ref?: string;
    }
  | {
      readonly type: 'interaction.refused';
      readonly parent: string;
      readonly form: InteractionForm;
      readonly error: SpawnError;
      readonly ref?: string;
    }
  | {readonly type: 'interaction.settled'; readonly id: string; readonly result: FormOutput}
  | {readonly type: 'word.said'; readonly interaction: string; readonly text: string};

/** A fact, with the path of the actor that told it. */
export type Recorded = Fact & {readonly path: string};

type RecordedHearing = Extract<Recorded, {type: 'news.heard'}>;

export type RecordedDialogue = Dialogue & {readonly path: string};

export interface TreeRecord {
  /** Those told first, in full pages: a record of many facts grows without being copied. */
  readonly pages: readonly (readonly Recorded[])[];
  /** Those told since. */
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

const dialogueTypes: Readonly<Record<Dialogue['type'], true>> = {
  'interaction.spawned': true,
  'interaction.refused': true,
  'interaction.settled': true,
  'word.said': true,
};

function isDialogue(event: Recorded | RecordedDialogue): event is RecordedDialogue {
  return Object.hasOwn(dialogueTypes, event.type);
}

function withFact(before: TreeRecord, fact: Recorded): TreeRecord {
  if (fact.type === 'news.heard' && isKnown(before, fact)) return before;
  const {pages, facts} = before;
  const more = [...facts, fact];
  return more.length < pageFacts
    ? {...before, facts: more}
    : {...before, pages: [...pages, more], facts: []};
}

/** Whoever asks once more, as after an outage, has read what it had read. */
function isKnown({pages, facts}: TreeRecord, {path, heard}: RecordedHearing): boolean {
  const isSame = (fact: Recorded): boolean =>
    fact.type === 'news.heard' && fact.path === path && fact.heard >= heard;
  return facts.some(isSame) || pages.some((page) => page.some(isSame));
}

/** An action that adds what `tell` returns to the record at once, or nothing when that is undefined. */
export function record<
  Context extends MachineContext,
  Heard extends EventObject,
  Params extends ParameterizedObject['params'] | undefined,
  Event extends EventObject,
>(
  tell: (args: ActionArgs<Context, Heard, Event>, params: Params) => Fact | Dialogue | undefined,
): (args: ActionArgs<Context, Heard, Event>, params: Params) => void {
  return (args, params) => {
    const fact = tell(args, params);
    if (fact) tellRecord(args.self, fact);
  };
}

/** Adds to the record of the actor's tree. */
export function tellRecord(self: AnyActorRef, fact: Fact | Dialogue): void {
  const {system} = self;
  const told: AnyActorRef | undefined = system.get(recordId);
  told?.send({...fact, path: pathOf(self)});
}

/** What all actors of the actor's tree have told so far, in order. */
function factsAround({system}: AnyActorRef): readonly Recorded[] {
  const {pages, facts} = recordOf(system);
  return pages.length === 0 ? facts : [...pages.flat(), ...facts];
}

/** What the interactions of the actor's tree have told of each other so far, in order. */
export function dialogueAround({system}: AnyActorRef): readonly RecordedDialogue[] {
  return recordOf(system).dialogue;
}

function recordOf(system: AnyActorRef['system']): TreeRecord {
  const told: AnyActorRef | undefined = system.get(recordId);
  return told?.getSnapshot().context ?? nothing();
}

/** What the actor and all below it have told so far, in order. */
export function factsUnder(self: AnyActorRef): readonly Recorded[] {
  const own = pathOf(self);
  return factsAround(self).filter(({path}) => path === own || path.startsWith(`${own}/`));
}

export function roundsIn(facts: readonly Recorded[]): ReviewRound[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'quorum.decided') return [];
    const {type: _, path: __, ...round} = fact;
    return [round];
  });
}

/** The last votes before this one by which an action was rejected, anywhere in the actor's tree. */
export function rejectionsBefore(
  self: AnyActorRef,
  round: ReviewRound,
  count: number,
): readonly ReviewRound[] {
  const rejections = roundsIn(factsAround(self)).filter(
    ({kind, verdict}) => kind === 'action' && verdict === 'rejected',
  );
  const own = rejections.findLastIndex(({proposalHash}) => proposalHash === round.proposalHash);
  return rejections.filter((_, index) => index !== own).slice(-count);
}

export function denialsIn(facts: readonly Recorded[]): Denied[] {
  return facts.flatMap((fact) => (fact.type === 'action.denied' ? [fact.denied] : []));
}

export function resultsIn(facts: readonly Recorded[]): TaskResult[] {
  return facts.flatMap((fact) => (fact.type === 'task.ended' ? [fact.result] : []));
}

/** Ids of tasks that were begun and have not ended. */
export function tasksAtWork(facts: readonly Recorded[]): string[] {
  const atWork = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'task.begun') atWork.add(fact.task);
    if (fact.type === 'task.ended') atWork.delete(fact.result.id);
  }
  return [...atWork];
}

export function stepsIn(facts: readonly Recorded[]): LoopStep[] {
  return facts.flatMap((fact) => (fact.type === 'steps.taken' ? fact.steps : []));
}

/** Who decided what, in order: panels by their rounds, persons and modes by their words. */
export function decisionsIn(facts: readonly Recorded[]): Decision[] {
  return facts.flatMap((fact) => {
    if (fact.type === 'decision.taken') return [fact.decision];
    return fact.type === 'quorum.decided' ? decisionOf(fact) : [];
  });
}

/** The same facts, in which a decision that took no effect says so. */
export function withRefusals(facts: readonly Recorded[]): readonly Recorded[] {
  const told: Recorded[] = [];
  for (const fact of facts) {
    if (fact.type !== 'decision.refused') {
      told.push(fact);
      continue;
    }
    const last = told.findLastIndex(
      (each) => each.type === 'decision.taken' && each.decision.hash === fact.proposalHash,
    );
    const taken = told[last];
    if (taken?.type !== 'decision.taken') continue;
    told[last] = {...taken, decision: {...taken.decision, refused: fact.because}};
  }
  return told;
}

/** Whether a call, by its hash, was in doubt anywhere in the actor's tree, and not settled by a repeat: it may have happened. */
export function wasInDoubt(self: AnyActorRef, hash: string): boolean {
  return factsAround(self).some(
    (fact) =>
      fact.type === 'decision.taken' &&
      (fact.decision.decision === 'fail' || fact.decision.decision === 'done') &&
      fact.decision.hash === hash,
  );
}

/** What persons have allowed for good in this run, anywhere in the actor's tree. */
export function rulesMade(self: AnyActorRef): AllowRule[] {
  return factsAround(self).flatMap((fact) => (fact.type === 'rule.made' ? [fact.rule] : []));
}

/** A panel without quorum has decided nothing. */
function decisionOf({verdict, proposalHash, timestamp}: ReviewRound): Decision[] {
  if (verdict === 'noQuorum') return [];
  const decision = verdict === 'approved' ? 'approve' : 'reject';
  return [{by: 'panel', decision, at: timestamp, hash: proposalHash}];
}
