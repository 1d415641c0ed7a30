/** `quorate show ID`: one run from its journal, whether it has ended or not. */

import type {Entry} from '../../actors/journal/journal.ts';
import type {Peeked} from '../../actors/peek.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {oneRun, type Command} from '../command.ts';
import {styleFor} from '../lines/style.ts';
import {oneLine, safeJson} from '../lines/text.ts';
import {openJournal} from '../open-journal.ts';
import {write} from '../terminal.ts';

export const show: Command = {
  operands: oneRun,
  summary: 'show a run: its plan, its votes with their reasons, its tasks',
  detail:
    'Shows a run: what was asked, plan, votes with their reasons, tasks or steps, its result, and what it waits for.',
  run: async ({operands: [id = ''], output}, {stdout, env}) => {
    const journal = await openJournal(env);
    try {
      const row = (await journal.log.list()).find((listed) => listed.id === id);
      if (!row) throw noSuchRun(id);
      const entries = await journal.log.read(id);
      if (output === 'jsonl') {
        await write(stdout, entries.map((entry) => `${safeJson(entry)}\n`).join(''));
      } else if (output === 'json') {
        await write(stdout, `${safeJson({...row, journal: entries}, 2)}\n`);
      } else {
        const {showLines} = await import('../lines/show.ts');
        const view = {style: styleFor(stdout, env), now: Date.now()};
        const lines = showLines(row, entries, await standingOf(id, entries), view);
        await write(stdout, `${lines.join('\n')}\n`);
      }
      return 0;
    } finally {
      await journal.close();
    }
  },
};

/** Where an open run stands; unknown for one of another version, whose journal tells the rest. */
async function standingOf(id: string, entries: readonly Entry[]): Promise<Peeked | undefined> {
  const {resultOf} = await import('../history.ts');
  if (resultOf(entries)) return undefined;
  const {peekRun} = await import('../../actors/peek.ts');
  try {
    return await peekRun(id, entries);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

function noSuchRun(id: string): AppError {
  return new AppError(
    'not_found',
    `there is no run ${oneLine(id, 80)}; quorate sessions lists them`,
  );
}
