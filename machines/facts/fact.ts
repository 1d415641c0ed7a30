/** Facts: what happens in a tree, as its charts report it. Most are progress; some have details that only charts read. */

import type {SpawnableForm} from '../domain/interaction-form.ts';
import type {Denied, FormOutput, TaskResult} from '../domain/result.ts';
import type {LoopStep} from '../domain/tool.ts';
import type {SpawnError} from '../tree/form-event.ts';
import type {Report} from './progress.ts';

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
