/** The rows of the journal: its steps, and between them a row for each gap. */

import type {Moments} from '../../../../../machines/trace/moments.ts';
import type {Gap} from '../../../../../machines/trace/step.ts';

export type JournalRow =
  | {readonly kind: 'step'; readonly index: number}
  | {readonly kind: 'gap'; readonly gap: Gap};

export interface JournalRows {
  readonly count: number;
  readonly at: (row: number) => JournalRow;
  /** The row of the step with this index. */
  readonly rowOf: (index: number) => number;
}

export function journalRows(moments: Moments, gaps: readonly Gap[]): JournalRows {
  const inOrder = gaps.toSorted((one, other) => one.from - other.from);
  /** The index of the step that follows each gap. */
  const following = inOrder.map((gap) => moments.indexOf(gap.from - 1) + 1);
  const rowOf = (index: number): number => index + following.filter((next) => next <= index).length;
  return {
    count: moments.steps.length + gaps.length,
    at: (row) => {
      const before = following.filter((next, at) => next + at < row).length;
      const gap = inOrder[before];
      const isGap = gap && (following[before] ?? 0) + before === row;
      return isGap ? {kind: 'gap', gap} : {kind: 'step', index: row - before};
    },
    rowOf,
  };
}
