/** Commands that begin, address and cancel interactions, and move the focus. */

import {relative, resolve} from 'node:path';

import type {StartOptions} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {isSpawnable, type SpawnableForm} from '../../machines/domain/interaction-form.ts';
import {t, type Message} from '../../machines/message.ts';
import {initRequest} from '../config/in-effect.ts';
import {say as inLanguageOf} from '../language.ts';
import {isQuestion, readAsQuestion} from '../line/question.ts';
import {withFiles} from '../line/request.ts';
import {usageError} from '../line/usage-error.ts';
import {oneLine} from '../render/text.ts';
import {interactionIn} from '../render/view/interactions.ts';
import {parentIdOf} from '../render/view/place.ts';
import {findPlace, placeOf} from '../render/view/session-view.ts';
import {warningText} from '../render/warning.ts';
import {type Begun, type Root, isSuspended, isWorking} from './roots.ts';
import {conversationOf, isConversation, note, type Chat, type Focused, type Talk} from './talk.ts';
import {notSent, requireContinuing, requireDeliverable, revisedBy} from './undelivered.ts';

/** Answers the focused interview; else says what should be different at the focused gate; else sends text to the focused interaction; without a focus begins a new task. */
export async function say(text: string, talk: Talk, begunAt: number): Promise<void> {
  const asking = talk.questions.answering();
  if (asking) {
    if (isConversation(talk)) requireContinuing(text, asking);
    return talk.questions.reply(text, undefined, begunAt);
  }
  const focused = talk.focus.get();
  const revised = revisedBy(text, focused, talk);
  if (revised) {
    const which = isConversation(talk) ? `${revised.place} ` : '';
    return await talk.questions.decide('revise', `${which}${text}`, begunAt);
  }
  requireDeliverable(text, focused, talk);
  if (!focused) return await beginTask(text, conversationOf(talk));
  requireReader(text, focused);
  sendWords(text, focused);
  lateIn(talk)?.sent(focused.root, text);
  // A run prints what it has received.
  if (!isConversation(talk)) return;
  const {ui} = talk;
  note(ui, t`sent to ${focused.place}, which reads it at its next turn`, ui.style.dim);
}

function lateIn(talk: Talk): Chat['late'] | undefined {
  return isConversation(talk) ? talk.late : undefined;
}

/** An interview reads only answers. Throws AppError `usage` while it asks nothing. */
function requireReader(text: string, focused: Focused): void {
  if (formOf(focused) !== 'interview') return;
  throw usageError(notSent(t`nothing is asked yet`, text));
}

/** The form for a request that names none. Undefined: a word such as `ls` or `hi` was hardly meant as one. */
export function formFor(text: string, isAttended: boolean): 'agent' | 'ask' | undefined {
  if (text === '' || /^(?!@)[\x21-\x7e]{1,12}$/.test(text)) return undefined;
  return isAttended && isQuestion(text) ? 'ask' : 'agent';
}

async function beginTask(text: string, chat: Chat): Promise<void> {
  const {ui} = chat;
  const form = formFor(text, ui.isAttended);
  if (form === undefined) {
    throw usageError(
      t`"${text}" is short for a task: type a little more; !COMMAND runs a shell command, /help lists the commands`,
    );
  }
  if (form === 'ask') note(ui, readAsQuestion, ui.style.dim);
  await beginRoot({form, request: text}, chat);
}

function sendWords(text: string, {root, id}: Focused): void {
  try {
    root.run.send({type: 'user.said', text, interaction: id});
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, notSent(error.wording, text));
  }
}

/** Begins an interaction below the focused one; without a focus as a root. */
export async function begin(begun: Begun, talk: Talk): Promise<void> {
  requireFormInside(begun, talk);
  const focused = talk.focus.get();
  if (!focused) return await beginRoot(begun, conversationOf(talk));
  lateIn(talk)?.sent(focused.root, begun);
  spawn(begun, focused);
}

/** Begins what a root that has ended did not read. */
export async function beginLate(begun: Begun, chat: Chat): Promise<void> {
  const {ui} = chat;
  note(
    ui,
    t`next, as it was sent too late to be read: ${begun.request} (/cancel ends it)`,
    ui.style.bold,
  );
  await beginRoot(begun, chat);
}

export async function beginInit(chat: Chat): Promise<void> {
  const request = initRequest(chat.settings.loaded(), chat.env);
  await begin({form: 'agent', request}, chat);
}

/** Throws AppError `usage` for the path of a form file outside the workspace, where no interaction may read. */
function requireFormInside({form, request}: Begun, {workspace}: Pick<Talk, 'workspace'>): void {
  if (form !== 'interview' || !/^\S+\.(?:toml|json)$/.test(request)) return;
  if (!relative(workspace, resolve(workspace, request)).startsWith('..')) return;
  const name = oneLine(request, 200);
  throw usageError(
    t`interactions of a conversation read files of this folder only, and ${name} is outside; copy it here, or run: quorate interview ${name}`,
  );
}

