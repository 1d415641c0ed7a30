/** `quorate show ID`: one run from its journal, whether it has ended or not. */

import {AppError} from '../../machines/domain/app-error.ts';
import {openJournal} from '../open-journal.ts';
import {showLines} from '../render/show.ts';
import {styleFor} from '../render/style.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {write, type Terminal} from '../terminal.ts';
import type {CommandOf} from './command.ts';

export async function show(
  {id, output}: CommandOf<'show'>,
  {stdout, env}: Terminal,
): Promise<number> {
  const journal = await openJournal(env);
  try {
    const row = journal.sessions().find((session) => session.id === id);
    if (!row) throw noSuchRun(id);
    const entries = journal.read(id);
    if (output === 'jsonl') {
      await write(stdout, entries.map((entry) => `${safeJson(entry)}\n`).join(''));
    } else if (output === 'json') {
      await write(stdout, `${safeJson({...row, journal: entries}, 2)}\n`);
    } else {
      const lines = showLines(row, entries, {style: styleFor(stdout, env), now: Date.now()});
      await write(stdout, `${lines.join('\n')}\n`);
    }
    return 0;
  } finally {
    journal.close();
  }
}

function noSuchRun(id: string): AppError {
  return new AppError(
    'not_found',
    `there is no run ${oneLine(id, 80)}; quorate sessions lists them`,
  );
}
