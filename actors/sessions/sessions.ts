/**
 * Sessions: the top-level interactions that one person sees together, according to the list of the journal. An interaction that
 * was started without a session is the first of a session with its own id; others may join it there.
 */

import {AppError} from '../../machines/domain/app-error.ts';
import {toFailure} from '../../machines/domain/failure.ts';
import type {Entry, InteractionRow} from '../journal/journal.ts';
import {realPath} from '../run/validation.ts';
import type {ListenOptions, Runtime} from '../runtime-api.ts';
import type {SessionRow, SessionQuery, ResumedSession} from '../runtime-api.ts';

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
