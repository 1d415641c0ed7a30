/**
 * The event loop of a person at a terminal: keeps the chart of who is asked in step with what is open, and passes each line to
 * the dialogue, one after another.
 */

import {type ActorRefFrom, createActor} from 'xstate';

import {
  type AskedEvent,
  type AskedInput,
  askedMachine,
  type AskedQuestion,
} from '../../machines/terminal/asked.ts';
import type {Input} from '../terminal.ts';
import {discardTypeAhead} from './keyboard.ts';
import type {LineEvents} from './line-editor.ts';
import type {EditorOptions, Surface} from './surface.ts';

export type AskedRef = ActorRefFrom<typeof askedMachine>;

/** What a line has led to. Without a word the question stands, or was answered. */
export type Heard = 'left' | 'interrupted' | undefined;

/** Questions that are served one after another. */
export interface OneByOne<Question extends AskedQuestion> {
  /** What is open now. A question has the same key while it stands. */
  readonly questions: () => readonly Question[];
  /** Shows a question whose turn it is. */
  readonly put: (question: Question) => void;
  /** A question takes the terminal; it is settled. */
  readonly onTaken?: () => void;
  readonly onFreed?: () => void;
}

/** What is asked in one kind of use, how it is shown, and how lines are understood. */
export interface Dialogue<Question extends AskedQuestion> {
  /** `refresh`, of a conversation: brings the chart in step with what is open, and shows what is new. */
  readonly asks: OneByOne<Question> | {readonly refresh: () => void};
  /** What stands before the line. */
  readonly prompt: (question: Question | undefined) => string;
  /**
   * Never rejects. `signal` is aborted when the question is settled elsewhere. `begunAt`: when the first character of the line
   * was typed, by `performance.now()`.
   */
  readonly hear: (
    text: string,
    asked: {
      readonly question: Question | undefined;
      readonly begunAt: number;
      readonly signal: AbortSignal;
    },
  ) => Promise<Heard>;
  /** Ctrl-C has come once. */
  readonly onWarned?: () => void;
  /** Called once, when the person leaves or interrupts. */
  readonly onLeft: (why: 'waiting' | 'interrupted') => void;
}

export interface PrompterOptions {
  readonly asked: AskedRef;
  readonly surface: Surface;
  readonly input: Input;
  /** Opened for each question anew, without what was typed before; else it stays open. */
  readonly isKeyboardLent: boolean;
  readonly editing?: EditorOptions;
}

export interface Prompter {
  /** Brings the chart in step with what is open, and draws the prompt. Call it after every event. */
  readonly refresh: () => void;
  /** Withdraws what is asked; resolves once the keyboard is free. */
  readonly close: () => Promise<void>;
}

export function createAsked(turns: AskedInput['turns']): AskedRef {
  return createActor(askedMachine, {input: {turns}}).start();
}

/** Reports to the chart what is open, and puts what is new. */
export function syncQuestions<Question extends AskedQuestion>(
  asked: AskedRef,
  open: readonly Question[],
  put: (question: Question) => void = () => {},
): void {
  const known = asked.getSnapshot().context.questions;
  for (const {key} of known) {
    if (!open.some((each) => each.key === key)) tell(asked, {type: 'question.settled', key});
  }
  for (const question of open) {
    if (known.some(({key}) => key === question.key)) continue;
    tell(asked, {type: 'question.asked', question, at: performance.now()});
    put(question);
  }
}

/** A chart that has ended hears nothing. */
export function tell(asked: AskedRef, event: AskedEvent): void {
  if (asked.getSnapshot().status === 'active') asked.send(event);
}

