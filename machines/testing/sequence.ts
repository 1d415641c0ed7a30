/** The messages of a run as a sequence diagram. */

import type {ActorRefLike, AnyEventObject, InspectionEvent, StateValue} from 'xstate';

import {stateText} from './machine-tours.ts';
import {subjectId} from './world/cast.ts';
import type {MachineWorld} from './world/machine-world.ts';
import {type Move, moveText} from './world/moves.ts';

/** The world of the run; it is observed by `inspect` from its beginning. */
type Open = (inspect: (event: InspectionEvent) => void) => MachineWorld;

/** A diagram in Mermaid's `sequenceDiagram` of a machine that takes these moves from its start. */
export function sequenceDiagram(id: string, open: Open, moves: readonly Move[]): string {
  const lines: string[] = [];
  const names = new Map<string, string>();
  const nameOf = (actor: string): string => {
    const known = names.get(actor);
    if (known !== undefined) return known;
    const name = `p${names.size}`;
    names.set(actor, name);
    return name;
  };
  const self = nameOf(id);
  const world = open((event) => {
    if (event.type === '@xstate.event') lines.push(...arrowOf(event, id, nameOf));
  });
  const note = (state: StateValue | undefined) =>
    lines.push(
      `Note over ${self}: ${escaped(state === undefined ? 'not started' : stateText(state))}`,
    );
  note(world.snapshot()?.value);
  for (const move of moves) {
    lines.push(`Note left of ${self}: ${escaped(moveText(move))}`);
    world.apply(move);
    note(world.status() === 'broken' ? 'failed' : world.snapshot()?.value);
  }
  const participants = [...names].map(
    ([actor, name]) => `participant ${name} as ${escaped(actor)}`,
  );
  return ['sequenceDiagram', ...[...participants, ...lines].map((line) => `  ${line}`), ''].join(
    '\n',
  );
}

function arrowOf(
  {sourceRef, actorRef, event}: InspectionEvent & {readonly type: '@xstate.event'},
  id: string,
  nameOf: (actor: string) => string,
): string[] {
  const to = nameOfActor(actorRef, id);
  if (to === 'outside' || event.type.startsWith('puppet.')) return [];
  const from = sourceRef === undefined ? undefined : nameOfActor(sourceRef, id);
  const isTimer = event.type.startsWith('xstate.after.');
  if (from === undefined || from === 'outside' || isTimer) return [];
  return [`${nameOf(from)}->>${nameOf(to)}: ${escaped(eventText(event))}`];
}

function eventText({type}: AnyEventObject): string {
  if (type === 'xstate.init') return 'start';
  if (type === 'xstate.stop') return 'stop';
  if (type.startsWith('xstate.done.actor.')) return 'done';
  return type.startsWith('xstate.error.actor.') ? 'failed' : type.replace(/^xstate\./, '');
}

/** The name of its logic, or its id. */
function nameOfActor(actor: ActorRefLike, id: string): string {
  const own = 'id' in actor ? String(actor.id) : '';
  if (own === subjectId) return id;
  const src = 'src' in actor ? actor.src : undefined;
  return typeof src === 'string' && !src.startsWith('xstate.') ? src : own;
}

/** Mermaid reads these as its own. */
function escaped(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[;#<>]/g, (char) => `#${char.charCodeAt(0)};`);
}
