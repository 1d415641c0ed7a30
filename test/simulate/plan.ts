/** The plan of a simulated world: its scene, and its faults as data, so that a failing plan can be shrunk and repeated. */

import {createChooser, type Chooser} from '../support/dice.ts';

export const sceneNames = [
  'agent',
  'parallel',
  'spawning',
  'ask',
  'discuss',
  'debate',
  'interview',
] as const;

export type SceneName = (typeof sceneNames)[number];

/** Every fault, with what it counts. `at` counts from 1. */
const faultKinds = {
  /** Model calls. */
  model: [
    'rateLimited',
    'overloaded',
    'cut',
    'hang',
    'slow',
    'malformed',
    'nonsense',
    'throws',
    'refuses',
    'outage',
    'reject',
    'reject',
    'abstain',
  ],
  /** Runs of tools. */
  tool: ['fails', 'transient', 'slow', 'hangs', 'throws'],
  /** Entries of the journal. */
  entry: [
    'crashBefore',
    'crashAfter',
    'crashAfter',
    'fails',
    'locked',
    'rival',
    'clockBack',
    'clockAhead',
    'suspend',
    'cancel',
    'cancelPosted',
    'message',
    'lowerLimit',
  ],
  /** Questions to the person. */
  person: ['late', 'never', 'rejects', 'mistaken', 'edits', 'retries', 'fails'],
} as const;

export type FaultKind = keyof typeof faultKinds;

/** The last place of a fault of each kind. */
const reach: Readonly<Record<FaultKind, number>> = {model: 24, tool: 6, entry: 60, person: 3};

export interface Fault {
  readonly kind: FaultKind;
  readonly how: string;
  readonly at: number;
}

export interface SimPlan {
  /** Of the latencies. */
  readonly seed: number;
  readonly scene: SceneName;
  readonly rule: 'majority' | 'unanimous' | 'at_least:2' | '75%';
  readonly hilMode: 'interactive' | 'auto_approve' | 'auto_reject';
  readonly limits: 'usual' | 'calls' | 'cost';
  readonly faults: readonly Fault[];
}

const maxFaults = 5;

/** The same plan for the same seed. */
export function planFor(seed: number): SimPlan {
  const chooser = createChooser(seed);
  const {pick, roll, oneIn} = chooser;
  return {
    seed,
    scene: pick(['agent', 'agent', 'agent', ...sceneNames]),
    rule: pick(['majority', 'majority', 'unanimous', 'at_least:2', '75%'] as const),
    hilMode: pick(['interactive', 'interactive', 'auto_approve', 'auto_reject'] as const),
    limits: oneIn(8) ? pick(['calls', 'cost'] as const) : 'usual',
    faults: Array.from({length: roll(maxFaults + 1)}, () => faultFrom(chooser)),
  };
}

function faultFrom({pick, roll}: Chooser): Fault {
  const kind = pick(['model', 'model', 'tool', 'entry', 'entry', 'person'] as const);
  return {kind, how: pick<string>(faultKinds[kind]), at: 1 + roll(reach[kind])};
}

/** A line for people. */
export function planText({scene, rule, hilMode, limits, faults}: SimPlan): string {
  const named = faults.map(({kind, how, at}) => `${kind} ${at} ${how}`);
  return [scene, rule, hilMode, ...(limits === 'usual' ? [] : [`few ${limits}`]), ...named].join(
    ', ',
  );
}
