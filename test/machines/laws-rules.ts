/** Laws of rules by which interactions spawn others: each is met at its time, once, and by what a rule has spawned never. */

import type {SpawnRule} from '../../machines/domain/spawn-rule.ts';
import type {Recorded} from '../../machines/facts/fact.ts';
import type {Played} from '../support/played.ts';
import {reportsOf, unless, valueIn} from './laws-record.ts';

/** Of a tree that is at work, whose root has the rules; each asks for something else. */
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
      'something that a rule has spawned has met one',
    ),
    ...rules.flatMap(({event, nth, request}) => {
      const times = own.filter((fact) => isTrigger(fact, event)).length;
      const due = times >= nth ? 1 : 0;
      const met = byRule.filter((report) => valueIn(report, 'request') === request).length;
      return unless(
        met === due,
        `${event} came ${times} times, and ${event}:${nth} was met ${met} times`,
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
