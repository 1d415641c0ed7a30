/**
 * Choices of which no branch may hold. A choice is what happens once: a state that is left by `always`, the end of an
 * actor or of a state, a delay. Events from outside are none: to ignore them is usual.
 *
 * Not reported: what another transition can still lead on from, and guards of which one is `not` of another.
 */

import {type ChartNode, type ChartTransition, guardText, isWithin} from '../../chart.ts';
import {candidates} from '../../descriptors.ts';
import type {LintedChart} from '../linted-chart.ts';
import {canCoexist, exits, lineOf} from '../relations.ts';
import type {Fault, Rule} from '../rule.ts';

export const choiceWithoutDefault: Rule = {
  name: 'choice-without-default',
  description:
    'Every branch of a choice has a guard: when none holds, the machine waits for an event that never comes.',
  check: (chart) =>
    chart.nodes.flatMap((node) => [...alwaysFault(node, chart), ...onceFaults(node, chart)]),
};

const fix = 'leave the guard of the last transition out, or add a transition without one';

function alwaysFault(node: ChartNode, chart: LintedChart): Fault[] {
  const {always = [], type, invoke, transitions} = node;
  const waits = type !== 'atomic' || invoke.length > 0 || transitions.size > 0;
  if (
    waits ||
    always.length === 0 ||
    hasDefault(lineOf(node).flatMap((each) => each.always ?? []))
  ) {
    return [];
  }
  if (chart.transitions.some((each) => mayTurn(each, node))) return [];
  const message = `${node.key} is left only by always, and each of its transitions has a guard: when none holds, the machine hangs`;
  return [{node, severity: 'warning', message, fix}];
}

/** True if a transition is taken while a state is active, and may make its guards hold. */
function mayTurn(transition: ChartTransition, node: ChartNode): boolean {
  const {source} = transition;
  return source !== node && canCoexist(source, node) && !exits(transition, node);
}

function onceFaults(node: ChartNode, chart: LintedChart): Fault[] {
  return [...node.transitions].flatMap(([event, list]) => {
    const kind = kindOf(event);
    const transition = list.find(({target}) => target !== undefined);
    const branches = lineOf(node).flatMap((each) => candidates(each, event));
    if (kind === undefined || transition === undefined || hasDefault(branches)) return [];
    if (kind === 'error') {
      const message = `each transition of ${node.key} for the error of an actor has a guard: when none holds, the machine stops with the error`;
      return [{node, severity: 'warning', transition, message, fix}];
    }
    if (goesOn(node, event, chart)) return [];
    const message = `each transition of ${node.key} for ${text[kind]} has a guard: when none holds, the machine hangs`;
    return [{node, severity: 'warning', transition, message, fix}];
  });
}

type Kind = 'error' | 'actor' | 'state' | 'delay';

const text = {actor: 'the end of its actor', state: 'its end', delay: 'its delay'};

function kindOf(event: string): Kind | undefined {
  if (event.startsWith('xstate.error.actor.')) return 'error';
  if (event.startsWith('xstate.done.actor.')) return 'actor';
  if (event.startsWith('xstate.done.state.')) return 'state';
  return event.startsWith('xstate.after.') ? 'delay' : undefined;
}

function hasDefault(branches: readonly ChartTransition[]): boolean {
  const guards = branches.flatMap(({guard}) => (guard === undefined ? [] : [guardText(guard)]));
  return guards.length < branches.length || guards.some((guard) => guards.includes(`not ${guard}`));
}

/** True if another event can lead on: one of the state, of its children, or of a parent below the root. */
function goesOn(node: ChartNode, event: string, {transitions}: LintedChart): boolean {
  const failure = event.replace('xstate.done.', 'xstate.error.');
  const isCompleted = kindOf(event) === 'state';
  return transitions.some((each) => {
    const {source, eventType} = each;
    if (eventType === event || eventType === failure || !source.parent) return false;
    return source === node || (!isCompleted && isWithin(source, node)) || exits(each, node);
  });
}
