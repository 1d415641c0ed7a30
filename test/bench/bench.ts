/**
 * Prints figures and asserts nothing. `--peers` installs the AI SDK in a temporary folder and measures it in turn with
 * this package. Arguments name the measurements to take; without any, all are taken. `--check` compares the speed of the
 * parts of a run with the recorded ratios instead, and `--record` records them.
 */

import {measureCalculator} from './calculator.ts';
import {checkRatios} from './check.ts';
import {measureCrowd, measureDurableCrowd} from './crowd.ts';
import {measureEarlyDecision} from './early-decision.ts';
import {measureInPlace} from './in-place.ts';
import {measureInspect} from './inspect.ts';
import {
  measureDisk,
  measureDurableTurns,
  measureHistory,
  measureLongResume,
  measureResume,
  measureVerify,
} from './journal.ts';
import {type Place, preparePlace} from './place.ts';
import {measurePolicy} from './policy.ts';
import {measureSandbox} from './sandbox.ts';
import {measureSearch} from './search.ts';
import {measureServe} from './serve.ts';
import {measureFirstCall, measureLauncher} from './start.ts';
import {printHead, printRow, type Row} from './table.ts';
import {measureHttpTurns, measureTurns} from './turns.ts';

interface Measurement {
  readonly take: (place: Place) => Promise<readonly Row[]> | readonly Row[];
  /** Its aims are ratios to the figures of the peer. */
  readonly isCompared?: true;
}

const measurements: Readonly<Record<string, Measurement>> = {
  'first-call': {take: measureFirstCall, isCompared: true},
  turns: {take: measureTurns, isCompared: true},
  http: {take: measureHttpTurns, isCompared: true},
  crowd: {take: measureCrowd, isCompared: true},
  launcher: {take: measureLauncher},
  durable: {take: measureDurableTurns},
  'in-place': {take: measureInPlace},
  disk: {take: measureDisk},
  resume: {take: measureResume},
  verify: {take: measureVerify},
  history: {take: measureHistory},
  inspect: {take: measureInspect},
  'durable-crowd': {take: measureDurableCrowd},
  'long-resume': {take: measureLongResume},
  'early-decision': {take: measureEarlyDecision},
  calculator: {take: measureCalculator},
  search: {take: measureSearch},
  sandbox: {take: measureSandbox},
  policy: {take: measurePolicy},
  serve: {take: measureServe},
};

function chosen(names: readonly string[]): readonly Measurement[] {
  if (names.length === 0) return Object.values(measurements);
  return names.map((name) => {
    const measurement = measurements[name];
    if (measurement) return measurement;
    throw new Error(`no measurement "${name}"; there are ${Object.keys(measurements).join(', ')}`);
  });
}

/** A measurement that fails has no rows; the others continue. */
async function rowsOf(take: Measurement['take']): Promise<readonly Row[]> {
  try {
    return await take(place);
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(
      `${take.name}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return [];
  }
}

const args = process.argv.slice(2);
const isChecking = args.includes('--check') || args.includes('--record');
const wanted = chosen(args.filter((arg) => !arg.startsWith('--')));
const place = preparePlace(args.includes('--peers'));
try {
  if (isChecking) {
    const isFast = await checkRatios(place, args.includes('--record'));
    process.exitCode = isFast ? 0 : 1;
  } else await printFigures();
} finally {
  place.remove();
}

async function printFigures(): Promise<void> {
  printHead(place.peer ?? '');
  for (const {take, isCompared = false} of wanted) {
    for (const row of await rowsOf(take)) printRow(row, isCompared);
  }
}
