/** The events that a chart sends, and the events that XState sends to it. */

import {type ChartNode, isMachine} from '../chart.ts';
import {selects} from '../descriptors.ts';
import {
  builtinType,
  type ChildActor,
  implementedAction,
  isCallback,
  memberOf,
  writtenActions,
} from './actors.ts';
import type {LintedChart} from './linted-chart.ts';
import {canCoexist, canComplete} from './relations.ts';

export interface SentEvent {
  /** The state whose action sends it. */
  readonly node: ChartNode;
  readonly type: string;
  /** Id of the child it goes to. Absent: the machine itself. */
  readonly to?: string;
}

/** The events that `raise` and `sendTo` send, as far as their types and their addressees are literals. */
export function sentIn(chart: LintedChart): SentEvent[] {
  return chart.nodes.flatMap((node) =>
    writtenActions(node)
      .map((action) => implementedAction(node, action))
      .flatMap((action) => {
        const type = memberOf(memberOf(action, 'event'), 'type');
        const to = memberOf(action, 'to');
        if (typeof type !== 'string') return [];
        if (builtinType(action) === 'xstate.raise') return [{node, type}];
        const isSent = builtinType(action) === 'xstate.sendTo' && typeof to === 'string';
        return isSent && !to.startsWith('#_') ? [{node, type, to}] : [];
      }),
  );
}

/** True if a state of the chart has a transition for an event. */
export function isHandledIn(nodes: readonly ChartNode[], event: string): boolean {
  return nodes.some((node) => [...node.transitions.keys()].some((key) => selects(key, event)));
}

/** Why an event of XState cannot come while a state is active; undefined when it may. */
export function whyNever(
  descriptor: string,
  node: ChartNode,
  chart: LintedChart,
): string | undefined {
  const family = families.find(([prefix]) => descriptor.startsWith(prefix));
  return family?.[1](descriptor.slice(family[0].length), node, chart);
}

type Reason = (rest: string, node: ChartNode, chart: LintedChart) => string | undefined;

const byXState = 'XState handles it without the transitions of the chart';

/** Why an event does not come, by the beginning of its name. XState 4 has other names for some. */
const families: readonly (readonly [prefix: string, reason: Reason])[] = [
  [
    'xstate.done.actor.',
    (id, node, chart) => whyNotFromActor(id, node, chart) ?? whyNotDone(id, chart),
  ],
  ['xstate.error.actor.', whyNotFromActor],
  ['xstate.snapshot.', whyNotFromActor],
  ['xstate.done.state.', (id, _, chart) => whyNotCompleted(id, chart)],
  ['xstate.after.', (delay, _, chart) => whyNoDelay(delay, chart)],
  ['xstate.init', () => byXState],
  ['xstate.stop', () => byXState],
  ['done.invoke.', (id) => `XState 5 calls it xstate.done.actor.${id}`],
  ['error.platform.', (id) => `XState 5 calls it xstate.error.actor.${id}`],
  ['done.state.', (id) => `XState 5 calls it xstate.done.state.${id}`],
];

function whyNotFromActor(
  id: string,
  node: ChartNode,
  {actors, spawnsByFunction}: LintedChart,
): string | undefined {
  if (spawnsByFunction) return undefined;
  const senders = sendersOf(id, actors);
  if (actors.length === 0) return 'the machine has no actors';
  if (senders.length === 0) return `no actor has the id ${id}`;
  if (senders.some((sender) => sender.isSpawned || canCoexist(sender.node, node))) return undefined;
  return `its actor is invoked by ${senders[0]?.node.key}, and stopped when that state is left`;
}

function whyNotDone(id: string, {actors, spawnsByFunction}: LintedChart): string | undefined {
  const senders = sendersOf(id, actors);
  if (spawnsByFunction || senders.length === 0) return undefined;
  if (senders.every(({logic}) => isCallback(logic))) return 'a callback actor is never done';
  const isEndless = senders.every(({logic}) => isMachine(logic) && !canComplete(logic.root));
  return isEndless ? 'the machine that is invoked has no final state' : undefined;
}

function sendersOf(id: string, actors: readonly ChildActor[]): ChildActor[] {
  return actors.filter((actor) => actor.id !== undefined && selects(id, actor.id));
}

function whyNotCompleted(id: string, {nodes, machine}: LintedChart): string | undefined {
  const completed = nodes.filter((node) => selects(id, node.id));
  if (completed.length === 0) return `no state has the id ${id}`;
  if (!completed.some(canComplete)) return `${id} has no final state`;
  return completed.every((node) => node === machine.root)
    ? 'the machine ends when its root completes'
    : undefined;
}

function whyNoDelay(delay: string, {nodes}: LintedChart): string | undefined {
  const events = nodes.flatMap(({after}) => after.map(({eventType}) => eventType));
  const isKnown = events.some((event) => selects(`xstate.after.${delay}`, event));
  return isKnown ? undefined : 'no state has this delay';
}
