/** Recorded runs of every form: what is read from them, and a run rewound with its files. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';

import {prepareFork} from '../../../actors/history/fork.ts';
import {privacyOf} from '../../../actors/history/peek.ts';
import {compareReplay, readRun} from '../../../actors/history/read-run.ts';
import {momentAfter, type Moment, momentsOf} from '../../../actors/history/record.ts';
import {
  createRuntime,
  createSqliteJournal,
  type Entry,
  type Journal,
  peekRun,
  type Runtime,
} from '../../../actors/index.ts';
import {commandsIn} from '../../../actors/undo/undo.ts';
import {openRuntime, speak} from '../../fixtures/journals/recorded-models.ts';
import {
  beforeFolder,
  beforeForms,
  unpackBefore,
  workspaceOf,
} from '../../fixtures/journals/recorded.ts';
import {sampled} from '../../support/depth.ts';
import {type MockOpenAi, startMockOpenAi} from '../../support/mock-openai.ts';
import {pairs} from '../../support/rows.ts';
import {canConfine} from '../../tools/run/confined.ts';

let folder: string;

let journal: Journal;

function statesIn({open, actors}: Moment): object {
  return {open, states: actors.map(({path, state}) => ({path, state}))};
}

describe('at every entry', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'quorate-recorded-'));
    unpackBefore(join(folder, 'journal.db'));
    journal = createSqliteJournal(join(folder, 'journal.db'));
  });

  afterAll(async () => {
    await journal.close();
    rmSync(folder, {recursive: true});
  });

  describe.each(Object.entries(beforeForms))('%s', (_name, {id}) => {
    let entries: readonly Entry[];

    beforeAll(async () => {
      ({entries} = await journal.log.salvage(id));
    });

    test('replays to the same states, notes and result', async () => {
      // The version before recorded whether a command was confined, not by what.
      const json = JSON.stringify(entries).replaceAll('"confined":false', '"confinement":"none"');
      const {differences} = await compareReplay(id, JSON.parse(json));
      expect(differences).toEqual([]);
    });

    test('shows at every entry what it had reported until then', async () => {
      const {reports: all} = await peekRun(id, entries);
      const moments = await Array.fromAsync(momentsOf(entries));
      expect(moments.map(({entry}) => entry)).toEqual(entries.map(({seq}) => seq));
      for (const {seq} of sampled(entries, 6)) {
        const past = entries.slice(0, seq + 1);
        const {reports} = await peekRun(id, past);
        expect(reports, `entry ${seq}`).toEqual(all.slice(0, reports.length));
        const moment = await momentAfter(past);
        expect(moment.entry).toBe(seq);
        expect(moment.actors[0]?.path).toBe('i');
        expect(moments[seq]).toEqual(moment);
      }
    });

    test('can be copied up to every entry under another id and into another folder', async () => {
      const original = await readRun(id, journal);
      for (const {seq} of sampled(entries, 6).filter(({type}) => type !== 'closed')) {
        const deps = {journal, original, changeFor: () => undefined};
        const fork = await prepareFork(id, {at: seq, workspace: folder}, deps);
        await fork.write();
        const copied = await journal.log.read(fork.id);
        const again = await momentAfter(copied.slice(0, seq + 1));
        expect(statesIn(again)).toEqual(statesIn(await momentAfter(entries.slice(0, seq + 1))));
        // The copy was moved: before that, it shows the folder of the original.
        const both = await Array.fromAsync(
          momentsOf(copied, (each) => each === seq || each === copied.length - 1),
        );
        expect(both).toEqual([again, await momentAfter(copied)]);
      }
    });
  });

  test('commands that ran unconfined are counted by undo, as they may have done more', async () => {
    const {entries} = await journal.log.salvage(beforeForms['agent-allowed']?.id ?? '');
    expect(commandsIn(entries, 0)).toEqual({commands: 2, unknown: 0});
  });

  test('private answers of an interview are masked at every moment, also right after the reply', async () => {
    const id = beforeForms['interview-ended']?.id ?? '';
    const {entries} = await journal.log.salvage(id);
    for (const {seq} of sampled(entries, 3)) {
      const moment = await momentAfter(entries.slice(0, seq + 1));
      const masked = (await privacyOf(id, entries, moment)).data(moment);
      expect(JSON.stringify(masked), `entry ${seq}`).not.toContain('Ann Lee');
    }
  });
});

const earlierFolder = mkdtempSync(join(tmpdir(), 'quorate-before-'));

let earlierJournal: Journal;

let server: MockOpenAi;

let runtime: Runtime;

/** Resumes the run until it ends or waits for a person. */
async function resumed(name: string): Promise<string> {
  mkdirSync(workspaceOf(name, beforeFolder), {recursive: true});
  const run = await runtime.resume(beforeForms[name]?.id ?? '');
  for await (const {type} of run.events) {
    if (type === 'human.requested' || type === 'interview.asked') void run.suspend('waiting');
  }
  return (await run.result).status;
}

