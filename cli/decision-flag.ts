/** `--decision` and `--reason` as they are written on the command line. */

import {AppError} from '../machines/domain/app-error.ts';
import {didYouMean} from '../machines/domain/nearest.ts';

export type DecisionFlag =
  /** `digest`: what the person has seen, by the beginning of its SHA-256. */
  | {readonly decision: 'approve' | 'retry' | 'done' | 'fail'; readonly digest?: string}
  | {readonly decision: 'reject'; readonly reason?: string}
  | {readonly decision: 'edit'; readonly file: string};

const choices = ['approve', 'reject', 'retry', 'done', 'fail'] as const;
/** Fewer digits would fit other proposals, too. */
const digestForm = /^[0-9a-f]{8,64}$/;

/** `reason`: what `--reason` says. Throws AppError `usage`. */
export function readDecisionFlag(text: string, reason?: string): DecisionFlag {
  const colon = text.indexOf(':');
  const [word, rest] =
    colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1).trim()];
  if (word === 'reject') return rejection(rest, reason);
  if (reason !== undefined) {
    throw new AppError('usage', `--reason goes with --decision reject, not with "${text}"`);
  }
  if (word === 'edit' && rest) return {decision: 'edit', file: rest};
  const decision = choices.find((choice) => choice === word);
  if (decision === undefined || decision === 'reject') throw noDecision(text);
  if (rest === undefined) return {decision};
  if (digestForm.test(rest)) return {decision, digest: rest};
  throw new AppError(
    'usage',
    `--decision ${decision}:${rest}: after the colon stands the sha256 that the run shows, or its first 8 digits or more`,
  );
}

function rejection(rest: string | undefined, reason: string | undefined): DecisionFlag {
  if (rest !== undefined && reason !== undefined) {
    throw new AppError('usage', 'the reason stands twice: after reject: and after --reason');
  }
  const given = (rest ?? reason)?.trim();
  if (given === '') throw new AppError('usage', 'the reason is empty; write reject:REASON');
  return {decision: 'reject', ...(given === undefined ? {} : {reason: given})};
}

function noDecision(text: string): AppError {
  return new AppError(
    'usage',
    `--decision takes approve, reject, edit:FILE, retry, done or fail, not "${text}"${didYouMean(text, choices)}`,
  );
}
