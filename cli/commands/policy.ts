/** `quorate policy`: the policy reviewers' verdict on a command and its reasons, without running it. */

import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';

import type {Explainer} from '../../actors/policies/explain.ts';
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
the command reads, writes and reaches as far as its words say, how commands are confined here, and the verdict with its reason:
it only reads, or it is confined and can be undone: approved; no run needs it: refused; anything else: the models that vote, or a
person decides.

Exit 0: approve. 1: refuse. 4: it can't be judged. With --stdin: 0 for all answers.
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons, grade: "bubblewrap" | "landlock" | "seatbelt" | "none", undoable}; by.scope is null without a request.`,
    ja: `ポリシーのレビュアーが実行前にするように、作業フォルダでのシェルコマンドを判定します。何も実行しません。語からわかる範囲で
読むもの、書くもの、届く先、ここでの隔離、判断とその理由を示します: 読むだけのもの、隔離され元に戻せるものは承認、実行に不要な
ものは拒否、それ以外は投票するモデルか人が決めます。

終了コード 0: 承認。1: 拒否。4: 判定できない。--stdin では答えによらず 0。
--output json: {command, verdict: "approve" | "refuse" | "cannot_judge", by: {safety, scope, evidence}, effects, rules,
unknown, reasons, grade: "bubblewrap" | "landlock" | "seatbelt" | "none", undoable}。依頼がなければ by.scope は null。`,
  },
  options,
  obeys: ['output'],
  examples: [
    'quorate policy "npm test"',
    'quorate policy "git push --force" --request "Fix the failing test"',
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
    const explainer = await explainerIn(workspace, terminal);
    const found = await explained({command, workspace, ...(request ? {request} : {})}, explainer);
    explainer.close();
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
  const explainer = await explainerIn(workspace, terminal);
  for await (const {command, request = usual} of questionsIn(terminal.stdin)) {
    const asked = {command, workspace, ...(request ? {request} : {})};
    await printVerdict(await explained(asked, explainer), parsed, terminal);
  }
  explainer.close();
  return 0;
}

/** With the sandbox that the configuration wants. */
async function explainerIn(workspace: string, {env}: Terminal): Promise<Explainer> {
  const [{loadConfig}, {createExplainer}] = await Promise.all([
    import('../config/load.ts'),
    import('../../actors/policies/explain.ts'),
  ]);
  return createExplainer((await loadConfig({cwd: workspace, env})).config.sandbox);
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
