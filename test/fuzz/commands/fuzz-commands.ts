/** Judges random commands, runs the approved ones, and prints effects that the judgement did not list. */

import {execFileSync} from 'node:child_process';
import {rmSync} from 'node:fs';
import {availableParallelism} from 'node:os';

import type {Judgement} from '../../../actors/policies/index.ts';
import {programs} from '../../../tools/commands/table/programs.ts';
import {createJudge} from '../../support/judging.ts';
import {buildFuzzWorld, type FuzzWorld} from './fuzz-world.ts';
import {generateCommands} from './generate.ts';
import {createRecorder, recordingProblem} from './recorder.ts';
import {unlistedEffects} from './unlisted.ts';

export interface FuzzFigures {
  readonly judged: number;
  readonly approved: number;
  /** Approved commands whose program is installed here. */
  readonly ran: number;
  /** Programs of the table that ran at least once. */
  readonly programs: number;
  readonly wrong: number;
}

/**
 * Rejects when effects cannot be recorded.
 *
 * @param report Called with each command that had an unlisted effect.
 */
export async function fuzzCommands(
  {count, seed}: {readonly count: number; readonly seed: number},
  report: (line: string) => void,
): Promise<FuzzFigures> {
  const problem = recordingProblem();
  if (problem !== undefined) throw new Error(problem);
  const world = buildFuzzWorld();
  const commands = generateCommands(programs, installedHere(), {count, seed});
  try {
    const approved = await approvedOf(world, commands);
    const ran = await runAll(world, approved, report);
    return {judged: commands.length, approved: approved.length, ...ran};
  } finally {
    rmSync(world.folder, {recursive: true});
  }
}

function installedHere(): readonly string[] {
  const looked = [...programs.keys()].map(
    (name) => `command -v '${name}' >/dev/null && echo '${name}'`,
  );
  return execFileSync('bash', ['-c', `${looked.join('\n')}\ntrue`], {encoding: 'utf8'}).split('\n');
}

interface Approved {
  readonly command: string;
  readonly judgement: Judgement;
}

async function approvedOf(
  world: FuzzWorld,
  commands: readonly string[],
): Promise<readonly Approved[]> {
  const studyCommand = createJudge(world.workspace);
  const approved: Approved[] = [];
  for (const command of commands) {
    const judgeStudied = await studyCommand(command);
    const judgement = judgeStudied();
    if (judgement.verdict === 'approve') approved.push({command, judgement});
  }
  return approved;
}

/** Runs in turn in the shells that a machine may have as `/bin/sh`. */
const shells = ['sh', 'bash'];

async function runAll(
  world: FuzzWorld,
  approved: readonly Approved[],
  report: (line: string) => void,
): Promise<Pick<FuzzFigures, 'ran' | 'programs' | 'wrong'>> {
  const waiting = [...approved.entries()];
  const seen = new Set<string>();
  const counts = {ran: 0, wrong: 0};
  const work = async (): Promise<void> => {
    const recorder = createRecorder(world.folder);
    try {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [at, {command, judgement}] = next;
        const shell = shells[at % shells.length] ?? 'sh';
        const recorded = await recorder.record(command, shell);
        if (recorded.exitCode !== 127) counts.ran += 1;
        for (const program of recorded.ran) seen.add(program.split('/').at(-1) ?? '');
        const unlisted = unlistedEffects(judgement.effects, recorded, world);
        if (unlisted.length === 0) continue;
        counts.wrong += 1;
        report(failure(command, shell, judgement, unlisted));
      }
    } finally {
      recorder.remove();
    }
  };
  await Promise.all(Array.from({length: availableParallelism()}, work));
  return {...counts, programs: [...programs.keys()].filter((name) => seen.has(name)).length};
}

function failure(
  command: string,
  shell: string,
  {effects}: Judgement,
  unlisted: readonly string[],
): string {
  const listed = effects.map(({kind, target, place}) => `${kind} ${place?.path ?? target}`);
  const lines = [`${shell}: ${command}`, `listed: ${listed.join(', ') || 'nothing'}`];
  return [...lines, `not listed: ${unlisted.slice(0, 6).join(', ')}`, ''].join('\n');
}
