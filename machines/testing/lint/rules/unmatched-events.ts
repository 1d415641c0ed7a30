/**
 * Events that are handled but never sent, and events that are sent but never handled.
 *
 * Of events from outside the chart says nothing, so they are taken for sent, unless the caller lists them
 * (`LintOptions.events`). What the chart shows is which events XState sends (the ends and failures of actors, the ends of
 * states, delays), and which events literal `raise` and `sendTo` actions send.
 */

import {isMachine, nodesOf} from '../../chart.ts';
import {isWildcard, selects} from '../../descriptors.ts';
import {isHandledIn, type SentEvent, sentIn, whyNever} from '../events.ts';
import type {LintedChart} from '../linted-chart.ts';
import type {Fault, Rule} from '../rule.ts';

export const eventNeverSent: Rule = {
  name: 'event-never-sent',
  description: 'A transition waits for an event that cannot come.',
  check: (chart) =>
    chart.nodes.flatMap((node) =>
      [...node.transitions].flatMap(([descriptor, [transition]]): Fault[] => {
        const reason = whyNever(descriptor, node, chart) ?? whyUnsent(descriptor, chart);
        if (reason === undefined || transition === undefined) return [];
        const message = `${descriptor} never comes: ${reason}`;
        const fix = 'correct the name of the event, or delete the transition';
        return [{node, severity: 'error', transition, message, fix}];
      }),
    ),
};

export const eventNeverHandled: Rule = {
  name: 'event-never-handled',
  description: 'An event is sent that no state handles.',
  check: (chart) => [
    ...sentIn(chart).flatMap((sent) => unhandled(sent, chart)),
    ...unhandledFromOutside(chart),
  ],
};

/** Why an event of the chart's own cannot come, if the caller says which do. */
function whyUnsent(descriptor: string, chart: LintedChart): string | undefined {
  const {received} = chart;
  if (received === undefined || descriptor === '*' || descriptor.startsWith('xstate.'))
    return undefined;
  const raised = sentIn(chart).filter(({to}) => to === undefined);
  const events = [...received, ...raised.map(({type}) => type)];
  const isSent = events.some((event) => selects(descriptor, event) || selects(event, descriptor));
  return isSent ? undefined : 'it is neither raised nor listed as sent from outside';
}

function unhandled({node, type, to}: SentEvent, {nodes, actors}: LintedChart): Fault[] {
  const fix = 'correct the name of the event, or handle it';
  if (to === undefined) {
    const message = `the machine raises ${type}, and no state handles it`;
    return isHandledIn(nodes, type) ? [] : [{node, severity: 'error', message, fix}];
  }
  const receivers = actors.filter(({id}) => id === to);
  const isLost = receivers.every(
    ({logic}) => isMachine(logic) && !isHandledIn(nodesOf(logic.root), type),
  );
  if (receivers.length === 0 || !isLost) return [];
  const message = `${type} goes to the machine ${to}, and no state of it handles the event`;
  return [{node, severity: 'error', message, fix}];
}

function unhandledFromOutside({machine, nodes, received = []}: LintedChart): Fault[] {
  return received
    .filter((event) => !isWildcard(event) && !isHandledIn(nodes, event))
    .map((event) => ({
      node: machine.root,
      severity: 'warning' as const,
      message: `${event} is listed as sent from outside, and no state handles it`,
      fix: 'correct the name of the event, or handle it',
    }));
}
