/** Laws of every actor of a chart, in every scenario: they are checked by inspecting the actor system. */

import {isDeepStrictEqual} from 'node:util';

import {
  type AnyActorRef,
  type AnyMachineSnapshot,
  type InspectionEvent,
  isMachineSnapshot,
} from 'xstate';
import {z} from 'zod';

import {isVetoed, type ReviewRound} from '../../machines/domain/review.ts';
import {machines} from '../../machines/index.ts';
import {nodesOf} from '../../machines/testing/chart.ts';
import {type Logged, pathOf} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import {valueIn} from './laws-record.ts';

export interface ActorWatch {
  readonly inspect: (event: InspectionEvent) => void;
  readonly faults: () => readonly string[];
}

export function watchActors(): ActorWatch {
  const faults: string[] = [];
  const sent = new Map<unknown, Sent[]>();
  const parents = new Set<{getSnapshot: () => unknown}>();
  return {
    faults: () => [...faults, ...[...parents].flatMap(undismissed)],
    inspect(event) {
      if (event.type === '@xstate.event') {
        const {sourceRef, actorRef: target, event: message} = event;
        if (!sourceRef || !isMachineSnapshot(sourceRef.getSnapshot())) return;
        const before = sent.get(sourceRef) ?? [];
        if (before.some((each) => isDeepStrictEqual(each, {target, message}))) {
          faults.push(`${nameOf(sourceRef)} sends ${message.type} twice`);
        }
        sent.set(sourceRef, [...before, {target, message}]);
      }
      if (event.type !== '@xstate.microstep') return;
      sent.delete(event.actorRef);
      const {snapshot, actorRef} = event;
      if (!isMachineSnapshot(snapshot)) return;
      parents.add(actorRef);
      const found = [...endingFaults(snapshot), ...childFaults(snapshot)];
      faults.push(...found.map((fault) => `${nameOf(actorRef)}: ${fault}`));
    },
  };
}

interface Sent {
  readonly target: unknown;
  readonly message: object;
}

function nameOf(actor: object): string {
  return isActor(actor) ? pathOf(actor) : 'an actor outside';
}

function isActor(ref: object): ref is AnyActorRef {
  return 'id' in ref && 'sessionId' in ref;
}

/** In one step no actor reports the same thing twice. */
export function repeatedReports({log}: Pick<Played, 'log'>): string[] {
  let inStep: Logged[] = [];
  return log.flatMap((each) => {
    if (each.type !== 'reported') {
      inStep = [];
      return [];
    }
    const isRepeated = inStep.some((other) => isDeepStrictEqual(other, each));
    inStep.push(each);
    return isRepeated ? [`${each.path} reports ${JSON.stringify(each.report)} twice`] : [];
  });
}

/** An actor ends in the state that its output names. */
function endingFaults({machine: {id}, status, value, output}: AnyMachineSnapshot): string[] {
  const named = status === 'done' ? endings[id]?.(output) : undefined;
  return named === undefined || named === value
    ? []
    : [`it ends in ${JSON.stringify(value)} with an output of ${JSON.stringify(named)}`];
}

/** An actor that a state invokes exists only while its parent is in that state. */
function childFaults(snapshot: AnyMachineSnapshot): string[] {
  const {machine, status, children} = snapshot;
  const invoking = invokingStates.get(machine.id);
  if (!invoking || status !== 'active') return [];
  const {_nodes: nodes} = snapshot;
  const active = new Set(nodes.map((node) => node.id));
  return Object.keys(children).flatMap((child) => {
    const states = children[child] === undefined ? undefined : invoking.get(child);
    return !states || states.some(({state}) => active.has(state))
      ? []
      : [`${child} is left in ${JSON.stringify(snapshot.value)}`];
  });
}

