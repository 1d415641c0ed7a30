/** The question that currently has the terminal, for dialogues that ask one by one. */

import type {AskedQuestion} from '../../machines/terminal/asked.ts';
import type {Input} from '../terminal.ts';
import {type AskedRef, syncQuestions, sendAsked} from './asking.ts';
import type {Dialogue, OneByOne} from './dialogue.ts';
import {discardTypeAhead} from './keyboard.ts';
import type {Surface} from './surface.ts';

export interface TurnOptions {
  readonly asked: AskedRef;
  readonly surface: Surface;
  readonly input: Input;
  /** Opened anew for each question, discarding earlier input; else it stays open. */
  readonly isKeyboardLent: boolean;
  readonly openKeyboard: () => Promise<void>;
}

export interface Turn<Question> {
  /** The question that has the terminal, if any. */
  readonly question: () => Question | undefined;
  readonly now: () => {readonly question: Question | undefined; readonly signal: AbortSignal};
  /** A line is performed before the next one is read. */
  readonly isExclusive: boolean;
  readonly refresh: () => void;
  /** Gives the terminal to the question that the chart has chosen, if it is a different one. */
  readonly change: () => void;
  /** Resolves once the keyboard is free. */
  readonly end: () => Promise<void>;
}

export function createTurn<Question extends AskedQuestion>(
  dialogue: Dialogue<Question>,
  options: TurnOptions,
): Turn<Question> {
  const {asks} = dialogue;
  if ('questions' in asks) return createSingleTurn({asks}, options);
  const {signal} = new AbortController();
  return {
    question: () => undefined,
    now: () => ({question: undefined, signal}),
    isExclusive: false,
    refresh: asks.refresh,
    change: () => {},
    end: async () => {},
  };
}

function createSingleTurn<Question extends AskedQuestion>(
  {asks}: {readonly asks: OneByOne<Question>},
  {asked, surface, input, isKeyboardLent, openKeyboard}: TurnOptions,
): Turn<Question> {
  let question: Question | undefined;
  let controller = new AbortController();
  let lending = Promise.resolve();
  const isTurnOf = (one: Question): boolean => question === one && !controller.signal.aborted;
  const lend = async (before: Promise<void>, one: Question): Promise<void> => {
    await before;
    if (!isTurnOf(one)) return;
    const wasInterrupted = await discardTypeAhead(input);
    if (!isTurnOf(one)) return;
    if (wasInterrupted) return sendAsked(asked, {type: 'person.interrupted'});
    await openKeyboard();
  };
  return {
    question: () => question,
    now: () => ({question, signal: controller.signal}),
    isExclusive: true,
    refresh: () => syncQuestions(asked, asks.questions()),
    change: () => {
      const {current} = asked.getSnapshot().context;
      if (current === question?.key) return;
      controller.abort();
      if (isKeyboardLent) surface.closeKeyboard();
      if (question) asks.onFreed?.();
      controller = new AbortController();
      question = asks.questions().find(({key}) => key === current);
      if (!question) return;
      asks.onTaken?.();
      asks.put(question);
      if (isKeyboardLent) lending = lend(lending, question);
    },
    end: async () => {
      controller.abort();
      await lending;
    },
  };
}
