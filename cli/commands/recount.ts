/** `quorate recount [ID]`: counts the rounds of a run again by another rule, from its journal alone. */

import {t} from '../../machines/message.ts';
import {oneOrNewest, type Command} from '../line/command.ts';
import {withJournal} from '../past/open-journal.ts';
import {printReport, type Report} from '../render/report.ts';
import {recountData, recountLines} from '../render/tables/recount.ts';

export const recountRun: Command = {
  operands: oneOrNewest,
  summary: t`count the votes of a run again, by another --rule or without a seat`,
  detail: t`Counts every vote of a run again, by another rule or on a smaller panel, and names the first round with another outcome.
It reads only the journal: no model is asked, nothing is replayed, nothing is changed. Without --rule each vote keeps its
own rule; with neither option it checks the recorded counts. Of an open run it counts the votes up to now.

A seat that is left out is removed from the panel: a rule on all seats then counts fewer. A proposal that a policy refused
before any model was asked stays refused. A seat that was no longer needed, or could not be asked, has not voted: where its
ballot would have decided, the vote is "unknown". After the first round with another outcome the run would have continued
differently, so later rounds only show the result of the recorded ballots.`,
  options: [
    {
      name: 'without',
      takes: 'SEAT',
      text: t`take this seat off the panel; several: a,b, or again`,
    },
  ],
  obeys: ['output', 'rule'],
  examples: ['quorate recount ID --rule unanimous', 'quorate recount ID --without gpt-5.2-codex'],
  run: async (parsed, terminal) => {
    const {recountOf} = await import('../past/recount-run.ts');
    const {
      operands: [wanted],
      cwd: folder,
    } = parsed;
    const {counted, damage} = await withJournal(
      terminal,
      async (journal) => await recountOf(journal, {wanted, folder, terms: parsed}),
    );
    const lines: Report['lines'] = (view) => recountLines(counted, view);
    await printReport({data: recountData(counted), lines}, parsed, terminal);
    if (damage) throw damage;
    return 0;
  },
};