describe('open runs of the version before', () => {
  beforeAll(async () => {
    unpackBefore(join(earlierFolder, 'journal.db'));
    earlierJournal = createSqliteJournal(join(earlierFolder, 'journal.db'));
    server = await startMockOpenAi(speak);
    runtime = openRuntime(earlierJournal, server.baseUrl);
  });

  afterAll(async () => {
    await runtime.close();
    await earlierJournal.close();
    await server.close();
    for (const path of [earlierFolder, beforeFolder]) rmSync(path, {recursive: true, force: true});
  });

  test.each(
    pairs(`
    agent-waiting ⇒ waiting ¦ agent-interrupted ⇒ completed ¦ agent-killed ⇒ waiting
    agent-spawning ⇒ completed ¦ ask-interrupted ⇒ completed ¦ discuss-interrupted ⇒ completed
    debate-waiting ⇒ waiting ¦ interview-waiting ⇒ waiting ¦ review-interrupted ⇒ completed
    command-killed ⇒ waiting
  `),
  )('%s continues, and is %s', async (name, status) => {
    expect(await resumed(name)).toBe(status);
  });
});

const command =
  'rm gone.txt; mv old.txt new.txt; chmod +x tool.sh; echo more >> log.txt; echo x > made.txt';

describe.runIf(canConfine)('a run with a command', () => {
  let work: string;
  let home: string;
  let kept: Journal;
  let rewinding: Runtime;
  let id: string;

  const path = (name: string): string => join(work, name);
  const read = (name: string): string => readFileSync(path(name), 'utf8');
  const isExecutable = (): boolean => (statSync(path('tool.sh')).mode & 0o100) !== 0;

  beforeEach(async () => {
    work = mkdtempSync(join(tmpdir(), 'quorate-rewind-'));
    home = mkdtempSync(join(tmpdir(), 'quorate-rewind-home-'));
    for (const name of ['gone.txt', 'old.txt', 'tool.sh', 'log.txt'])
      writeFileSync(path(name), `${name}\n`);
    chmodSync(path('tool.sh'), 0o644);
    kept = createSqliteJournal(join(home, 'journal.db'));
    rewinding = createRuntime({
      journal: kept,
      env: {PATH: process.env['PATH'] ?? ''},
    });
    const run = rewinding.start({form: 'command', request: command, workspace: work});
    await run.result;
    ({id} = run);
  });

  afterEach(async () => {
    await rewinding.close();
    await kept.close();
    for (const place of [work, home]) rmSync(place, {recursive: true});
  });

  test('is taken back whole before it is run again', async () => {
    const {files: preview} = await rewinding.rewind(id, {to: 0, dryRun: true});
    const outcomes = Object.fromEntries(preview.files.map((file) => [file.path, file.outcome]));
    expect(outcomes).toEqual({
      'gone.txt': 'restored',
      'old.txt': 'restored',
      'new.txt': 'removed',
      'tool.sh': 'restored',
      'log.txt': 'restored',
      'made.txt': 'removed',
    });
    const {run} = await rewinding.rewind(id, {to: 0});
    expect(await run?.result).toMatchObject({status: 'completed'});
    expect(readdirSync(work).toSorted()).toEqual(['log.txt', 'made.txt', 'new.txt', 'tool.sh']);
    expect(read('log.txt')).toBe('log.txt\nmore\n');
    expect(isExecutable()).toBe(true);
  });

  test.each([
    ['changed', () => writeFileSync(path('log.txt'), 'mine\n'), 'log.txt'],
    [
      'written in place of a deleted file',
      () => writeFileSync(path('gone.txt'), 'mine\n'),
      'gone.txt',
    ],
  ])('keeps what the user has %s since', async (_how, change, conflict) => {
    change();
    const before = readdirSync(work).map((name) => [name, read(name)]);
    const {run, files} = await rewinding.rewind(id, {to: 0});
    const left = files.files.filter(({outcome}) => outcome === 'left').map((file) => file.path);
    expect(left).toEqual([conflict]);
    expect(run).toBeUndefined();
    expect(readdirSync(work).map((name) => [name, read(name)])).toEqual(before);
    expect(existsSync(path('old.txt'))).toBe(false);
  });

  test('is taken back although the user has deleted a file that it made', async () => {
    rmSync(path('new.txt'));
    const {run} = await rewinding.rewind(id, {to: 0});
    expect(await run?.result).toMatchObject({status: 'completed'});
  });
});
