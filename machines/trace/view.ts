/** The parts of an inspection beside the steps of a trace: its head, model calls, states of charts. */

import type {Json, JsonObject} from '../domain/json.ts';
import type {ModelPurpose, Usage} from '../domain/model.ts';

/** The subject of a trace. */
export interface TraceHead {
  readonly id: string;
  readonly kind: 'run' | 'program';
  /** The form of a run; the id of the root machine of a program. */
  readonly form: string;
  /** The request of a run. */
  readonly title: string;
  /** `running`, `waiting` for a person, `suspended`, or the status of the result. */
  readonly state: string;
  /** Epoch ms. */
  readonly openedAt: number;
  readonly workspace?: string;
  /** The run that it was forked from, and the last entry that both share. */
  readonly origin?: {readonly id: string; readonly seq: number};
  /** False: the charts of another version wrote it. */
  readonly isThisVersion: boolean;
}

/** The part of a head that a list shows. */
export type TraceRow = Pick<
  TraceHead,
  'id' | 'kind' | 'form' | 'title' | 'state' | 'openedAt' | 'workspace'
>;

/** A model call of a run, with its prompt as it was sent. */
export interface ModelCall {
  /** As in the entries of the call. */
  readonly key: string;
  /** The path of the actor that made it. */
  readonly actor: string;
  /** The step that requested it. */
  readonly requested: number;
  /** The step that has its outcome. Absent: it has none. */
  readonly settled?: number;
  readonly purpose: ModelPurpose;
  readonly model: string;
  /** The texts in the order in which the model reads them. */
  readonly prompt: readonly PromptPart[];
  /** The body of the request to the provider. Absent for a model without a provider. */
  readonly body?: Json;
  readonly outcome?: JsonObject;
  /** How long the call took. */
  readonly ms?: number;
  readonly usage?: Usage;
}

export interface PromptPart {
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | 'tools';
  /** The name of the tool of a result; the name of an offered tool. */
  readonly name?: string;
  readonly text: string;
}

/** A state of a chart, for drawings and lists. In document order; the root first. */
export interface ChartState {
  /** As in the positions of the chart. */
  readonly id: string;
  /** Keys from the root; empty for the root. */
  readonly path: readonly string[];
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly tags: readonly string[];
  readonly invokes: readonly {readonly id: string; readonly logic: string}[];
  readonly transitions: readonly ChartTransitionView[];
}

export interface ChartTransitionView {
  /** As in the positions of the chart, and in `LastTransition`. */
  readonly name: string;
  /** Empty: without an event. */
  readonly event: string;
  /** For people: `seat.settled [isDecided] → decided`. */
  readonly text: string;
}
