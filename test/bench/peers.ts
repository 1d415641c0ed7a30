/**
 * This package beside the AI SDK. Each figure is taken in processes of both sides in turn; the row has the medians, and the
 * spread of each side: half the distance between its quartiles, as a part of the median.
 */

import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';

import {compare, type Figures, middlesOf, type Place, startChatServer} from './place.ts';
import {median, printHead, printRow} from './table.ts';

const times = 7;

interface Part {
  readonly order: Readonly<Record<string, unknown>>;
  /** By the name of the figure: its label and its unit. */
  readonly figures: Readonly<Record<string, readonly [label: string, unit: string]>>;
}

const turnParts = [50, 200].flatMap((turns): Part[] => [
  {
    order: {part: 'turns', turns, warmUps: 10, rounds: 10},
    figures: {cpuUs: [`CPU a tool turn, ${turns} turns`, 'µs']},
  },
  {
    order: {part: 'durable', turns, warmUps: 5, rounds: 5},
    figures: {
      cpuUs: [`CPU a durable tool turn, ${turns} turns`, 'µs'],
      bytes: [`on disk a durable turn, ${turns} turns`, 'bytes'],
    },
  },
]);

/** `part`: see `programs/peers.mjs`; without one, the program is `SIDE-first-call`. */
const parts: readonly Part[] = [
  {
    order: {},
    figures: {
      ms: ['start of the process to the first model call', 'ms'],
      cpuMs: ['the same, CPU', 'ms'],
    },
  },
  ...turnParts,
  {
    order: {part: 'resume', turns: 200, rounds: 10},
    figures: {ms: ['resume of 200 turns to the next model call, warm', 'ms']},
  },
  {
    order: {part: 'http', turns: 50, warmUps: 5, rounds: 10},
    figures: {cpuUs: ['CPU a tool turn over HTTP, 50 turns', 'µs']},
  },
];

/** Throws when the peer is not installed. */
export async function printPeers(place: Place): Promise<void> {
  if (place.peer === undefined) throw new Error('there is no peer to compare with');
  const server = await startChatServer(place);
  printHead(place.peer);
  try {
    for (const {order, figures} of parts) {
      const compared = await compare(place, times, (side) => ({
        program: order['part'] === undefined ? `${side}-first-call` : 'peers',
        order: {
          ...order,
          side,
          folder: mkdtempSync(join(place.folder, 'own-')),
          url: order['part'] === 'http' ? server.url : undefined,
        },
      }));
      for (const [name, [label, unit]] of Object.entries(figures)) {
        const spreads = [compared.ours, compared.peer].map((taken) => spreadOf(taken, name));
        const row = {label: `${label} (± ${spreads.join(', ')})`, unit};
        printRow({...row, ...middlesOf(compared, name)}, true);
      }
    }
  } finally {
    server.stop();
  }
}

function spreadOf(taken: readonly Figures[], name: string): string {
  const values = taken.map((figures) => figures[name] ?? Number.NaN).toSorted((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? NaN;
  return `${Math.round((50 * (at(0.75) - at(0.25))) / median(values))} %`;
}
