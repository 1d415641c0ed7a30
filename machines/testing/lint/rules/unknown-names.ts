/**
 * Names without an implementation. How sure it is that one is missing depends on what the machine has: the names of a bare
 * `createMachine` may be a sketch, or get their implementations from `provide`.
 *
 * - Others of the kind are implemented: an error.
 * - None of the kind is: a warning for delays and actors, as XState runs on without a word, and for guards and actions
 *   when the machine implements anything at all.
 */

import type {AnyStateMachine} from 'xstate';

import {didYouMean} from '../../../domain/nearest.ts';
import type {LintedChart} from '../linted-chart.ts';
import {actionsUsed, delaysUsed, guardsUsed, type NameUse} from '../names-used.ts';
import type {Fault, Rule, Severity} from '../rule.ts';

export const unknownDelay: Rule = {
  name: 'unknown-delay',
  description: 'A delay has no implementation: the event comes at once.',
  check: (chart) => missing('delays', delaysUsed(chart), chart, 'the event comes at once'),
};

export const unknownGuard: Rule = {
  name: 'unknown-guard',
  description:
    'A guard has no implementation: the machine stops with an error when it checks the guard.',
  check: (chart) =>
    missing(
      'guards',
      guardsUsed(chart),
      chart,
      'the machine stops with an error when it checks it',
    ),
};

export const unknownAction: Rule = {
  name: 'unknown-action',
  description: 'An action has no implementation: XState skips it.',
  check: (chart) => missing('actions', actionsUsed(chart), chart, 'XState skips it'),
};

/** The faults of the names that have no implementation. */
export function missing(
  kind: keyof AnyStateMachine['implementations'],
  used: readonly NameUse[],
  {machine}: LintedChart,
  effect: string,
): Fault[] {
  const known = Object.keys(machine.implementations[kind]);
  const severity = severityFor(kind, machine);
  if (severity === undefined) return [];
  return used
    .filter(({name}) => !known.includes(name))
    .map(({node, name}) => ({
      node,
      severity,
      message: `the ${kind.slice(0, -1)} ${name} has no implementation: ${effect}${didYouMean(name, known)}`,
      fix: `add it to the ${kind} of setup or of provide`,
    }));
}

function severityFor(
  kind: keyof AnyStateMachine['implementations'],
  {implementations}: AnyStateMachine,
): Severity | undefined {
  if (Object.keys(implementations[kind]).length > 0) return 'error';
  const isSketch = Object.values(implementations).every((each) => Object.keys(each).length === 0);
  return !isSketch || kind === 'delays' || kind === 'actors' ? 'warning' : undefined;
}
