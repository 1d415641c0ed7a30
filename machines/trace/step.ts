/**
 * A trace: the steps of an actor system, in order, each with all that it changed. Moments between the steps are computed from
 * it ({@link Moments}), in both directions. A run and a program of a user have the same format.
 */

import type {Json, JsonObject} from '../domain/json.ts';
import type {ModelPurpose, Usage} from '../domain/model.ts';
import type {Report} from '../facts/progress.ts';
import type {Patch} from './patch.ts';

export interface Step {
  /** Of a run: the number of its journal entry. Of a program: counts the received events. A jump is a {@link Gap}. */
  readonly seq: number;
  /** Epoch ms. */
  readonly at: number;
  readonly cause: Cause;
  readonly changes: readonly ActorChange[];
  readonly messages: readonly Message[];
  /** Of the charts, and of the program that runs them; where the states are unknown, the facts that the journal holds. */
  readonly reports: readonly PlacedReport[];
  /** The effects that the charts requested in this step. Empty for a program. */
  readonly requests: readonly EffectRequest[];
}

/** The cause of a step: an entry of the journal, without its hash, or an event that an actor received. */
export type Cause =
  | {readonly kind: 'entry'; readonly entry: JsonObject & {readonly type: string}}
  | {readonly kind: 'event'; readonly to: string; readonly event: JsonObject};

/** Paths are the ids of an actor and its parents, from the root, joined by `/`. */
export type ActorChange =
  | ({readonly change: 'started'} & ActorState)
  | {
      readonly change: 'moved';
      readonly path: string;
      readonly status?: ActorStatus;
      readonly state?: Json;
      readonly context?: Patch;
      readonly last?: LastTransition;
    }
  /** It and all of its descendants are gone. */
  | {readonly change: 'ended'; readonly path: string};

export type ActorStatus = 'active' | 'done' | 'error' | 'stopped';

export interface ActorState {
  readonly path: string;
  /** Absent: a root. */
  readonly parent?: string;
  /** The id of its machine; absent for other logic, such as an effect or a promise. */
  readonly machine?: string;
  /** The name of its logic: the port of an effect, the name of an actor in `setup`. */
  readonly logic: string;
  readonly status: ActorStatus;
  /** The value of its state: a name, or an object for nested and parallel states. Null without a machine. */
  readonly state: Json;
  /** Null without a machine. */
  readonly context: Json;
  /** The transitions that led to its state. */
  readonly last?: LastTransition;
}

export interface LastTransition {
  /** The type of the event. */
  readonly event: string;
  /** Names, as in the positions of a chart. */
  readonly transitions: readonly string[];
}

export interface Message {
  /** Absent: it came from outside of the system. */
  readonly from?: string;
  readonly to: string;
  /** The event, with long texts cut. */
  readonly event: JsonObject & {readonly type: string};
}

export interface PlacedReport {
  readonly report: Report;
  /** The path of the reporting actor. */
  readonly actor: string;
}

export interface EffectRequest {
  /** As in the entries `requested` and `settled`. */
  readonly key: string;
  readonly port: string;
  /** The path of its actor. */
  readonly actor: string;
  /** Its subject in a few words: the model, the tool and its arguments, the title of the question. */
  readonly label: string;
}

/** Steps or states that a trace lacks, and why. */
export interface Gap {
  /** The first seq whose step, or whose states, are unknown. */
  readonly from: number;
  /** The last one. Absent: to the end. */
  readonly to?: number;
  readonly reason: string;
}

// The parts of an inspection beside the steps of a trace: its head, model calls, states of charts.

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

/** A trace in a list. */
export interface TraceRow extends Pick<
  TraceHead,
  'id' | 'kind' | 'form' | 'title' | 'state' | 'openedAt' | 'workspace'
> {
  /** Of a run that has ended. Absent when it is not known. */
  readonly costUsd?: number;
}

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
