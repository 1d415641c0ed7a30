/** `quorate replay [ID]`: recomputes a run from its journal, and compares it with the record. */

import {oneOrNewest, type Command} from '../line/command.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {replayLines} from '../render/tables/moments.ts';
import {safeJson} from '../render/text.ts';
import {write} from '../terminal.ts';

export const replayRun: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'recompute a run from its journal, without a model or a tool',
    ja: 'モデルもツールも使わず、ジャーナルから実行を再計算する',
  },
  detail: {
    en: `Recomputes a run from its journal: the same charts receive the same entries in the same order. No model is called, no tool
runs, nothing is written. It exits 0 when every state, note and result is the recorded one; otherwise it names the first
entry that differs and exits 1. A run of another version of Quorate may differ. Without an ID: the newest run of this folder.`,
    ja: `ジャーナルから実行を再計算します。同じチャートが、同じエントリーを同じ順序で受け取ります。モデルは呼ばず、ツールも
動かさず、何も書きません。状態、記録、結果がすべて同じなら終了コード 0、そうでなければ最初に異なるエントリーを示して 1 です。
別の版の Quorate の実行は異なることがあります。ID なし: このフォルダの最新の実行。`,
  },
  obeys: ['output'],
  run: async ({operands: [wanted], output, cwd}, terminal) => {
    const {stdout, env, language} = terminal;
    const journal = await openToRead(terminal);
    try {
      const {id} = await findOrNewest(journal, wanted, cwd);
      const {requireUsable} = await import('../../actors/journal/chain.ts');
      const {compareReplay} = await import('../../actors/history/compare-replay.ts');
      const {entries} = requireUsable(await journal.log.salvage(id));
      const report = await compareReplay(id, entries);
      const text =
        output === 'text'
          ? replayLines(report, styleFor(stdout, {env, language})).join('\n')
          : safeJson(report, output === 'json' ? 2 : undefined);
      await write(stdout, `${text}\n`);
      return report.differences.length === 0 ? 0 : 1;
    } finally {
      await journal.close();
    }
  },
};
