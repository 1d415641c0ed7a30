/** The titles of a result's sections, in the language of the request. */

import {t} from '../../../machines/message.ts';

export const titles = {
  answer: t`Answer`,
  changes: t`Changes`,
  checks: t`Checks`,
  tasks: t`Tasks`,
  interactions: t`Interactions`,
  denied: t`Denied`,
  votes: t`Votes`,
  sources: t`Sources`,
  conclusion: t`Conclusion`,
  keyPoints: t`Key points`,
  agreements: t`Agreements`,
  disagreements: t`Disagreements`,
  ranking: t`Ranking`,
  degraded: t`Degraded`,
  notes: t`Notes`,
  inDoubt: t`Nobody knows whether this happened`,
  unread: t`Messages after its last turn, which were not read`,
  others: t`Decided without the panel`,
};
