/** `quorate policy`: the policy reviewers' verdict on a command and its reasons, without running it. */

import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Explainer} from '../../actors/policies/explain.ts';
import {t} from '../../machines/message.ts';
import type {Parsed} from '../line/command.ts';
import {switchOption, wordOption} from '../line/option-values.ts';
import {usageError} from '../line/usage-error.ts';
import type {Explained, Question} from '../policy/verdict.ts';
import type {Terminal} from '../terminal.ts';
import {command} from './define.ts';

export const policy = command({
  operands: {
    usage: '[COMMAND]',
    what: t`a shell command in quotes`,
    least: 0,
    most: 1,
  },
  summary: t`show the effects of a shell command, and the verdict of the policy reviewers`,
  detail: t`Judges a shell command as the policy reviewers do before it runs, in the working folder, and runs nothing. It shows what
the command reads, writes and reaches as far as its words say, how commands are confined here, and the verdict with its reason:
it only reads, or it is confined and can be undone: approved; no run needs it: refused; anything else: the models that vote, or a
person decides.

Exit 0: approve. 1: refuse. 4: it can't be judged. With --stdin: 0 for all answers.
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons, grade: "bubblewrap" | "landlock" | "seatbelt" | "none", undoable}; by.scope is null without a request.`,
  options: {
    request: wordOption('TEXT', t`the request; without it policy/scope is not consulted`),
    stdin: switchOption(
      t`judge a command a line: {"command": …, "request": …} as JSON; answers come as they are found`,
    ),
  },
  obeys: ['output'],
  examples: [
    'quorate policy "npm test"',
    'quorate policy "git push --force" --request "Fix the failing test"',
    'quorate policy --stdin --output jsonl < commands.jsonl',
  ],
  run: async (given, terminal) => {
    const {options, operands, cwd = '.'} = given;
    const workspace = await realpath(resolve(cwd));
    const questions = options.stdin ? await piped(operands, terminal) : [named(operands)];
    const {explained, exitCodeOf} = await import('../policy/verdict.ts');
    const explainer = await explainerIn(workspace, terminal);
    let exitCode = 0;
    for await (const {command: asked, request = options.request} of questions) {
      const found = await explained(
        {command: asked, workspace, ...(request ? {request} : {})},
        explainer,
      );
      await printVerdict(found, given, terminal);
      exitCode = exitCodeOf(found);
    }
    explainer.close();
    return options.stdin ? 0 : exitCode;
  },
});

function named([line = '']: readonly string[]): Question {
  if (line.trim() !== '') return {command: line};
  throw usageError(t`name a command: quorate policy "npm test", or --stdin`);
}

async function piped(
  operands: readonly string[],
  {stdin}: Terminal,
): Promise<AsyncIterable<Question>> {
  if (operands.length > 0) {
    throw usageError(t`a command is given in words or with --stdin, not both`);
  }
  const {questionsIn} = await import('../policy/verdict.ts');
  return questionsIn(stdin);
}

/** With the sandbox that the configuration wants. */
async function explainerIn(workspace: string, {env}: Terminal): Promise<Explainer> {
  const [{loadConfig}, {createExplainer}] = await Promise.all([
    import('../config/load.ts'),
    import('../../actors/policies/explain.ts'),
  ]);
  return createExplainer((await loadConfig({cwd: workspace, env})).config.sandbox);
}

async function printVerdict(found: Explained, parsed: Parsed, terminal: Terminal): Promise<void> {
  const {policyLines} = await import('../policy/verdict.ts');
  const {printReport} = await import('../render/report.ts');
  await printReport({data: found, lines: (view) => policyLines(found, view)}, parsed, terminal);
}
