/** Commands that continue interactions of this conversation or of an earlier one. */

import type {ConfigInput} from '../../actors/config/schema.ts';
import type {SessionRow} from '../../actors/runtime-api.ts';
import {isResumable, runStateOf} from '../../actors/sessions/run-state.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {type Message, t} from '../../machines/message.ts';
import {type Reader, say, wordIn} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {formTitleIn} from '../past/history.ts';
import {agoText} from '../render/numbers.ts';
import {titledRequest} from '../render/tables/sessions.ts';
import {oneLine, padTo, truncate} from '../render/text.ts';
import {findPlace} from '../render/view/session-view.ts';
import {isPlace} from './command.ts';
import {type Root, isSuspended, isWorking} from './roots.ts';
import {type Chat, note} from './talk.ts';

/** The earlier conversation that a conversation begins with. */
export type Earlier =
  | {readonly kind: 'latest' | 'list'}
  /** The ID of a session or of a run, or a prefix of it. */
  | {readonly kind: 'one'; readonly id: string};

/** The number of rows that fit on a screen. */
const maxListed = 20;

/** `settings`: changes for the continued runs. Rejects with AppError as {@link resume} does. */
export async function continueEarlier(
  earlier: Earlier,
  settings: ConfigInput | undefined,
  chat: Chat,
): Promise<void> {
  if (earlier.kind !== 'list') {
    const wanted = earlier.kind === 'one' ? earlier.id : '';
    return await adopt(await sessionFor(wanted, chat), chat, settings);
  }
  if (!chat.ui.isAttended) {
    throw usageError(t`--resume needs an ID; see: quorate runs`);
  }
  await showSessions('', chat);
}

/** Lists the sessions of this folder that contain all of these words. */
export async function showSessions(words: string, chat: Chat): Promise<void> {
  const {runtime, workspace, ui} = chat;
  const sessions = await runtime.sessions({search: words, workspace});
  if (sessions.length === 0) {
    ui.print([
      words === ''
        ? say(t`no conversation in this folder yet`, ui.style)
        : say(t`no conversation has these words`, ui.style),
    ]);
    return;
  }
  const {width} = ui.size();
  const more = sessions.length - maxListed;
  const shown = await Promise.all(
    sessions
      .slice(0, maxListed)
      .map(async (session) => ({session, request: await requestOf(session, chat)})),
  );
  ui.print([
    ...shown.map(({session, request}) => sessionLine(session, request, {width, reader: ui.style})),
    ...(more > 0
      ? [ui.style.dim(say(t`… and ${more} {older one|older ones}: /sessions WORDS`, ui.style))]
      : []),
    ui.style.dim(say(t`/resume ID continues one`, ui.style)),
  ]);
}

/** The request of the first root; for an interview with the title of its form. */
async function requestOf({roots: [first]}: SessionRow, {journal}: Chat): Promise<string> {
  if (!first) return '';
  if (first.form !== 'interview') return first.request;
  return titledRequest(first.request, formTitleIn((await journal.log.salvage(first.id)).entries));
}

function sessionLine(
  {id, updatedAt, roots}: SessionRow,
  request: string,
  {width, reader}: {readonly width: number; readonly reader: Reader},
): string {
  const open = roots.filter(({status}) => status === undefined).length;
  const parts = [
    padTo(oneLine(id, 20), 14),
    padTo(agoText(Date.now() - updatedAt, reader), 12),
    ...(roots.length > 1 ? [say(t`${roots.length} {interaction|interactions}`, reader)] : []),
    ...(open > 0 ? [say(t`${open} open{:chat}`, reader)] : []),
    oneLine(request),
  ];
  return truncate(parts.join('  '), width);
}

/**
 * `what`: a number; an ID, or a prefix of one; empty for all suspended interactions of this conversation, else for the newest
 * resumable conversation of this folder. Rejects with AppError `not_found` or `usage`.
 */
export async function resume(what: string, chat: Chat): Promise<void> {
  const {roots, session} = chat;
  if (what === '') return await resumeAny(chat);
  requireNoChild(what, chat);
  const known = roots.all().find(({number, id}) => String(number) === what || id === what);
  if (!known) return await adopt(await sessionFor(what, chat), chat);
  await continueRoot(known, chat);
  session.set(known.session);
}

