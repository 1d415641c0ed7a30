/**
 * Writes the result to stdout as text or JSON, or every event as one line of JSON, the result last. As text, the report of a run
 * without a result goes to stderr.
 */

import type {RunResult} from '../../../machines/domain/result.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {maskedResult} from '../../../machines/questionnaire/private-answers.ts';
import type {OutputFormat} from '../../line/command.ts';
import {pageWidthOf, tryToWrite, write, type Terminal} from '../../terminal.ts';
import {styleFor} from '../style.ts';
import {safeJson} from '../text.ts';
import {hintText} from './closing.ts';
import {hasResult, resultLines, type ResultView} from './result.ts';

/** The parts that are already on the same screen. */
export type Seen = Pick<ResultView, 'isBrief' | 'isStreamed' | 'hints'>;

export interface ResultOutput {
  /**
   * Resolves when the reader has taken the line, so that a slow reader slows the consumer and memory stays bounded. Never
   * rejects: listeners of the stream receive its errors.
   */
  readonly event: (event: ProgressEvent) => Promise<void>;
  /** After the last event; masks private answers. Rejects with AppError `io` when the result could not be written. */
  readonly finish: (result: RunResult, seen?: Seen) => Promise<void>;
}

export function createOutput(
  {stdout, stderr, env, language}: Pick<Terminal, 'stdout' | 'stderr' | 'env' | 'language'>,
  format: OutputFormat,
): ResultOutput {
  let last: ProgressEvent | undefined;
  return {
    event: async (event) => {
      last = event;
      if (format === 'jsonl') await tryToWrite(stdout, `${safeJson(outputData(event))}\n`);
    },
    finish: async (whole, seen = {}) => {
      const result = maskedResult(whole);
      if (format === 'text') {
        const [output, print] = hasResult(result)
          ? ([stdout, write] as const)
          : ([stderr, tryToWrite] as const);
        const view = {
          style: styleFor(output, {env, language}),
          width: pageWidthOf(output),
          hints: [hintText(result)],
          ...seen,
        };
        await print(
          output,
          resultLines(result, view)
            .map((line) => `${line}\n`)
            .join(''),
        );
      } else if (format === 'json') {
        await write(stdout, `${safeJson(outputData(result), 2)}\n`);
      } else if (last?.type !== 'result') {
        const stamp = {seq: (last?.seq ?? 0) + 1, at: Date.now()};
        await write(stdout, `${safeJson({...outputData(result), ...stamp})}\n`);
      }
    },
  };
}

/** Merges the members of a review into its result: readers of JSON are other programs. */
function outputData(event: ProgressEvent | RunResult): object {
  if (event.type !== 'result' || !event.review) return event;
  const {review, reviews: _, ...result} = event;
  return {...result, ...review};
}
