/** A run as it was after one of its entries, and what changed between two of them. */

import type {AnyActorRef, AnyMachineSnapshot} from 'xstate';

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import {ports} from '../../machines/port-natures.ts';
import {hideOpaque} from '../../machines/prompts/transcript.ts';
import {parentOf, pathOf} from '../../machines/tree/path.ts';
import {treeMachine} from '../../machines/tree/tree.ts';
import {ActorTree} from '../engine/actor-tree.ts';
import {replay} from '../engine/replay.ts';
import type {Entry} from '../journal/journal.ts';
import {moveIn} from '../run/run-input.ts';

/** A machine actor. */
export interface ActorState {
  /** Its ids from the root, joined by `/`. */
  readonly path: string;
  /** The name of its machine. */
  readonly machine: string;
  /** The value of its state: a name, or an object for nested and parallel states. */
  readonly state: Json;
  readonly context: JsonObject;
}

export interface Moment {
  /** The number of the entry after which the run is shown. */
  readonly entry: number;
  /** Epoch ms. */
  readonly at: number;
  /** The machines that are running, each after its parent. */
  readonly actors: readonly ActorState[];
  /** Keys of the effects that have no outcome. */
  readonly open: readonly string[];
}

/**
 * The run after the last of these entries: a beginning of its journal. Nothing is performed. Rejects with AppError `divergence`.
 */
export async function momentAfter(entries: readonly Entry[]): Promise<Moment> {
  const tree = new ActorTree({
    logic: treeMachine,
    ports,
    move: moveIn(entries),
    onReport: () => {},
  });
  await replay({tree}, entries);
  const last = entries.at(-1);
  return {
    entry: last?.seq ?? -1,
    at: last?.at ?? 0,
    actors: tree.root ? actorsUnder(tree.root) : [],
    open: tree.effects.open.map(({key}) => key),
  };
}

function actorsUnder(actor: AnyActorRef): ActorState[] {
  const snapshot: AnyMachineSnapshot = actor.getSnapshot();
  const {children = {}, value, context, machine} = snapshot;
  const below = Object.values<AnyActorRef | undefined>(children).flatMap((child) =>
    child && parentOf(child) === actor ? actorsUnder(child) : [],
  );
  if (value === undefined || !isJsonObject(context)) return below;
  const shown = hideOpaque(context);
  return [{path: pathOf(actor), machine: machine.id, state: value, context: shown}, ...below];
}
