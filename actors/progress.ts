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
  let wake: PromiseWithResolvers<undefined> | undefined;
  const wakeUp = (): void => {
    wake?.resolve(undefined);
    wake = undefined;
  };
  const next = async (): Promise<IteratorResult<ProgressEvent, undefined>> => {
    const value = unread.shift();
    if (value) return {value, done: false};
    if (isEnded) return {value: undefined, done: true};
    wake ??= Promise.withResolvers();
    await wake.promise;
    return await next();
  };
  return {
    events: {[Symbol.asyncIterator]: () => ({next})},
    report: (report, at) => {
      if (isEnded || (report.type === 'model.delta' && unread.length > maxUnreadDeltas)) return;
      seq += 1;
      unread.push({...report, seq, at, interaction});
      wakeUp();
    },
    end: () => {
      isEnded = true;
      wakeUp();
    },
  };
}
