import {join} from 'node:path';

import {afterAll, beforeAll, describe, expect, test} from 'vitest';

import {createSqliteJournal} from '../../actors/runtime.ts';
import type {ProgressEvent} from '../../machines/domain/progress.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {createLauncher, eventsOf, type Launcher} from '../support/launch.ts';

/** How often the demo is killed: at a random time in each of as many equal parts of a whole run. */
const moments = 20;

let launcher: Launcher;
let whole: readonly ProgressEvent[];

beforeAll(async () => {
  launcher = createLauncher();
  const {stdout} = await launcher.run(['demo', '--output', 'jsonl']);
  whole = eventsOf(stdout);
}, 120_000);

afterAll(() => launcher.remove());

function resultOf(events: readonly ProgressEvent[]): RunResult | undefined {
  const last = events.at(-1);
  return last?.type === 'result' ? last : undefined;
}

/** What a run came to, without what differs between two runs of the same kind. */
function essence(result: RunResult | undefined): unknown {
  return {
    status: result?.status,
    tasks: result?.tasks?.map(({id, status}) => ({id, status})),
    denied: result?.denied?.map(({summary}) => summary),
    votes: result?.reviews?.map(({title, verdict}) => `${title} ${verdict}`),
  };
}

/** Resumes until the run has ended. A command in doubt is repeated: a person says so. */
async function resumeToEnd(id: string): Promise<{events: ProgressEvent[]; retries: number}> {
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

/** Effects that must not be repeated, as often as they were about to start: replay is silent, the journal is not. */
async function startsOf(id: string): Promise<number> {
  const journal = createSqliteJournal(join(launcher.folder, 'data/journal.db'));
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

describe('kill -9', () => {
  const times = Array.from({length: moments}, (_, index) => (index + Math.random()) / moments);
  test.each(times)(
    'after %f of the demo: resumed to the same result, no command run twice',
    async (part) => {
      const wholeMs = (whole.at(-1)?.at ?? 0) - (whole[0]?.at ?? 0);
      const killed = await launcher.run(['demo', '--output', 'jsonl'], {
        killAfterMs: part * wholeMs,
      });
      const before = eventsOf(killed.stdout);
      const id = before[0]?.interaction ?? '';
      const isDead = killed.signal === 'SIGKILL';
      const resumed = isDead ? await resumeToEnd(id) : {events: [], retries: 0};
      const all = [...before, ...resumed.events];
      expect(resultOf(whole)).toMatchObject({status: 'completed', exitCode: 0});
      expect(essence(resultOf(all))).toEqual(essence(resultOf(whole)));
      expect(commandsRun(all)).toBeLessThanOrEqual(commandsRun(whole) + resumed.retries);
      expect(await startsOf(id)).toBe(
        (await startsOf(whole[0]?.interaction ?? '')) + resumed.retries,
      );
    },
    120_000,
  );
});
