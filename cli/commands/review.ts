/** `quorate review`: a run of the form review, on a diff. */

import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {t} from '../../machines/message.ts';
import {strictestRule} from '../../machines/panel/rule.ts';
import type {Command, Flags, Option} from '../line/command.ts';
import {oneOf} from '../line/options.ts';
import {usageError} from '../line/usage-error.ts';

const scopes = ['full', 'fast'];

const options: readonly Option[] = [
  {
    name: 'scope',
    takes: 'SCOPE',
    text: t`full: models review; fast: the policy reviewers alone, without a model`,
    override: oneOf('--scope', 'agent.phase_scope', scopes),
  },
  {
    name: 'diff',
    takes: 'FILE',
    text: t`the diff, in a file; - or nothing: on standard input`,
  },
  {
    name: 'base',
    takes: 'REV',
    text: t`the working tree against this revision of git, with untracked files`,
  },
  {
    name: 'focus',
    takes: 'TEXT',
    text: t`the purpose of the change, and the points to check above all`,
  },
  {
    name: 'allow-empty',
    text: t`approve an empty diff, which is an error otherwise`,
  },
  {
    name: 'allow-unread',
    text: t`approve also where no reviewer could read a part: binaries, some lock files`,
  },
  {
    name: 'sarif',
    takes: 'FILE',
    text: t`write the comments as SARIF 2.1.0, too`,
  },
];

export const review: Command = {
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
  options,
  obeys: ['output', 'log', 'models', 'rule', 'limits'],
  roles: ['review'],
  examples: [
    'git diff main | quorate review',
    'quorate review --base main --focus "concurrency" --output json',
    'git diff main | quorate review --scope fast',
    `quorate review --diff change.patch --rule ${strictestRule.kind} --sarif review.sarif`,
  ],
  endsWithResult: 'review',
  run: async (parsed, terminal) => {
    const {flags, cwd = '.'} = parsed;
    const folder = resolve(cwd);
    const {readDiff} = await import('../review/diff-source.ts');
    const wanted = {file: flagOf(flags, 'diff'), base: flagOf(flags, 'base'), cwd: folder};
    const {withSurroundings} = await import('../review/diff-source.ts');
    const diff = withSurroundings(await readDiff(wanted, terminal.stdin), folder);
    const {requireReader} = await import('../review/reader.ts');
    if (diff.length === 0 && flags['allow-empty'] === undefined) throw emptyDiff;
    if (diff.length > 0) await requireReader(parsed, folder, terminal.env);
    const focus = flagOf(flags, 'focus')?.trim() || 'Review this change before it is merged.';
    const sarif = flagOf(flags, 'sarif');
    const allowance = flags['allow-unread'] === undefined ? {} : {allowUnread: true};
    const {launchRun} = await import('../start-run.ts');
    return await launchRun(() => ({form: 'review', request: focus, diff, ...allowance}), {
      parsed,
      terminal,
      ...(sarif === undefined
        ? {}
        : {onResult: async (result) => await keepSarif(resolve(folder, sarif), result)}),
    });
  },
};

const emptyDiff = usageError(
  t`the diff is empty: nothing was reviewed; if it may be empty, add --allow-empty`,
);

function flagOf(flags: Flags, name: string): string | undefined {
  return flags[name]?.at(-1);
}

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