export function createPrompter<Question extends AskedQuestion>(
  dialogue: Dialogue<Question>,
  options: PrompterOptions,
): Prompter {
  const {asked, surface, isKeyboardLent} = options;
  const turn = createTurn(dialogue, options, () => listener);
  let isClosed = false;
  const draw = (): void => {
    if (isClosed || (isKeyboardLent && !turn.question())) return;
    const isBusy = turn.isExclusive && asked.getSnapshot().value === 'obeying';
    surface.prompt(isBusy ? '' : dialogue.prompt(turn.question()));
  };
  const refresh = (): void => {
    if (isClosed) return;
    turn.refresh();
    draw();
  };
  const obeying = createQueue(async (text: string, begunAt: number, key: string | undefined) => {
    // Where the keyboard is lent, a line is for the question at which it was typed.
    const isMeant = !isKeyboardLent || key === asked.getSnapshot().context.current;
    const heard =
      isMeant && !isClosed ? await dialogue.hear(text, {...turn.now(), begunAt}) : undefined;
    if (heard === 'left') tell(asked, {type: 'person.left'});
    if (heard === 'interrupted') tell(asked, {type: 'person.interrupted'});
    // Before the prompt is drawn again: what was answered does not ask for another line.
    refresh();
    tell(asked, {type: 'line.obeyed'});
  });
  const listener: LineEvents = {
    onMessage: (text, begunAt) => {
      const {current} = asked.getSnapshot().context;
      tell(asked, {type: 'line.entered'});
      draw();
      obeying.add(text, begunAt, current);
    },
    onInterrupt: () => tell(asked, {type: 'person.interrupted'}),
    onEnd: () => tell(asked, {type: 'terminal.closed'}),
  };
  const watching = watch(asked, dialogue, {
    onChange: () => {
      turn.change();
      draw();
    },
    onDone: surface.closeKeyboard,
  });
  if (!isKeyboardLent) surface.openKeyboard(options.input, listener, options.editing);
  return {
    refresh,
    close: async () => {
      isClosed = true;
      watching.unsubscribe();
      await turn.end();
      surface.closeKeyboard();
      if (isKeyboardLent) await obeying.done();
    },
  };
}

/** Reports what the person does beside lines. */
function watch<Question extends AskedQuestion>(
  asked: AskedRef,
  {onWarned, onLeft}: Dialogue<Question>,
  {onChange, onDone}: {readonly onChange: () => void; readonly onDone: () => void},
): {readonly unsubscribe: () => void} {
  let wasWarned = false;
  const look = ({status, value, output}: ReturnType<AskedRef['getSnapshot']>): void => {
    if (status === 'done') {
      // Without it the next Ctrl-C is a signal, which ends a process that does not leave.
      onDone();
      return onLeft(output?.why ?? 'waiting');
    }
    const isWarned = value === 'warned';
    if (isWarned && !wasWarned) onWarned?.();
    wasWarned = isWarned;
    onChange();
  };
  return asked.subscribe(look);
}

/** One call after another. */
function createQueue<Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) {
  let last = Promise.resolve();
  const next = async (before: Promise<void>, args: Args): Promise<void> => {
    await before;
    await work(...args);
  };
  return {
    add: (...args: Args): void => {
      last = next(last, args);
    },
    done: async (): Promise<void> => await last,
  };
}

interface Turn<Question> {
  /** The question that has the terminal, where one has it. */
  readonly question: () => Question | undefined;
  readonly now: () => {readonly question: Question | undefined; readonly signal: AbortSignal};
  /** A line is obeyed before the next one is asked for. */
  readonly isExclusive: boolean;
  readonly refresh: () => void;
  /** Gives the terminal to the question that the chart has chosen, if that is another. */
  readonly change: () => void;
  /** Resolves once the keyboard is free. */
  readonly end: () => Promise<void>;
}

function createTurn<Question extends AskedQuestion>(
  dialogue: Dialogue<Question>,
  options: PrompterOptions,
  listener: () => LineEvents,
): Turn<Question> {
  const {asks} = dialogue;
  if ('questions' in asks) return createSingleTurn({...dialogue, asks}, options, listener);
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
  {asks, prompt}: Pick<Dialogue<Question>, 'prompt'> & {readonly asks: OneByOne<Question>},
  {asked, surface, input, isKeyboardLent}: PrompterOptions,
  listener: () => LineEvents,
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
    if (wasInterrupted) return tell(asked, {type: 'person.interrupted'});
    surface.openKeyboard(input, listener());
    surface.prompt(prompt(one));
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
