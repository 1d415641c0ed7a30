/** Laws of spawn rules: each fires once, at its event; an interaction that a rule spawned triggers none. */

import type {SpawnRule} from '../../machines/domain/spawn-rule.ts';
import type {Recorded} from '../../machines/facts/fact.ts';
import type {Played} from '../support/played.ts';
import {reportsOf, unless, valueIn} from './laws-record.ts';

/** `root` is the id of the interaction with the rules; each rule has another request. A tree that has ended has no faults. */
export function ruleFaults(played: Played, root: string, rules: readonly SpawnRule[]): string[] {
  if (played.status() === 'done') return [];
  const own = played
    .facts()
    .filter(({path}) => path.startsWith('scenario/subject/interaction/form/'));
  const spawned = reportsOf(played.log, 'interaction.spawned');
  const byRule = spawned.filter((report) => valueIn(report, 'by') === 'rule');
  return [
    ...unless(
      byRule.every((report) => valueIn(report, 'parent') === root),
      'an interaction that a rule spawned has triggered one',
    ),
    ...rules.flatMap(({event, nth, request}) => {
      const times = own.filter((fact) => isTrigger(fact, event)).length;
      const due = times >= nth ? 1 : 0;
      const fired = byRule.filter((report) => valueIn(report, 'request') === request).length;
      return unless(
        fired === due,
        `${event} occurred ${times} times, and ${event}:${nth} fired ${fired} times`,
      );
    }),
  ];
}

function isTrigger(fact: Recorded, event: SpawnRule['event']): boolean {
  if (fact.type === 'task.settled') return event === 'task.failed' && fact.status === 'failed';
  if (fact.type !== 'quorum.decided') return false;
  const {kind, verdict} = fact;
  return event === 'quorum.noQuorum' ? verdict === 'noQuorum' : event === `${kind}.${verdict}`;
}