/** A spawned actor that has ended is stopped by its parent. */
function undismissed(actor: {getSnapshot: () => unknown}): string[] {
  const snapshot = actor.getSnapshot();
  if (!isMachineSnapshot(snapshot) || snapshot.status !== 'active') return [];
  const {machine, children} = snapshot;
  const invoked = invokingStates.get(machine.id);
  if (!invoked) return [];
  return Object.entries<AnyActorRef | undefined>(children).flatMap(([id, child]) =>
    child && !invoked.has(id) && child.getSnapshot().status !== 'active'
      ? [`${nameOf(actor)}: ${id} has ended and is kept`]
      : [],
  );
}

interface Invoking {
  readonly child: string;
  /** The id of the state that invokes it. */
  readonly state: string;
}

/** By machine and child: the states that invoke it, as the charts are before a test changes one of them. */
const invokingStates: ReadonlyMap<string, ReadonlyMap<string, readonly Invoking[]>> = new Map(
  machines.map(({id, root}) => {
    const pairs: Invoking[] = nodesOf(root).flatMap((node) =>
      node.invoke.map((invoke) => ({child: invoke.id, state: node.id})),
    );
    return [id, Map.groupBy(pairs, ({child}) => child)] as const;
  }),
);

const roundSchema = z.custom<ReviewRound>();

type Ending = (output: unknown) => unknown;

const byKind: Ending = (output) => valueIn(output, 'kind');
const byStatus: Ending = (output) => valueIn(output, 'status');

/** The final state that an output names; undefined: any. */
const endings: Readonly<Record<string, Ending>> = {
  interaction: renamed(byStatus, {rejected: 'failed', limited: 'failed', error: 'failed'}),
  agent: renamed(byStatus, {error: 'errored'}),
  ask: (output) =>
    valueIn(output, 'stoppedReason') === 'tool_failure_degraded' &&
    valueIn(output, 'status') === 'completed'
      ? 'degraded'
      : askEnding(output),
  discuss: renamed(byStatus, {completed: 'concluded', error: 'errored'}),
  debate: (output) => valueIn(output, 'outcome'),
  review: renamed(byStatus, {completed: 'approved', failed: 'undecided'}),
  command: byStatus,
  gathering: (output) => (valueIn(output, 'failure') === undefined ? 'gathered' : 'failed'),
  'model-call': (output) => (byKind(output) === 'ok' ? 'replied' : 'failed'),
  planning: renamed(byKind, {planned: 'ready'}),
  question: renamed(byKind, {said: 'unanswered'}),
  quorum: (output) => (isVetoed(roundSchema.parse(output)) ? 'vetoed' : valueIn(output, 'verdict')),
  task: byStatus,
  'turn-loop': byKind,
  'tool-call': renamed((output) => valueIn(output, 'result', 'status'), {inDoubt: 'failed'}),
  'action-review': byKind,
  'human-gate': renamed(gateAnswer, {
    approve: 'approved',
    always: 'approved',
    reject: 'rejected',
    edit: 'edited',
    revise: 'revised',
    retry: 'resolved',
    done: 'resolved',
    fail: 'resolved',
    answer: 'resolved',
  }),
  evaluation: byKind,
  closing: (output) => (valueIn(output, 'answer') === '' ? 'unwritten' : 'written'),
  'claim-check': (output) => (valueIn(output, 'isCut') === true ? 'cut' : 'passed'),
  interview: renamed(byStatus, {completed: 'submitted', error: 'errored'}),
  'field-reviewer': (output) => (valueIn(output, 'passed') === true ? 'passed' : 'failed'),
  'agent-loop': byKind,
  exchange: byKind,
};

const askEnding = renamed(byStatus, {completed: 'answered', rejected: 'blocked', error: 'errored'});

/** A person may fail an effect in doubt, which a mode rejects. */
function gateAnswer(output: unknown): unknown {
  const decision = valueIn(output, 'decision', 'decision');
  return decision === 'fail' && valueIn(output, 'by') !== 'person' ? 'reject' : decision;
}

function renamed(ending: Ending, names: Readonly<Record<string, string>>): Ending {
  return (output) => {
    const name = ending(output);
    return typeof name === 'string' ? (names[name] ?? name) : name;
  };
}
