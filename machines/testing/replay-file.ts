/** Moves of a test as JSON, so that a violation can be kept in a file and tried again. */

import {z} from 'zod';

import type {Move} from './world/moves.ts';
import {isPlain} from './world/plain.ts';

const errorSchema = z.object({error: z.object({name: z.string(), message: z.string()})});

const moveSchema = z.discriminatedUnion('type', [
  z.object({type: z.literal('start'), input: z.unknown().optional()}),
  z.object({
    type: z.literal('send'),
    event: z.looseObject({type: z.string()}),
    actor: z.string().optional(),
  }),
  z.object({
    type: z.literal('settle'),
    actor: z.string(),
    does: z.enum(['done', 'fails', 'sends', 'next']),
    value: z.unknown().optional(),
  }),
  z.object({type: z.literal('fire'), timer: z.string()}),
]);

const replaySchema = z.object({
  machine: z.string(),
  property: z.string().optional(),
  reason: z.string().optional(),
  input: z.unknown().optional(),
  puppets: z.array(z.string()).default([]),
  moves: z.array(moveSchema),
});

/** The moves to a state of a machine, and the property that it violates. An error is kept by its name and its message. */
export interface ReplayFile {
  /** The id of the machine. */
  readonly machine: string;
  readonly property?: string;
  readonly reason?: string;
  readonly input?: unknown;
  /** Machines that are puppets, by the names by which they are invoked or spawned. */
  readonly puppets: readonly string[];
  readonly moves: readonly Move[];
}

/** A move as JSON holds it. */
export function moveData(move: Move): object {
  if (move.type !== 'settle' || !(move.value instanceof Error)) return move;
  const {name, message} = move.value;
  return {...move, value: {error: {name, message}}};
}

/** Throws Error for a value that JSON does not hold. */
export function writeReplay(replay: ReplayFile): string {
  const held = {...replay, moves: replay.moves.map(moveData)};
  if (!isPlain(held)) throw new Error('a replay file holds plain data and errors only');
  return `${JSON.stringify(held, undefined, 2)}\n`;
}

/** Throws Error when the text is not a replay file. */
export function readReplay(text: string): ReplayFile {
  const {property, reason, moves, ...file} = replaySchema.parse(JSON.parse(text));
  return {
    ...file,
    ...(property === undefined ? {} : {property}),
    ...(reason === undefined ? {} : {reason}),
    moves: moves.map(withError),
  };
}

function withError(move: z.infer<typeof moveSchema>): Move {
  if (move.type === 'send') {
    const {actor, event} = move;
    return {type: 'send', event, ...(actor === undefined ? {} : {actor})};
  }
  const kept = move.type === 'settle' ? errorSchema.safeParse(move.value).data : undefined;
  if (move.type !== 'settle' || !kept) return move;
  const error = new Error(kept.error.message);
  error.name = kept.error.name;
  return {...move, value: error};
}
