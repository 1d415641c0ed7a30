/** `quorate export [ID]`: the journal of a run, one entry a line. */

import {oneOrNewest, type Command} from '../line/command.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {safeJson} from '../render/text.ts';
import {write} from '../terminal.ts';

export const exportRun: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'write the journal of a run to stdout, one entry a line as JSON',
    ja: '実行のジャーナルを標準出力へ。1 行に 1 項目の JSON',
  },
  detail: {
    en: `Writes the journal of a run to stdout, one entry a line as JSON: what was opened, requested, settled, received and
decided, with times and hashes. Works for runs of other versions, too. Of a damaged journal it writes the entries
before the damage, reports the damage and exits 2. Without an ID: the newest run of this folder.`,
    ja: `実行のジャーナルを標準出力に書きます。1 行に 1 項目の JSON です: 開かれたもの、要求、決着、受信、決定と、時刻と
ハッシュ。別の版の実行にも使えます。壊れたジャーナルでは、損傷の前までを書き、何が悪いかを示して終了コード 2 です。
ID なし: このフォルダの最新の実行。`,
  },
  obeys: [],
  examples: ['quorate export ID > run.jsonl'],
  run: async ({operands: [wanted], cwd}, terminal) => {
    const {stdout} = terminal;
    const journal = await openToRead(terminal);
    try {
      const {id} = await findOrNewest(journal, wanted, cwd);
      const {entries, damage} = await journal.log.salvage(id);
      await write(stdout, entries.map((entry) => `${safeJson(entry)}\n`).join(''));
      if (damage) throw damage;
      return 0;
    } finally {
      await journal.close();
    }
  },
};
