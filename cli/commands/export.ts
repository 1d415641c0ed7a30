/** `quorate export [ID]`: the journal of a run, one entry a line. */

import {oneOrNewest, type Command} from '../line/command.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {safeJson} from '../render/text.ts';
import {type Output, write} from '../terminal.ts';

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

An export is for reading: quorate verify FILE checks it on any machine. It contains everything that the hashes cover:
requests, answers, outputs of tools, and the rules that allowed commands when the run was opened. It contains no keys.`,
    ja: `実行のジャーナルを標準出力に書きます。1 行に 1 項目の JSON です: 開かれたもの、要求、決着、受信、決定と、時刻と
ハッシュ。別の版の実行にも使えます。壊れたジャーナルでは、損傷の前までを書き、何が悪いかを示して終了コード 2 です。
ID なし: このフォルダの最新の実行。

書き出しは読むためのものです: quorate verify FILE が、どのマシンでも検証します。ハッシュが守るものすべてが入ります: 依頼、
答え、ツールの出力、実行を開いたときにコマンドを許可していた規則。鍵は入りません。`,
  },
  obeys: [],
  examples: ['quorate export ID > run.jsonl'],
  run: async ({operands: [wanted], cwd}, terminal) => {
    const journal = await openToRead(terminal);
    try {
      const {id} = await findOrNewest(journal, wanted, cwd);
      const {exportRun: linesOf} = await import('../../actors/sessions/export.ts');
      await writeAll(linesOf(id, journal), terminal.stdout);
      return 0;
    } finally {
      await journal.close();
    }
  },
};

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
