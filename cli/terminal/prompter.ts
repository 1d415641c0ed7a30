/**
 * The event loop of a person at a terminal: keeps the chart synchronized with the open questions, and passes each line to the
 * dialogue, one after another.
 */

import {type AskedQuestion, isSeen} from '../../machines/terminal/asked.ts';
import {type AskedRef, sendAsked} from './asking.ts';
import type {Dialogue, EnteredLine} from './dialogue.ts';
import type {Completion, LineEvents} from './line-editor.ts';
import {createTurn, type TurnOptions} from './turn.ts';

export interface PrompterOptions extends Omit<TurnOptions, 'openKeyboard'> {
  /** Messages sent before, the newest first. */
  readonly history?: readonly string[];
}

export interface Prompter {
  /** Synchronizes the chart with the open questions, and draws the prompt. Call it after every event. */
  readonly refresh: () => void;
  /** Withdraws the open question; resolves once the keyboard is free. */
  readonly close: () => Promise<void>;
}

export function createPrompter<Question extends AskedQuestion>(
  dialogue: Dialogue<Question>,
  options: PrompterOptions,
): Prompter {
  const {asked, surface, input, isKeyboardLent, history = []} = options;
  const complete = (line: string): Completion => dialogue.complete(line, turn.question());
  const openKeyboard = async (): Promise<void> =>
    await surface.openKeyboard(input, listener, {history, complete});
  const turn = createTurn(dialogue, {...options, openKeyboard});
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
  const obeying = createQueue(async (text: string, line: EnteredLine<Question>) => {
    const outcome =
      isClosed || !isMeant(line, asked) ? undefined : await dialogue.receive(text, line);
    if (outcome === 'left') sendAsked(asked, {type: 'person.left'});
    if (outcome === 'interrupted') sendAsked(asked, {type: 'person.interrupted'});
    // Before the prompt is drawn again: an answered question does not ask for another line.
    refresh();
    sendAsked(asked, {type: 'line.obeyed'});
  });
  const listener: LineEvents = {
    onMessage: (text, begunAt) => {
      // With a keyboard opened for each question, the question may have changed by then.
      if (isKeyboardLent && asked.getSnapshot().value === 'obeying') return;
      sendAsked(asked, {type: 'line.entered'});
      draw();
      obeying.add(text, {...turn.now(), begunAt});
    },
    onInterrupt: () => sendAsked(asked, {type: 'person.interrupted'}),
    onEnd: () => sendAsked(asked, {type: 'terminal.closed'}),
  };
  const watching = watch(asked, dialogue, {
    onChange: () => {
      turn.change();
      draw();
    },
    onDone: surface.closeKeyboard,
  });
  if (!isKeyboardLent) void openKeyboard();
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

/** A decision needs a question that the person has seen. In a conversation, the commands check that. */
function isMeant<Question extends AskedQuestion>(
  {question, begunAt}: EnteredLine<Question>,
  asked: AskedRef,
): boolean {
  if (question?.kind !== 'gate') return true;
  return isSeen(asked.getSnapshot().context, question, begunAt);
}

/** Reports the person's interrupts, and that they leave. */
function watch<Question extends AskedQuestion>(
  asked: AskedRef,
  {onWarned, onLeft}: Dialogue<Question>,
  {onChange, onDone}: {readonly onChange: () => void; readonly onDone: () => void},
): {readonly unsubscribe: () => void} {
  let wasWarned = false;
  const look = ({status, value, output}: ReturnType<AskedRef['getSnapshot']>): void => {
    if (status === 'done') {
      // Otherwise the next Ctrl-C is a signal, which ends a process that does not leave.
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

/** Runs calls one after another. */
export function createQueue<Args extends readonly unknown[]>(
  work: (...args: Args) => Promise<void>,
) {
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
