/** `quorate policy`: the policy reviewers' verdict on a command and its reasons, without running it. */

import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Command, Parsed} from '../line/command.ts';
import type {Option} from '../line/option.ts';
import {usageError} from '../line/usage-error.ts';
import type {Explained} from '../policy/explained.ts';
import {pageWidthOf, type Terminal, write} from '../terminal.ts';

const options: readonly Option[] = [
  {
    name: 'request',
    takes: 'TEXT',
    text: {
      en: 'the request; without it policy/scope is not consulted',
      ja: '依頼の内容。なければ policy/scope は判定しない',
    },
  },
  {
    name: 'stdin',
    text: {
      en: 'judge a command a line: {"command": …, "request": …} as JSON; answers come as they are found',
      ja: '1 行に 1 コマンドを判定: JSON の {"command": …, "request": …}。答えは順次出る',
    },
  },
];

export const policy: Command = {
  operands: {
    usage: '[COMMAND]',
    what: {en: 'a shell command in quotes', ja: '引用符で囲んだシェルコマンド'},
    least: 0,
    most: 1,
  },
  summary: {
    en: 'show the effects of a shell command, and the verdict of the policy reviewers',
    ja: 'シェルコマンドの作用と、ポリシーのレビュアーの判断を示す',
  },
  detail: {
    en: `Judges a shell command as the policy reviewers do before it runs, in the working folder, and runs nothing. It shows what
the command would read, write, delete, reach and run, the rule that refuses it, and the words that could not be analysed.
The command is judged as if unconfined: one that can't be judged may still run where commands are confined and can be undone.

Exit 0: approve. 1: refuse. 4: it can't be judged. With --stdin: 0 for all answers.
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons}; by.scope is null without a request.`,
    ja: `ポリシーのレビュアーが実行前にするように、作業フォルダでのシェルコマンドを判定します。何も実行しません: 読むもの、
書くもの、消すもの、届く先、動かすもの、拒否する規則、理解できない語を示します。隔離されないものとして判定します。
判定できないものも、隔離され元に戻せる場所では動くことがあります。

終了コード 0: 承認。1: 拒否。4: 判定できない。--stdin では答えによらず 0。
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons}。依頼がなければ by.scope は null。`,
  },
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
      throw usageError({
        en: 'name a command: quorate policy "npm test", or --stdin',
        ja: 'コマンドを書いてください: quorate policy "npm test"、または --stdin',
      });
    }
    const {explained, exitCodeOf} = await import('../policy/explained.ts');
    const request = parsed.flags['request']?.at(-1);
    const found = await explained({command, workspace, ...(request ? {request} : {})});
    await printVerdict(found, parsed, terminal);
    return exitCodeOf(found);
  },
};

async function answerAll(parsed: Parsed, terminal: Terminal, workspace: string): Promise<number> {
  if (parsed.operands.length > 0) {
    throw usageError({
      en: 'a command is given in words or with --stdin, not both',
      ja: 'コマンドは語か --stdin のどちらか一方で渡してください',
    });
  }
  const {questionsIn} = await import('../policy/questions.ts');
  const {explained} = await import('../policy/explained.ts');
  const usual = parsed.flags['request']?.at(-1);
  for await (const {command, request = usual} of questionsIn(terminal.stdin)) {
    const found = await explained({command, workspace, ...(request ? {request} : {})});
    await printVerdict(found, parsed, terminal);
  }
  return 0;
}

async function printVerdict(
  found: Explained,
  {output}: Parsed,
  {stdout, env, language}: Terminal,
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
  const lines = policyLines(found, {
    style: styleFor(stdout, {env, language}),
    width: pageWidthOf(stdout),
  });
  await write(stdout, `${lines.join('\n')}\n`);
}
