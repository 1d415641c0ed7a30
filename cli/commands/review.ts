/** `quorate review`: a run of the form review, on a diff. */

import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {t} from '../../machines/message.ts';
import {strictestRule} from '../../machines/panel/rule.ts';
import {switchOption, wordOption} from '../line/option-values.ts';
import {oneOf} from '../line/options.ts';
import {usageError} from '../line/usage-error.ts';
import {command} from './define.ts';

const scopes = ['full', 'fast'];

export const review = command({
  summary: t`have the panel vote on a diff: exit 0 approved, 1 rejected, 2 could not run`,
  detail: t`Reviews a diff: git diff main | quorate review. A large one is split by files and hunks, and each part is voted on; if any
part is rejected, so is the diff. Where the diff fits the files of the working tree, models also read up to 20 lines around
each hunk. The policy reviewers check each part first: secrets, marks of a merge, focused or disabled tests, debuggers,
dangerous commands, binaries, install scripts, protected files. A part that one of them refuses is
rejected; the models still read it, and their comments are kept. Without a model the review exits 2, unless --scope fast or
-m review=policy/* asks for the policy reviewers alone.

Exit 0: approved. 1: rejected, undecided, or not read whole (degraded). 2: no diff, an empty one, no model, or failed.
--output json: {approved, rule, votes, comments: [{file, line, severity, message, seat}], synthesis, unread,
degraded, usage}.`,
  options: {
    scope: {
      takes: 'SCOPE',
      text: t`full: models review; fast: the policy reviewers alone, without a model`,
      override: oneOf('--scope', 'agent.phase_scope', scopes),
    },
    diff: wordOption('FILE', t`the diff, in a file; - or nothing: on standard input`),
    base: wordOption('REV', t`the working tree against this revision of git, with untracked files`),
    focus: wordOption('TEXT', t`the purpose of the change, and the points to check above all`),
    'allow-empty': switchOption(t`approve an empty diff, which is an error otherwise`),
    'allow-unread': switchOption(
      t`approve also where no reviewer could read a part: binaries, some lock files`,
    ),
    sarif: wordOption('FILE', t`write the comments as SARIF 2.1.0, too`),
  },
  obeys: ['output', 'log', 'detach', 'models', 'rule', 'limits'],
  roles: ['review'],
  examples: [
    'git diff main | quorate review',
    'quorate review --base main --focus "concurrency" --output json',
    'git diff main | quorate review --scope fast',
    `quorate review --diff change.patch --rule ${strictestRule.kind} --sarif review.sarif`,
  ],
  endsWithResult: 'review',
  run: async (given, terminal) => {
    const {options, cwd = '.'} = given;
    const {sarif} = options;
    const folder = resolve(cwd);
    const {readDiff, withSurroundings} = await import('../review/diff-source.ts');
    const wanted = {file: options.diff, base: options.base, cwd: folder};
    const diff = withSurroundings(await readDiff(wanted, terminal.stdin), folder);
    const {requireReader} = await import('../review/diff-source.ts');
    if (diff.length === 0 && !options['allow-empty']) throw emptyDiff;
    if (diff.length > 0) await requireReader(given, folder, terminal.env);
    const request = options.focus?.trim() || 'Review this change before it is merged.';
    const allowance = options['allow-unread'] ? {allowUnread: true} : {};
    const {launchRun} = await import('../start-run.ts');
    return await launchRun(() => ({form: 'review', request, diff, ...allowance}), {
      parsed: given,
      terminal,
      ...(sarif === undefined
        ? {}
        : {onResult: async (result) => await keepSarif(resolve(folder, sarif), result)}),
    });
  },
});

const emptyDiff = usageError(
  t`the diff is empty: nothing was reviewed; if it may be empty, add --allow-empty`,
);

async function keepSarif(file: string, result: RunResult): Promise<void> {
  const [{writeFile}, {toSarif}] = await Promise.all([
    import('node:fs/promises'),
    import('../review/sarif.ts'),
  ]);
  try {
    await writeFile(file, `${JSON.stringify(toSarif(result), undefined, 2)}\n`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppError('io', `the SARIF file can't be written: ${why}`, {cause: error});
  }
}
