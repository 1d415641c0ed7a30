/** Facts: what happens in a tree, as its charts report it. Most are progress; some have details that only charts read. */

import type {AllowRule} from '../domain/allow-rule.ts';
import type {SpawnableForm} from '../domain/interaction-form.ts';
import type {Change} from '../domain/patch.ts';
import type {Decision, Denied, FormOutput, TaskResult} from '../domain/result.ts';
import type {ReviewRound} from '../domain/review.ts';
import type {LoopStep} from '../domain/tool.ts';
import type {SpawnError} from '../tree/form-event.ts';
import {interactionIn} from '../tree/path.ts';
import type {ProgressEvent, Report} from './progress.ts';

/** Additional or more exact members of a report for charts. A `detail` goes into neither progress nor journal. */
interface Details {
  readonly 'task.settled': {readonly detail: {readonly result: TaskResult}};
  readonly 'tool.settled': {readonly detail: {readonly denied?: Denied}};
  readonly 'human.decided': {
    readonly detail: {
      /** Epoch ms; absent when it is not known. */
      readonly at?: number;
    };
  };
  readonly 'interaction.spawned': {
    readonly form: SpawnableForm;
    readonly detail: {
      /** The spawner waits for the result. */
      readonly isAwaited: boolean;
      /** Identifies the interaction for its spawner. */
      readonly ref?: string;
    };
  };
  readonly 'interaction.refused': {
    readonly error: SpawnError;
    readonly detail: {readonly ref?: string};
  };
  readonly 'interaction.settled': {readonly detail: {readonly result: FormOutput}};
}

type Of<Type extends Report['type']> = Extract<Report, {readonly type: Type}>;

type Detailed = {
  readonly [Type in keyof Details]: Of<Type> & Details[Type];
}[keyof Details];

/** Read by charts alone. */
type Internal =
  | {readonly type: 'steps.taken'; readonly steps: readonly LoopStep[]}
  /** The actor has read so many of the pending messages of its interaction: see `messagesFor`. */
  | {readonly type: 'messages.read'; readonly count: number};

export type Fact = Exclude<Report, {readonly type: keyof Details}> | Detailed | Internal;

/** Kinds that a tree keeps. */
const kept = [
  'task.started',
  'task.settled',
  'tool.settled',
  'steps.taken',
  'messages.read',
  'quorum.decided',
  'human.decided',
  'decision.refused',
  'rule.made',
] as const;

/** Kinds that inform interactions about each other. */
const dialogue = [
  'interaction.spawned',
  'interaction.refused',
  'interaction.settled',
  'user.said',
] as const;

type WithPath<Kinds extends readonly Fact['type'][]> = Extract<
  Fact,
  {readonly type: Kinds[number]}
> & {
  /** Of the actor that reported it. */
  readonly path: string;
};

/** A fact of a tree, with the path of the actor that reported it. */
export type Recorded = WithPath<typeof kept>;

/** A fact about interactions, reported by the parent or by the recipient of a person's message. */
export type RecordedDialogue = WithPath<typeof dialogue>;

type Kind = 'kept' | 'dialogue';

const kinds: ReadonlyMap<Fact['type'], Kind> = new Map<Fact['type'], Kind>([
  ...kept.map((type) => [type, 'kept'] as const),
  ...dialogue.map((type) => [type, 'dialogue'] as const),
]);

export function isRecorded({type}: Fact): boolean {
  return kinds.has(type);
}

export function isDialogue(fact: Recorded | RecordedDialogue): fact is RecordedDialogue {
  return kinds.get(fact.type) === 'dialogue';
}

/** The progress report of a fact; undefined for a fact that only charts read. */
export function progressIn(fact: Fact): Report | undefined {
  if (fact.type === 'steps.taken' || fact.type === 'messages.read') return undefined;
  if (!('detail' in fact)) return fact;
  const {detail: _, ...report} = fact;
  return report;
}

// Folds of facts: results, decisions and changes of a run, each computed in one place.

type Facts = readonly Recorded[];

export function roundsIn(facts: Facts): ReviewRound[] {
  return facts.flatMap((fact) => {
    if (fact.type !== 'quorum.decided') return [];
    const {type: _, path: __, ...round} = fact;
    return [round];
  });
}

/** The last `count` votes before this one that rejected an action. */
export function rejectionsBefore(facts: Facts, round: ReviewRound, count: number): ReviewRound[] {
  const rejections = roundsIn(facts).filter(
    ({kind, verdict}) => kind === 'action' && verdict === 'rejected',
  );
  const own = rejections.findLastIndex(({proposalHash}) => proposalHash === round.proposalHash);
  return rejections.filter((_, index) => index !== own).slice(-count);
}

export function denialsIn(facts: Facts): Denied[] {
  return facts.flatMap((fact) =>
    fact.type === 'tool.settled' && fact.detail.denied ? [fact.detail.denied] : [],
  );
}

