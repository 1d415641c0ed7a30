/** The past of runs, as a person uses it: `verify`, `show`, `fork`, `undo`, how a run is found, and the key of `quorate config`. */

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {describe, expect, onTestFinished, test} from 'vitest';

import {createMemoryJournal, createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {realPath} from '../../../actors/run/validation.ts';
import {performLine} from '../../../cli/main.ts';
import {areRuns, findOrNewest, findRow, openRuns} from '../../../cli/past/find-run.ts';
import {appendEntries} from '../../actors/journal/entries.ts';
import {createLauncher, type Launched} from '../../support/launch.ts';
import {createTestTerminal} from '../gate/person.ts';
import {idIn, setStage} from '../stage.ts';
import {rowsOf, wordsOf} from '../texts.ts';

describe('moments', () => {
  const {at, launch, launcher, written} = setStage();

  const note = (): string => at('work/notes.txt');

  test('verify says that the replay holds, and lists the points with -v', async () => {
    const id = await written();
    const {code, stdout} = await launch('verify', '-v', id);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ replay +the charts reach the recorded states/);
    expect(stdout).toMatch(/^ {2}plan\.1 {2}0–3\n {2}vote\.1 {2}2–5\n/m);
    const json = JSON.parse((await launch('verify', id, '--output', 'json')).stdout);
    expect(json.checks.find(({check}: {check: string}) => check === 'replay')).toMatchObject({
      points: expect.arrayContaining([{name: 'plan.1', before: 0, after: 3}]),
    });
  });

  test('show --at shows the states at that moment, and how to continue from it', async () => {
    const id = await written();
    const {code, stdout, stderr} = await launch('show', id, '--at', 'plan.1');
    expect({code, stdout}).toMatchObject({code: 0});
    expect(stdout).toMatch(/^as it was after entry 3, /m);
    expect(stdout).toMatch(/form {2}reviewingPlan/);
    expect(stderr).toContain(`quorate fork ${id} --at 3`);
    expect(stdout).not.toContain('completed');
    const {moment, status} = JSON.parse(
      (await launch('show', id, '--at', '3', '--output', 'json')).stdout,
    );
    expect(moment).toMatchObject({entry: 3});
    expect(status).toBeUndefined();
  });

  test('show --from --to shows states, decisions and files between two points', async () => {
    const id = await written();
    const {stdout} = await launch('show', id, '--from', 'plan.1', '--to', 'task:do');
    expect(stdout).toMatch(/^from entry 3 to entry \d+\n/);
    expect(stdout).toMatch(/reviewingPlan → /);
    expect(stdout).toMatch(/quorum\.decided/);
    expect(stdout).toMatch(/^ {2}\+ notes\.txt$/m);
  });

  test.each(
    rowsOf(String.raw`
fork ⇒ needs the ID of a run
fork nobody ⇒ needs a point: --at 12
fork ID --at plan.9 ⇒ not a point of this run.*it has plan\.1
fork ID --at 1 --say " " ⇒ --say is empty
fork ID --files --yes ⇒ needs a point: --at 12
fork ID --at 1 --files ⇒ without a terminal, quorate fork --files needs --yes
fork ID --at 1 --dry-run ⇒ --dry-run is for quorate fork --files
show ID --at 999 ⇒ there is no entry 999
show ID --at 1 --to 2 ⇒ --at shows one point
`),
  )('%s is refused with a reason', async (line = '', reason = '') => {
    const id = await written();
    const {code, stderr} = await launch(...wordsOf(line.replace('ID', id)));
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(reason))]);
  });

  test('fork continues in a copy of the folder with -C, and names its origin', async () => {
    const id = await written();
    const copy = at('copy');
    mkdirSync(copy);
    const {code, stdout, stderr} = await launcher.perform([
      '-C',
      copy,
      'fork',
      id,
      '--at',
      'plan.1',
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(new RegExp(`^[a-z0-9]{12}, forked from ${id} after entry 0, in `, 'm'));
    expect(readFileSync(join(copy, 'notes.txt'), 'utf8')).toContain('Hello');
    const fork = /^([a-z0-9]{12}) · /m.exec(stdout)?.[1] ?? '';
    expect((await launch('show', fork)).stdout).toContain(`forked from run ${id} after entry 0`);
    expect((await launch('verify', fork)).code).toBe(0);
  });

  test('fork --files takes the file back and continues in the same folder', async () => {
    const id = await written();
    const preview = await launch('fork', id, '--at', 'plan.1', '--files', '--dry-run');
    expect(preview).toMatchObject({code: 0, stdout: expect.stringContaining('would be removed')});
    expect(existsSync(note())).toBe(true);
    const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
    expect({code, stdout}).toMatchObject({code: 0, stdout: expect.stringContaining('completed')});
    expect(existsSync(note())).toBe(true);
  });

  test('fork --files changes nothing when the user has changed the file since', async () => {
    const id = await written();
    writeFileSync(note(), 'mine');
    const {code, stdout} = await launch('fork', id, '--at', 'plan.1', '--files', '--yes');
    expect(code).toBe(1);
    expect(stdout).toMatch(/Nothing was changed: .*\n.*\n.*notes\.txt: something else has changed/);
    expect(readFileSync(note(), 'utf8')).toBe('mine');
  });
});

