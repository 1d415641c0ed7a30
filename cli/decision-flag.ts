/** `--decision` as it is written on the command line. */

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean} from '../machines/domain/nearest.ts';

export type DecisionFlag =
  | {readonly decision: 'approve' | 'reject' | 'retry' | 'done' | 'fail'}
  | {readonly decision: 'edit'; readonly file: string};

const choices = ['approve', 'reject', 'retry', 'done', 'fail'] as const;

/** Throws AppError `usage`. */
export function readDecisionFlag(text: string): DecisionFlag {
  if (text.startsWith('edit:') && text.length > 'edit:'.length) {
    return {decision: 'edit', file: text.slice('edit:'.length)};
  }
  const decision = choices.find((choice) => choice === text);
  if (decision) return {decision};
  throw new AppError(
    'usage',
    `--decision takes approve, reject, edit:FILE, retry, done or fail, not "${text}"${didYouMean(text, choices)}`,
  );
}
