/** Checks that the entries of a run are chained, and that none is missing at the end. */

import type {Entry} from '../../journal/journal.ts';
import {type Check, isBroken, type Verifiable} from './check.ts';

export function checkChain(run: Verifiable): readonly Check[] {
  const check = 'chain';
  const {entries, damage} = run;
  const [opened] = entries;
  const origin = opened?.type === 'opened' ? opened.origin : undefined;
  const {message: detail = ''} = damage ?? {};
  return [
    isBroken(run)
      ? {check, state: 'fails', finding: 'broken', entry: entries.length, detail}
      : {check, state: 'holds', finding: 'chained'},
    ...(origin ? [{check, state: 'unchecked', finding: 'copied', origin} as const] : []),
  ];
}

export function checkEnd(run: Verifiable): Check {
  const {entries, damage, imported = false} = run;
  const check = 'end';
  if (isBroken(run)) return {check, state: 'unchecked', finding: 'notReached'};
  const entry = entries.length;
  if (damage) return {check, state: 'fails', finding: 'endMissing', entry, detail: damage.message};
  const closed = entries.findIndex(isEnd);
  if (closed === entries.length - 1)
    return {check, state: 'holds', finding: 'ended', entry: closed};
  if (closed !== -1) return {check, state: 'fails', finding: 'afterEnd', entry: closed + 1};
  if (imported) return {check, state: 'fails', finding: 'notEnded', entry};
  return {check, state: 'holds', finding: 'open'};
}

function isEnd({type}: Entry): boolean {
  return type === 'closed';
}