describe('undo', () => {
  const {at, launch, launcher, run, workspace, written} = setStage();

  test('the writes of a run are listed, undone, and reported when they cannot be', async () => {
    const notes = join(workspace(), 'notes.txt');
    const id = await written();

    const dry = await launch('undo', id, '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      `${id} in ${workspace()}\n  would be removed   notes.txt\n`,
    ]);
    expect(readFileSync(notes, 'utf8')).toBe('Hello\n');

    expect((await launch('undo', id)).stdout).toBe(
      `${id} in ${workspace()}\n  removed    notes.txt\n`,
    );
    expect(existsSync(notes)).toBe(false);
    expect((await launch('undo', id)).stdout).toContain('as before  notes.txt');

    writeFileSync(notes, 'mine');
    const left = await run('undo', id, '--output', 'json');
    expect([left.code, left.stderr]).toEqual([1, '']);
    expect(JSON.parse(left.stdout)).toMatchObject({
      interaction: id,
      files: [{path: 'notes.txt', outcome: 'left', why: 'something else has changed it since'}],
      commands: 0,
      isOpen: false,
    });
    expect(readFileSync(notes, 'utf8')).toBe('mine');
  });

  test('show, recount, export and undo --dry-run without an ID use the newest run of this folder', async () => {
    const id = await written();
    expect((await launch('show')).stdout).toContain(`${id} agent · `);
    expect((await launch('recount')).stdout).toContain(id);
    expect(JSON.parse((await launch('export')).stdout.split('\n')[0] ?? '')).toMatchObject({
      type: 'opened',
    });
    expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
  });

  test('undo without an ID is a usage error if no person can be asked', async () => {
    await written();
    const {code, stderr} = await launch('undo');
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('quorate undo needs the ID of a run'),
    ]);
    expect(existsSync(join(workspace(), 'notes.txt'))).toBe(true);
  });

  test.each([
    ['y', 0, false],
    ['n', 1, true],
    ['', 1, true],
  ])('undo without an ID asks on a terminal, and %j exits %i', async (answer, code, isKept) => {
    await written();
    const {input, output, sees, type} = createTestTerminal();
    const env = {HOME: launcher.folder, QUORATE_HOME: at('data')};
    const exit = performLine(['-C', workspace(), 'undo'], {
      stdin: input,
      stdout: output,
      stderr: output,
      env,
    });
    await sees('[y/N] ');
    type(`${answer}\r`);
    if (isKept) await sees('nothing was undone');
    expect(await exit).toBe(code);
    expect(existsSync(join(workspace(), 'notes.txt'))).toBe(isKept);
  });

  test('undo without an ID skips newer runs that wrote nothing, and reports when none did', async () => {
    await launch('-q', 'Run the tests');
    const none = await launch('undo', '--dry-run');
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain(`no run in ${workspace()} has written a file`);

    await written();
    await launch('-q', 'Run the tests');
    expect((await launch('undo', '--dry-run')).stdout).toContain('would be removed   notes.txt');
  });

  test('a file that a run has made is listed once, with its lines and its diff', async () => {
    await written();
    const {stdout} = await launch('show');
    expect(stdout).toContain('\nChanges\n  notes.txt +1 −0\n    @@ -0,0 +1,1 @@\n    +Hello\n');
    expect(stdout.split('notes.txt +1 −0')).toHaveLength(2);
    expect(stdout).not.toContain('\nWritten\n');
  });

  test('the beginning of an ID counts as one only if a run has it', async () => {
    const env = {QUORATE_HOME: at('data')};
    const start = (await written()).slice(0, 8);
    expect(await areRuns([start, `${start}.1`], env)).toBe(true);
    expect(await areRuns([start, 'utf8'], env)).toBe(false);
    expect(await areRuns([start], {QUORATE_HOME: at('none')})).toBe(false);
  });
});

/** A journal with open runs, by their folders, in the order of their beginning. */
function journalOf(...runs: readonly (readonly [id: string, workspace: string])[]) {
  const journal = createMemoryJournal();
  for (const [id, workspace] of runs) {
    const input = {form: 'agent', request: 'x', workspace};
    void journal.log.append([
      {interaction: id, at: 1, bodies: [{type: 'opened', input, version: 'v'}]},
    ]);
  }
  return journal;
}

