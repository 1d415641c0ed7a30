/** Finds what is wrong with a chart, from its structure alone: nothing of the machine is run. */

import type {AnyStateMachine} from 'xstate';

import {type ChartNode, transitionName} from '../chart.ts';
import {memberOf} from './actors.ts';
import {readChart} from './linted-chart.ts';
import {lineOf} from './relations.ts';
import type {Fault, Finding, Rule} from './rule.ts';
import {rules} from './rules.ts';

export interface LintOptions {
  /** Names of the rules to apply. Absent: all. */
  readonly rules?: readonly string[];
  /** Names of rules to leave out. */
  readonly ignore?: readonly string[];
  /**
   * The event types, or wildcards, that the machine receives: from outside, and from its children and parents. Absent: it
   * may receive any.
   */
  readonly events?: readonly string[];
}

/**
 * The findings, errors first, then in the order of the rules and of the states. A state accepts findings, for itself and for
 * the states within it, by `meta: {lint: {ignore: ['dead-end']}}`. Throws for a name in `options` that no rule has.
 */
export function lintChart(machine: AnyStateMachine, options: LintOptions = {}): Finding[] {
  const chart = readChart(machine, options.events);
  const findings = chosen(options).flatMap((rule) =>
    rule
      .check(chart)
      .filter(({node}) => !isAccepted(node, rule))
      .map((fault) => findingOf(fault, rule)),
  );
  const {error = [], warning = []} = Object.groupBy(findings, ({severity}) => severity);
  return [...error, ...warning];
}

function chosen({rules: only, ignore = []}: LintOptions): readonly Rule[] {
  const names = new Set(rules.map(({name}) => name));
  const unknown = [...(only ?? []), ...ignore].find((name) => !names.has(name));
  if (unknown !== undefined) {
    throw new Error(`there is no lint rule "${unknown}"; the rules: ${[...names].join(', ')}`);
  }
  return rules.filter(({name}) => !ignore.includes(name) && (only?.includes(name) ?? true));
}

function isAccepted(node: ChartNode, {name}: Rule): boolean {
  return lineOf(node).some(({meta}) => {
    const ignored = memberOf(memberOf(meta, 'lint'), 'ignore');
    return Array.isArray(ignored) && ignored.includes(name);
  });
}

function findingOf({node, severity, transition, message, fix}: Fault, {name}: Rule): Finding {
  return {
    rule: name,
    severity,
    state: node.id,
    ...(transition === undefined ? {} : {transition: transitionName(transition)}),
    message,
    fix,
  };
}
