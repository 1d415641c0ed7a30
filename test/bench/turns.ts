/** Time of a turn: a model call, its tool call, and the engine's work between them. */

import {compare, type Figures, middlesOf, type Place, startChatServer} from './place.ts';
import type {Row} from './table.ts';

const times = 5;
const sizes = [
  {turns: 50, aim: 1, warmUps: 20, rounds: 30},
  {turns: 400, aim: 0.6, warmUps: 5, rounds: 10},
];

/** Compared with the AI SDK: in memory, with a function as the model. Below each, the time of its charts alone. */
export async function measureTurns(place: Place): Promise<Row[]> {
  const rows: Row[] = [];
  for (const {turns, aim, warmUps, rounds} of sizes) {
    const order = {turns, warmUps, rounds};
    rows.push({...(await row(`CPU a tool turn, ${turns} turns`, place, order)), aim});
    rows.push(await bareRow(place, order));
  }
  return rows;
}

async function bareRow({run}: Place, order: object): Promise<Row> {
  const bare: Figures[] = [];
  for (let time = 0; time < times; time += 1)
    bare.push(await run('turns', {...order, side: 'bare'}));
  const label = 'its actors and steps in bare XState';
  return {label, unit: 'µs', ...middlesOf({ours: bare, peer: []}, 'cpuUs')};
}

/** The same with a model behind a server on loopback. */
export async function measureHttpTurns(place: Place): Promise<Row[]> {
  const server = await startChatServer(place);
  try {
    const order = {turns: 50, warmUps: 5, rounds: 10, url: server.url};
    return [{...(await row('CPU a tool turn over HTTP, 50 turns', place, order)), aim: 1.3}];
  } finally {
    server.stop();
  }
}

async function row(label: string, place: Place, order: object): Promise<Row> {
  const compared = await compare(place, times, (side) => ({
    program: 'turns',
    order: {...order, side},
  }));
  return {label, unit: 'µs', ...middlesOf(compared, 'cpuUs')};
}
