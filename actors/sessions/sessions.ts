/**
 * Sessions: the top-level interactions that one person sees together, according to the list of the journal. An interaction that
 * was started without a session is the first of a session with its own id; others may join it there.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import type {Peeked} from '../history/peek.ts';
import type {Entry, InteractionRow, Journal, Salvaged} from '../journal/journal.ts';
import {realPath} from '../run/validation.ts';
import type {
  ListenOptions,
  ResumedSession,
  RunState,
  Runtime,
  SessionQuery,
  SessionRow,
} from '../runtime-api.ts';

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

// The state of a run, from its journal: the same for lists, commands, the server and the inspector.

/**
 * `status`: of its closing result, if it is known; otherwise the entries say whether it has ended. Rejects with AppError
 * `not_found` for an unknown run.
 */
export async function runStateOf(
  {id, status}: Pick<InteractionRow, 'id' | 'status'>,
  {log, owners}: Pick<Journal, 'log' | 'owners'>,
): Promise<RunState> {
  if (status !== undefined) return 'ended';
  const tenure = await owners.tenureOf(id);
  if (tenure === 'owned') return 'running';
  const {isUsable} = await import('../journal/chain.ts');
  const salvaged = await log.salvage(id);
  if (salvaged.entries.length === 0) throw new AppError('not_found', `there is no run ${id}`);
  if (!isUsable(salvaged)) return 'damaged';
  if (salvaged.entries.at(-1)?.type === 'closed') return 'ended';
  return await leftState(id, salvaged, tenure === 'abandoned');
}

/** The state of an open run that no process has. */
async function leftState(
  id: string,
  {entries, imported}: Salvaged,
  isAbandoned: boolean,
): Promise<RunState> {
  const peeked = await tryPeekRun(id, entries);
  if (!peeked) return (await isOfOtherCharts(entries)) ? 'outdated' : 'damaged';
  if (imported) return 'imported';
  if (isAbandoned) return 'crashed';
  return peeked.gates.length + peeked.asks.length > 0 ? 'waiting' : 'suspended';
}

/** True for a run that `resume` continues. */
export function isResumable(state: RunState | undefined): boolean {
  return state === 'suspended' || state === 'waiting' || state === 'crashed';
}

/** Replays an open run to its present; undefined when these charts can't replay it. */
export async function tryPeekRun(
  id: string,
  entries: readonly Entry[],
): Promise<Peeked | undefined> {
  const {peekRun} = await import('../history/peek.ts');
  try {
    return await peekRun(id, entries);
  } catch (error) {
    if (error instanceof AppError || (await isOfOtherCharts(entries))) return undefined;
    throw error;
  }
}

async function isOfOtherCharts([opened]: readonly Entry[]): Promise<boolean> {
  const {chartsVersion} = await import('../version.ts');
  return opened?.type === 'opened' && opened.version !== chartsVersion();
}
