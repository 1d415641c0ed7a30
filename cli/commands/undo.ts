/** `quorate undo [ID]`: reverts the writes of a run. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {undoLines} from '../render/result/undo.ts';
import {styleFor} from '../render/style.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';

export const undo: Command = {
  operands: oneOrNewest,
  obeys: ['output'],
  summary: 'take back what a run did to files',
  detail: `Takes back what a run did to the files of its folder, itself or by commands, ended or not: each file that still holds
what the run left there gets back what it held before, with its permissions; a file that the run made goes, and with it the
folders that were made for it and hold nothing else; links and folders come back as they were. What something else has
changed since is left as it is: undo says so, and exits 1. Data that git ignores comes back too; build output, packages and
what was too large to keep do not, and undo names those that are gone. What commands did elsewhere and to git's own data
stays as well. Doing it again changes nothing. Without an ID, undo on a terminal asks whether the newest run of this folder
that wrote a file is meant; elsewhere it exits 2.

What files held is kept in the journal: up to 10 MB a file, 256 MB in all, the oldest given up first, and nothing with a
known secret in it.`,
  options: [{name: 'dry-run', text: 'change nothing: say what would be done'}],
  examples: ['quorate undo ID --dry-run'],
  run: async (parsed, terminal) => {
    const {stdout, env} = terminal;
    const [id] = parsed.operands;
    const dryRun = parsed.flags['dry-run'] !== undefined;
    if (id === undefined && !dryRun && !isInteractive(terminal)) throw needsId();
    const {openRuntime} = await import('../open-runtime.ts');
    const {findOrNewestWriter} = await import('../past/find-run.ts');
    const {runtime, journal} = await openRuntime(parsed, terminal);
    try {
      const row = await findOrNewestWriter(journal, id, parsed.cwd);
      if (id === undefined && !dryRun && !(await isMeant(row, terminal))) {
        await write(terminal.stderr, 'nothing was undone\n');
        return 1;
      }
      const report = await runtime.undo(row.id, {dryRun});
      const text = undoLines(report, {style: styleFor(stdout, env), dryRun}).join('\n');
      const isText = parsed.output === 'text';
      await write(stdout, `${isText ? text : safeJson({...report, dryRun})}\n`);
      return report.files.some(({outcome}) => outcome === 'left') ? 1 : 0;
    } finally {
      await runtime.close();
    }
  },
};

function needsId(): AppError {
  return new AppError(
    'usage',
    'quorate undo needs the ID of a run without a terminal; quorate sessions lists them',
  );
}

async function isMeant({id, request}: InteractionRow, terminal: Terminal): Promise<boolean> {
  const {askOnce} = await import('../terminal/ask-once.ts');
  const line = await askOnce(`Undo ${oneLine(id)} (${oneLine(request, 60)})? [y/N] `, terminal);
  return line.kind === 'line' && /^y(?:es)?$/i.test(line.text.trim());
}
