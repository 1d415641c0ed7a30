/** `quorate export [ID]`: the journal of a run, one entry a line. */

import {t} from '../../machines/message.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {safeJson} from '../render/text.ts';
import {type Output, write} from '../terminal.ts';

export const exportRun: Command = {
  operands: oneOrNewest,
  summary: t`write the journal of a run to stdout, one entry a line as JSON`,
  detail: t`Writes the journal of a run to stdout, one entry a line as JSON: what was opened, requested, settled, received and
decided, with times and hashes. Works for runs of other versions, too. Of a damaged journal it writes the entries
before the damage, reports the damage and exits 2. Without an ID: the newest run of this folder.

An export is for reading: quorate verify FILE checks it on any machine. It contains everything that the hashes cover:
requests, answers, outputs of tools, and the rules that allowed commands when the run was opened. It contains no keys.`,
  obeys: [],
  examples: ['quorate export ID > run.jsonl'],
  run: async ({operands: [wanted], cwd}, terminal) => {
    const journal = await openToRead(terminal);
    try {
      const {id} = await findOrNewest(journal, wanted, cwd);
      const {exportRun: linesOf} = await import('../../actors/sessions/retention.ts');
      await writeAll(linesOf(id, journal), terminal.stdout);
      return 0;
    } finally {
      await journal.close();
    }
  },
};

/** Units of text that are written together. */
const batchUnits = 1_000_000;

/** Writes what was read before an error, and rejects with the error. */
async function writeAll(lines: AsyncIterable<unknown>, stdout: Output): Promise<void> {
  let text = '';
  try {
    for await (const line of lines) {
      text += `${safeJson(line)}\n`;
      if (text.length < batchUnits) continue;
      await write(stdout, text);
      text = '';
    }
  } finally {
    await write(stdout, text);
  }
}
