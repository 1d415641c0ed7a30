/** `quorate recount [ID]`: counts the rounds of a run again by another rule, from its journal alone. */

import {t} from '../../machines/message.ts';
import {oneOrNewest} from '../line/command.ts';
import {wordsOption} from '../line/option-values.ts';
import {pastCommand} from './define.ts';

export const recountRun = pastCommand({
  operands: oneOrNewest,
  summary: t`count the votes of a run again, by another --rule or without a seat`,
  detail: t`Counts every vote of a run again, by another rule or on a smaller panel, and names the first round with another outcome.
It reads only the journal: no model is asked, nothing is replayed, nothing is changed. Without --rule each vote keeps its
own rule; with neither option it checks the recorded counts. Of an open run it counts the votes up to now.

A seat that is left out is removed from the panel: a rule on all seats then counts fewer. A proposal that a policy refused
before any model was asked stays refused. A seat that was no longer needed, or could not be asked, has not voted: where its
ballot would have decided, the vote is "unknown". After the first round with another outcome the run would have continued
differently, so later rounds only show the result of the recorded ballots.`,
  options: {
    without: wordsOption('SEAT', t`take this seat off the panel; several: a,b, or again`),
  },
  obeys: ['output', 'rule'],
  examples: ['quorate recount ID --rule unanimous', 'quorate recount ID --without gpt-5.2-codex'],
  report: async (journal, {operands: [wanted], cwd: folder, options, overrides}) => {
    const {recountData, recountLines, recountOf} = await import('../past/recount.ts');
    const terms = {...options, overrides};
    const {counted, damage} = await recountOf(journal, {wanted, folder, terms});
    return {data: recountData(counted), lines: (view) => recountLines(counted, view), damage};
  },
});
