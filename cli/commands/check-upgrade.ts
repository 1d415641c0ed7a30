/** `quorate check-upgrade`: which open runs can this version continue? */

import type {Command} from '../line/command.ts';
import {openToRead} from '../past/open-journal.ts';
import {upgradeLines} from '../render/tables/retention.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const checkUpgradeCommand: Command = {
  summary: {
    en: "replay the open runs of every folder, and list the ones this version can't continue",
    ja: 'すべてのフォルダの未完了の実行を再現し、この版で続けられないものを一覧',
  },
  detail: {
    en: `Replays all open runs with the charts of this version; nothing is performed, and nothing is written. Lists the runs that
diverge, with the first entry that can't be replayed and the versions that recorded them. They can't be resumed by this version,
but show, export, undo and cancel work, and fork --at the entry before it. Exit 1 if any diverges. A damaged journal is listed, too: no version continues it.`,
    ja: `未完了の実行をすべて、この版の状態遷移図で再現します。何も実行せず、何も書きません。再現できない実行を、再現できない最初の
項目と、記録した版とともに一覧します。この版では再開できませんが、show、export、undo、cancel と、その前の項目からの fork --at は
使えます。1 つでもあれば終了コード 1 です。壊れたジャーナルも挙げます。どの版でも続けられません。`,
  },
  obeys: ['output'],
  examples: ['quorate check-upgrade', 'quorate check-upgrade --output json'],
  run: async ({output}, terminal) => {
    const journal = await openToRead(terminal);
    try {
      const {checkUpgrade} = await import('../../actors/sessions/check-upgrade.ts');
      const report = await checkUpgrade(journal);
      const text =
        output === 'text'
          ? upgradeLines(report, {...terminal, width: pageWidthOf(terminal.stdout)}).join('\n')
          : safeJson(report, output === 'json' ? 2 : undefined);
      await write(terminal.stdout, `${text}\n`);
      return report.runs.some(({state}) => state === 'diverges') ? 1 : 0;
    } finally {
      await journal.close();
    }
  },
};