function spawn(
  {form, request, contextMode}: Begun,
  {root, id}: Pick<Focused, 'root' | 'id'>,
): void {
  const mode = contextMode ? {contextMode} : {};
  root.run.send({type: 'interaction.spawn', form, request, parent: id, ...mode});
}

async function beginRoot({form, request, contextMode}: Begun, chat: Chat): Promise<void> {
  const {runtime, workspace, ui, settings, roots, focus, env} = chat;
  const warn = (message: Message): void =>
    note(ui, warningText(inLanguageOf(message, ui.style), ui.style), ui.style.yellow);
  const asked = withFiles({request, attachments: []}, workspace, warn);
  await runtime.ready({workspace});
  const changed = settings.changed();
  const root = roots.begin({
    form,
    ...asked,
    ...(form === 'interview' ? await respondentAt(env) : {}),
    workspace,
    ...joining(chat),
    ...(changed ? {settings: changed} : {}),
    ...(contextMode ? {contextMode} : {}),
  });
  joinSession(root, chat);
  focus.set(root.id);
}

async function respondentAt(env: Chat['env']): Promise<Pick<StartOptions, 'respondent'>> {
  const {respondentHere} = await import('../interview/start.ts');
  return {respondent: respondentHere({env})};
}

/** Runs a shell command of the person as an interaction of its own; the focus stays. */
export async function runCommand(command: string, chat: Chat): Promise<void> {
  const {runtime, workspace, settings, roots} = chat;
  await runtime.ready({workspace});
  const changed = settings.changed();
  joinSession(
    roots.begin({
      form: 'command',
      request: command,
      workspace,
      ...joining(chat),
      ...(changed ? {settings: changed} : {}),
    }),
    chat,
  );
}

function joining({session}: Chat): {readonly session?: string} {
  const joined = session.get();
  return joined === undefined ? {} : {session: joined};
}

function joinSession({id}: Root, {session}: Chat): void {
  if (session.get() === undefined) session.set(id);
}

/** Begins the same form again, in the same place, with the context of the replaced interaction. */
export async function replace(request: string, chat: Chat): Promise<void> {
  const focused = chat.focus.get();
  if (!focused) {
    throw usageError(t`no running interaction to replace; send the text without /replace`);
  }
  const begun = {form: formOf(focused) ?? 'agent', request, contextMode: 'full'} as const;
  await end(focused);
  const parent = parentIdOf(focused.id);
  if (parent === undefined) await beginRoot(begun, chat);
  else spawn(begun, {root: focused.root, id: parent});
}

/** The form of the focused interaction; undefined without one, and for a form that can't be begun here. */
export function formOf(
  focused: Pick<Focused, 'root' | 'id'> | undefined,
): SpawnableForm | undefined {
  const form = focused && interactionIn(focused.root.view, focused.id)?.form;
  return form !== undefined && isSpawnable(form) ? form : undefined;
}

async function end({root, id}: Pick<Focused, 'root' | 'id'>): Promise<void> {
  if (id === root.id) {
    root.run.send({type: 'user.cancel'});
    await root.run.result;
  } else root.run.send({type: 'interaction.cancel', interaction: id});
}

/** Without a place: the focused interaction. Rejects with AppError `usage` or `not_found` when it is not running. */
export async function cancel(place: string | undefined, talk: Talk): Promise<void> {
  const wanted = place === undefined ? talk.focus.get() : interactionAt(place, talk);
  if (!wanted) {
    throw usageError(t`no interaction is focused; name one: /cancel N`);
  }
  const {root, id} = wanted;
  if (isWorking(root)) return await end({root, id});
  const isLeft = isSuspended(root) && id === root.id;
  if (!isLeft) {
    const name = placeOf(talk.roots.view(), id);
    throw usageError(t`${name} has ended already`);
  }
  const {runtime, roots, ui} = conversationOf(talk);
  await runtime.cancel(root.id);
  roots.settle(root, 'cancelled');
  ui.print([inLanguageOf(t`${root.number} is cancelled`, ui.style)]);
}

/** Throws AppError `usage` for an interaction that is not running. */
export function focusOn(place: string, talk: Talk): void {
  const {focus, ui} = talk;
  if (place === 'none') {
    conversationOf(talk).focus.set(undefined);
    ui.print([inLanguageOf(t`typed text now begins a new task`, ui.style)]);
    return;
  }
  const before = focus.get();
  const {id} = interactionAt(place, talk);
  focus.set(id);
  if (focus.get()?.id === id) return ui.show?.(id);
  focus.set(before?.id);
  throw usageError(t`${place} is not running, so it can't receive messages`);
}

/** Throws AppError `not_found`. */
export function interactionAt(
  place: string,
  {roots}: Pick<Talk, 'roots'>,
): {readonly root: Root; readonly id: string} {
  const id = findPlace(roots.view(), place);
  const root = id === undefined ? undefined : roots.of(id);
  if (id !== undefined && root) return {root, id};
  const name = oneLine(place);
  throw new AppError('not_found', t`there is no ${name}; /tree lists the interactions`);
}
