/** Law 6: after a cancel of the run, nothing new starts. */

import type {Entry} from '../../actors/journal/journal.ts';
import type {Law} from '../../actors/verify/law.ts';
import {receivedIn, textOf} from '../../actors/verify/record-index.ts';

/** They end what runs. */
const endingPorts: ReadonlySet<string> = new Set(['unlockWorkspace']);

const beginnings: ReadonlySet<unknown> = new Set([
  'human.requested',
  'interview.asked',
  'interaction.spawned',
]);

export const cancelEnds: Law = (record, {violated}) => {
  const [cancel] = receivedIn(record, 'user.cancel');
  if (!cancel) return;
  for (const entry of record.entries.slice(cancel.entry + 1)) {
    const begun = begunBy(entry);
    if (begun !== undefined) violated(6, entry.seq, `${begun} was begun after the cancel`);
  }
  for (const [key, {asked, entry}] of record.replayed?.requests ?? []) {
    if (entry >= cancel.entry && !endingPorts.has(asked.port))
      violated(6, entry, `${key} was requested after the cancel`);
  }
};

/** The work that the entry begins. */
function begunBy(entry: Entry): string | undefined {
  if (entry.type === 'noted')
    return beginnings.has(entry.note['type']) ? textOf(entry.note['type']) : undefined;
  if (entry.type !== 'requested') return undefined;
  const {key, isTakenBack, isLost} = entry;
  return isTakenBack === true || isLost === true ? undefined : key;
}
