/** Commands that continue a run from an earlier point: `/fork POINT [N|ID]` and `/rewind POINT [N|ID]`. */

import type {PointName, Rewound} from '../../actors/history/history-api.ts';
import type {InteractionRow} from '../../actors/journal/journal.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import {findRow} from '../past/find-run.ts';
import {undoLines} from '../render/result/undo.ts';
import {oneLine} from '../render/text.ts';
import {isWorking} from './roots.ts';
import {conversationRoots, note, type Chat} from './talk.ts';

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
