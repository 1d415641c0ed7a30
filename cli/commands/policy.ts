/** `quorate policy`: the policy reviewers' verdict on a command and its reasons, without running it. */

import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import type {Command, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import type {Explained} from '../policy/explained.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const options: readonly Option[] = [
  {
    name: 'request',
    takes: 'TEXT',
    text: 'what is wanted; without it policy/scope is not consulted',
  },
  {
    name: 'stdin',
    text: 'judge a command a line: {"command": …, "request": …} as JSON; answers come as they are found',
  },
];

export const policy: Command = {
  operands: {usage: '[COMMAND]', what: 'a shell command in quotes', least: 0, most: 1},
  summary: 'say what a shell command would do, and what the policy reviewers have against it',
  detail: `Judges a shell command as the policy reviewers do before it runs, in the working folder, and runs nothing: what it would
read, write, delete, reach and run, which rule refuses it, and which words were not understood. It is judged as it would
run unconfined: what can't be judged may still run where commands are confined and can be undone.

Exit 0: approve. 1: refuse. 4: it can't be judged. With --stdin: 0, whatever the answers are.
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons}; by.scope is null without a request.`,
  options,
  obeys: ['output'],
  examples: [
    'quorate policy "npm test"',
    'quorate policy "rm -rf src" --request "Fix the failing test"',
    'quorate policy --stdin --output jsonl < commands.jsonl',
  ],
  run: async (parsed, terminal) => {
    const workspace = await realpath(resolve(parsed.cwd ?? '.'));
    if (parsed.flags['stdin']) return await answerAll(parsed, terminal, workspace);
    const [command = ''] = parsed.operands;
    if (command.trim() === '') {
      throw new AppError('usage', 'say which command: quorate policy "npm test", or --stdin');
    }
    const {explained, exitCodeOf} = await import('../policy/explained.ts');
    const request = parsed.flags['request']?.at(-1);
    const found = await explained({command, workspace, ...(request ? {request} : {})});
    await writeExplained(found, parsed, terminal);
    return exitCodeOf(found);
  },
};

async function answerAll(parsed: Parsed, terminal: Terminal, workspace: string): Promise<number> {
  if (parsed.operands.length > 0) {
    throw new AppError('usage', 'a command is given in words or with --stdin, not both');
  }
  const {questionsIn} = await import('../policy/questions.ts');
  const {explained} = await import('../policy/explained.ts');
  const usual = parsed.flags['request']?.at(-1);
  for await (const {command, request = usual} of questionsIn(terminal.stdin)) {
    const found = await explained({command, workspace, ...(request ? {request} : {})});
    await writeExplained(found, parsed, terminal);
  }
  return 0;
}

async function writeExplained(
  found: Explained,
  {output}: Parsed,
  {stdout, env}: Terminal,
): Promise<void> {
  if (output !== 'text') {
    const {safeJson} = await import('../render/text.ts');
    await write(stdout, `${safeJson(found, output === 'json' ? 2 : undefined)}\n`);
    return;
  }
  const [{policyLines}, {styleFor}] = await Promise.all([
    import('../render/tables/policy.ts'),
    import('../render/style.ts'),
  ]);
  const lines = policyLines(found, {style: styleFor(stdout, env), width: pageWidthOf(stdout)});
  await write(stdout, `${lines.join('\n')}\n`);
}
