/** Commands that begin, tell, leave and end interactions. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {ContextMode} from '../../machines/domain/plan.ts';
import {withFiles} from '../attached-files.ts';
import {findRow, newestOpen} from '../find-run.ts';
import {oneLine} from '../lines/text.ts';
import type {Chat, Focused} from './chat.ts';
import type {ChatForm} from './command.ts';
import {atPlace, isSuspended, isWorking, placeOf, type Root} from './roots.ts';

export interface Begun {
  readonly form: ChatForm;
  readonly request: string;
  readonly contextMode?: ContextMode | undefined;
}

/** Words to what is in focus; without a focus a new task. */
export async function say(text: string, chat: Chat): Promise<void> {
  const focused = chat.focus.get();
  if (!focused) return await beginRoot({form: 'agent', request: text}, chat);
  focused.root.run.send({type: 'user.said', text, interaction: focused.id});
}

/** Below what is in focus, or by itself. */
export async function begin(begun: Begun, chat: Chat): Promise<void> {
  const focused = chat.focus.get();
  if (focused) spawn(begun, focused);
  else await beginRoot(begun, chat);
}

function spawn({form, request, contextMode}: Begun, {root, id}: Focused): void {
  const mode = contextMode ? {contextMode} : {};
  root.run.send({type: 'interaction.spawn', form, request, parent: id, ...mode});
}

async function beginRoot({form, request}: Begun, chat: Chat): Promise<void> {
  const {runtime, workspace, ui, settings, roots, focus} = chat;
  const warn = (message: string): void => ui.print([ui.style.yellow(`warning: ${message}`)]);
  const asked = withFiles({request, attachments: []}, workspace, warn);
  await runtime.ready({workspace});
  const changed = settings.changed();
  const root = roots.begin({
    form,
    ...asked,
    workspace,
    ...(changed ? {settings: changed} : {}),
  });
  focus.set(root.id);
}

/** The same form begins anew, in the same place, with what was done so far. */
export async function replace(request: string, chat: Chat): Promise<void> {
  const focused = chat.focus.get();
  if (!focused) {
    throw new AppError('usage', 'nothing works that could be replaced; write it without /replace');
  }
  const {root, id} = focused;
  const form = formOf(focused);
  await end(focused);
  if (id === root.id) return await beginRoot({form, request, contextMode: 'full'}, chat);
  const parent = id.slice(0, id.lastIndexOf('.'));
  spawn({form, request, contextMode: 'full'}, {root, id: parent, place: placeOf(root, parent)});
}

function formOf({root, id}: Focused): ChatForm {
  const node = root.run.interactions().find((each) => each.id === id);
  const form = node?.form ?? root.form;
  return form === 'ask' || form === 'discuss' ? form : 'agent';
}

async function end({root, id}: Focused): Promise<void> {
  if (id === root.id) {
    root.run.send({type: 'user.cancel'});
    await root.run.result;
  } else root.run.send({type: 'interaction.cancel', interaction: id});
}

/** Without a place: what is in focus. Throws AppError `usage` or `not_found` for what does not work. */
export async function cancel(place: string | undefined, chat: Chat): Promise<void> {
  const wanted = place === undefined ? chat.focus.get() : found(place, chat);
  if (!wanted) throw new AppError('usage', 'nothing is in focus; say which: /cancel N');
  const {root, id} = wanted;
  if (isWorking(root)) return void (await end({root, id, place: placeOf(root, id)}));
  if (!isSuspended(root) || id !== root.id) {
    throw new AppError('usage', `${placeOf(root, id)} has ended already`);
  }
  await chat.runtime.cancel(root.id);
  chat.ui.print([`${root.number} is cancelled`]);
}

/** Throws AppError `usage` for what does not work. */
export function focusOn(place: string, chat: Chat): void {
  const {focus, ui} = chat;
  if (place === 'none') {
    focus.set(undefined);
    ui.print(['what you type now begins a new task']);
    return;
  }
  const {root, id} = found(place, chat);
  focus.set(id);
  if (focus.get()?.id === id) return;
  focus.set(undefined);
  throw new AppError('usage', `${placeOf(root, id)} does not work, so nothing can be told to it`);
}

export function found(
  place: string,
  {roots}: Pick<Chat, 'roots'>,
): {readonly root: Root; readonly id: string} {
  const known = atPlace(roots.all(), place);
  const ids = known?.root.run.interactions().map(({id}) => id);
  if (known && ids?.includes(known.id)) return known;
  throw new AppError('not_found', `there is no ${oneLine(place)}; /tree shows what there is`);
}

/** A number, an ID or its beginning; nothing: all that this conversation has suspended, else the newest open run. */
export async function resume(what: string, chat: Chat): Promise<void> {
  const wanted = await resumable(what, chat);
  for (const one of wanted) {
    const root = await chat.roots.resume(one);
    chat.focus.set(root.id);
    chat.ui.print([
      `going on with ${root.number}: ${oneLine(root.request, chat.ui.size().width - 20)}`,
    ]);
  }
}

type Resumable = Pick<Root, 'id' | 'form' | 'request'>;

async function resumable(
  what: string,
  {roots, journal, workspace}: Chat,
): Promise<readonly Resumable[]> {
  const suspended = roots.all().filter(isSuspended);
  if (what === '') return suspended.length > 0 ? suspended : [await newestOpen(journal, workspace)];
  const known = roots.all().find(({number, id}) => String(number) === what || id === what);
  const row = known ?? (await findRow(journal, what));
  const isOpen = known ? isSuspended(known) : 'status' in row && row.status === undefined;
  if (isOpen) return [row];
  throw new AppError(
    'usage',
    `${oneLine(what)} ${known && isWorking(known) ? 'works already' : 'has ended'}`,
  );
}
