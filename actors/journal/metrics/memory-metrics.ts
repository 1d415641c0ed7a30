/** Figures of runs and reactions to them, in memory. */

import {requireInteractionId} from '../chain.ts';
import type {Immediate} from '../journal.ts';
import {aboutOf, type KeptFigures, type Metrics, type Reaction} from './metrics.ts';

interface MemoryMetrics extends Immediate<Metrics> {
  readonly clear: (interaction: string) => void;
}

/** `entriesOf`: 0 for an unknown interaction. */
export function createMemoryMetrics(
  entriesOf: (interaction: string) => number,
  hasEnded: (interaction: string) => boolean,
): MemoryMetrics {
  const figures = new Map<string, KeptFigures>();
  const reactions = new Map<string, readonly Reaction[]>();
  return {
    keep: (all) => {
      for (const each of structuredClone(all)) {
        if (hasEnded(each.interaction)) figures.set(each.interaction, each);
      }
    },
    list: () => structuredClone([...figures.values()]),
    react: (interaction, reaction) => {
      requireInteractionId(interaction);
      if (entriesOf(interaction) === 0) return;
      const others = (reactions.get(interaction) ?? []).filter(
        ({kind}) => aboutOf(kind) !== aboutOf(reaction.kind),
      );
      reactions.set(interaction, [...others, {...reaction}]);
    },
    reactions: (wanted) =>
      [...reactions].flatMap(([interaction, own]) =>
        wanted === undefined || wanted === interaction
          ? own.map((each) => Object.assign({interaction}, each))
          : [],
      ),
    clear: (interaction) => {
      figures.delete(interaction);
      reactions.delete(interaction);
    },
  };
}
