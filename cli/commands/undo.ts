/** `quorate undo [ID]`: reverts the writes of a run. */

import type {InteractionRow} from '../../actors/journal/journal.ts';
import type {AppError} from '../../machines/domain/app-error.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {undoLines} from '../render/result/undo.ts';
import {styleFor} from '../render/style.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {isInteractive, type Terminal, write} from '../terminal.ts';

export const undo: Command = {
  operands: oneOrNewest,
  obeys: ['output'],
  summary: {
    en: 'take back what a run did to files',
    ja: '実行がファイルに加えた変更を元に戻す',
  },
  detail: {
    en: `Takes back what a run did to the files of its folder, itself or by commands, ended or not: each file that still holds
what the run left there gets back what it held before, with its permissions; a file that the run made goes, and with it the
folders that were made for it and hold nothing else; links and folders come back as they were. What something else has
changed since is left as it is: undo says so, and exits 1. Data that git ignores comes back too; build output, packages and
what was too large to keep do not, and undo names those that are gone. What commands did elsewhere and to git's own data
stays as well. Doing it again changes nothing. Without an ID, undo on a terminal asks whether the newest run of this folder
that wrote a file is meant; elsewhere it exits 2.

What files held is kept in the journal: up to 10 MB a file, 256 MB in all, the oldest given up first, and nothing with a
known secret in it.`,
    ja: `実行が自分で、またはコマンドでフォルダのファイルに加えた変更を、終わったかどうかによらず元に戻します。実行が残した
ままのファイルは、前の内容と権限に戻ります。実行が作ったファイルは消え、そのために作られた空のフォルダも消えます。
リンクとフォルダも元に戻ります。その後ほかのものが変えたファイルはそのままで、undo はそう示して終了コード 1 です。
git が無視するデータも戻りますが、ビルドの出力、パッケージ、大きすぎて保存できなかったものは戻らず、undo は失われたものを
挙げます。コマンドがほかの場所と git 自身のデータに加えた変更も残ります。もう一度実行しても何も変わりません。ID なし:
端末では、このフォルダでファイルを書いた最新の実行でよいかを尋ねます。それ以外では終了コード 2 です。

ファイルの内容はジャーナルに保存します: 1 ファイル 10 MB、全体で 256 MB まで。古いものから捨て、既知の秘密を含むものは
保存しません。`,
  },
  options: [
    {
      name: 'dry-run',
      text: {en: 'change nothing: say what would be done', ja: '何も変えず、することだけを示す'},
    },
  ],
  examples: ['quorate undo ID --dry-run'],
  run: async (parsed, terminal) => {
    const {stdout, env, language} = terminal;
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
      const text = undoLines(report, {style: styleFor(stdout, {env, language}), dryRun}).join('\n');
      const isText = parsed.output === 'text';
      await write(stdout, `${isText ? text : safeJson({...report, dryRun})}\n`);
      return report.files.some(({outcome}) => outcome === 'left') ? 1 : 0;
    } finally {
      await runtime.close();
    }
  },
};

function needsId(): AppError {
  return usageError({
    en: 'without a terminal, quorate undo needs the ID of a run; quorate sessions lists them',
    ja: '端末がないとき、quorate undo には実行の ID が必要です。quorate sessions で一覧できます',
  });
}

async function isMeant({id, request}: InteractionRow, terminal: Terminal): Promise<boolean> {
  const {askOnce} = await import('../terminal/ask-once.ts');
  const line = await askOnce(`Undo ${oneLine(id)} (${oneLine(request, 60)})? [y/N] `, terminal);
  return line.kind === 'line' && /^y(?:es)?$/i.test(line.text.trim());
}
