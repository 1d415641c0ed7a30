import {readFileSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {mapSvg} from '../../diagrams/map/draw-map.ts';
import {mapGraph} from '../../diagrams/map/map-graph.ts';
import {mapMermaid} from '../../diagrams/map/map-mermaid.ts';
import type {SystemMap} from '../../diagrams/map/system-map.ts';
import {interactionForms} from '../../machines/domain/interaction-form.ts';
import {machines} from '../../machines/index.ts';
import {ports} from '../../machines/port-natures.ts';
import {mapText, systemMap} from '../map/map.ts';

const folder = join(import.meta.dirname, '../../diagrams');
const map = systemMap();

function typesFrom(from: string, to: string): readonly string[] {
  return map.messages.find((each) => each.from === from && each.to === to)?.types ?? [];
}

describe('the map of the system', () => {
  test('matches the current machines', async () => {
    const files = {'map.json': mapText(map), 'map.svg': await mapSvg(map)};
    for (const [file, text] of Object.entries(files)) {
      expect(readFileSync(join(folder, file), 'utf8'), `run "npm run diagrams": ${file}`).toBe(
        text,
      );
    }
    expect(JSON.parse(files['map.json'])).toEqual(map);
    expect(readFileSync('README.md', 'utf8')).toContain('src="diagrams/map.svg"');
  });

  test('has each machine with one sentence about its purpose', () => {
    expect(map.machines.map(({id}) => id)).toEqual(machines.map(({id}) => id));
    expect(map.machines.filter(({does}) => !/^[A-Z][^\n*]+\.$/.test(does))).toEqual([]);
  });

  test('leads from the tree to every machine except the one of a terminal', () => {
    const reached = new Set(['tree']);
    for (const id of reached) {
      const {invokes = []} = map.machines.find((each) => each.id === id) ?? {};
      for (const other of invokes) reached.add(other);
    }
    const left = map.machines.filter(({id}) => !reached.has(id));
    expect(left.map(({id}) => id)).toEqual(['asked']);
    expect(map.machines.find(({id}) => id === 'interaction')?.invokes).toEqual([
      ...interactionForms,
      'interaction',
    ]);
  });

  test('has each port and its invokers', () => {
    expect(map.ports.map(({name}) => name)).toEqual(Object.keys(ports));
    const used = new Set(map.machines.flatMap((each) => each.ports));
    expect([...used].toSorted()).toEqual(Object.keys(ports).toSorted());
  });

  test('has the messages between machines, without envoys', () => {
    expect(typesFrom('tool-call', 'lock')).toEqual(['lock.acquire', 'lock.release']);
    expect(typesFrom('lock', 'tool-call')).toEqual(['lock.granted']);
    expect(typesFrom('action-review', 'lock')).toEqual(['action.rejected']);
    expect(typesFrom('poll', 'quorum')).toEqual(['seat.asked', 'seat.missed', 'seat.settled']);
    expect(typesFrom('tool-call', 'interaction')).toEqual(['interaction.spawn']);
    expect(typesFrom('interaction', 'agent')).toContain('user.cancel');
    expect(typesFrom('mode', 'human-gate')).toEqual(['mode.reported']);
    const known = new Set([...map.machines, ...map.actors].map(({id}) => id).concat('outside'));
    const unknown = map.messages.filter(({from, to}) => !known.has(from) || !known.has(to));
    expect(unknown).toEqual([]);
  });
});

const small: SystemMap = {
  machines: [
    machine('shop', 'shop', ['cart', 'payment'], []),
    machine('cart', 'shop', ['call'], ['save']),
    machine('payment', 'payment', ['call'], ['ask']),
    machine('report', 'report', ['call'], []),
    machine('call', 'calls', [], ['send']),
  ],
  actors: [],
  ports: [
    {name: 'save', settledBy: 'performer'},
    {name: 'ask', settledBy: 'person'},
    {name: 'send', settledBy: 'performer'},
    {name: 'wait', settledBy: 'resume'},
  ],
  messages: [
    {from: 'shop', to: 'cart', types: ['item.added', 'item.removed']},
    {from: 'payment', to: 'cart', types: ['cart.closed']},
  ],
};

function machine(id: string, room: string, invokes: readonly string[], own: readonly string[]) {
  return {id, room, does: 'It works.', states: 1, transitions: 1, invokes, ports: own};
}

test('a machine that many rooms use is named in the boxes of its users', () => {
  const {boxes, arrows} = mapGraph(small);
  expect(arrows.map(({edge}) => `${edge.from} ${edge.to}`)).toEqual(['shop cart', 'shop payment']);
  const [shop, payment] = boxes;
  const wordsOf = (state: string): string[] =>
    [...boxes, ...(shop?.children ?? [])]
      .filter((box) => box.state === state)
      .flatMap((box) => box.block.texts.map(({text}) => text));
  expect(shop?.children.map(({state}) => state)).toEqual(['shop', 'cart']);
  expect(wordsOf('cart')).toEqual(['cart', 'on item.*, cart.closed', 'save', 'call']);
  expect(wordsOf('payment')).toEqual(['payment', 'cart.closed → cart', 'ask', 'call']);
  expect(payment?.tone).toBe('person');
});

test('the map as Mermaid has a block for each room', () => {
  expect(mapMermaid(small)).toBe(`flowchart LR
  subgraph room_m_shop ["shop"]
    m_shop["shop"]
    m_cart["cart"]
  end
  m_payment["payment"]
  m_report["report"]
  m_call["call"]
  m_shop --> m_cart
  m_shop --> m_payment
  m_cart --> m_call
  m_payment --> m_call
  m_report --> m_call
`);
});
