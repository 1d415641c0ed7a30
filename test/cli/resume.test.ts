/** Finding the run, deciding at its gate, and the output of resuming. */

import {existsSync, mkdirSync, realpathSync} from 'node:fs';
import {DatabaseSync, StatementSync} from 'node:sqlite';

import {afterEach, describe, expect, test, vi} from 'vitest';

import {act, ballot, isBallot, isPlanBallot} from '../support/agent-models.ts';
import type {Launched} from '../support/launch.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setStage} from './stage.ts';

const {
  at,
  launch: here,
  launcher,
  server,
} = setStage({
  models: rejectPlans,
  agent: 'max_plan_revisions = 1',
  prepare: () => mkdirSync(at('there')),
});

afterEach(() => void vi.restoreAllMocks());

function rejectPlans(received: ReceivedRequest): Said {
  if (isPlanBallot(received)) return ballot('reject', 'not good enough');
  return isBallot(received) ? ballot('approve') : act(received);
}

async function there(...args: string[]): Promise<Launched> {
  return await launcher.perform(['-C', at('there'), ...args]);
}

/** A run that waits for a decision on its plan. */
async function waiting(launched: Promise<Launched>): Promise<{id: string; digest: string}> {
  const {code, stderr} = await launched;
  expect(code).toBe(4);
  return {
    id: /quorate resume ([a-z0-9]+)/.exec(stderr)?.[1] ?? '',
    digest: /sha256 ([0-9a-f]+)/.exec(stderr)?.[1] ?? '',
  };
}

/** The statements that read entries, from now on. */
function readingsOfEntries(): readonly string[] {
  const readings: string[] = [];
  const iterate = Reflect.get(StatementSync.prototype, 'iterate');
  vi.spyOn(StatementSync.prototype, 'iterate').mockImplementation(function spied(
    this: StatementSync,
    ...given
  ) {
    if (this.sourceSQL.includes('FROM entries')) readings.push(this.sourceSQL);
    return Reflect.apply(iterate, this, given);
  });
  return readings;
}

/** Changes an entry of a run in its database. */
function damage(id: string): void {
  const db = new DatabaseSync(at('data/journal.db'));
  db.prepare(
    "UPDATE entries SET body = '{}' WHERE seq = 2 AND interaction = (SELECT number FROM interactions WHERE id = ?)",
  ).run(id);
  db.close();
}

const note = (): string => at('work/note.txt');