const place = realPath(import.meta.dirname);
const runsHereAndElsewhere = () =>
  journalOf(['older', place], ['newer', place], ['elsewhere', '/elsewhere']);

test('a run is found by its ID or a unique beginning of it', async () => {
  const journal = journalOf(['ab', '/w'], ['abc1', '/w'], ['abd2', '/w']);
  expect((await findRow(journal, 'abc')).id).toBe('abc1');
  expect((await findRow(journal, 'ab')).id).toBe('ab');
  await expect(findRow(journal, 'a')).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^a is the beginning of 3 runs: .*ab.*; type more of it$/),
  });
  await expect(findRow(journal, '')).rejects.toMatchObject({code: 'not_found'});
  await expect(findRow(journal, 'x')).rejects.toMatchObject({code: 'not_found'});
});

test('the open runs of a folder are the ones without a running process, the newest first', async () => {
  const journal = runsHereAndElsewhere();
  const owned = await journal.owners.own('newer');
  expect(await openRuns(journal, place)).toMatchObject([{id: 'older'}]);
  await owned.release();
  expect(await openRuns(journal, place)).toMatchObject([{id: 'newer'}, {id: 'older'}]);
  await journal.owners.own('newer');
  await journal.owners.own('older');
  await expect(openRuns(journal, place)).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringMatching(/^every open run in /),
  });
});

test('without an ID the newest run of the folder is used, ended or not', async () => {
  const journal = runsHereAndElsewhere();
  expect((await findOrNewest(journal, undefined, place)).id).toBe('newer');
  expect((await findOrNewest(journal, 'old', place)).id).toBe('older');
  await expect(findOrNewest(journal, undefined, '/')).rejects.toMatchObject({
    code: 'not_found',
    message: 'there is no run in /; quorate runs --all lists those of every folder',
  });
});

/** The lines of the checks, without the laws that a record does not show. */
function checksIn({stdout}: Launched): readonly string[] {
  return stdout
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('–'));
}

