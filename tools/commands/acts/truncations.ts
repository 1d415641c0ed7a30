/** Files that redirections truncate: if the same command reads such a file afterwards, the file was emptied first. */

import type {Effect} from '../effect.ts';
import type {Ledger} from '../walk/ledger.ts';

export interface Truncations {
  readonly truncates: (effect: Effect) => void;
  /** Revises the effects that the ledger recorded since the mark. */
  readonly settleTruncations: (ledger: Ledger, mark: number) => void;
}

export function createTruncations(): Truncations {
  const truncated = new Set<string>();
  return {
    truncates: ({place}) => void (place && truncated.add(place.path)),
    settleTruncations: (ledger, mark) => {
      const read = new Set(readSince(ledger, mark));
      ledger.revise(mark, (effect) =>
        effect.kind === 'writes' &&
        effect.place &&
        truncated.has(effect.place.path) &&
        read.has(effect.place.path)
          ? {...effect, kind: 'empties'}
          : effect,
      );
    },
  };
}

function readSince(ledger: Ledger, mark: number): readonly string[] {
  return ledger
    .effects()
    .slice(mark)
    .flatMap(({kind, place}) => (kind === 'reads' && place ? [place.path] : []));
}
