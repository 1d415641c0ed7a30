/** Commands on the effects of a conversation's tasks: show their changes, undo them, export the conversation. */

import {existsSync, writeFileSync} from 'node:fs';
import {resolve} from 'node:path';

import type {PointName, Rewound} from '../../actors/history/history-api.ts';
import type {InteractionRow} from '../../actors/journal/journal.ts';
import {resultIn} from '../../actors/run/run-result.ts';
import {pathsAsBefore} from '../../actors/undo/undo-steps.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {findRow} from '../past/find-run.ts';
import {changesIn, openingOf} from '../past/history.ts';
import {changesLines} from '../render/live/calls.ts';
import {resultLines} from '../render/result/result.ts';
import {undoLines} from '../render/result/undo.ts';
import {plainStyle} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {ChatCommands} from './command.ts';
import {inTurn} from './earlier.ts';
import {interactionAt} from './interactions.ts';
import {type Root, isWorking} from './roots.ts';
import {type Chat, conversationRoots, note} from './talk.ts';

/** Shows the writes, one by one. Without a place: of all tasks. Rejects with AppError `not_found`. */
export async function showDiff(place: string | undefined, chat: Chat): Promise<void> {
  const {journal, ui} = chat;
  const wanted = place === undefined ? conversationRoots(chat) : [interactionAt(place, chat).root];
  const {style} = ui;
  let isEmpty = true;
  await inTurn(wanted, async ({id, number, request}) => {
    const {entries} = await journal.log.salvage(id);
    const changes = changesIn(entries);
    if (changes.length === 0) return;
    isEmpty = false;
    const backups = (await journal.backups?.list(id)) ?? [];
    const undone = await pathsAsBefore(openingOf(entries).workspace, backups);
    const {width} = ui.size();
    ui.print([
      style.bold(oneLine(`[${number}] ${request}`, width)),
      ...changesLines(changes, undone, {style, width}),
    ]);
  });
  if (isEmpty) note(ui, t`no files were changed`);
}

/**
 * Undoes a task's changes to files, after a question. `what`: a number or an ID; empty for the newest task with changes to
 * undo. Rejects with AppError `usage`, or as `Runtime.undo` does.
 */
export async function undo(what: string, chat: Chat): Promise<void> {
  const {runtime, ui} = chat;
  const id = what === '' ? await newestToUndo(chat) : await idOf(what, chat);
  if (id === undefined) return note(ui, t`there is nothing to take back`);
  const planned = await runtime.undo(id, {dryRun: true});
  ui.print(undoLines(planned, {style: ui.style, dryRun: true}));
  if (!planned.files.some(isChanged)) return;
  if (!ui.isAttended) {
    const command = `quorate undo ${id}`;
    throw usageError(t`/undo asks first, and nobody can answer here: ${command}`);
  }
  const line = await ui.ask(say(t`take this back? yes or no: `, ui.style));
  if (line.kind !== 'line' || !/^\s*(?:y|yes|はい)\s*$/i.test(line.text)) {
    return note(ui, t`nothing was taken back`);
  }
  ui.print(undoLines(await runtime.undo(id), {style: ui.style, dryRun: false}));
}

async function idOf(what: string, {roots, journal}: Chat): Promise<string> {
  const root = roots.all().find(({number}) => String(number) === what);
  if (root && isWorking(root)) {
    throw usageError(t`${what} is running: wait, or /cancel ${what}`);
  }
  return root?.id ?? (await findRow(journal, what)).id;
}

async function newestToUndo(chat: Chat): Promise<string | undefined> {
  const {runtime} = chat;
  const ended = conversationRoots(chat).filter((root) => !isWorking(root));
  let newest: string | undefined;
  await inTurn(ended.toReversed(), async ({id}) => {
    if (newest !== undefined) return;
    const {files} = await runtime.undo(id, {dryRun: true});
    if (files.some(isChanged)) newest = id;
  });
  return newest;
}

function isChanged({outcome}: {readonly outcome: string}): boolean {
  return outcome === 'restored' || outcome === 'removed';
}

/** The next interaction begins a new session, without context from the one before. */
export function beginAnew({session, focus, ui}: Chat): void {
  session.set(undefined);
  focus.set(undefined);
  note(ui, t`a new conversation begins here, without context from the one before`);
}

/** Columns of a document. */
const pageWidth = 100;

/** Writes the conversation as Markdown, to a new file or on the screen. Rejects with AppError `io` when the file exists. */
export async function exportAll(file: string, chat: Chat): Promise<void> {
  const {workspace, ui} = chat;
  const parts: string[] = [`# ${say(t`Conversation in ${oneLine(workspace)}`, ui.style)}`];
  await inTurn(
    conversationRoots(chat),
    async (root) => void parts.push(await sectionOf(root, chat)),
  );
  const text = `${parts.join('\n\n')}\n`;
  if (file === '') return ui.print(text.trimEnd().split('\n'));
  try {
    writeFileSync(resolve(workspace, file), text, {flag: 'wx', mode: 0o600});
  } catch (error) {
    const {message} = toFailure(error);
    const name = oneLine(file);
    const why = existsSync(resolve(workspace, file)) ? t`it exists already` : message;
    throw new AppError('io', t`nothing was written to ${name}: ${why}`);
  }
  note(ui, t`exported to ${oneLine(file)}`);
}

