/** The parts of a run with a person, and of a conversation of several runs, that commands work on. */

import type {Journal} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {type Message, t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import type {Lines, Paint} from '../render/style.ts';
import {oneLine, wrapWords} from '../render/text.ts';
import {interactionIn, isRunning} from '../render/view/interactions.ts';
import {parentIdOf} from '../render/view/place.ts';
import {placeOf} from '../render/view/session-view.ts';
import type {Environment} from '../terminal.ts';
import {type AskedRef, sendAsked} from '../terminal/prompter.ts';
import type {Surface} from '../terminal/surface.ts';
import {type Late, type LiveRoot, type Root, type Roots, isWorking} from './roots.ts';
import type {ChatSettings} from './settings.ts';
import type {Questions} from './waiting.ts';

/** Where a conversation is printed, and how a person is asked. */
export interface Ui extends Pick<Surface, 'style' | 'size' | 'ask' | 'aside'> {
  /** `interaction`: the one that the lines belong to; absent: the conversation itself. */
  readonly print: (lines: Lines, interaction?: string) => void;
  readonly write: (text: string, interaction?: string) => void;
  /** Streams an answer as Markdown; undefined: its end. Absent: it is written as text. */
  readonly stream?: (text: string | undefined, interaction: string) => void;
  /** The rows of Markdown. Absent: it is shown as text. */
  readonly prose?: (text: string, width: number) => readonly string[];
  /** Prints the result of an interaction. */
  readonly report: (lines: Lines, interaction?: string) => void;
  /** A person reads the output and can answer. */
  readonly isAttended: boolean;
  /** Results appear below the progress, on the same screen. */
  readonly isOneScreen: boolean;
  /** Each interaction has a tab of its own. Returns true when that of the interaction is shown. Absent: without tabs. */
  readonly isShown?: (interaction: string) => boolean;
  /** Shows the tab of an interaction. */
  readonly show?: (interaction: string) => void;
}

/** Prints a sentence of the conversation itself, broken between words. */
export function note(
  {print, style}: Ui,
  text: Message | string,
  paint: Paint = (row) => row,
): void {
  const line = oneLine(say(text, style), maxNote);
  print((width) => wrapWords(line, width).map(paint));
}

const maxNote = 4000;

/** One run with its person, or a conversation. */
export interface Talk {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Environment;
  readonly ui: Ui;
  readonly roots: Pick<Roots, 'all' | 'working' | 'of' | 'view'>;
  /** The tools that an edited plan of this root may use. */
  readonly tools: (root: string) => Promise<readonly ToolInfo[]>;
  /** Decides which question is asked, and which question a line answers. */
  readonly asked: AskedRef;
  readonly questions: Questions;
  readonly focus: Focus;
}

/** It begins any number of roots. */
export interface Chat extends Talk {
  readonly runtime: Runtime;
  readonly journal: Journal;
  readonly roots: Roots;
  readonly settings: ChatSettings;
  readonly session: SessionId;
  readonly late: Late;
}

export function isConversation(talk: Talk): talk is Chat {
  return 'runtime' in talk;
}

/** Throws AppError `usage` for one run. */
export function conversationOf(talk: Talk): Chat {
  if (isConversation(talk)) return talk;
  throw usageError(t`that needs a conversation: quorate chat`);
}

/** The session that new interactions join: that of the first of them, unless another one was resumed. */
export interface SessionId {
  readonly get: () => string | undefined;
  /** Undefined: the next interaction begins a new session. */
  readonly set: (id: string | undefined) => void;
}

/** The roots of the session that new interactions join; none of those before `/new`. */
export function conversationRoots({
  roots,
  session,
}: Pick<Chat, 'roots' | 'session'>): readonly Root[] {
  return roots.all().filter((root) => root.session === session.get());
}

export interface Focused {
  readonly root: LiveRoot;
  readonly id: string;
  readonly place: string;
}

/** The running interaction that receives a person's words, if any. */
export interface Focus {
  readonly get: () => Focused | undefined;
  /** `id`: undefined for no focus. */
  readonly set: (id: string | undefined) => void;
  /** Moves the chart's focus to the focused interaction in effect: one that has ended loses it. */
  readonly settle: () => void;
}

/** Replaces the IDs of interactions in a message by their places. */
export function inPlaces(message: string, roots: Pick<Roots, 'all' | 'view'>): string {
  return roots
    .all()
    .reduce(
      (text, {id}) =>
        text.replaceAll(new RegExp(`\\b${id}(?:\\.\\d+)*`, 'g'), (found) =>
          placeOf(roots.view(), found),
        ),
      message,
    );
}

/** When the focused interaction has ended, its nearest running ancestor has the focus. */
export function createFocus(roots: Talk['roots'], asked: AskedRef): Focus {
  const wanted = (): string | undefined => asked.getSnapshot().context.focus;
  const get = (): Focused | undefined => {
    const focus = wanted();
    const root = focus === undefined ? undefined : roots.of(focus);
    if (focus === undefined || !root || !isWorking(root)) return undefined;
    const id = runningFrom(focus, root);
    return {root, id, place: placeOf(roots.view(), id)};
  };
  const set = (focus: string | undefined): void => sendAsked(asked, {type: 'focus.changed', focus});
  return {
    get,
    set,
    settle: () => {
      const id = get()?.id;
      if (id !== wanted()) set(id);
    },
  };
}

function runningFrom(id: string, root: LiveRoot): string {
  const parent = parentIdOf(id);
  const one = interactionIn(root.view, id);
  return parent === undefined || (one && isRunning(one)) ? id : runningFrom(parent, root);
}

export function createSessionId(): SessionId {
  let session: string | undefined;
  return {
    get: () => session,
    set: (id) => {
      session = id;
    },
  };
}
