/** What the commands of a conversation work on. */

import type {Journal} from '../../actors/journal/journal.ts';
import type {Runtime} from '../../actors/runtime-api.ts';
import type {Paint} from '../render/style.ts';
import {oneLine, wrapWords} from '../render/text.ts';
import {interactionIn, isRunning} from '../render/view/interactions.ts';
import {parentIdOf} from '../render/view/place.ts';
import {placeOf} from '../render/view/session-view.ts';
import type {Environment} from '../terminal.ts';
import {type AskedRef, sendAsked} from '../terminal/asking.ts';
import type {Surface} from '../terminal/surface.ts';
import type {ChatQuestions} from './questions/waiting.ts';
import {isWorking, type LiveRoot, type Root, type Roots} from './roots.ts';
import type {ChatSettings} from './settings.ts';

/** Where a conversation is written, and a person is asked. */
export interface Ui extends Pick<Surface, 'print' | 'write' | 'style' | 'size' | 'ask' | 'aside'> {
  /** What an interaction came to. */
  readonly tell: (lines: readonly string[]) => void;
  /** Columns of that; a pipe has no end of them. */
  readonly tellWidth: () => number;
  /** A person sees what is printed, and answers. */
  readonly isAttended: boolean;
  /** What is told stands below what is printed. */
  readonly isOneScreen: boolean;
}

/** A sentence of the conversation's own, broken between words. */
export function note({print, size}: Ui, text: string, paint: Paint = (row) => row): void {
  print(wrapWords(oneLine(text, maxNote), size().width).map(paint));
}

const maxNote = 4000;

export interface Chat {
  readonly runtime: Runtime;
  readonly journal: Journal;
  /** Absolute. */
  readonly workspace: string;
  readonly env: Environment;
  readonly ui: Ui;
  readonly roots: Roots;
  /** Who is asked, and which question a line answers. */
  readonly asked: AskedRef;
  readonly questions: ChatQuestions;
  readonly settings: ChatSettings;
  readonly focus: Focus;
  readonly session: SessionId;
}

/** Which session new interactions join: that of the first of them, unless another was gone on with. */
export interface SessionId {
  readonly get: () => string | undefined;
  /** Undefined: the next interaction begins a new session. */
  readonly set: (id: string | undefined) => void;
}

/** The roots of the session that new interactions join; after `/new` none of those before it. */
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

/** Whom a person's words go to: an interaction that works, if any. */
export interface Focus {
  readonly get: () => Focused | undefined;
  /** An ID; undefined: nobody. */
  readonly set: (id: string | undefined) => void;
  /** Moves the focus of the chart to where it is: what has ended does not keep it. */
  readonly settle: () => void;
}

/** What is said of interactions by their IDs, said by their places. */
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

/** When the one in focus has ended, the one above it is in focus that still works. */
export function createFocus(roots: Roots, asked: AskedRef): Focus {
  const wanted = (): string | undefined => asked.getSnapshot().context.focus;
  const get = (): Focused | undefined => {
    const focus = wanted();
    const root = focus === undefined ? undefined : roots.of(focus);
    if (focus === undefined || !root || !isWorking(root)) return undefined;
    const id = atWorkFrom(focus, root);
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

function atWorkFrom(id: string, root: LiveRoot): string {
  const parent = parentIdOf(id);
  const one = interactionIn(root.view, id);
  return parent === undefined || (one && isRunning(one)) ? id : atWorkFrom(parent, root);
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
