/** The part of a journal that keeps the figures of runs and the reactions of persons to them. The chain covers neither. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Awaitable} from '../journal.ts';

/** The figures of one interaction as plain JSON. They can be computed again from its entries. */
export interface KeptFigures {
  readonly interaction: string;
  readonly figures: JsonObject;
}

/** `up` and `down` rate the result, `undone`: its file changes were taken back. */
export interface Reaction {
  readonly kind: 'up' | 'down' | 'undone';
  /** Epoch ms. */
  readonly at: number;
  /** The person's own words. */
  readonly words?: string;
}

/** Erased with the interaction, and never exported. */
export interface Metrics {
  /**
   * In place of earlier figures. Ignores interactions that have not ended, or are unknown. A power cut may undo it. AppError
   * `io` when the store can't take them: nothing is kept then.
   */
  readonly keep: (all: readonly KeptFigures[]) => Awaitable<void>;
  /** Of all interactions that have any. */
  readonly list: () => Awaitable<readonly KeptFigures[]>;
  /**
   * Durable when this returns or resolves. A rating replaces the one before, `undone` the one before. Ignores unknown interactions.
   * AppError `io` when the store can't take it.
   */
  readonly react: (interaction: string, reaction: Reaction) => Awaitable<void>;
  /** Of all interactions, or of one. */
  readonly reactions: (
    interaction?: string,
  ) => Awaitable<readonly (Reaction & {readonly interaction: string})[]>;
}

/** The subject of a reaction: there is one reaction to each. */
export function aboutOf(kind: Reaction['kind']): 'result' | 'changes' {
  return kind === 'undone' ? 'changes' : 'result';
}
