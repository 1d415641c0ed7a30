/** `--decision`, `--reason` and `--gate` on the command line. */

import {t} from '../../machines/message.ts';
import {wordOption} from './option-values.ts';
import {meant, usageError} from './usage-error.ts';

export type DecisionFlag = Given & {
  /** The beginning of the SHA-256 of the proposal that the person has seen. */
  readonly digest?: string;
};

type Given =
  | {readonly decision: 'retry' | 'done' | 'fail'}
  | {readonly decision: 'approve' | 'always' | 'reject'; readonly reason?: string}
  | {readonly decision: 'edit'; readonly file: string; readonly reason?: string}
  | {readonly decision: 'revise'; readonly reason: string};

const choices = ['approve', 'always', 'retry', 'done', 'fail'] as const;
/** Fewer digits would match other proposals, too. */
const digestForm = /^[0-9a-f]{8,64}$/;

export const decisionOption = wordOption(
  'DECISION',
  t`answers the question of the waiting run:
approve             approve it; approve:DIGEST: only if its sha256 begins with DIGEST
always              the same, and permit this command in its folder from now on
reject              reject it; reject:REASON: with a reason
edit:FILE           run the plan in this file (JSON) instead
revise:WORDS        have the plan or action made again as these words say
retry, done, fail   for an effect in doubt: repeat it, count it as done, count it as failed`,
);

/** `reason` and `gate`: the values of `--reason` and `--gate`. Throws AppError `usage`. */
export function readDecisionFlag(text: string, reason?: string, gate?: string): DecisionFlag {
  const colon = text.indexOf(':');
  const [word, rest] =
    colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1).trim()];
  if (word === 'reject' || word === 'revise')
    return {...withWords(word, rest, reason), ...digestOf(gate, '--gate')};
  const why = reasonOf(reason);
  if (word === 'edit' && rest) {
    return {decision: 'edit', file: rest, ...why, ...digestOf(gate, '--gate')};
  }
  const decision = choices.find((choice) => choice === word);
  if (decision === undefined) throw noDecision(text);
  if (reason !== undefined && decision !== 'approve' && decision !== 'always') {
    throw usageError(
      t`--reason goes with approve, always, reject, revise and edit:FILE, not with "${text}"`,
    );
  }
  return {decision, ...why, ...seenIn(decision, rest, gate)};
}

function seenIn(
  decision: string,
  rest: string | undefined,
  gate: string | undefined,
): Pick<DecisionFlag, 'digest'> {
  if (rest === undefined) return digestOf(gate, '--gate');
  if (gate !== undefined) {
    throw usageError(t`the sha256 is given twice: after ${decision}: and after --gate`);
  }
  return digestOf(rest, `--decision ${decision}:`);
}

function reasonOf(text: string | undefined): {readonly reason?: string} {
  const reason = text?.trim();
  if (reason === '') throw usageError(t`the reason is empty`);
  return reason === undefined ? {} : {reason};
}

function digestOf(text: string | undefined, where: string): Pick<DecisionFlag, 'digest'> {
  if (text === undefined) return {};
  if (digestForm.test(text)) return {digest: text};
  throw usageError(
    t`${where} expects the sha256 that the run shows (8 digits or more), not "${text}"`,
  );
}

function withWords(
  decision: 'reject' | 'revise',
  rest: string | undefined,
  reason: string | undefined,
): Given {
  if (rest !== undefined && reason !== undefined) {
    throw usageError(t`the reason is given twice: after ${decision}: and after --reason`);
  }
  const given = reasonOf(rest ?? reason);
  if (decision === 'reject') return {decision, ...given};
  if (given.reason !== undefined) return {decision, reason: given.reason};
  throw usageError(t`--decision revise needs words: revise:WORDS says what should be different`);
}

function noDecision(text: string): Error {
  const near = meant(text, [...choices, 'reject', 'revise']);
  return usageError(
    t`--decision takes approve, always, reject, edit:FILE, revise:WORDS, retry, done or fail, not "${text}"${near}`,
  );
}
