/** A machine under test, from before its start: with several inputs, starting it is the first move. */

import type {
  AnyActorRef,
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  InspectionEvent,
} from 'xstate';

import type {World} from '../search.ts';
import type {Move} from './moves.ts';
import type {Performed} from './puppet.ts';
import {createStage, type Stage} from './stage.ts';
import type {Tables} from './tables.ts';

export interface WorldOptions {
  readonly machine: AnyStateMachine;
  readonly tables: Tables;
  /** True if custom actions are executed; otherwise they are noted. */
  readonly runsActions: boolean;
  /** The part of the machine's context that distinguishes its states. Absent: all of it. */
  distinguish?(this: void, context: unknown): unknown;
  readonly inspect?: (event: InspectionEvent) => void;
}

/** An event that the guards of these transitions refuse. */
export interface Refusal {
  readonly move: Move;
  readonly names: readonly string[];
}

export interface MachineWorld extends World<Move> {
  /** Names of the transitions that the last move took, of all machines; after the start, of the start. */
  readonly taken: () => readonly string[];
  /** The machine's actor; undefined before the machine has started. */
  readonly actor: () => AnyActorRef | undefined;
  /** Events of the machine that guards refuse now: sending one changes nothing. */
  readonly refusals: () => readonly Refusal[];
  /** Undefined before the machine has started. */
  readonly snapshot: () => AnyMachineSnapshot | undefined;
  /** Names of the actors that have not ended and of the timers that are set. */
  readonly pending: () => readonly string[];
  /** Custom actions that were not executed, in the order of their turns. */
  readonly performed: () => readonly Performed[];
  /** Events that the machine sent to its parent. */
  readonly toParent: () => readonly AnyEventObject[];
}

export function createMachineWorld(options: WorldOptions): MachineWorld {
  const {inputs} = options.tables;
  let stage: Stage | undefined;
  if (inputs.length === 1) stage = createStage(options, inputs[0]);
  return {
    key: () => stage?.key() ?? 'not started',
    place: () => stage?.place() ?? 'not started',
    status: () => stage?.status() ?? 'working',
    taken: () => stage?.taken() ?? [],
    actor: () => stage?.actor(),
    snapshot: () => stage?.snapshot(),
    pending: () => stage?.pending() ?? [],
    performed: () => stage?.performed() ?? [],
    refusals: () => stage?.refusals() ?? [],
    toParent: () => stage?.toParent() ?? [],
    moves: () => stage?.moves() ?? inputs.map((input) => ({type: 'start', input})),
    apply(move) {
      if (stage) stage.apply(move);
      else if (move.type === 'start') stage = createStage(options, move.input);
      else throw new Error('the machine has not started');
    },
  };
}
