/** `quorate undo [ID]`: reverts the writes of a run. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {AppError} from '../../machines/domain/app-error.ts';
import {t} from '../../machines/message.ts';
import {say} from '../language.ts';
import {oneOrNewest} from '../line/command.ts';
import {switchOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import {printReport, type Report} from '../render/report.ts';
import {undoLines} from '../render/result/undo.ts';
import {oneLine} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';
import {command} from './define.ts';

export const undo = command({
  operands: oneOrNewest,
  obeys: ['output'],
  summary: t`take back the file changes of a run`,
  detail: t`Takes back the changes that a run, open or ended, made to the files of its folder, also by its commands. A file that
still has the content that the run left gets back its earlier content and permissions. A file that the run created is
removed, with the folders that were created for it and contain nothing else. Links and folders are restored. A file that was
changed since by something else is left as it is. Undo exits 1 when it leaves a file, and when the changes of a command are
not known, of which the run has warned. Data that git ignores is restored, too,
except build output, packages, and data too large to keep: undo names the lost ones. git's refs, HEAD, stash and index are
restored by the same rule: a branch with a later commit stays. Changes by commands elsewhere stay, too. Repeating it changes nothing. Without an ID, undo on a terminal asks whether the newest run of
this folder that wrote a file is meant; elsewhere it exits 2.

The earlier contents are kept in the journal: up to 10 MB a file, 256 MB in all, the oldest removed first, and none that
contains a known secret.`,
  options: {'dry-run': switchOption(t`change nothing: show what would be done`)},
  examples: ['quorate undo ID --dry-run'],
  run: async (parsed, terminal) => {
    const [id] = parsed.operands;
    const dryRun = parsed.options['dry-run'];
    if (id === undefined && !dryRun && !isInteractive(terminal)) throw needsId();
    const {withRuntime} = await import('../open-runtime.ts');
    const {findOrNewestWriter} = await import('../past/find-run.ts');
    return await withRuntime(parsed, terminal, async ({runtime, journal}) => {
      const row = await findOrNewestWriter(journal, id, parsed.cwd);
      if (id === undefined && !dryRun && !(await isMeant(row, terminal))) {
        await write(terminal.stderr, `${say(t`nothing was undone`, terminal)}\n`);
        return 1;
      }
      const report = await runtime.undo(row.id, {dryRun});
      const lines: Report['lines'] = ({style}) => undoLines(report, {style, dryRun});
      await printReport({data: {...report, dryRun}, lines}, parsed, terminal);
      const isLeft = report.files.some(({outcome}) => outcome === 'left');
      return isLeft || report.unknown > 0 ? 1 : 0;
    });
  },
});

function needsId(): AppError {
  return usageError(
    t`without a terminal, quorate undo needs the ID of a run; quorate runs lists them`,
  );
}

async function isMeant({id, request}: InteractionRow, terminal: Terminal): Promise<boolean> {
  const {confirm} = await import('../terminal/surface.ts');
  return await confirm(t`Undo ${oneLine(id)} (${oneLine(request, 60)})?`, terminal);
}