export function resultsIn(facts: Facts): TaskResult[] {
  return facts.flatMap((fact) => (fact.type === 'task.settled' ? [fact.detail.result] : []));
}

/** Ids of tasks that have started and not settled. */
export function tasksAtWork(facts: Facts): string[] {
  const atWork = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'task.started') atWork.add(fact.task);
    if (fact.type === 'task.settled') atWork.delete(fact.task);
  }
  return [...atWork];
}

export function stepsIn(facts: Facts): LoopStep[] {
  return facts.flatMap((fact) => (fact.type === 'steps.taken' ? fact.steps : []));
}

type Net = Omit<Change, 'diff' | 'net'>;

/** Each changed file once, in the order of their first change; a new file counts as changed even if it is empty. */
export function netChanges(facts: Facts): readonly Net[] {
  const settled = facts.filter((fact) => changesIn(fact).length > 0);
  const depth = sharedDepth(settled.map(({path}) => interactionIn(path, '')));
  const byPath = Map.groupBy(settled.flatMap(changesIn), ({path}) => path);
  return [...byPath].flatMap(([path, changes]) => {
    const {added, removed} = changes.at(-1)?.net?.[depth] ?? sumOf(changes);
    const isNew = isFrom(changes[0]) && !isTo(changes.at(-1));
    return added + removed > 0 || isNew ? [{path, added, removed}] : [];
  });
}

/** How many interactions below the root contain all of these. */
function sharedDepth(interactions: readonly string[]): number {
  const [first = [], ...others] = interactions.map((id) => id.split('.').slice(1));
  const differs = (at: number): boolean => others.some((other) => other[at] !== first[at]);
  const end = first.findIndex((_, at) => differs(at));
  return end < 0 ? first.length : end;
}

/** For records without net changes. */
function sumOf(changes: readonly Change[]): Omit<Net, 'path'> {
  return changes.reduce(
    (sum, {added, removed}) => ({added: sum.added + added, removed: sum.removed + removed}),
    {added: 0, removed: 0},
  );
}

function isFrom(change: Change | undefined): boolean {
  return change?.diff?.startsWith('--- /dev/null\n') ?? false;
}

function isTo(change: Change | undefined): boolean {
  return /^.*\n\+\+\+ \/dev\/null\n/.test(change?.diff ?? '');
}

function changesIn(fact: Recorded): readonly Change[] {
  return fact.type === 'tool.settled' ? (fact.changes ?? []) : [];
}

/** A fact of a tree, or its progress event. */
type Reported = (Recorded | ProgressEvent) & {
  /** Why a decision took no effect: see {@link withRefusals}. */
  readonly refused?: string;
};

/** All decisions in order: panels by their rounds, persons, rules and modes at gates. */
export function decisionsIn(facts: readonly Reported[]): Decision[] {
  return facts.flatMap((fact) => {
    if (fact.type === 'quorum.decided') return panelDecision(fact);
    if (fact.type !== 'human.decided') return [];
    const {by, decision, proposalHash: hash, reason, title, refused} = fact;
    const at = 'detail' in fact ? fact.detail.at : fact.at;
    return [
      {
        by,
        decision,
        hash,
        ...(at === undefined ? {} : {at}),
        ...(title === undefined ? {} : {title}),
        ...(reason === undefined ? {} : {reason}),
        ...(refused === undefined ? {} : {refused}),
      },
    ];
  });
}

/** The facts without `decision.refused`: the refused decisions have a `refused` member instead. */
export function withRefusals<Each extends Reported>(facts: readonly Each[]): readonly Each[] {
  const marked: Each[] = [];
  for (const fact of facts) {
    if (fact.type !== 'decision.refused') {
      marked.push(fact);
      continue;
    }
    const {proposalHash, because} = fact;
    const last = marked.findLastIndex(
      (each) => each.type === 'human.decided' && each.proposalHash === proposalHash,
    );
    const taken = marked[last];
    if (taken) marked[last] = {...taken, refused: because};
  }
  return marked;
}

/** A panel without quorum has decided nothing. */
function panelDecision({verdict, proposalHash, timestamp}: ReviewRound): Decision[] {
  if (verdict === 'noQuorum') return [];
  const decision = verdict === 'approved' ? 'approve' : 'reject';
  return [{by: 'panel', decision, at: timestamp, hash: proposalHash}];
}

/** True if the call with this hash was in doubt and not settled by a repeat: it may have happened. */
export function wasInDoubt(facts: Facts, hash: string): boolean {
  return facts.some(
    (fact) =>
      fact.type === 'human.decided' &&
      (fact.decision === 'fail' || fact.decision === 'done') &&
      fact.proposalHash === hash,
  );
}

/** The permanent permissions that persons gave in this run. */
export function rulesMade(facts: Facts): AllowRule[] {
  return facts.flatMap((fact) => (fact.type === 'rule.made' ? [fact.rule] : []));
}
