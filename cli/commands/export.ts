/** `quorate export [ID]`: the journal of a run, one entry a line. */

import type {Texts} from '../language.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {usageError} from '../line/usage-error.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {safeJson} from '../render/text.ts';
import {type Output, tryToWrite, write} from '../terminal.ts';

export const exportRun: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'write the journal of a run to stdout, one entry a line as JSON',
    ja: '実行のジャーナルを標準出力へ。1 行に 1 項目の JSON',
  },
  detail: {
    en: `Writes the journal of a run to stdout, one entry a line as JSON: what was opened, requested, settled, received and
decided, with times and hashes. Works for runs of other versions, too. Of a damaged journal it writes the entries
before the damage, reports the damage and exits 2. Without an ID: the newest run of this folder.

quorate import reads it on another machine. An export contains everything that the hashes cover: requests, answers, outputs of
tools, and the rules that allowed commands when the run was opened. It contains no keys. With --backups, it also contains
the earlier contents of the files that the run changed, so that quorate undo works after the import.

With --redact each text is replaced by a hash, equal texts by equal hashes, for a bug report: models, tools, states, votes,
times and costs stay. The redacted run has an ID of its own, and replays; where its charts depend on contents, it says so.`,
    ja: `実行のジャーナルを標準出力に書きます。1 行に 1 項目の JSON です: 開かれたもの、要求、決着、受信、決定と、時刻と
ハッシュ。別の版の実行にも使えます。壊れたジャーナルでは、損傷の前までを書き、何が悪いかを示して終了コード 2 です。
ID なし: このフォルダの最新の実行。

別のマシンの quorate import がこれを読みます。書き出しには、ハッシュが守るものすべてが入ります: 依頼、答え、ツールの出力、
実行を開いたときにコマンドを許可していた規則。鍵は入りません。--backups を付けると、実行が変えたファイルの前の内容も
入り、取り込んだ後に quorate undo が使えます。

--redact では、不具合の報告のために各テキストをハッシュに置き換えます。同じテキストは同じハッシュです。モデル、ツール、
状態、投票、時刻、費用は残ります。置き換えた実行は別の ID を持ち、再計算できます。内容に依存する所はそう示します。`,
  },
  options: [
    {
      name: 'backups',
      text: {
        en: 'add the earlier contents of changed files, one a line as base64',
        ja: '変えたファイルの前の内容も書く。1 行に 1 件、base64',
      },
    },
    {
      name: 'redact',
      text: {en: 'replace contents by hashes', ja: '内容をハッシュに置き換える'},
    },
  ],
  obeys: [],
  examples: ['quorate export ID > run.jsonl', 'quorate export ID --redact > report.jsonl'],
  run: async ({operands: [wanted], cwd, flags}, terminal) => {
    const journal = await openToRead(terminal);
    try {
      const {id} = await findOrNewest(journal, wanted, cwd);
      const {exportRun: linesOf} = await import('../../actors/sessions/export.ts');
      const [backups, redact] = [flags['backups'] !== undefined, flags['redact'] !== undefined];
      if (backups && redact) throw redactedBackups();
      const {warningText} = await import('../render/warning.ts');
      const onStray = (entry: number): void =>
        void tryToWrite(terminal.stderr, `${warningText(strayAt(entry), terminal)}\n`);
      await writeAll(linesOf(id, journal, {backups, redact, onStray}), terminal.stdout);
      return 0;
    } finally {
      await journal.close();
    }
  },
};

function redactedBackups(): Error {
  return usageError({
    en: '--backups writes contents, and --redact leaves them out; give one of them',
    ja: '--backups は内容を書き、--redact は内容を除きます。どちらか一方を指定してください',
  });
}

function strayAt(entry: number): Texts {
  return {
    en: `the redacted run replays up to entry ${entry - 1}; from entry ${entry} on its charts depend on contents`,
    ja: `置き換えた実行はエントリー ${entry - 1} まで再計算できます。${entry} からはチャートが内容に依存します`,
  };
}

/** Units of text that are written together. */
const batchUnits = 1_000_000;

/** Writes what was read before an error, and rejects with the error. */
async function writeAll(lines: AsyncIterable<unknown>, stdout: Output): Promise<void> {
  let text = '';
  try {
    for await (const line of lines) {
      text += `${safeJson(line)}\n`;
      if (text.length < batchUnits) continue;
      await write(stdout, text);
      text = '';
    }
  } finally {
    await write(stdout, text);
  }
}
