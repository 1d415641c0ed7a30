/**
 * Comparisons of two values of a key by strictness: a project file may set a stricter value before the user trusts it. Keys
 * without a comparison require trust: models and providers (they receive the code), paths, prices, secrets, the environment of
 * commands. So do keys that can open a human gate sooner, because `auto_approve` may then approve a proposal that the panel
 * would have refused: the time limits and the minimum participation of a vote, and the number of revisions of a plan or a
 * position.
 */

import {isAsStrict, tryParseRule} from '../../../machines/panel/rule.ts';
import {builtInPolicies} from '../../policies/names.ts';

/** Returns true if `next` is at least as strict as `now`. */
export type Comparison = (next: unknown, now: unknown, panel: PanelSize) => boolean;

/** The size of the panel that results from the user's own configuration. */
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

/** Later levels are stricter. */
export const ordered =
  (...levels: readonly unknown[]): Comparison =>
  (next, now) =>
    levels.indexOf(next) >= levels.indexOf(now);

/** Compares for two panel sizes, as a panel of the policy reviewers may replace the configured one. */
export const stricterRule: Comparison = (next, now, {seats, weighted}) => {
  const [after, before] = [next, now].map((text) => tryParseRule(String(text)));
  if (!after || !before) return false;
  return isAsStrict(after, before, {sizes: [seats, builtInPolicies.length], weighted});
};
