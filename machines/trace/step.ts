/**
 * A trace: the steps of an actor system, in order, each with all that it changed. Moments between the steps are computed from
 * it ({@link Moments}), in both directions. A run and a program of a user have the same format.
 */

import type {Json, JsonObject} from '../domain/json.ts';
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
