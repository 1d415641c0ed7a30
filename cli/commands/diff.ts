/** `quorate diff ID --from N --to M`: what changed in a run between two points. */

import {oneOrNewest, type Command} from '../line/command.ts';
import {pointOption} from '../line/point-option.ts';
import {findOrNewest} from '../past/find-run.ts';
import {openToRead} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {diffLines} from '../render/tables/moments.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const diffRun: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'show what changed in a run between two points',
    ja: '実行の 2 つの時点の間で変わったものを表示する',
  },
  detail: {
    en: `Compares a run after two of its entries: the states of its actors, their contexts, the decisions and messages between them,
and the files that changed. Without --from: its opening; without --to: its last entry. Without an ID: the newest run of this
folder.`,
    ja: `実行の 2 つのエントリーの後を比べます: アクターの状態、コンテキスト、その間の決定とメッセージ、変わったファイル。
--from なし: 開始時。--to なし: 最後のエントリー。ID なし: このフォルダの最新の実行。`,
  },
  options: [
    pointOption('from', {en: 'the earlier point', ja: '前の時点'}),
    pointOption('to', {en: 'the later point', ja: '後の時点'}),
  ],
  examples: ['quorate diff ID --from 12 --to 40', 'quorate diff ID --from plan.1 --to plan.2'],
  obeys: ['output'],
  run: async (parsed, terminal) => {
    const {stdout, env, language} = terminal;
    const {operands, output, cwd, flags} = parsed;
    const journal = await openToRead(terminal);
    try {
      const {id, entries} = await findOrNewest(journal, operands[0], cwd);
      const from = flags['from']?.at(-1) ?? 0;
      const to = flags['to']?.at(-1) ?? entries - 1;
      const {privacyOf} = await import('../../actors/history/run-privacy.ts');
      const {diffRun: compare} = await import('../../actors/history/read-run.ts');
      const whole = await compare(id, [from, to], journal);
      const {entries: all} = await journal.log.salvage(id);
      const diff = (await privacyOf(id, all, whole)).data(whole);
      const view = {style: styleFor(stdout, {env, language}), width: pageWidthOf(stdout)};
      const text =
        output === 'text'
          ? diffLines(diff, view).join('\n')
          : safeJson(diff, output === 'json' ? 2 : undefined);
      await write(stdout, `${text}\n`);
      return 0;
    } finally {
      await journal.close();
    }
  },
};
