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
    en: 'take back the file changes of a run',
    ja: '実行がファイルに加えた変更を元に戻す',
  },
  detail: {
    en: `Takes back the changes that a run, open or ended, made to the files of its folder, also by its commands. A file that
still has the content that the run left gets back its earlier content and permissions. A file that the run created is
removed, with the folders that were created for it and contain nothing else. Links and folders are restored. A file that was
changed since by something else is left as it is. Undo exits 1 when it leaves a file, and when the changes of a command are
not known, of which the run has warned. Data that git ignores is restored, too,
except build output, packages, and data too large to keep: undo names the lost ones. git's refs, HEAD, stash and index are
restored by the same rule: a branch with a later commit stays. Changes by commands elsewhere stay, too. Repeating it changes nothing. Without an ID, undo on a terminal asks whether the newest run of
this folder that wrote a file is meant; elsewhere it exits 2.

The earlier contents are kept in the journal: up to 10 MB a file, 256 MB in all, the oldest removed first, and none that
contains a known secret.`,
    ja: `実行が自分で、またはコマンドでフォルダのファイルに加えた変更を、終わったかどうかによらず元に戻します。実行が残した
ままのファイルは、前の内容と権限に戻ります。実行が作ったファイルは消え、そのために作られた空のフォルダも消えます。
リンクとフォルダも元に戻ります。その後ほかのものが変えたファイルはそのままです。ファイルを残したとき、コマンドの変更が分からないとき (実行が警告します)、
undo の終了コードは 1 です。
git が無視するデータも戻りますが、ビルドの出力、パッケージ、大きすぎて保存できなかったものは戻らず、undo は失われたものを
挙げます。git の参照、HEAD、stash、インデックスも同じ規則で戻り、その後コミットされたブランチはそのままです。コマンドがほかの場所に加えた変更は残ります。もう一度実行しても何も変わりません。ID なし:
端末では、このフォルダでファイルを書いた最新の実行でよいかを尋ねます。それ以外では終了コード 2 です。

ファイルの内容はジャーナルに保存します: 1 ファイル 10 MB、全体で 256 MB まで。古いものから捨て、既知の秘密を含むものは
保存しません。`,
  },
  options: [
    {
      name: 'dry-run',
      text: {en: 'change nothing: show what would be done', ja: '何も変えず、することだけを示す'},
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
      const isLeft = report.files.some(({outcome}) => outcome === 'left');
      return isLeft || report.unknown > 0 ? 1 : 0;
    } finally {
      await runtime.close();
    }
  },
};

function needsId(): AppError {
  return usageError({
    en: 'without a terminal, quorate undo needs the ID of a run; quorate runs lists them',
    ja: '端末がないとき、quorate undo には実行の ID が必要です。quorate runs で一覧できます',
  });
}

async function isMeant({id, request}: InteractionRow, terminal: Terminal): Promise<boolean> {
  const {confirm} = await import('../terminal/confirm.ts');
  return await confirm(`Undo ${oneLine(id)} (${oneLine(request, 60)})?`, terminal);
}
