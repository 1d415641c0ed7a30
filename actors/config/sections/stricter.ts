/**
 * Which of two values of a key is the stricter: a project file may set that one before the user trusts it. Keys without a
 * comparison need trust: models and providers (they receive the code), paths, prices, secrets, what reaches commands. So do
 * keys that open a human gate sooner, where `auto_approve` may answer what a panel would have refused: times and turnout
 * of a vote, how often a plan or a position is revised.
 */

import {isAsStrict, tryParseRule} from '../../../machines/panel/rule.ts';
import {builtInPolicies} from '../../policies/names.ts';

/** Whether `next` is as strict as `now` or stricter. */
export type Comparison = (next: unknown, now: unknown, panel: PanelSize) => boolean;

/** The panel that the user's own configuration leads to. */
export interface PanelSize {
  readonly seats: number;
  readonly weighted: boolean;
}

export const lower: Comparison = (next, now) =>
  typeof next === 'number' && typeof now === 'number' && next <= now;

export const higher: Comparison = (next, now, panel) => lower(now, next, panel);

export const onlyOn: Comparison = (next, now) => next === true || now === false;

export const onlyOff: Comparison = (next, now) => next === false || now === true;

export const superset: Comparison = (next, now) =>
  Array.isArray(next) && Array.isArray(now) && now.every((item) => next.includes(item));

export const subset: Comparison = (next, now, panel) => superset(now, next, panel);

/** The later in the list, the stricter. */
export const ordered =
  (...levels: readonly unknown[]): Comparison =>
  (next, now) =>
    levels.indexOf(next) >= levels.indexOf(now);

/** The panel of the policy reviewers may sit instead of the configured one. */
export const stricterRule: Comparison = (next, now, {seats, weighted}) => {
  const [after, before] = [next, now].map((text) => tryParseRule(String(text)));
  if (!after || !before) return false;
  return isAsStrict(after, before, {sizes: [seats, builtInPolicies.length], weighted});
};