async function sectionOf({id, number, form, request}: Root, {journal, ui}: Chat): Promise<string> {
  const {language} = ui.style;
  const result = resultIn((await journal.log.salvage(id)).entries);
  const lines = result
    ? resultLines(result, {style: {...plainStyle, language}, width: pageWidth})
    : [say(t`It has not ended.`, {language})];
  return [
    `## ${number}. ${form}: ${oneLine(request, 1000)}`,
    `\`quorate show ${oneLine(id)}\``,
    ['```text', ...lines.map((line) => line.replace(/^```/, ' ```')), '```'].join('\n'),
  ].join('\n\n');
}

// Commands that continue a run from an earlier point: `/fork POINT [N|ID]` and `/rewind POINT [N|ID]`.

interface Wanted {
  readonly point: PointName;
  readonly row: InteractionRow;
}

/** Without a run: the newest of the conversation that is not running. Rejects with AppError `usage`, or as `Runtime.fork`. */
export async function fork(what: string, chat: Chat): Promise<void> {
  const {point, row} = await wantedIn('fork', what, chat);
  const {runtime, roots, session} = chat;
  await roots.adopt(row, async (prepare) => {
    return await runtime.fork(row.id, {at: point, session: session.get() ?? row.session, prepare});
  });
}

/** Takes back the later file changes after a question. Rejects with AppError `usage`, or as `Runtime.rewind`. */
export async function rewind(what: string, chat: Chat): Promise<void> {
  const {point, row} = await wantedIn('rewind', what, chat);
  const {runtime, roots, session, ui} = chat;
  const preview = await runtime.rewind(row.id, {to: point, dryRun: true});
  ui.print(undoLines(preview.files, {style: ui.style, dryRun: true}));
  if (preview.files.isRefused === true)
    return note(ui, t`Nothing was changed: these files of ${oneLine(row.id)} can't be taken back.`);
  if (!ui.isAttended) throw needsPerson(row.id, point);
  const line = await ui.ask(
    `${say(t`Take these changes back, and continue from ${String(point)}?`, ui.style)} `,
  );
  if (line.kind !== 'line' || !/^\s*(?:y|yes|はい)\s*$/i.test(line.text)) {
    return note(ui, t`nothing was taken back`);
  }
  let refused: Rewound['files'] | undefined;
  await roots.adopt(row, async (prepare) => {
    const to = {to: point, session: session.get() ?? row.session, prepare};
    const {run, files} = await runtime.rewind(row.id, to);
    if (!run) refused = files;
    return run;
  });
  if (refused) ui.print(undoLines(refused, {style: ui.style, dryRun: true}));
}

async function wantedIn(command: string, what: string, chat: Chat): Promise<Wanted> {
  const [point = '', of, ...rest] = what.split(/\s+/);
  if (point === '' || rest.length > 0) {
    throw usageError(t`/${command} takes a point and a run: /${command} plan.1, /${command} 12 2`);
  }
  const ended = conversationRoots(chat).filter((root) => !isWorking(root));
  const root = of === undefined ? ended.at(-1) : numbered(of, chat);
  const id = root?.id ?? of;
  if (id !== undefined) return {point, row: await findRow(chat.journal, id)};
  throw usageError(t`no run of this conversation has ended or is suspended; name one by its ID`);
}

function numbered(of: string, {roots}: Chat): {readonly id: string} | undefined {
  const root = roots.all().find(({number}) => String(number) === of);
  if (!root || !isWorking(root)) return root;
  throw usageError(t`${of} is running: wait, or /cancel ${of}`);
}

function needsPerson(id: string, point: PointName): Error {
  const command = `quorate fork ${id} --at ${point} --files`;
  return usageError(t`/rewind asks first, and nobody can answer here: ${command}`);
}

// `/rate up|down [WORDS]`: rates the latest result of a conversation.

/** Rejects with AppError `usage` before the first result, or as `Runtime.rate` does. */
export async function rate({rating, words}: ChatCommands['rate'], chat: Chat): Promise<void> {
  const {runtime, ui} = chat;
  const root = conversationRoots(chat).findLast(({isOpen}) => !isOpen);
  if (!root) {
    throw usageError(t`there is no result to rate yet`);
  }
  await runtime.rate(root.id, {rating, words});
  const named = `${root.number} ${root.form}`;
  note(ui, t`${named} is rated ${rating}`);
}
