/** A conversation with a person at a terminal: on the full screen, or line by line. */

import {join} from 'node:path';

import {createRedactor} from '../../../actors/secrets/redact.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';
import {t} from '../../../machines/message.ts';
import {dataFolder} from '../../config/paths.ts';
import {spinnerMs} from '../../render/live/status.ts';
import {laidOut, type Lines} from '../../render/style.ts';
import {canRedraw as isRedrawn, isOneScreen, pageWidthOf, type Terminal} from '../../terminal.ts';
import {
  type Dialogue,
  type Prompter,
  createPrompter,
  createQueue,
  sendAsked,
} from '../../terminal/prompter.ts';
import {createSurface, type Surface} from '../../terminal/surface.ts';
import {beginLate} from '../interactions.ts';
import {isAnswering, noteProblem, noting, obeyReading} from '../obey.ts';
import {type LineReading, parseLine} from '../parse.ts';
import type {Begun, LiveRoot, Root} from '../roots.ts';
import type {ChatSettings} from '../settings.ts';
import {note, type Chat, type Ui} from '../talk.ts';
import type {Asking, Waiting} from '../waiting.ts';
import {type HistoryFile, openHistory} from './history-file.ts';
import {chatStatus, complete, completingIn, promptText} from './prompt.ts';
import type {Tabs} from './tabs.ts';

const leavingSignals = ['SIGTERM', 'SIGHUP'] as const;

export interface Attended {
  readonly ui: Ui;
  readonly onBegun: (root: Root) => void;
  /** Before the event is reported. */
  readonly onEvent: (root: LiveRoot, event: ProgressEvent) => void;
  /** Redraws the prompt; called after each event. */
  readonly refresh: () => void;
  /** Begins requests that an interaction did not read. Prints expected failures; never rejects for them. */
  readonly begin: (requests: readonly Begun[], chat: Chat) => Promise<void>;
  /** Resolves once the person leaves or the terminal is closed. */
  readonly converse: (chat: Chat) => Promise<void>;
}

export async function createAttended(
  terminal: Terminal,
  settings: ChatSettings,
): Promise<Attended> {
  const {stderr, env} = terminal;
  const redactor = createRedactor(settings.loaded().config, env);
  const history = openHistory(join(dataFolder(env), 'chat_history'), redactor.text);
  const tabs = isRedrawn(stderr, env)
    ? await openTabs(terminal, settings, history.messages)
    : undefined;
  const surface: Surface = tabs?.surface ?? createSurface(terminal);
  let prompter: Prompter | undefined;
  const refresh = (): void => prompter?.refresh();
  return {
    ui: uiOf(surface, tabs, terminal),
    onBegun: (root) => tabs?.onBegun(root),
    onEvent: (root, event) => tabs?.onEvent(root, event),
    refresh,
    begin: async (requests, chat) => {
      for (const begun of requests) {
        // oxlint-disable-next-line no-await-in-loop -- in the order in which they were sent
        await noting(async () => await beginLate(begun, chat), chat);
      }
    },
    converse: async (chat) => {
      const left = Promise.withResolvers<void>();
      const hangUp = (): void => sendAsked(chat.asked, {type: 'terminal.closed'});
      for (const signal of leavingSignals) process.on(signal, hangUp);
      const leave = (): void => sendAsked(chat.asked, {type: 'person.left'});
      const {add: perform} = createQueue(async (reading: LineReading, begunAt: number) => {
        if ((await obeyReading(reading, chat, begunAt)) === 'left') leave();
        refresh();
      });
      tabs?.converse(chat, {perform, completing: completingIn(chat), leave, refresh});
      const dialogue = dialogueOf(chat, surface, {
        receive: receiving(chat, history, tabs),
        onLeft: left.resolve,
      });
      prompter = createPrompter(dialogue, {
        asked: chat.asked,
        surface,
        input: terminal.stdin,
        history: history.messages,
      });
      surface.follow(() => (tabs ? tabs.status(chat, statusOf(chat)) : statusOf(chat)), spinnerMs);
      refresh();
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

function uiOf(surface: Surface, tabs: Tabs | undefined, {stdout, stderr}: Terminal): Ui {
  const onOneScreen = isOneScreen({stdout, stderr});
  const writeOut = (lines: Lines): void => {
    const rows = laidOut(lines, pageWidthOf(stdout));
    void stdout.write(rows.map((row) => `${row}\n`).join(''));
  };
  const print = (lines: Lines): void => surface.print(laidOut(lines, surface.size().width));
  const report = tabs?.surface.report ?? print;
  return {
    ...surface,
    print,
    ...tabs?.ui,
    isAttended: true,
    isOneScreen: onOneScreen,
    report: onOneScreen ? report : writeOut,
  };
}

/** Resolves with true when the line leaves the conversation. */
function receiving(
  chat: Chat,
  history: HistoryFile,
  tabs: Tabs | undefined,
): (text: string, begunAt: number) => Promise<boolean> {
  return async (text, begunAt) => {
    const problem = text.trim() === '' ? undefined : history.add(text);
    if (problem !== undefined)
      noteProblem(t`your messages can't be saved for later conversations: ${problem}`, chat);
    const isAnswer = isAnswering(chat);
    const reading = tabs ? tabs.read(text, isAnswer) : parseLine(text, isAnswer);
    return reading !== undefined && (await obeyReading(reading, chat, begunAt)) === 'left';
  };
}

async function openTabs(
  terminal: Terminal,
  settings: ChatSettings,
  history: readonly string[],
): Promise<Tabs> {
  const {createTabs} = await import('./tabs.ts');
  return await createTabs(terminal, settings, history);
}

function dialogueOf(
  chat: Chat,
  {style, canRedraw}: Pick<Surface, 'style' | 'canRedraw'>,
  {
    receive,
    onLeft,
  }: {
    readonly receive: (text: string, begunAt: number) => Promise<boolean>;
    readonly onLeft: () => void;
  },
): Dialogue {
  const {roots, questions, settings, focus} = chat;
  return {
    refresh: questions.refresh,
    prompt: () => {
      // A plain terminal can't erase a prompt: none is shown while lines are printed.
      const isHidden = !canRedraw && roots.working().length > 0 && openQuestions(chat).length === 0;
      if (isHidden) return '';
      return style.bold(promptText(settings.loaded().config.agent, focus.get()));
    },
    receive: async (text, {begunAt}) => await receive(text, begunAt),
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
