/** `quorate recount [ID]`: counts the rounds of a run again by another rule, from its journal alone. */

import {oneOrNewest, type Command} from '../line/command.ts';
import {openToRead} from '../past/open-journal.ts';
import {styleFor} from '../render/style.ts';
import {recountData, recountLines} from '../render/tables/recount.ts';
import {safeJson} from '../render/text.ts';
import {pageWidthOf, write} from '../terminal.ts';

export const recountRun: Command = {
  operands: oneOrNewest,
  summary: {
    en: 'count the votes of a run again, by another --rule or without a seat',
    ja: '実行の投票を別の --rule で、または席を除いて数え直す',
  },
  detail: {
    en: `Counts every vote of a run again, by another rule or on a smaller panel, and names the first round with another outcome.
It reads only the journal: no model is asked, nothing is replayed, nothing is changed. Without --rule each vote keeps its
own rule; with neither option it checks the recorded counts. Of an open run it counts the votes up to now.

A seat that is left out is removed from the panel: a rule on all seats then counts fewer. A proposal that a policy refused
before any model was asked stays refused. A seat that was no longer needed, or could not be asked, has not voted: where its
ballot would have decided, the vote is "unknown". After the first round with another outcome the run would have continued
differently, so later rounds only show the result of the recorded ballots.`,
    ja: `実行のすべての投票を、別の規則か小さい合議体で数え直し、どの回から結果が変わったかを示します。ジャーナルだけを
読みます。モデルは呼ばず、何も再生せず、何も変えません。--rule がなければ各投票は元の規則のままです。どちらの
オプションもなければ、記録を検算します。未完了の実行は、これまでの分を数えます。

除いた席は合議体から外れ、全席に対して数えるものはその分少ない席に対して数えます。モデルに尋ねる前にポリシーが拒否
したものは、拒否のままです。不要になった、または尋ねられなかった席は投票していません。その票で決まったはずの投票は
"unknown" です。最初に異なる投票の後は、実行は別の道をたどったはずなので、その後は記録された票の集計にすぎません。`,
  },
  options: [
    {
      name: 'without',
      takes: 'SEAT',
      text: {
        en: 'take this seat off the panel; several: a,b, or again',
        ja: 'この席を合議体から除く。複数: a,b か繰り返し',
      },
    },
  ],
  obeys: ['output', 'rule'],
  examples: ['quorate recount ID --rule unanimous', 'quorate recount ID --without gpt-5.2-codex'],
  run: async (parsed, terminal) => {
    const {stdout, env, language} = terminal;
    const {recountOf} = await import('../past/recount-run.ts');
    const {cwd: folder, output} = parsed;
    const [wanted] = parsed.operands;
    const journal = await openToRead(terminal);
    try {
      const {counted, damage} = await recountOf(journal, {wanted, folder, terms: parsed});
      const text =
        output === 'text'
          ? recountLines(counted, {
              style: styleFor(stdout, {env, language}),
              width: pageWidthOf(stdout),
            }).join('\n')
          : safeJson(recountData(counted), output === 'json' ? 2 : undefined);
      await write(stdout, `${text}\n`);
      if (damage) throw damage;
      return 0;
    } finally {
      await journal.close();
    }
  },
};
