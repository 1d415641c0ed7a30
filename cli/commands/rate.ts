/** `quorate rate ID up|down [WORDS…]`: a person's opinion of the result of a run. */

import type {Command} from '../line/command.ts';
import {checkChoice} from '../line/options.ts';
import {statsTexts} from '../render/stats/stats-texts.ts';
import {oneLine, safeJson} from '../render/text.ts';
import {write} from '../terminal.ts';

const ratings = ['up', 'down'] as const;

export const rate: Command = {
  operands: {
    usage: 'ID up|down …',
    what: {en: 'the ID of a run, and up or down', ja: '実行の ID と up か down'},
    values: 'run',
    least: 2,
    most: Number.POSITIVE_INFINITY,
  },
  summary: {
    en: 'rate the result of a run: was it what you wanted?',
    ja: '実行の結果を評価する: 望みどおりだったか',
  },
  detail: {
    en: `Keeps what you think of the result of a run that has ended, with words of your own if you like; the last rating counts.
quorate stats counts the ratings, and quorate show shows yours. The words stay in the journal: no model receives them, an export
does not contain them, and they are erased with the run. Known secrets in them are replaced first.`,
    ja: `終わった実行の結果への評価を、望むなら自分の言葉とともに保存します。最後の評価が有効です。quorate stats が評価を数え、
quorate show が見せます。言葉はジャーナルに留まります: モデルには渡らず、書き出しにも含まれず、実行とともに消えます。
既知の秘密は先に置き換えます。`,
  },
  obeys: ['output'],
  examples: ['quorate rate ID up', 'quorate rate ID down it left the old tests in place'],
  run: async ({operands: [wanted = '', given = '', ...words], output, ...globals}, terminal) => {
    const rating = checkChoice('quorate rate ID', given, ratings);
    const {openRuntime} = await import('../open-runtime.ts');
    const {findRow} = await import('../past/find-run.ts');
    const {runtime, journal} = await openRuntime(globals, terminal);
    try {
      const {id} = await findRow(journal, wanted);
      await runtime.rate(id, {rating, words: words.join(' ')});
      const text =
        output === 'text'
          ? statsTexts(terminal).rated(oneLine(id), rating)
          : safeJson({interaction: id, rating});
      await write(terminal.stdout, `${text}\n`);
      return 0;
    } finally {
      await runtime.close();
    }
  },
};
