/** A conversation with a person at a terminal. */

import {join} from 'node:path';

import {createRedactor} from '../../../actors/secrets/redact.ts';
import {AppError} from '../../../machines/domain/app-error.ts';
import {t, type Message} from '../../../machines/message.ts';
import {dataFolder} from '../../config/paths.ts';
import {say} from '../../language.ts';
import {placeOf} from '../../render/view/session-view.ts';
import {isOneScreen, pageWidthOf, type Terminal} from '../../terminal.ts';
import {sendAsked} from '../../terminal/asking.ts';
import type {Dialogue} from '../../terminal/dialogue.ts';
import {createPrompter, type Prompter} from '../../terminal/prompter.ts';
import {createSurface, type Surface} from '../../terminal/surface.ts';
import {inPlaces, note, type Chat, type Ui} from '../chat.ts';
import type {Begun} from '../late.ts';
import {obeyAll} from '../obey.ts';
import {parseLine} from '../parse.ts';
import type {Asking, Waiting} from '../questions/waiting.ts';
import {isSuspended} from '../roots.ts';
import {beginLate} from '../talk.ts';
import {complete, type Completing} from './complete.ts';
import {openHistory} from './history-file.ts';
import {chatStatus, promptText} from './prompt.ts';

/** The interval at which the time above the prompt is updated. */
const tickMs = 1000;
const leavingSignals = ['SIGTERM', 'SIGHUP'] as const;

export interface Attended {
  readonly ui: Ui;
  /** Redraws the prompt; called after each event. */
  readonly refresh: () => void;
  /** Begins requests that an interaction did not read. Prints expected failures; never rejects for them. */
  readonly begin: (requests: readonly Begun[], chat: Chat) => Promise<void>;
  /** Resolves once the person leaves or the terminal is closed. */
  readonly converse: (chat: Chat) => Promise<void>;
}

export function createAttended(terminal: Terminal): Attended {
  const {stdin: input, stdout} = terminal;
  const surface = createSurface(terminal);
  const onOneScreen = isOneScreen(terminal);
  let prompter: Prompter | undefined;
  return {
    ui: {
      ...surface,
      isAttended: true,
      isOneScreen: onOneScreen,
      report: onOneScreen
        ? surface.print
        : (lines) => void stdout.write(lines.map((line) => `${line}\n`).join('')),
      reportWidth: () => pageWidthOf(stdout),
    },
    refresh: () => prompter?.refresh(),
    begin: async (requests, chat) => {
      for (const begun of requests) {
        // oxlint-disable-next-line no-await-in-loop -- in the order in which they were sent
        await noting(async () => await beginLate(begun, chat), chat);
      }
    },
    converse: async (chat) => {
      const left = Promise.withResolvers<void>();
      const history = historyFor(chat);
      const hangUp = (): void => sendAsked(chat.asked, {type: 'terminal.closed'});
      for (const signal of leavingSignals) process.on(signal, hangUp);
      prompter = createPrompter(dialogueOf(chat, surface, {history, onLeft: left.resolve}), {
        asked: chat.asked,
        surface,
        input,
        isKeyboardLent: false,
        history: history.messages,
      });
      surface.follow(() => statusOf(chat), tickMs);
      prompter.refresh();
      try {
        await left.promise;
      } finally {
        for (const signal of leavingSignals) process.off(signal, hangUp);
        await prompter.close();
        prompter = undefined;
        surface.close();
      }
    },
  };
}

type History = ReturnType<typeof openHistory>;

function historyFor({env, settings}: Chat): History {
  const redactor = createRedactor(settings.loaded().config, env);
  return openHistory(join(dataFolder(env), 'chat_history'), redactor.text);
}

function dialogueOf(
  chat: Chat,
  {style, canRedraw}: Pick<Surface, 'style' | 'canRedraw'>,
  {history, onLeft}: {readonly history: History; readonly onLeft: () => void},
): Dialogue<Waiting | Asking> {
  const {roots, questions, settings, focus} = chat;
  return {
    asks: {refresh: questions.refresh},
    prompt: () => {
      // A plain terminal can't erase a prompt: none is shown while lines are printed.
      const isHidden = !canRedraw && roots.working().length > 0 && openQuestions(chat).length === 0;
      if (isHidden) return '';
      return style.bold(promptText(settings.loaded().config.agent, focus.get()));
    },
    receive: async (text, {begunAt}) => {
      if (text.trim() !== '') history.add(text);
      return (await obeyLine(text, chat, begunAt)) ? 'left' : undefined;
    },
    complete: (line) => complete(line, completingIn(chat)),
    onWarned: () => suspendAll(chat),
    onLeft,
  };
}

function suspendAll({roots, ui}: Chat): void {
  const working = roots.working();
  for (const {run} of working) void run.suspend('interrupted');
  note(
    ui,
    working.length === 0
      ? t`press Ctrl-C again to leave`
      : t`suspending running interactions: nothing is lost, /resume continues; press Ctrl-C again to leave`,
  );
}

/** Resolves with true when the person wants to leave. Prints expected failures; never rejects for them. */
async function obeyLine(text: string, chat: Chat, begunAt: number): Promise<boolean> {
  const reading = parseLine(text, chat.questions.answering() !== undefined);
  if (!reading.ok) return noteProblem(reading.problem, chat);
  return (await noting(async () => await obeyAll(reading.commands, chat, begunAt), chat)) === true;
}

/** Undefined for an expected failure, which is printed. */
async function noting<T>(act: () => Promise<T>, chat: Chat): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    noteProblem(error.wording, chat);
    return undefined;
  }
}

function noteProblem(problem: Message | string, {ui, roots}: Chat): false {
  note(ui, inPlaces(say(problem, ui.style), roots), ui.style.yellow);
  return false;
}

function openQuestions({questions}: Chat): readonly (Waiting | Asking)[] {
  return [...questions.gates(), ...questions.interviews()];
}

function statusOf(chat: Chat): string | undefined {
  const {roots, focus, ui} = chat;
  return chatStatus({
    working: roots.working(),
    waiting: openQuestions(chat),
    focused: focus.get(),
    width: ui.size().width,
    now: Date.now(),
    language: ui.style.language,
  });
}

function completingIn({roots, questions, workspace}: Chat): Completing {
  return {
    workspace,
    places: () =>
      roots
        .view()
        .runs.flatMap(({interactions}) => interactions)
        .map(({id}) => placeOf(roots.view(), id)),
    gates: () => questions.gates().map(({place}) => place),
    asks: () => questions.interviews().map(({place}) => place),
    runs: () =>
      roots
        .all()
        .filter(isSuspended)
        .map(({number}) => String(number)),
  };
}
