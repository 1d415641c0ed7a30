/** The trace of a recorded run: its entries are replayed, and each becomes a step. It takes entries as they are written. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson, type JsonObject} from '../../machines/domain/json.ts';
import type {ModelRequest} from '../../machines/domain/model.ts';
import type {Asked} from '../../machines/ports.ts';
import {hideOpaque} from '../../machines/prompts/transcript.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import type {Gap, PlacedReport, Step} from '../../machines/trace/step.ts';
import {interviewAt} from '../../machines/tree/partial-result.ts';
import {pathOf} from '../../machines/tree/path.ts';
import type {ActorTree} from '../engine/actor-tree.ts';
import type {Effect} from '../engine/effect.ts';
import {applyEntry} from '../engine/replay.ts';
import {recordedTree} from '../history/record.ts';
import {factsOf, hostNotes} from '../history/recorded-facts.ts';
import type {Entry} from '../journal/journal.ts';
import type {TraceBatch} from './inspection-api.ts';
import {Recorder} from './recorder.ts';

/** A model call as the charts requested it. */
export interface RequestedCall {
  readonly key: string;
  /** The path of its actor. */
  readonly actor: string;
  /** The `seq` of the entries. */
  readonly requested: number;
  readonly settled?: number;
  readonly request: ModelRequest;
  readonly outcome?: JsonObject;
  readonly ms?: number;
}

type Mask = (context: JsonObject) => JsonObject;

const unmasked: Mask = (context) => context;

export class RunTrace {
  #mask: Mask = unmasked;
  /** Contexts of charts are plain JSON. */
  readonly #recorder = new Recorder({
    toJson: (context) => this.#mask(hideOpaque(asJson(Object(context)))),
  });
  readonly #tree: ActorTree;
  readonly #calls = new Map<string, RequestedCall>();
  readonly #seen = new Set<string>();
  #reports: PlacedReport[] = [];
  #divergence: AppError | undefined;

  /** `entries`: the first ones, or all. They are not added. */
  constructor(entries: readonly Entry[]) {
    this.#tree = recordedTree(entries, {
      inspect: this.#recorder.inspect,
      onReport: ({report, actor}) => void this.#reports.push({report, actor: pathBelow(actor)}),
    });
  }

  /** In the order in which they were requested. */
  get calls(): readonly RequestedCall[] {
    return [...this.#calls.values()];
  }

  /** True while an interview waits for its person. */
  get isAsking(): boolean {
    return this.#tree.effects.open.some(({port}) => port === 'askPerson');
  }

  /** The view of the root, if that is an interview. */
  interview(id: string): InterviewView | undefined {
    return interviewAt(this.#tree.root, id);
  }

  /**
   * The next entries. From the first that the charts do not follow on, steps have no states, and a gap says why. `mask` is applied
   * to the contexts of actors.
   */
  add(entries: readonly Entry[], mask: Mask = unmasked): TraceBatch {
    this.#mask = mask;
    const gaps: Gap[] = [];
    const steps = entries.map((entry) => {
      const gap = this.#apply(entry);
      if (gap) gaps.push(gap);
      return this.#step(entry);
    });
    return {steps, gaps};
  }

  #apply(entry: Entry): Gap | undefined {
    if (this.#divergence) return undefined;
    try {
      applyEntry({tree: this.#tree}, entry);
      return undefined;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'divergence') throw error;
      this.#divergence = error;
      return {from: entry.seq, reason: error.message};
    }
  }

  #step(entry: Entry): Step {
    const fresh = this.#divergence ? [] : this.#requested(entry.seq);
    for (const {fact, actor} of factsOf([entry]))
      if (this.#divergence || hostNotes.has(fact.type))
        this.#reports.push({report: fact, actor: pathBelow(actor)});
    this.#settle(entry);
    const {hash: _, digest: __, signature: ___, ran: ____, ...shown} = entry;
    return {
      seq: entry.seq,
      at: entry.at,
      cause: {kind: 'entry', entry: {...hideOpaque(asJson(shown)), type: entry.type}},
      ...(this.#divergence ? {changes: [], messages: []} : this.#recorder.take()),
      reports: this.#reports.splice(0),
      requests: fresh.map((effect) => ({
        key: effect.key,
        port: effect.port,
        actor: pathOf(effect.actor),
        label: effectLabel(effect),
      })),
    };
  }

  #requested(seq: number): readonly Effect[] {
    const fresh = this.#tree.effects.open.filter(({key}) => !this.#seen.has(key));
    for (const effect of fresh) {
      const {key, actor} = effect;
      this.#seen.add(key);
      if (effect.port === 'callModel')
        this.#calls.set(key, {key, actor: pathOf(actor), requested: seq, request: effect.request});
    }
    return fresh;
  }

  #settle(entry: Entry): void {
    if (entry.type !== 'settled') return;
    const call = this.#calls.get(entry.key);
    if (!call) return;
    const {seq, outcome, ms} = entry;
    this.#calls.set(entry.key, {
      ...call,
      settled: seq,
      outcome: hideOpaque(asJson(Object(outcome))),
      ms,
    });
  }
}

function pathBelow(actor: string): string {
  return actor === '' ? 'i' : `i/${actor}`;
}

const most = 120;

export function effectLabel(asked: Asked): string {
  const [line = ''] = subjectOf(asked).split('\n', 1);
  return line.length > most ? `${line.slice(0, most).toWellFormed()}…` : line;
}

function subjectOf({port, request}: Asked): string {
  if (port === 'callModel') return `${request.model} (${request.purpose})`;
  if (port === 'runTool' || port === 'previewTool')
    return `${request.tool} ${JSON.stringify(request.args)}`;
  if (port === 'askHuman') return request.reason;
  if (port === 'askPerson') return request.masked ?? request.message;
  if (port === 'screenProposal') return request.policies.join(', ');
  return port === 'awaitResume' ? request.message : '';
}
