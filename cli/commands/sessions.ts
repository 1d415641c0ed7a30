/** `quorate sessions`: the runs, the newest first. */

import type {Journal} from '../../actors/journal/journal.ts';
import type {Command} from '../command.ts';
import {sessionLines, type ListedRow} from '../lines/sessions.ts';
import {styleFor} from '../lines/style.ts';
import {safeJson} from '../lines/text.ts';
import {openJournal} from '../open-journal.ts';
import {stateOf} from '../standing.ts';
import {widthOf, write} from '../terminal.ts';

export const sessions: Command = {
  summary: 'list the runs',
  detail: `Lists the runs, the newest first, with their state:

  running      a process is at it
  waiting      suspended; a person must decide: quorate resume ID
  suspended    quorate resume ID goes on
  crashed      its process died; quorate resume ID goes on where it stood
  ended        with its result`,
  examples: ['quorate sessions --output json'],
  run: async ({output}, {stdout, env}) => {
    const journal = await openJournal(env);
    try {
      const rows = await listed(journal);
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
      await journal.close();
    }
  },
};

async function listed(journal: Journal): Promise<readonly ListedRow[]> {
  const rows = await journal.log.list();
  const states = await Promise.all(rows.map(async (row) => await stateOf(row, journal)));
  return rows.map((row, index) => Object.assign({state: states[index] ?? 'ended'}, row));
}
