/** What interviews ask the person, whoever holds them: one line answers one of them. */

import {performance} from 'node:perf_hooks';

import {AppError} from '../../../machines/domain/app-error.ts';
import {withoutSecrets} from '../../interview/screen.ts';
import {askRows} from '../../render/live/interview.ts';
import {isWithin} from '../../render/view/interactions.ts';
import {placeOf} from '../../render/view/session-view.ts';
import type {Chat} from '../chat.ts';
import {notSent} from './undelivered.ts';
import type {Asking, ChatAsks} from './waiting.ts';

export function createChatAsks(chat: Omit<Chat, 'gates' | 'asks'>): ChatAsks {
  const {roots, focus, ui} = chat;
  const shown = new Set<string>();
  /** By the interaction: when its first was shown. */
  const heardOf = new Map<string, number>();
  const waiting = (): readonly Asking[] =>
    roots
      .working()
      .flatMap((root) =>
        root.gates
          .asks()
          .map((open) => ({root, open, place: placeOf(roots.view(), open.interaction)})),
      );
  const inFocus = (): Asking | undefined => {
    const focused = focus.get();
    return waiting().find(({open}) => open.interaction === focused?.id);
  };
  const show = ({root, open, place}: Asking): void => {
    shown.add(nameOf({root, open}));
    const isFirst = !heardOf.has(open.interaction);
    if (isFirst) heardOf.set(open.interaction, performance.now());
    const focused = focus.get();
    // Whoever is above waits for it, or has been told to have it asked: the next line is an answer.
    if (isFirst && (!focused || isWithin(open.interaction, focused.id)))
      focus.set(open.interaction);
    const isInFocus = focus.get()?.id === open.interaction;
    const name = roots.working().length === 1 && isInFocus ? '' : place;
    const hint = isInFocus ? '' : `/answer ${place} TEXT answers it, /focus ${place} what you type`;
    ui.print([
      ...askRows(shownMessage({root, open}), {style: ui.style, width: ui.size().width, name}),
      ...(hint === '' ? [] : [ui.style.dim(`  ${hint}`)]),
    ]);
  };
  const refresh = (): void => {
    for (const each of waiting()) if (!shown.has(nameOf(each))) show(each);
  };
  return {
    waiting,
    refresh,
    answering: inFocus,
    reply: (text, place, begunAt) => {
      const one = place === undefined ? (inFocus() ?? only(waiting())) : named(waiting(), place);
      requireSeen(one, heardOf.get(one.open.interaction), {text, begunAt});
      one.root.gates.reply({type: 'person.replied', ask: one.open.ask, text});
    },
  };
}

/** The table of answers without those to secret fields. */
function shownMessage({root, open}: Pick<Asking, 'root' | 'open'>): string {
  const {message, state, interaction} = open;
  const view = state === 'confirming' ? root.run.interview(interaction) : undefined;
  return view ? withoutSecrets(message, view) : message;
}

/** Messages of several roots may have the same name. */
function nameOf({root, open}: Pick<Asking, 'root' | 'open'>): string {
  return `${root.id} ${open.ask}`;
}

function named(asking: readonly Asking[], place: string): Asking {
  const one = asking.find((each) => each.place === place);
  if (one) return one;
  throw new AppError('nothing_waiting', `${place} asks nothing`);
}

function only([one, ...others]: readonly Asking[]): Asking {
  if (one && others.length === 0) return one;
  if (!one) throw new AppError('nothing_waiting', 'nobody asks you anything');
  const places = [one, ...others].map(({place}) => place).join(', ');
  throw new AppError('usage', `say which is meant: /answer N TEXT, N being one of ${places}`);
}

/** Text that was begun before the question was shown can't be meant as its answer. */
function requireSeen(
  {place}: Asking,
  shownAt: number | undefined,
  {text, begunAt}: {readonly text: string; readonly begunAt: number},
): void {
  if (shownAt !== undefined && shownAt <= begunAt) return;
  throw new AppError(
    'usage',
    notSent(`${place} asked while you were typing: read it, and answer once more`, text),
  );
}
