/** The questions that wait for the person: gates, and messages of interviews. */

import type {OpenGate} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanDecision} from '../../machines/domain/human.ts';
import {type Message, t} from '../../machines/message.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import {takesWords} from '../gate/decide.ts';
import {usageError} from '../line/usage-error.ts';
import {isPlace} from './command.ts';
import type {LiveRoot} from './roots.ts';

interface Placed extends AskedQuestion {
  readonly root: LiveRoot;
  readonly place: string;
}

/** The name of the only root of one run. */
export const theRun: Message = t`the run`;

/** A question at a gate. */
export interface Waiting extends Placed {
  readonly kind: 'gate';
  readonly open: OpenGate;
}

/** A message of an interview. */
export interface Asking extends Placed {
  readonly kind: 'interview';
  readonly open: OpenAsk;
}

export interface Questions {
  /** One for each interaction, the oldest first. */
  readonly gates: () => readonly Waiting[];
  readonly interviews: () => readonly Asking[];
  /** Synchronizes the chart with the open questions, and shows new ones. Call it after every event. */
  readonly refresh: () => void;
  /** The interview that receives text without a command: the focused one. */
  readonly answering: () => Asking | undefined;
  /** The same; without a focused one, the only interview. Throws AppError `nothing_waiting` or `usage`. */
  readonly asking: () => Asking;
  /** `begunAt`: when the person began to type, by `performance.now()`. Rejects with AppError when no open question fits. */
  readonly decide: (
    decision: HumanDecision['decision'],
    rest: string,
    begunAt: number,
  ) => Promise<void>;
  /** Replies to the focused interview, or to that at `place`. Throws AppError `nothing_waiting` or `usage`. */
  readonly reply: (text: string, place: string | undefined, begunAt: number) => void;
  readonly showWhole: (waiting: Waiting) => Promise<void>;
}

// Finds the open question that a command refers to.

/** A leading number is a place when a question waits there; without one, the question in the shown tab is meant. Throws AppError `nothing_waiting` or `usage`. */
export function meantGate(
  open: readonly Waiting[],
  rest: string,
  decision: HumanDecision['decision'],
  isShown: ((interaction: string) => boolean) | undefined,
): {readonly one: Waiting; readonly reason: string} {
  const [, first = '', after = ''] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  const named = open.find(({place}) => place === first);
  const [one, another] = named ? [named] : meantBy(open, isShown);
  if (!one) {
    throw new AppError('nothing_waiting', t`nothing waits for you`);
  }
  if (another) {
    const places = open.map(({place}) => place).join(', ');
    throw usageError(t`several questions wait: /${decision} N, where N is one of ${places}`);
  }
  const reason = named ? after : rest;
  if (reason !== '' && !isReason(decision, first, named)) {
    const {place} = one;
    throw usageError(
      t`/${decision} takes the number of the waiting interaction (${place}), not "${reason}"`,
    );
  }
  return {one, reason};
}

function meantBy(
  open: readonly Waiting[],
  isShown: ((interaction: string) => boolean) | undefined,
): readonly Waiting[] {
  const inTab = open.filter(({interaction}) => isShown?.(interaction));
  return inTab.length === 1 ? inTab : open;
}

/** The number of an interaction that does not wait is never the reason of an approval. */
function isReason(
  decision: HumanDecision['decision'],
  first: string,
  named: Waiting | undefined,
): boolean {
  return takesWords(decision) && (isAboutWork(decision) || named !== undefined || !isPlace(first));
}

function isAboutWork(decision: HumanDecision['decision']): boolean {
  return decision === 'reject' || decision === 'revise';
}

/** Throws AppError `usage`. */
export function requireAnswer(text: string): string {
  if (text !== '') return text;
  throw usageError(t`/answer needs an answer after it`);
}

/** Throws AppError `usage`. `words`: after the command. */
export function requireAllowed(
  {open: {question}, place}: Waiting,
  decision: string,
  words: string,
): void {
  const {allowed} = question;
  if (decision === 'revise' && words === '')
    throw usageError(t`/revise needs words: what should be different`);
  if (allowed.some((each) => each === decision)) return;
  const commands = allowed.map((each) => `/${each}`).join(', ');
  throw usageError(t`/${decision} does not answer the question of ${place}; write ${commands}`);
}

/** Throws AppError `nothing_waiting`. */
export function interviewAt(asking: readonly Asking[], place: string): Asking {
  const one = asking.find((each) => each.place === place);
  if (one) return one;
  throw new AppError('nothing_waiting', t`${place} asks nothing`);
}

/** Throws AppError `nothing_waiting` or `usage`. */
export function onlyInterview([one, ...others]: readonly Asking[]): Asking {
  if (one && others.length === 0) return one;
  if (!one) {
    throw new AppError('nothing_waiting', t`nobody asks you anything`);
  }
  const places = [one, ...others].map(({place}) => place).join(', ');
  throw usageError(t`several interviews wait: /answer N TEXT, where N is one of ${places}`);
}
