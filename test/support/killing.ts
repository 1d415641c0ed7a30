/** The demo, killed with `kill -9` at some moment and resumed to its end, compared with an undisturbed run. */

import {join} from 'node:path';

import {createSqliteJournal} from '../../actors/index.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {eventsOf, type Launcher} from './launch.ts';

/** The outcome of a run, without the parts that differ between two equal runs. */
export interface Essence {
  readonly result: unknown;
  /** Commands that ran although neither an undisturbed run nor a decision of a person accounts for them. */
  readonly commandsTooMany: number;
  /** Starts of effects that must not be repeated, without a decision of a person. */
  readonly starts: number;
}

export interface Killing {
  /** The outcome of the undisturbed run. */
  readonly whole: Essence;
  /** Kills the demo after a part of an undisturbed run's time, 0…1, and resumes it until it has ended. */
  readonly killedAfter: (part: number) => Promise<Essence>;
}

export async function startKilling(launcher: Launcher): Promise<Killing> {
  const {stdout} = await launcher.run(['demo', '--output', 'jsonl']);
  const whole = eventsOf(stdout);
  const wholeMs = (whole.at(-1)?.at ?? 0) - (whole[0]?.at ?? 0);
  const essenceOf = async (
    events: readonly ProgressEvent[],
    retries: number,
  ): Promise<Essence> => ({
    result: ending(events),
    commandsTooMany: Math.max(0, commandsRun(events) - commandsRun(whole) - retries),
    starts: (await startsOf(launcher, events[0]?.interaction ?? '')) - retries,
  });
  return {
    whole: await essenceOf(whole, 0),
    killedAfter: async (part) => {
      const killed = await launcher.run(['demo', '--output', 'jsonl'], {
        killAfterMs: part * wholeMs,
      });
      const before = eventsOf(killed.stdout);
      if (killed.signal !== 'SIGKILL') return await essenceOf(before, 0);
      const {events, retries} = await resumeToEnd(launcher, before[0]?.interaction ?? '');
      return await essenceOf([...before, ...events], retries);
    },
  };
}

function ending(events: readonly ProgressEvent[]): unknown {
  const last = events.at(-1);
  if (last?.type !== 'result') return undefined;
  const {status, exitCode, tasks, denied, reviews}: RunResult = last;
  return {
    status,
    exitCode,
    tasks: tasks?.map(({id, status: end}) => `${id} ${end}`),
    denied: denied?.map(({summary}) => summary),
    votes: reviews?.map(({title, verdict}) => `${title} ${verdict}`),
  };
}

/** Resumes until the run has ended. A person answers `retry` for a command in doubt. */
async function resumeToEnd(
  launcher: Launcher,
  id: string,
): Promise<{events: ProgressEvent[]; retries: number}> {
  const events: ProgressEvent[] = [];
  let retries = 0;
  let decision: readonly string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const {code, stdout} = await launcher.run(['resume', id, ...decision, '--output', 'jsonl']);
    events.push(...eventsOf(stdout));
    if (code !== 4) return {events, retries};
    retries += 1;
    decision = ['--decision', 'retry'];
  }
  throw new Error('the run did not end');
}

/** Replay reports nothing, so the starts are read from the journal. */
async function startsOf({folder}: Launcher, id: string): Promise<number> {
  const journal = createSqliteJournal(join(folder, 'data/journal.db'));
  try {
    const entries = await journal.log.read(id);
    return entries.filter(({type}) => type === 'requested').length;
  } finally {
    await journal.close();
  }
}

function commandsRun(events: readonly ProgressEvent[]): number {
  return events.filter((event) => event.type === 'tool.called' && event.tool === 'run_command')
    .length;
}
