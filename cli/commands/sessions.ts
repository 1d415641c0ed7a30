/** `quorate sessions`: the runs, the newest first. */

import {openJournal} from '../open-journal.ts';
import {sessionLines} from '../render/sessions.ts';
import {styleFor} from '../render/style.ts';
import {safeJson} from '../render/text.ts';
import {widthOf, write, type Terminal} from '../terminal.ts';
import type {CommandOf} from './command.ts';

export async function sessions(
  {output}: CommandOf<'sessions'>,
  {stdout, env}: Terminal,
): Promise<number> {
  const journal = await openJournal(env);
  try {
    const rows = journal.sessions();
    if (output === 'jsonl') {
      await write(stdout, rows.map((row) => `${safeJson(row)}\n`).join(''));
    } else if (output === 'json') {
      await write(stdout, `${safeJson(rows, 2)}\n`);
    } else {
      const width = stdout.isTTY ? {width: widthOf(stdout)} : {};
      const lines = sessionLines(rows, styleFor(stdout, env), {now: Date.now(), ...width});
      await write(stdout, `${lines.join('\n')}\n`);
    }
    return 0;
  } finally {
    journal.close();
  }
}
