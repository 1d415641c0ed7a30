/** `--decision`, `--reason` and `--gate` on the command line. */

import type {Option} from './option.ts';
import {meant, usageError} from './usage-error.ts';

export type DecisionFlag = Given & {
  /** The beginning of the SHA-256 of the proposal that the person has seen. */
  readonly digest?: string;
};

type Given =
  | {readonly decision: 'retry' | 'done' | 'fail'}
  | {readonly decision: 'approve' | 'always' | 'reject'; readonly reason?: string}
  | {readonly decision: 'edit'; readonly file: string; readonly reason?: string};

const choices = ['approve', 'always', 'reject', 'retry', 'done', 'fail'] as const;
/** Fewer digits would match other proposals, too. */
const digestForm = /^[0-9a-f]{8,64}$/;

export const decisionOption: Option = {
  name: 'decision',
  takes: 'DECISION',
  text: {
    en: `answers the question of the waiting run:
approve             approve it; approve:DIGEST: only if its sha256 begins with DIGEST
always              the same, and permit this command in its folder from now on
reject              reject it; reject:REASON: with a reason
edit:FILE           run the plan in this file (JSON) instead
retry, done, fail   for an effect in doubt: repeat it, count it as done, count it as failed`,
    ja: `実行が待っている質問に答える:
approve             承認する。approve:DIGEST: この文字で始まる sha256 のものであるときだけ
always              同じ。以後、このフォルダでこのコマンドを尋ねない
reject              却下する。reject:REASON: 理由も伝える
edit:FILE           代わりに、このファイルの計画（JSON）を実行する
retry, done, fail   起きたかどうかわからない作用について: もう一度行う、起きたものとする、
                    あきらめる`,
  },
};

/** `reason` and `gate`: the values of `--reason` and `--gate`. Throws AppError `usage`. */
export function readDecisionFlag(text: string, reason?: string, gate?: string): DecisionFlag {
  const colon = text.indexOf(':');
  const [word, rest] =
    colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1).trim()];
  if (word === 'reject') return {...rejection(rest, reason), ...digestOf(gate, '--gate')};
  const why = reasonOf(reason);
  if (word === 'edit' && rest) {
    return {decision: 'edit', file: rest, ...why, ...digestOf(gate, '--gate')};
  }
  const decision = choices.find((choice) => choice === word);
  if (decision === undefined || decision === 'reject') throw noDecision(text);
  if (reason !== undefined && decision !== 'approve' && decision !== 'always') {
    throw usageError({
      en: `--reason goes with approve, always, reject and edit:FILE, not with "${text}"`,
      ja: `--reason は approve、always、reject、edit:FILE と使います（"${text}" とは使えません）`,
    });
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
    throw usageError({
      en: `the sha256 is given twice: after ${decision}: and after --gate`,
      ja: `sha256 が 2 か所にあります: ${decision}: の後と --gate の後`,
    });
  }
  return digestOf(rest, `--decision ${decision}:`);
}

function reasonOf(text: string | undefined): {readonly reason?: string} {
  const reason = text?.trim();
  if (reason === '') throw usageError({en: 'the reason is empty', ja: '理由が空です'});
  return reason === undefined ? {} : {reason};
}

function digestOf(text: string | undefined, where: string): Pick<DecisionFlag, 'digest'> {
  if (text === undefined) return {};
  if (digestForm.test(text)) return {digest: text};
  throw usageError({
    en: `${where} expects the sha256 that the run shows (8 digits or more), not "${text}"`,
    ja: `${where} には実行が示す sha256（8 桁以上）を書いてください（"${text}" は使えません）`,
  });
}

function rejection(rest: string | undefined, reason: string | undefined): Given {
  if (rest !== undefined && reason !== undefined) {
    throw usageError({
      en: 'the reason is given twice: after reject: and after --reason',
      ja: '理由が 2 か所にあります: reject: の後と --reason の後',
    });
  }
  return {decision: 'reject', ...reasonOf(rest ?? reason)};
}

function noDecision(text: string): Error {
  const near = meant(text, choices);
  return usageError({
    en: `--decision takes approve, always, reject, edit:FILE, retry, done or fail, not "${text}"${near.en}`,
    ja: `--decision の値は approve、always、reject、edit:FILE、retry、done、fail です（"${text}" は使えません）${near.ja}`,
  });
}
