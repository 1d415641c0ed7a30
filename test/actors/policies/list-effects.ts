/** The effects of commands that rules approve when they are confined: each is run by itself in a world with canaries, and undone. */

import {type FoundHarm, fuzzRuns} from '../../fuzz/runs/fuzz-runs.ts';
import type {Harm} from '../../fuzz/runs/oracle.ts';
import {type Grade, type Script, use} from '../../fuzz/runs/script.ts';
import {commandsFiles} from './commands-world.ts';

/** They use up the disk or the processes of the machine, where no scope limits them. */
const exhausting = /:\(\)|\/dev\/zero|\byes >|fallocate -l \d+G/;

/** The time of a command. Several sleep. */
const seconds = 4;

/** Commands that change nothing share a run. */
const perRun = 12;

export interface ListEffects {
  readonly ran: number;
  /** Commands that use up the machine, and those that no rule approves in this world. */
  readonly notRun: number;
  readonly found: readonly FoundHarm[];
  readonly seconds: number;
}

export async function effectsOf(commands: readonly string[], grade: Grade): Promise<ListEffects> {
  const mode = {panel: 'policies', grade, hasModels: false, isEnsemble: false} as const;
  const steps = commands
    .filter((command) => !exhausting.test(command))
    .map((command) => use('run_command', {command, timeout_secs: seconds}, 'none'));
  const runs = Array.from({length: Math.ceil(steps.length / perRun)}, (_, seed): Script => ({
    seed,
    mode,
    request: 'Fix the failing test',
    steps: steps.slice(seed * perRun, (seed + 1) * perRun),
  }));
  const asked = {runs, shrunk: 0, files: commandsFiles, separates: true};
  const {performed: ran, found, seconds: took} = await fuzzRuns(asked, () => {});
  return {ran, notRun: commands.length - ran, found, seconds: took};
}

/** The number of runs with any of these harms. */
export function countOf({found}: ListEffects, ...harms: readonly Harm[]): number {
  const own = found.filter(({harm}) => harms.includes(harm));
  return new Set(own.map(({script}) => script.join('\n'))).size;
}
