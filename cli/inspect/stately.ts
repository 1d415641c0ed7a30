/**
 * A trace as the events of `@statelyai/inspect` 0.7, for its receivers: `@xstate.actor`, `@xstate.event`, `@xstate.snapshot`.
 * Sessions are the paths of actors.
 */

import type {AnyStateMachine} from 'xstate';

import {configOf} from '../../diagrams/config.ts';
import type {Json, JsonObject} from '../../machines/domain/json.ts';
import {Moments} from '../../machines/trace/moments.ts';
import type {ActorState, Message, Step} from '../../machines/trace/step.ts';

const format = '0.7.2';

/** `machines`: those whose definition can be given. */
export function* statelyEvents(
  steps: readonly Step[],
  machines: readonly AnyStateMachine[],
): Generator<JsonObject> {
  const moments = new Moments();
  const definitions = new Map(machines.map((machine) => [machine.id, machine]));
  const begun = new Set<string>();
  for (const step of steps) {
    moments.add([step]);
    for (const {change, path} of step.changes) if (change === 'started') begun.add(path);
    const {actors} = moments.at(moments.steps.length - 1);
    const events = [
      ...step.changes.flatMap((change) =>
        change.change === 'started' ? [actorEvent(change, definitions)] : [],
      ),
      // An actor that began and ended within one step has no snapshot, and receivers know nothing of it.
      ...step.messages.filter(({to}) => begun.has(to)).map(messageEvent),
      ...step.changes.flatMap((change) => {
        const actor = change.change === 'moved' ? actors.get(change.path) : undefined;
        return actor ? [snapshotEvent(actor)] : [];
      }),
    ];
    for (const [index, event] of events.entries())
      yield {
        ...event,
        rootId: event.sessionId.split('/', 1)[0] ?? '',
        createdAt: String(step.at),
        id: `${step.seq}.${index}`,
        _version: format,
      };
  }
}

type Sent = JsonObject & {readonly sessionId: string};

function actorEvent(actor: ActorState, definitions: ReadonlyMap<string, AnyStateMachine>): Sent {
  const {path, parent, machine, logic} = actor;
  const name = machine ?? logic;
  const known = definitions.get(machine ?? '');
  return {
    type: '@xstate.actor',
    sessionId: path,
    name,
    definition: JSON.stringify(known ? configOf(known) : {id: name}),
    snapshot: snapshotOf(actor),
    ...(parent === undefined ? {} : {parentId: parent}),
  };
}

function messageEvent({from, to, event}: Message): Sent {
  const source = from === undefined ? {} : {sourceId: from};
  return {type: '@xstate.event', sessionId: to, event, ...source};
}

function snapshotEvent(actor: ActorState): Sent {
  const event = {type: actor.last?.event ?? ''};
  return {type: '@xstate.snapshot', sessionId: actor.path, event, snapshot: snapshotOf(actor)};
}

function snapshotOf({status, state, context}: ActorState): Json {
  return {status, value: state, context, children: {}};
}
