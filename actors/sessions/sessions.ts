/**
 * Sessions: the top-level interactions that one person sees together, according to the list of the journal. An interaction that
 * was started without a session is the first of a session with its own id; others may join it there.
 */

import {setTimeout as wait} from 'node:timers/promises';

import {AppError} from '../../machines/domain/app-error.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import {rootIdOf, underRoot} from '../../machines/tree/path.ts';
import type {Entry, InteractionRow, Journal} from '../journal/journal.ts';
import {closeUnreplayed} from '../run/takeover.ts';
import {realPath} from '../run/validation.ts';
import type {
  ListenOptions,
  Runtime,
  SessionRow,
  SessionQuery,
  ResumedSession,
  Run,
} from '../runtime-api.ts';
import {isOfAnother} from './run-state.ts';

/** `rows`: the newest first. So are the sessions, by their last roots. */
export function sessionsIn(
  rows: readonly InteractionRow[],
  {search = '', workspace}: SessionQuery = {},
): SessionRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const place = workspace === undefined ? undefined : realPath(workspace);
  return [...Map.groupBy(rows, ({session}) => session)]
    .map(toSession)
    .filter(({roots}) => place === undefined || roots.some((root) => root.workspace === place))
    .filter(({roots}) => holdsAll(roots, words));
}

function toSession([id, newestFirst]: readonly [string, readonly InteractionRow[]]): SessionRow {
  const roots = newestFirst.toReversed();
  const updatedAt = Math.max(...roots.map((root) => root.updatedAt));
  return {id, openedAt: Math.max(...roots.map((root) => root.openedAt)), updatedAt, roots};
}

function holdsAll(roots: readonly InteractionRow[], words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = roots
    .flatMap(({id, session, request, workspace, answer = ''}) => [
      id,
      session,
      request,
      workspace,
      answer,
    ])
    .join('\n')
    .toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Rejects with AppError `not_found` for an unknown session. */
export async function resumeSession(
  id: string,
  {interactions, ready, resume}: Pick<Runtime, 'interactions' | 'ready' | 'resume'>,
  listen: ListenOptions = {},
): Promise<ResumedSession> {
  const session = sessionsIn(await interactions()).find((each) => each.id === id);
  if (!session) throw new AppError('not_found', `there is no session ${id}; see: quorate runs`);
  const open = session.roots.filter(({status}) => status === undefined);
  const outcomes = await Promise.all(
    open.map(async ({id: run}) => {
      try {
        const prepare = async (entries: readonly Entry[]) => await ready({run, entries});
        return {run: await resume(run, {...listen, prepare})};
      } catch (error) {
        return {left: {id: run, error: toFailure(error)}};
      }
    }),
  );
  return {
    id,
    runs: outcomes.flatMap(({run}) => run ?? []),
    left: outcomes.flatMap(({left}) => left ?? []),
  };
}

// Cancels a run, or an interaction below it, that runs in this process, in another, or in none.

/** How long, and how often, the owner of a run that received a cancel is checked. */
const patienceMs = 2000;
const checkMs = 50;

type Kept = Parameters<typeof closeUnreplayed>[1];

/** Takes a run over, with events that it receives first. */
type TakeUp = (id: string, events: readonly {readonly type: string}[]) => Promise<Run>;

export function createCancel(kept: Kept, takeUp: TakeUp): Runtime['cancel'] {
  return async (id) => {
    const root = rootIdOf(id);
    if (root === id) return await cancelRun(id, kept, takeUp);
    return await cancelBelow(id, root, kept.journal);
  };
}

/** Sends the cancel to a live run. Takes over a dead run and cancels it, or closes it when it can't be replayed. */
async function cancelRun(id: string, kept: Kept, takeUp: TakeUp): ReturnType<Runtime['cancel']> {
  const event = {type: 'user.cancel'};
  try {
    const run = await takeUp(id, [event]);
    return await run.result;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'divergence' || error.code === 'journal_corrupt') {
      return await closeUnreplayed(id, kept, error);
    }
    if (!isOfAnother(error)) throw error;
    await kept.journal.inbox.post(id, event);
    if (error.code === 'elsewhere') return 'told';
    return await untilGivenUp(id, kept, takeUp, Date.now() + patienceMs);
  }
}

/** The owner may be about to release the run, and no longer read messages: then the run is cancelled here. */
async function untilGivenUp(
  id: string,
  kept: Kept,
  takeUp: TakeUp,
  end: number,
): ReturnType<Runtime['cancel']> {
  if (Date.now() >= end) return 'told';
  if ((await kept.journal.owners.tenureOf(id)) === 'owned') {
    await wait(checkMs);
    return await untilGivenUp(id, kept, takeUp, end);
  }
  try {
    return await cancelRun(id, kept, takeUp);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'told';
    throw error;
  }
}

/** Leaves the cancel for the run, which reads it now or when it is resumed. Cancelling a part does not resume the run. */
async function cancelBelow(id: string, root: string, {log, inbox}: Journal): Promise<'told'> {
  const {entries} = await log.salvage(root);
  const child = notedAs(id, 'interaction.spawned', entries);
  if (child === undefined) {
    throw new AppError('not_found', `there is no interaction ${id}; see: quorate show ${root}`);
  }
  if (
    notedAs(id, 'interaction.settled', entries) !== undefined ||
    entries.at(-1)?.type === 'closed'
  ) {
    throw new AppError('not_found', `the interaction ${id} has ended; see: quorate show ${root}`);
  }
  await inbox.post(root, {type: 'interaction.cancel', interaction: child});
  return 'told';
}

/** The id of an interaction inside the tree, from a note about it. */
function notedAs(id: string, type: string, entries: readonly Entry[]): string | undefined {
  const noted = entries.flatMap((entry) => {
    const child = entry.type === 'noted' && entry.note['type'] === type && entry.note['child'];
    return typeof child === 'string' ? [child] : [];
  });
  return noted.find((child) => underRoot(child, rootIdOf(id)) === id);
}
