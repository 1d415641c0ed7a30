/** Finds the open question that a command refers to. */

import type {HumanDecision} from '../../../machines/domain/human.ts';
import {takesWords} from '../../gate/command.ts';
import {localError, usageError} from '../../line/usage-error.ts';
import {isPlace} from '../command.ts';
import type {Asking, Waiting} from './waiting.ts';

/** A leading number is a place when a question waits there. Throws AppError `nothing_waiting` or `usage`. */
export function meantGate(
  open: readonly Waiting[],
  rest: string,
  decision: HumanDecision['decision'],
): {readonly one: Waiting; readonly reason: string} {
  const [, first = '', after = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  const named = open.find(({place}) => place === first);
  const [one, another] = named ? [named] : open;
  if (!one) {
    throw localError('nothing_waiting', {
      en: 'nothing waits for you',
      ja: '返答を待つものはありません',
    });
  }
  if (another) {
    const places = open.map(({place}) => place).join(', ');
    throw usageError({
      en: `several questions wait: /${decision} N, where N is one of ${places}`,
      ja: `複数の質問が待っています: /${decision} N（N は ${places} のどれか）`,
    });
  }
  const reason = named ? after : rest;
  if (reason !== '' && !isReason(decision, first, named)) {
    const {place} = one;
    throw usageError({
      en: `/${decision} takes the number of the waiting interaction (${place}), not "${reason}"`,
      ja: `/${decision} の後には待っている対話の番号（${place}）を書きます（"${reason}" は違います）`,
    });
  }
  return {one, reason};
}

/** The number of an interaction that does not wait is never the reason of an approval. */
function isReason(
  decision: HumanDecision['decision'],
  first: string,
  named: Waiting | undefined,
): boolean {
  return takesWords(decision) && (decision === 'reject' || named !== undefined || !isPlace(first));
}

/** Throws AppError `usage`. */
export function requireAnswer(text: string): string {
  if (text !== '') return text;
  throw usageError({
    en: '/answer needs an answer after it',
    ja: '/answer の後に回答を書いてください',
  });
}

/** Throws AppError `usage`. */
export function requireAllowed({open: {question}, place}: Waiting, decision: string): void {
  const {allowed} = question;
  if (allowed.some((each) => each === decision)) return;
  const commands = allowed.map((each) => `/${each}`).join(', ');
  throw usageError({
    en: `/${decision} does not answer the question of ${place}; write ${commands}`,
    ja: `/${decision} は ${place} の質問への答えになりません。書けるもの: ${commands}`,
  });
}

/** Throws AppError `nothing_waiting`. */
export function interviewAt(asking: readonly Asking[], place: string): Asking {
  const one = asking.find((each) => each.place === place);
  if (one) return one;
  throw localError('nothing_waiting', {
    en: `${place} asks nothing`,
    ja: `${place} は何も質問していません`,
  });
}

/** Throws AppError `nothing_waiting` or `usage`. */
export function onlyInterview([one, ...others]: readonly Asking[]): Asking {
  if (one && others.length === 0) return one;
  if (!one) {
    throw localError('nothing_waiting', {
      en: 'nobody asks you anything',
      ja: '質問している対話はありません',
    });
  }
  const places = [one, ...others].map(({place}) => place).join(', ');
  throw usageError({
    en: `several interviews wait: /answer N TEXT, where N is one of ${places}`,
    ja: `複数のインタビューが待っています: /answer N TEXT（N は ${places} のどれか）`,
  });
}
