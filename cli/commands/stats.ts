/** `quorate stats`: figures over the runs that have ended. */

import {t} from '../../machines/message.ts';
import {toCount, toSince, usually, valueOption} from '../line/option-values.ts';
import {pastCommand} from './define.ts';

const defaultLimit = 200;

export const stats = pastCommand({
  summary: t`figures over ended runs: completed, plans, calls, costs, failures, ratings, seats`,
  detail: t`Counts the runs that have ended: how many completed, how often plans were changed, calls, failures, time-outs and
costs of each model, and how people rated the results (quorate show --rate). A rate is shown as "12 of 15", a cost only
for calls whose price is known, and — where nothing is known.

It reads the last entry of each run, the newest first: --since and --limit choose how many. With -C FOLDER only the runs
of that folder are counted. A run that was forked counts from its point on. Of runs that an earlier version recorded,
and of damaged ones that were cancelled, only the result, the rating and the votes are counted; the text says of how
many. --output json has all figures.

Of each seat of a panel it shows the votes on which it sat and

  AGREES     how many of its approvals and rejections were the panel's verdict, where the panel had one
  DECISIVE   votes that its opposite ballot would have led to another verdict; 0–2 is a range: a ballot that was not needed
             could have had any verdict
  COST       of all its calls, including aborted ones`,
  options: {
    since: valueOption(
      'AGE|DATE',
      t`only runs that ended since then: 24h, 7d, 2w or 2026-11-01`,
      toSince,
    ),
    limit: usually(
      valueOption('N', t`the maximum number of runs, the newest first (${defaultLimit})`, toCount),
      defaultLimit,
    ),
  },
  obeys: ['output'],
  examples: ['quorate stats --since 7d', 'quorate stats --limit 1000 --output json'],
  report: async (journal, {options: {since, limit}, cwd}) => {
    const {collectStats} = await import('../../actors/metrics/stats.ts');
    const {statsLines} = await import('../render/tables/stats.ts');
    const statistics = await collectStats(journal, {
      ...(since === undefined ? {} : {since}),
      limit,
      ...(cwd === undefined ? {} : {workspace: cwd}),
    });
    return {data: statistics, lines: (view) => statsLines(statistics, view)};
  },
});