describe('resume', {timeout: 60_000}, () => {
  test('without an ID resumes the newest open run of this folder and names it; --continue is the same', async () => {
    const mine = await waiting(here('Write a note'));
    await waiting(there('Write another'));
    for (const line of ['resume', '--continue']) {
      const {code, stderr} = await here(line);
      expect(code).toBe(4);
      const folder = realpathSync(at('work'));
      expect(stderr.split('\n')[0]).toBe(`resuming ${mine.id} in ${folder}: Write a note`);
    }
    expect((await here('resume', '--decision', 'approve')).stderr).toMatch(
      /needs the ID of the run/,
    );
    expect(existsSync(note())).toBe(false);
  });

  test('without an ID skips a newer damaged run, and names it', async () => {
    const older = await waiting(here('Write a note'));
    const newer = await waiting(here('Write another'));
    damage(newer.id);
    const {code, stderr} = await here('resume');

    expect(code).toBe(4);
    expect(stderr.split('\n')[0]).toContain(`resuming ${older.id} in `);
    expect(stderr).toContain(`warning: run ${newer.id} can't be resumed: `);
    damage(older.id);
    const none = await here('resume');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain(`run ${newer.id} can't be resumed: `);
    expect(none.stderr).toContain(`quorate show ${newer.id}`);
  });

  test('decides only on the named proposal', async () => {
    const {id, digest} = await waiting(here('Write a note'));
    expect(digest.length).toBeGreaterThanOrEqual(8);
    const other = await here('resume', id, '--decision', 'approve:00000000');
    expect(other.code).toBe(2);
    expect(other.stderr).toContain(`but run ${id} waits for one on ${digest.slice(0, 8)}`);
    expect(existsSync(note())).toBe(false);
    const approved = await here('resume', id.slice(0, 6), '--decision', `approve:${digest}`);
    expect(approved.code).toBe(0);
    expect(existsSync(note())).toBe(true);
  });

  test('applies flags from there on: the mode answers the open gate, new limits and models apply', async () => {
    const {id} = await waiting(here('Write a note'));
    const flags = ['--hil', 'auto_approve', '--max-calls', '50', '-m', 'decision=mock/other'];
    const ofTasks = ['--max-tasks', '7', '--final-review', '-m', 'participants=mock/b,mock/c'];
    const {code} = await here('resume', id, ...flags, ...ofTasks);
    expect(code).toBe(0);
    expect(existsSync(note())).toBe(true);
    expect(server.received.map(({model}) => model)).toContain('other');
    expect((await here('export', id)).stdout).toContain('"type":"settings.changed"');
    const {stdout} = await here('show', id);
    for (const pair of [
      'agent.hil_mode = "auto_approve"',
      'agent.decision_model = "mock/other"',
      'limits.max_model_calls = 50',
      'agent.max_iterations = 7',
      'agent.require_final_review = true',
      'discuss.participants = ["mock/b","mock/c"]',
      'debate.models = ["mock/b","mock/c"]',
    ]) {
      expect(stdout).toContain(`\n  ${pair}\n`);
    }
    expect(stdout).toMatch(/^ {2}result .*: APPROVED/m);
  });

  test.for([
    ['without an ID', () => []],
    ['with an ID', (id: string) => [id]],
    ['with a decision', (id: string) => [id, '--decision', 'approve']],
  ] as const)('reads the journal once, %s', async ([, args]) => {
    const {id} = await waiting(here('Write a note'));
    const readings = readingsOfEntries();
    const {stderr} = await here('resume', ...args(id));
    expect(stderr).toContain(`resuming ${id}`);
    expect(readings).toHaveLength(1);
  });

  test('a plan that does not fit leaves the run unchanged', async () => {
    const {id} = await waiting(here('Write a note'));
    const before = (await here('export', id)).stdout;
    const {code, stderr} = await here('resume', id, '--decision', 'edit:no-such.json');
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/the plan in no-such\.json can't be used: there is no such file/),
    ]);
    expect((await here('export', id)).stdout).toBe(before);
    expect((await here('sessions')).stdout).toMatch(new RegExp(`${id} .* waiting `));
  });
});

describe('the list of runs', {timeout: 60_000}, () => {
  test('is of this folder and of the wanted length; an ID may be shortened while it is unique', async () => {
    const first = await waiting(here('Write a note'));
    const second = await waiting(here('Write a second note'));
    const elsewhere = await waiting(there('Write another'));
    expect((await here('cancel', first.id.slice(0, 8))).stdout).toContain(
      `run ${first.id}: cancelled`,
    );
    const {stdout} = await here('sessions');
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^ID +AGE +FORM +STATE +COST +REQUEST$/),
      expect.stringMatching(`^${second.id} +now +agent +waiting +\\$0\\.00 +Write a second note$`),
      expect.stringMatching(`^${first.id} +now +agent +ended: cancelled +\\$0\\.00 +Write a note$`),
      '',
    ]);
    const cut = await here('sessions', '--limit', '1');
    expect(cut.stdout).toMatch(new RegExp(`\\n${second.id} [^\\n]+\\n$`));
    expect(cut.stderr).toBe('… and 1 older session: quorate runs --limit N\n');
    const all = await here('sessions', '--all', '--output', 'json');
    expect(JSON.parse(all.stdout)).toMatchObject([
      {id: elsewhere.id},
      {id: second.id},
      {id: first.id},
    ]);
    const none = await launcher.perform(['sessions']);
    expect(none.stdout).toMatch(/^no runs in .*: quorate "TASK" starts one/);
    expect((await here('show', '-')).stderr).toMatch(/there is no run -/);
  });
});

describe('a line without a request', () => {
  test('is answered with the help, and fails only if no person reads it', async () => {
    const {code, stdout, stderr} = await here();
    expect([code, stderr]).toEqual([2, 'quorate: no task given; write: quorate "TASK"\n']);
    expect(stdout).toMatch(/^Quorate: .*\n[\s\S]*\nMore: quorate help all/);
    const json = await here('--output', 'json');
    expect(json.code).toBe(2);
    expect(JSON.parse(json.stdout)).toMatchObject({status: 'error', error: {code: 'usage'}});
  });
});
