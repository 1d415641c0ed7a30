/** `quorate sessions`: the runs, the newest first. */

import type {Command} from '../command.ts';
import {sessionLines} from '../lines/sessions.ts';
import {styleFor} from '../lines/style.ts';
import {safeJson} from '../lines/text.ts';
import {openJournal} from '../open-journal.ts';
import {widthOf, write} from '../terminal.ts';

export const sessions: Command = {
  summary: 'list the runs',
  detail: 'Lists the runs, the newest first.',
  examples: ['quorate sessions --output json'],
  run: async ({output}, {stdout, env}) => {
    const journal = await openJournal(env);
    try {
      const rows = await journal.log.list();
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
