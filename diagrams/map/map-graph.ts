/**
 * The map of the system as a graph. An arrow leads from a machine to each machine that it invokes. Machines used by many
 * rooms are named in the boxes of their users, as are ports and messages.
 */

import {stacked, type Word} from '../layout/blocks.ts';
import {type Arrow, type Box, boxSize, emptyBlock, type Graph} from '../layout/graph.ts';
import type {Tone} from '../layout/positions.ts';
import {wrapped} from '../layout/text.ts';
import type {MapMachine, SystemMap} from './system-map.ts';

const noteWidth = 150;
const title = 'The machines of Quorate';
const key = [
  'An arrow leads to a machine that is invoked. A grey name is a machine of “for all” that is invoked.',
  'A gear marks a port: an effect that is performed outside the charts.',
  '“on” lists events from other machines. “event → machine” is one that is sent to neither the parent nor a child.',
];
/** A machine used by at least this number of rooms is drawn once, without arrows. */
const manyRooms = 3;

export function mapGraph(map: SystemMap): Graph {
  const shared = sharedBy(map);
  const places = [
    ...map.machines.map((machine) => ({
      room: shared.includes(machine.id) ? 'for all' : machine.room,
      box: machineBox(machine, map, shared),
    })),
    ...map.actors.map(({id, room}) => ({room, box: actorBox(id, map)})),
  ];
  const boxes = [...Map.groupBy(places, ({room}) => room)].flatMap(([room, list]) => {
    const inside = list.map(({box}) => box);
    return inside.length === 1 ? inside : [roomBox(room, inside)];
  });
  return {
    machine: 'map',
    title: stacked([
      [{kind: 'title', text: title}],
      ...key.map((text): Word[] => [{kind: 'note', text}]),
    ]),
    direction: 'RIGHT',
    boxes,
    arrows: arrowsOf(map, shared),
  };
}

/** Machines used by many rooms that invoke only such machines. */
function sharedBy({machines}: SystemMap): readonly string[] {
  let shared: readonly string[] = [];
  for (let before = -1; before !== shared.length;) {
    before = shared.length;
    const known = shared;
    shared = machines
      .filter(({id, invokes}) => {
        const users = machines.filter((user) => user.invokes.includes(id));
        const isMany = new Set(users.map(({room}) => room)).size >= manyRooms;
        return isMany && invokes.every((other) => known.includes(other));
      })
      .map(({id}) => id);
  }
  return shared;
}

function roomBox(room: string, children: readonly Box[]): Box {
  const block = stacked([[{kind: 'name', text: room}]]);
  const shape = {id: `room-${room}`, state: room, shape: 'compound', tone: 'plain'} as const;
  return {...shape, ...boxSize(block), block, children};
}

function machineBox(machine: MapMachine, map: SystemMap, shared: readonly string[]): Box {
  const {id, invokes} = machine;
  const ports = map.ports.filter(
    ({name, settledBy}) => machine.ports.includes(name) && settledBy !== 'resume',
  );
  const isAsking = ports.some(({settledBy}) => settledBy === 'person');
  const tone: Tone = isAsking ? 'person' : ports.length > 0 ? 'actor' : 'plain';
  const used = shared.includes(id) ? [] : invokes.filter((other) => shared.includes(other));
  const block = stacked([
    [{kind: 'title', text: id}],
    ...messageWords(id, map),
    ...ports.map(({name}): Word[] => [{kind: 'actor', text: name}]),
    ...(used.length > 0 ? [used.map((text): Word => ({kind: 'tag', text}))] : []),
  ]);
  return {
    id: idOf(id),
    state: id,
    shape: 'state',
    tone,
    ...boxSize(block, tone),
    block,
    children: [],
  };
}

function actorBox(id: string, map: SystemMap): Box {
  const block = stacked([[{kind: 'note', text: id}], ...messageWords(id, map)]);
  const shape = {id: idOf(id), state: id, shape: 'any', tone: 'plain'} as const;
  return {...shape, ...boxSize(block), block, children: []};
}

/** The events that a machine receives, and the events that it sends to others than its parent and its children. */
function messageWords(id: string, {machines, messages}: SystemMap): Word[][] {
  const isNear = (other: string): boolean =>
    machines.some(
      (machine) =>
        (machine.id === id && machine.invokes.includes(other)) ||
        (machine.id === other && machine.invokes.includes(id)),
    );
  const received = messages.filter(({to}) => to === id).flatMap(({types}) => types);
  const far = messages.filter(({from, to}) => from === id && !isNear(to));
  const texts = [
    ...(received.length > 0 ? [`on ${typesText(received)}`] : []),
    ...far.map(({to, types}) => `${typesText(types)} → ${to}`),
  ];
  return texts
    .flatMap((text) => wrapped(text, 'note', noteWidth))
    .map((text) => [{kind: 'note', text}]);
}

function arrowsOf({machines}: SystemMap, shared: readonly string[]): Arrow[] {
  return machines.flatMap(({id, invokes}) =>
    invokes
      // An arrow from a machine to itself is left out.
      .filter((to) => to !== id && (shared.includes(id) || !shared.includes(to)))
      .map((to) => ({
        source: idOf(id),
        target: idOf(to),
        edge: {from: id, to, transitions: [], tone: 'plain'},
        block: emptyBlock,
      })),
  );
}

/** Several types with one noun are merged: `seat.*`. */
function typesText(types: readonly string[]): string {
  const nouns = Map.groupBy([...new Set(types)], (type) => type.replace(/\..*/, ''));
  return [...nouns]
    .map(([noun, list]) => (list.length > 1 ? `${noun}.*` : list.join('')))
    .join(', ');
}

function idOf(id: string): string {
  return `machine-${id}`;
}