async function resumeAny(chat: Chat): Promise<void> {
  const {roots, session} = chat;
  const left = roots.all().filter(isSuspended);
  const working = roots.working().map(({number}) => number);
  if (left.length > 0) {
    await inTurn(left, async (root) => await continueRoot(root, chat));
    if (session.get() === undefined) session.set(left.at(-1)?.session);
  } else if (working.length > 0) {
    const numbers = working.join(', ');
    throw usageError(
      working.length === 1 ? t`${numbers} is already running` : t`${numbers} are already running`,
    );
  } else await adopt(await newestResumable(chat), chat);
}

/** An interaction below a root can't be resumed alone. Throws AppError `usage` that names the way to continue. */
function requireNoChild(what: string, chat: Chat): void {
  const {roots} = chat;
  const id = what.includes('.') && isPlace(what) ? findPlace(roots.view(), what) : undefined;
  const root = id === undefined ? undefined : roots.of(id);
  if (!root) return;
  const {number} = root;
  const ofRoot: Message = isSuspended(root)
    ? t`${what} is a part of ${number}; /resume ${number} resumes both`
    : t`${what} is not suspended; /tree shows the states`;
  throw usageError(continuingWay(what, chat) ?? ofRoot);
}

/** The command that continues a paused interview at a place; undefined when none is paused there. */
function continuingWay(place: string, {questions}: Chat): Message | undefined {
  const paused = questions
    .interviews()
    .find((one) => one.place === place && one.open.state === 'paused');
  return paused && t`${place} is paused; /answer ${place} continue continues it`;
}

/** Rejects with AppError `not_found` when no run of this folder can be resumed. */
async function newestResumable({runtime, journal, workspace}: Chat): Promise<SessionRow> {
  const sessions = await runtime.sessions({workspace});
  const open = sessions.flatMap((session) =>
    session.roots
      .filter(({status}) => status === undefined)
      .map((root) => ({session, state: runStateOf(root, journal)})),
  );
  const states = await Promise.all(open.map(async ({state}) => await state));
  const newest = open.find((_, index) => isResumable(states[index]));
  if (newest) return newest.session;
  throw new AppError(
    'not_found',
    t`nothing in this folder can be resumed; /sessions lists the conversations, /resume ID opens one of them`,
  );
}

async function continueRoot(root: Root, chat: Chat, settings?: ConfigInput): Promise<void> {
  const {roots, focus, ui} = chat;
  if (!isSuspended(root)) {
    const {number} = root;
    const running: Message = t`${number} is already running`;
    const ended: Message = t`${number} has ended`;
    throw usageError(isWorking(root) ? (continuingWay(`${number}`, chat) ?? running) : ended);
  }
  await roots.resume(root, settings);
  focus.set(root.id);
  const request = oneLine(root.request, ui.size().width - 20);
  ui.print([say(t`continuing ${root.number}: ${request}`, ui.style)]);
}

async function sessionFor(what: string, {runtime, workspace}: Chat): Promise<SessionRow> {
  const all = await runtime.sessions(what === '' ? {workspace} : {});
  const exact = all.find(({id}) => what === '' || id === what);
  if (exact) return exact;
  const near = all.filter(
    ({id, roots}) => id.startsWith(what) || roots.some((root) => root.id.startsWith(what)),
  );
  const [one, another] = near;
  if (one && !another) return one;
  const name = oneLine(what, 40);
  throw another
    ? usageError(t`${name} is the beginning of several IDs; type more of it`)
    : new AppError('not_found', t`there is no conversation ${name}; /sessions lists them`);
}

/** Numbers all interactions of a session, and continues the open ones. */
async function adopt(session: SessionRow, chat: Chat, settings?: ConfigInput): Promise<void> {
  const {roots, journal, ui} = chat;
  chat.session.set(session.id);
  await inTurn(session.roots, async (row) => {
    const {entries} = await journal.log.salvage(row.id);
    const root = await roots.know(row, entries);
    const state = row.status === undefined ? say(t`open`, ui.style) : wordIn(row.status, ui.style);
    note(ui, `${root.number} ${row.form} ${state}: ${oneLine(row.request, 200)}`);
    if (row.status === undefined) await tryToContinue(root, chat, settings);
  });
}

/** An interaction that can't continue does not prevent the others. */
async function tryToContinue(root: Root, chat: Chat, settings?: ConfigInput): Promise<void> {
  try {
    await continueRoot(root, chat, settings);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const {ui} = chat;
    const why = say(error.wording, ui.style);
    note(ui, t`${root.number} can't be continued: ${why}`, ui.style.yellow);
  }
}

// Runs `work` on the items one after another. Rejects with the first rejection; later items are not begun then.

export async function inTurn<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const [first, ...rest] = items;
  if (first === undefined) return;
  await work(first);
  await inTurn(rest, work);
}
