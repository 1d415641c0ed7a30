/** One change of a chart that a test should notice. */

import type {not, spawnChild} from 'xstate';

import {type ChartNode, nameOf} from '../../../machines/testing/chart.ts';
import type {ChartConfig} from './config.ts';

export const mutantKinds = [
  'drop-guard',
  'negate-guard',
  'retarget',
  'drop-transition',
  'repeat-actions',
  'drop-entry',
  'drop-exit',
  'drop-abort',
  'swap-done-and-error',
  'drop-after',
  'change-initial',
  'drop-final',
] as const;

export type MutantKind = (typeof mutantKinds)[number];

interface Named {
  /** Unique in its machine, and the same as long as the part of the chart that it changes is the same. */
  readonly name: string;
  readonly kind: MutantKind;
  /** The id of the state that it changes. */
  readonly state: string;
}

export interface Mutant extends Named {
  /** The check by which a test notices it. */
  readonly hint: string;
  /** Returns a changed copy of the machine's config. Never throws. */
  readonly apply: (config: ChartConfig) => ChartConfig;
}

/** A change that no test can notice. */
export interface Excluded extends Named {
  readonly reason: string;
}

/** Members of the copy of XState that runs the machine. */
export interface Builders {
  readonly not: typeof not;
  readonly spawnChild: typeof spawnChild;
}

/** A change, before it is known whether its name is unique. */
export interface Change {
  readonly kind: MutantKind;
  readonly node: ChartNode;
  /** The name without the state. */
  readonly text: string;
  readonly hint: string;
  readonly apply: (config: ChartConfig) => ChartConfig;
  /** Why it changes nothing; undefined: it changes something. */
  readonly reason: string | undefined;
}

/** How a name refers to one of several actions. */
export function actionText(action: unknown, index: number): string {
  return nameOf(action) ?? (builtinType(action) || `action ${index + 1}`);
}

function builtinType(action: unknown): string {
  const type = typeof action === 'function' && 'type' in action ? action.type : '';
  return String(type).replace('xstate.', '');
}
