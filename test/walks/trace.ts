/** One real run from all its sources: the wire, the journal, the actors, the reports and the disk. */

import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import type {ActorRefLike, AnyActorRef, InspectionEvent} from 'xstate';

import type {EntryBody, Journal} from '../../actors/journal/journal.ts';
import {createMemoryJournal} from '../../actors/journal/memory.ts';
import {createRuntime} from '../../actors/runtime.ts';
import {eventLines} from '../../cli/render/live/events.ts';
import type {Screen} from '../../cli/render/screen.ts';
import {plainStyle} from '../../cli/render/style.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {ports, type PortTable} from '../../machines/port-natures.ts';
import {pathOf} from '../../machines/testing/world/puppet.ts';
import {act, ballot, isBallot} from '../support/agent-models.ts';
import {type ReceivedRequest, startMockOpenAi} from '../support/mock-openai.ts';

/** Actors are named by the ids from below the root, joined by `/`; the root is the empty name. */
export type Step =
  | {readonly kind: 'wire'; readonly text: string}
  | {readonly kind: 'journal'; readonly entry: string; readonly actor: string}
  | {
      readonly kind: 'message';
      readonly message: string;
      /** Undefined: the engine, or an actor that does not name itself. */
      readonly from: string | undefined;
      readonly to: string;
      /** The name of the running logic in the parent of the receiver. */
      readonly logic: string;
      /** The id of the receiver's machine; empty when the receiver is not a chart. */
      machine: string;
      /** The receiver's state after the message; empty when the receiver is not a chart. */
      state: string;
    }
  | {readonly kind: 'report'; readonly report: string; readonly actor: string}
  | {readonly kind: 'screen'; readonly line: string}
  | {readonly kind: 'disk'; readonly text: string};

type Message = Extract<Step, {readonly kind: 'message'}>;

const table: PortTable = ports;

const screen: Screen = {level: 'normal', style: plainStyle, width: 100, isLive: false};

/**
 * A plan of one write, voted on by one model; resolves with everything that happened, in order. `onStep` is called with each
 * step when it happens.
 */
export async function traceRun(onStep?: (step: Step) => void): Promise<readonly Step[]> {
  const workspace = mkdtempSync(join(tmpdir(), 'quorate-walk-'));
  const steps = onStep ? observed(onStep) : [];
  const server = await startMockOpenAi((received) => {
    steps.push({kind: 'wire', text: requestText(received)});
    return isBallot(received) ? ballot('approve', 'one small file') : act(received);
  });
  const runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: ['mock/reviewer'],
      },
      providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
    },
    env: {},
    journal: tracedJournal(steps),
    inspect: createInspector(steps),
  });
  try {
    const request = 'Write a note to note.txt';
    const onEvent = (event: ProgressEvent): void => addReport(steps, event);
    await runtime.start({form: 'agent', request, workspace, onEvent}).result;
    const text = readFileSync(join(workspace, 'note.txt'), 'utf8').trim();
    steps.push({kind: 'disk', text: `note.txt holds: ${text}`});
    return steps;
  } finally {
    await runtime.close();
    await server.close();
    rmSync(workspace, {recursive: true});
  }
}

function observed(onStep: (step: Step) => void): Step[] {
  return new Proxy<Step[]>([], {
    get(steps, key) {
      if (key !== 'push') return Reflect.get(steps, key);
      return (step: Step) => {
        onStep(step);
        return steps.push(step);
      };
    },
  });
}

function requestText({model, tools}: ReceivedRequest): string {
  const offered = tools.length === 1 ? `the tool ${tools.join('')}` : `${tools.length} tools`;
  return `POST /chat/completions: model ${model}, ${offered}`;
}

function tracedJournal(steps: Step[]): Journal {
  const journal = createMemoryJournal();
  return {
    ...journal,
    log: {
      ...journal.log,
      append: (batch) => {
        for (const body of batch.flatMap(({bodies}) => bodies)) {
          const actor = 'key' in body ? body.key.replace(/^i\//, '').replace(/#\d+$/, '') : '';
          if (body.type !== 'settled' || !isLook(steps, actor)) {
            steps.push({kind: 'journal', entry: entryName(body), actor});
          }
        }
        return journal.log.append(batch);
      },
    },
  };
}

/** A repeatable outcome becomes durable with the next entry, which may be earlier or later. */
function isLook(steps: readonly Step[], actor: string): boolean {
  const start = steps.find((step) => step.kind === 'message' && step.to === actor);
  const port = start?.kind === 'message' ? table[start.logic] : undefined;
  const isRequested = steps.some((step) => step.kind === 'journal' && step.actor === actor);
  return port !== undefined && !port.isLogged && !isRequested;
}

function entryName(body: EntryBody): string {
  const kind = body.type === 'noted' ? body.note['type'] : undefined;
  return typeof kind === 'string' ? `noted ${kind}` : body.type;
}

function addReport(steps: Step[], event: ProgressEvent): void {
  steps.push({kind: 'report', report: event.type, actor: event.actor});
  for (const line of eventLines(event, screen)) steps.push({kind: 'screen', line});
}

/** Records a message when it is sent, and the receiver's state once it has processed it. */
function createInspector(steps: Step[]): (event: InspectionEvent) => void {
  const pending = new Map<object, Message>();
  return (event) => {
    if (event.type === '@xstate.event') {
      const {sourceRef, actorRef, event: message} = event;
      const from = sourceRef && nameOf(sourceRef);
      const step: Message = {
        kind: 'message',
        message: message.type,
        from,
        to: nameOf(actorRef),
        logic: logicOf(actorRef),
        machine: machineOf(actorRef),
        state: '',
      };
      pending.set(message, step);
      steps.push(step);
    }
    if (event.type === '@xstate.microstep' && 'value' in event.snapshot) {
      const step = pending.get(event.event);
      if (!step) return;
      step.state = stateText(event.snapshot.value);
      step.machine ||= idOf(Reflect.get(event.snapshot, 'machine'));
    }
  };
}

function stateText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([state, inner]) => `${state}.${stateText(inner)}`)
    .join(' ');
}

/** The type of inspection is narrower than an actor; the value is one. */
function nameOf(actor: ActorRefLike): string {
  return isActor(actor) ? pathOf(actor) : '';
}

function logicOf(actor: ActorRefLike): string {
  return isActor(actor) && typeof actor.src === 'string' ? actor.src : '';
}

function machineOf(actor: ActorRefLike): string {
  return idOf(Reflect.get(actor, 'logic'));
}

function idOf(machine: unknown): string {
  if (typeof machine !== 'object' || machine === null || !('id' in machine)) return '';
  return typeof machine.id === 'string' ? machine.id : '';
}

function isActor(actor: ActorRefLike | AnyActorRef): actor is AnyActorRef {
  return 'id' in actor;
}
