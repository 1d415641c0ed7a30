/**
 * This package beside other agent libraries. Each figure is taken in processes of all sides in turn; a cell has the median, and
 * the least and the largest figure.
 */

import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';

import {type Figures, median, type Place, type Side, startChatServer} from './place.ts';

interface Part {
  readonly order: Readonly<Record<string, unknown>>;
  /** Absent: all. */
  readonly sides?: readonly Side[];
  /** By the name of the figure: its label with its unit. */
  readonly figures: Readonly<Record<string, string>>;
}

/** The SDK keeps no record: a program writes the messages of each step. */
const recorded: readonly Side[] = ['ours', 'ai-sdk'];
const graphs: readonly Side[] = ['ours', 'ai-sdk', 'langgraph'];

const turnParts = [50, 200].flatMap((turns): Part[] => [
  {
    order: {part: 'turns', turns, warmUps: 10, rounds: 10},
    figures: {cpuUs: `CPU a tool turn, ${turns} turns, µs`},
  },
  {
    order: {part: 'durable', turns, warmUps: 5, rounds: 5},
    sides: recorded,
    figures: {
      cpuUs: `CPU a durable tool turn, ${turns} turns, µs`,
      bytes: `on disk a durable turn, ${turns} turns, bytes`,
    },
  },
]);

/** `part`: see `programs/peers.mjs`; without one, the program is that of the first call. */
const parts: readonly Part[] = [
  {
    order: {},
    figures: {
      ms: 'start of the process to the first model call, ms',
      cpuMs: 'the same, CPU, ms',
    },
  },
  ...turnParts,
  {
    order: {part: 'resume', turns: 200, rounds: 10},
    sides: recorded,
    figures: {ms: 'resume of 200 turns to the next model call, warm, ms'},
  },
  {
    order: {part: 'http', turns: 50, warmUps: 5, rounds: 10},
    figures: {cpuUs: 'CPU a tool turn over HTTP, 50 turns, µs'},
  },
  {
    order: {part: 'panel', latenciesMs: [100, 100, 3_000]},
    sides: graphs,
    figures: {ms: 'three reviewers of 100, 100 and 3,000 ms until the decision, ms'},
  },
  {
    order: {part: 'waiting', runs: 500},
    sides: graphs,
    figures: {kb: 'memory of a run that waits for a person, KB'},
  },
  {
    order: {part: 'waiting', runs: 500, suspends: true},
    sides: ['ours'],
    figures: {kb: 'the same, left to its journal, KB'},
  },
  {
    order: {part: 'crowd', agents: 1_000, turns: 5},
    figures: {
      mb: '1,000 agents of five turns at once: peak memory, MB',
      cpuUs: 'the same: CPU a call, µs',
    },
  },
  {
    order: {part: 'crowd', agents: 10_000, turns: 5},
    sides: recorded,
    figures: {
      mb: '10,000 agents of five turns at once: peak memory, MB',
      cpuUs: 'the same: CPU a call, µs',
    },
  },
];

/** Throws when the peers are not installed. `times`: processes of each side; `only`: parts by name, all when empty. */
export async function printPeers(
  place: Place,
  times: number,
  only: readonly string[],
): Promise<void> {
  const {peers} = place;
  if (peers === undefined) throw new Error('there are no peers to compare with');
  const server = await startChatServer(place);
  const sides: readonly Side[] = ['ours', ...peers.keys()];
  printRow('', ['ours', ...peers.values()]);
  try {
    for (const {order, figures, sides: own = sides} of parts) {
      const {part = 'start'} = order;
      if (only.length > 0 && !only.includes(String(part))) continue;
      const taken = await take(place, own, part === 'crowd' ? Math.min(times, 2) : times, {
        ...order,
        ...(part === 'http' ? {url: server.url} : {}),
      });
      for (const [name, label] of Object.entries(figures))
        printRow(
          label,
          sides.map((side) => cellOf(taken.get(side) ?? [], name)),
        );
    }
  } finally {
    server.stop();
  }
}

/** Runs the program of a part for each side, in turn. */
async function take(
  {folder, run}: Place,
  sides: readonly Side[],
  times: number,
  order: Part['order'],
): Promise<ReadonlyMap<Side, readonly Figures[]>> {
  const taken = new Map(sides.map((side): [Side, Figures[]] => [side, []]));
  for (let time = 0; time < times; time += 1) {
    for (const side of sides) {
      const first = side === 'ours' ? 'ours-first-call' : 'first-call';
      const program = order['part'] === undefined ? first : 'peers';
      const own = mkdtempSync(join(folder, 'own-'));
      taken.get(side)?.push(await run(program, {...order, side, folder: own}));
    }
  }
  return taken;
}

function cellOf(taken: readonly Figures[], name: string): string {
  const values = taken.map((figures) => figures[name] ?? Number.NaN);
  if (values.length === 0) return '–';
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${shown(middle)} (${shown(least)}–${shown(most)})`;
}

function shown(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}

function printRow(label: string, cells: readonly string[]): void {
  const padded = cells.map((cell) => cell.padStart(26));
  process.stdout.write(`${label.padEnd(66)}${padded.join('')}\n`);
}
