/** The progress of a run as a stream: numbered, stamped, for one consumer. */

import type {ProgressEvent, Report} from '../machines/domain/progress.ts';

/** With this many events unread, deltas of model text are left out. */
const maxUnreadDeltas = 2_000;

export interface Progress {
  readonly events: AsyncIterable<ProgressEvent>;
  /** `at` is epoch ms. */
  readonly report: (report: Report, at: number) => void;
  readonly end: () => void;
}

export function createProgress(interaction: string): Progress {
  const unread: ProgressEvent[] = [];
  let seq = 0;
  let isEnded = false;
  let wake = (): void => {};
  return {
    events: {
      async *[Symbol.asyncIterator]() {
        for (;;) {
          const event = unread.shift();
          if (event) yield event;
          else if (isEnded) return;
          else await new Promise<void>((resolve) => (wake = resolve));
        }
      },
    },
    report: (report, at) => {
      if (isEnded || (report.type === 'model.delta' && unread.length > maxUnreadDeltas)) return;
      seq += 1;
      unread.push({...report, seq, at, interaction});
      wake();
    },
    end: () => {
      isEnded = true;
      wake();
    },
  };
}
