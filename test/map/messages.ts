/** The messages between machines, as they are sent when scenarios are played. */

import type {ActorRefLike, AnyActorRef, AnyEventObject, InspectionEvent} from 'xstate';

import {parentOf, pathOf} from '../../machines/tree/path.ts';
import {type Move, play, type Scenario} from '../support/played.ts';

export interface Sent {
  /** Names of the actors' logic: see `nameOf`. `outside` for a message of a person or a program. */
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

export interface Child {
  readonly parent: string;
  readonly child: string;
}

export interface ObservedMessages {
  readonly messages: readonly Sent[];
  /** Pairs of actor logic: a parent, and a child that it invoked or spawned. */
  readonly children: readonly Child[];
}

/** Paths through each scenario. Ten find no message between machines that four do not find. */
const runs = 4;
const mostMoves = 200;

/** Plays each scenario with moves chosen by number: the same scenarios yield the same messages. */
export function messagesIn(scenarios: readonly Scenario[]): ObservedMessages {
  const messages = new Map<string, Sent>();
  const children = new Map<string, Child>();
  for (const scenario of scenarios) {
    const taken = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      playOut(scenario, taken, createListener(messages, children));
    }
  }
  return {messages: [...messages.values()], children: [...children.values()]};
}

function createListener(messages: Map<string, Sent>, children: Map<string, Child>) {
  const actors = new Map<string, AnyActorRef>();
  return (event: InspectionEvent): void => {
    if (event.type !== '@xstate.event' || !isActor(event.actorRef)) return;
    const {actorRef: actor, sourceRef, event: message} = event;
    actors.set(pathOf(actor), actor);
    const to = nameOf(actor);
    const parent = parentOf(actor);
    if (message.type === 'xstate.init' && parent) {
      children.set(`${nameOf(parent)} ${to}`, {parent: nameOf(parent), child: to});
    }
    if (message.type.startsWith('xstate.')) return;
    const from = senderOf(message, sourceRef, actors);
    messages.set(`${from} ${to} ${message.type}`, {from, to, type: message.type});
  };
}

/** Takes the move that was taken least often. */
function playOut(
  scenario: Scenario,
  taken: Map<string, number>,
  inspect: (event: InspectionEvent) => void,
): void {
  const played = play(scenario, inspect);
  const timesOf = (move: Move): number => taken.get(JSON.stringify(move)) ?? 0;
  for (let count = 0; count < mostMoves && played.status() === 'working'; count += 1) {
    const [move] = played.moves().toSorted((one, other) => timesOf(one) - timesOf(other));
    if (!move) return;
    taken.set(JSON.stringify(move), timesOf(move) + 1);
    played.apply(move);
  }
}

/** Inspection does not know a function actor as a sender: such an actor names itself by its path. */
function senderOf(
  message: AnyEventObject,
  source: ActorRefLike | undefined,
  actors: ReadonlyMap<string, AnyActorRef>,
): string {
  if (source && isActor(source)) return nameOf(source);
  const self: unknown = message['holder'] ?? message['ref'];
  const sender = typeof self === 'string' ? actors.get(self) : undefined;
  return sender ? nameOf(sender) : 'outside';
}

/** The id of a machine; for other logic, its name in its parent. */
function nameOf(actor: AnyActorRef): string {
  const machine: unknown = Reflect.get(actor.getSnapshot(), 'machine');
  if (typeof machine === 'object' && machine && 'id' in machine) return String(machine.id);
  return typeof actor.src === 'string' ? actor.src : 'inline';
}

function isActor(actor: ActorRefLike): actor is AnyActorRef {
  return 'id' in actor;
}