describe('verify', () => {
  /** A run whose plan a person has approved. */
  let id: string;
  let entries: readonly string[];

  const {at, launch, launcher} = setStage({
    once: true,
    prepare: async () => {
      const confirming = {env: {QUORATE_AGENT_CONFIRM_EXECUTION: 'true'}};
      const task = 'Create a file notes.txt with the content "Hello"';
      const waiting = await launcher.perform(['-C', at('work'), '-q', task], confirming);
      id = idIn(waiting);
      await launch('resume', id, '--decision', 'approve', '-q');
      entries = (await launch('export', id)).stdout.split('\n').slice(0, -1);
    },
  });

  /** A file of the exported run. */
  function exported(lines: readonly string[]): string {
    const path = at('run.jsonl');
    writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
    return path;
  }

  test('a run that holds has one line a check, and exit code 0', async () => {
    const verified = await launch('verify', id);
    expect([verified.code, verified.stderr]).toEqual([0, '']);
    const last = entries.length - 1;
    expect(verified.stdout.split('\n')[0]).toBe(`${id} ${entries.length} entries`);
    expect(checksIn(verified)).toEqual([
      '✓ chain       every entry follows from the one before it',
      `✓ end         entry ${last} ends the run`,
      '✓ replay      the charts reach the recorded states, notes and result',
      '✓ laws        1, 2, 3 hold',
      expect.stringMatching(
        new RegExp(
          `^✓ signatures  the end and the decisions .* key [0-9a-f]{16}, the last at entry ${last}$`,
        ),
      ),
    ]);
  });

  test('an exported file holds like its run, also from standard input', async () => {
    const path = exported(entries);
    const [fromRun, fromFile] = [await launch('verify', id), await launch('verify', path)];
    expect(fromFile).toEqual(fromRun);
    const stdin = readFileSync(path, 'utf8');
    expect(await launcher.perform(['verify', '-'], {stdin})).toEqual(fromRun);
  });

  test('a forged decision fails with exit code 1 in both languages, and as JSON', async () => {
    const forgedAt = entries.findIndex((line) =>
      line.includes('"human.decided","decision":"approve"'),
    );
    const line = entries[forgedAt] ?? '';
    const path = exported(entries.with(forgedAt, line.replace('"approve"', '"reject"')));
    const forged = await launch('verify', path);
    expect(forged.code).toBe(1);
    expect(checksIn(forged)[0]).toBe(
      `✗ chain       entry ${forgedAt}: it was changed after it was written`,
    );
    expect((await launch('verify', path, '--lang', 'ja')).stdout).toContain(
      `✗ 鎖          項目 ${forgedAt} で切れています`,
    );
    const json = await launch('verify', path, '--output', 'json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({id, entries: forgedAt, holds: false});
  });

  test('a file that does not hold the end fails', async () => {
    const cut = await launch('verify', exported(entries.slice(0, -1)));
    expect(cut.code).toBe(1);
    expect(checksIn(cut)).toContain(
      `✗ end         entry ${entries.length - 1} is missing: the run was exported before its end, or its end is lost`,
    );
  });

  test('a journal that lost its last entry fails', async () => {
    const copied = createLauncher();
    onTestFinished(copied.remove);
    const file = join(copied.folder, 'data', 'journal.db');
    const journal = createSqliteJournal(file);
    await appendEntries(
      journal,
      id,
      entries.map((line) => JSON.parse(line)),
    );
    await journal.close();
    const database = new DatabaseSync(file);
    database.exec(`DELETE FROM entries WHERE seq = ${entries.length - 1}`);
    database.close();
    const {code, stdout} = await copied.perform(['verify', id]);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `✗ end journal of ${id}, entry ${entries.length - 1}: the entry is missing`,
    );
  });

  describe('the key', () => {
    test('is shown by config, and its PEM and its base64 verify a run elsewhere', async () => {
      const shown = await launch('config');
      const [, keyid, base64] =
        /^# entries are signed with the key ([0-9a-f]{16})\n# public key \(SPKI, base64\): (\S+)$/m.exec(
          shown.stdout,
        ) ?? [];
      const pem = await launch('config', '--public-key');
      expect(pem.stdout).toContain(`-----BEGIN PUBLIC KEY-----\n${base64}\n`);
      expect(
        JSON.parse((await launch('config', '--public-key', '--output', 'json')).stdout),
      ).toEqual({id: keyid, pem: pem.stdout});
      const japanese = await launch('config', '--lang', 'ja');
      expect(japanese.stdout).toContain(`# 項目は鍵 ${keyid} で署名されます`);

      const file = at('key.pem');
      writeFileSync(file, pem.stdout);
      const path = exported(entries);
      const elsewhere = {env: {QUORATE_HOME: at('elsewhere')}};
      const codes: (number | null)[] = [];
      for (const key of [['--key', file], ['--key', base64 ?? ''], []]) {
        codes.push((await launcher.perform(['verify', path, ...key], elsewhere)).code);
      }
      expect(codes).toEqual([0, 0, 2]);
    });

    test('of another installation fails, and is named', async () => {
      const elsewhere = {env: {QUORATE_HOME: at('other')}};
      const {stdout} = await launcher.perform(['config', '--public-key'], elsewhere);
      const file = at('other.pem');
      writeFileSync(file, stdout);
      const verified = await launch('verify', id, '--key', file);
      expect(verified.code).toBe(1);
      expect(verified.stdout).toMatch(
        /✗ signatures {2}entry \d+ is signed with another key, [0-9a-f]{16}/,
      );
      const both = await launch('config', '--public-key');
      const own = at('own.pem');
      writeFileSync(own, both.stdout);
      expect((await launch('verify', id, '--key', file, '--key', own)).code).toBe(0);
    });

    test('that cannot be read is reported by config, which shows the settings all the same', async () => {
      const home = at('spoiled');
      mkdirSync(join(home, 'keys'), {recursive: true});
      writeFileSync(join(home, 'keys', 'signing.key'), 'nothing');
      const {code, stdout} = await launcher.perform(['config'], {env: {QUORATE_HOME: home}});
      expect(code).toBe(0);
      expect(stdout).toMatch(/^# no entry is signed: .*signing\.key: not a private Ed25519 key/m);
    });

    test('is not made by a look at the settings', async () => {
      const elsewhere = {env: {QUORATE_HOME: at('fresh')}};
      const {stdout} = await launcher.perform(['config'], elsewhere);
      expect(stdout).toContain('# entries are signed with a key that is made at first use');
    });
  });

  test('a file without a key, and a file that is not an exported run, are refused', async () => {
    const file = at('odd.txt');
    writeFileSync(file, 'hello\n');
    const run = await launch('verify', file);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('does not open a run')]);
    const key = await launch('verify', id, '--key', file);
    expect([key.code, key.stderr]).toEqual([
      2,
      expect.stringContaining('not a public Ed25519 key'),
    ]);
  });

  test('a run is recorded without signatures where no key can be made', async () => {
    const env = {QUORATE_HOME: at('keyless')};
    mkdirSync(at('keyless'));
    writeFileSync(at('keyless/keys'), '');
    const line = ['ask', 'What is 6 * 7?', '-q', '--output', 'json'];
    const asked = await launcher.perform(line, {env});
    expect([asked.code, asked.stderr]).toEqual([0, expect.not.stringContaining('key')]);
    const {interaction} = JSON.parse(asked.stdout);
    const verified = await launcher.perform(['verify', interaction], {env});
    expect(verified.stdout).toContain('– signatures  no entry is signed');
  });
});
