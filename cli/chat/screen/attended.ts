/** A conversation with a person at a terminal. */

import {join} from 'node:path';

import {createRedactor} from '../../../actors/secrets/redact.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {dataFolder} from '../../config/paths.ts';
import {styleFor} from '../../render/style.ts';
import {placeOf} from '../../render/view/session-view.ts';
import {
  canRedraw,
  heightOf,
  isOneScreen,
  pageWidthOf,
  widthOf,
  type Terminal,
} from '../../terminal.ts';
import {createLineEditor, type LineEditor} from '../../terminal/line-editor.ts';
import {inPlaces, note, type Chat, type Ui} from '../chat.ts';
import {obeyAll} from '../obey.ts';
import {parseLine} from '../parse.ts';
import {isSuspended} from '../roots.ts';
import {complete} from './complete.ts';
import {openHistory} from './history-file.ts';
import {chatStatus, promptText} from './prompt.ts';

/** How often the time above the prompt goes on. */
const tickMs = 1000;
const leavingSignals = ['SIGTERM', 'SIGHUP'] as const;

export interface Attended {
  readonly ui: Ui;
  /** Draws the prompt anew, as after an event. */
  readonly refresh: () => void;
  /** Resolves once the person leaves, or the terminal is gone. */
  readonly converse: (chat: Chat) => Promise<void>;
}

export function createAttended(terminal: Terminal): Attended {
  const {stdin: input, stdout, stderr: output, env} = terminal;
  const style = styleFor(output, env);
  let editor: LineEditor | undefined;
  let chat: Chat | undefined;
  const print = (lines: readonly string[]): void => {
    if (editor) editor.print(lines);
    else output.write(lines.map((line) => `${line}\n`).join(''));
  };
  const refresh = (): void => {
    if (chat && editor) drawPrompt(chat, editor, canRedraw(output, env));
  };
  const onOneScreen = isOneScreen(terminal);
  const ui: Ui = {
    style,
    isAttended: true,
    isOneScreen: onOneScreen,
    size: () => ({width: widthOf(output), height: heightOf(output)}),
    print,
    tell: onOneScreen
      ? print
      : (lines) => void stdout.write(lines.map((line) => `${line}\n`).join('')),
    tellWidth: () => pageWidthOf(stdout),
    ask: async (prompt) => (await editor?.ask(prompt)) ?? {kind: 'end'},
    aside: async (work) => await (editor ? editor.aside(work) : work()),
  };
  return {
    ui,
    refresh,
    converse: async (given) => {
      chat = given;
      const left = Promise.withResolvers<void>();
      const leave = (): void => left.resolve();
      const hear = createListener(given, {leave, refresh});
      const redactor = createRedactor(given.settings.loaded().config, env);
      const history = openHistory(join(dataFolder(env), 'chat_history'), redactor.text);
      editor = createLineEditor(
        {
          input,
          output,
          env,
          history: history.messages,
          complete: (line) => complete(line, completingIn(given)),
        },
        {
          onMessage: (text, begunAt) => {
            if (text.trim() !== '') history.add(text);
            hear.message(text, begunAt);
          },
          onInterrupt: hear.interrupt,
          onEnd: leave,
        },
      );
      const timer = setInterval(refresh, tickMs);
      for (const signal of leavingSignals) process.on(signal, leave);
      refresh();
      try {
        await left.promise;
      } finally {
        clearInterval(timer);
        for (const signal of leavingSignals) process.off(signal, leave);
        editor.close();
        editor = undefined;
      }
    },
  };
}

interface Listener {
  readonly message: (text: string, begunAt: number) => void;
  readonly interrupt: () => void;
}

/** Messages are obeyed one after another, in the order in which they were sent. */
function createListener(
  chat: Chat,
  {leave, refresh}: {readonly leave: () => void; readonly refresh: () => void},
): Listener {
  let before = Promise.resolve();
  const obeyNext = async (last: Promise<void>, text: string, begunAt: number): Promise<void> => {
    await last;
    const isLeaving = await obeyLine(text, chat, begunAt);
    if (isLeaving) leave();
    refresh();
  };
  /** Ctrl-C was the last that came: once more leaves. */
  let isArmed = false;
  return {
    message: (text, begunAt) => {
      isArmed = false;
      before = obeyNext(before, text, begunAt);
    },
    interrupt: () => {
      if (isArmed) return leave();
      isArmed = true;
      const working = chat.roots.working();
      for (const {run} of working) void run.suspend('interrupted');
      note(
        chat.ui,
        working.length === 0
          ? 'Ctrl-C once more leaves'
          : 'suspending what works: nothing is lost, /resume goes on; Ctrl-C once more leaves',
      );
    },
  };
}

/** Resolves with true when the person wants to leave. Never rejects for what can't be done: it says so. */
async function obeyLine(text: string, chat: Chat, begunAt: number): Promise<boolean> {
  const reading = parseLine(text, chat.asks.answering() !== undefined);
  if (!reading.ok) return tellProblem(reading.problem, chat);
  try {
    return await obeyAll(reading.commands, chat, begunAt);
  } catch (error) {
    if (error instanceof AppError) return tellProblem(error.message, chat);
    throw error;
  }
}

function tellProblem(problem: string, {ui, roots}: Chat): false {
  note(ui, inPlaces(problem, roots), ui.style.yellow);
  return false;
}

function drawPrompt(chat: Chat, editor: LineEditor, canShowStatus: boolean): void {
  const {roots, gates, asks, focus, settings, ui} = chat;
  gates.refresh();
  asks.refresh();
  const waiting = [...gates.waiting(), ...asks.waiting()];
  const [working, focused] = [roots.working(), focus.get()];
  const prompt = promptText(settings.loaded().config.agent, focused);
  if (!canShowStatus) {
    // A prompt can't be taken back there: while lines come, none is shown.
    editor.prompt(working.length > 0 && waiting.length === 0 ? '' : prompt);
    return;
  }
  const {width} = ui.size();
  const status = chatStatus({working, waiting, focused, width, now: Date.now()});
  const dim = status === undefined ? undefined : ui.style.dim(status);
  editor.prompt(ui.style.bold(prompt), dim);
}

function completingIn({roots, gates, asks, workspace}: Chat) {
  return {
    workspace,
    places: () =>
      roots
        .view()
        .runs.flatMap(({interactions}) => interactions)
        .map(({id}) => placeOf(roots.view(), id)),
    gates: () => gates.waiting().map(({place}) => place),
    asks: () => asks.waiting().map(({place}) => place),
    runs: () =>
      roots
        .all()
        .filter(isSuspended)
        .map(({number}) => String(number)),
  };
}
