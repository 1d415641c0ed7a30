/** `quorate verify`, as a person uses it, and the key that `quorate config` shows. */

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';

import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';

import {createSqliteJournal} from '../../../actors/journal/sqlite.ts';
import {appendEntries} from '../../actors/journal/entries.ts';
import {createLauncher, type Launched, type Launcher} from '../../support/launch.ts';

let launcher: Launcher;
let workspace: string;
/** A run whose plan a person has approved. */
let id: string;
let entries: readonly string[];

beforeAll(async () => {
  launcher = createLauncher();
  workspace = join(launcher.folder, 'work');
  mkdirSync(workspace);
  const confirming = {env: {QUORATE_AGENT_CONFIRM_EXECUTION: 'true'}};
  const task = 'Create a file notes.txt with the content "Hello"';
  const waiting = await launcher.perform(['-C', workspace, '-q', task], confirming);
  id = /quorate resume ([a-z0-9]{12})/.exec(waiting.stdout + waiting.stderr)?.[1] ?? '';
  await launch('resume', id, '--decision', 'approve', '-q');
  entries = (await launch('export', id)).stdout.split('\n').slice(0, -1);
});
afterAll(() => launcher.remove());

async function launch(...args: string[]): Promise<Launched> {
  return await launcher.perform(args);
}

/** A file of the exported run. */
function exported(lines: readonly string[]): string {
  const path = join(launcher.folder, 'run.jsonl');
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  return path;
}

/** The lines of the checks, without the laws that a record does not show. */
function checksIn({stdout}: Launched): readonly string[] {
  return stdout
    .split('\n')
    .slice(1)
    .filter((line) => line !== '' && !line.startsWith('–'));
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
  const at = entries.findIndex((line) => line.includes('"human.decided","decision":"approve"'));
  const line = entries[at] ?? '';
  const path = exported(entries.with(at, line.replace('"approve"', '"reject"')));
  const forged = await launch('verify', path);
  expect(forged.code).toBe(1);
  expect(checksIn(forged)[0]).toBe(
    `✗ chain       entry ${at}: it was changed after it was written`,
  );
  expect((await launch('verify', path, '--lang', 'ja')).stdout).toContain(
    `✗ 鎖          項目 ${at} で切れています`,
  );
  const json = await launch('verify', path, '--output', 'json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({id, entries: at, holds: false});
});

test('a file that does not hold the end fails', async () => {
  const cut = await launch('verify', exported(entries.slice(0, -1)));
  expect(cut.code).toBe(1);
  expect(checksIn(cut)).toContain(
    `✗ end         entry ${entries.length - 1} is missing: the run was exported before its end, or its end is lost`,
  );
});

describe('a journal that was changed', () => {
  let copied: Launcher;
  beforeEach(async () => {
    copied = createLauncher();
    const journal = createSqliteJournal(join(copied.folder, 'data', 'journal.db'));
    const body = entries.map((line) => JSON.parse(line));
    await appendEntries(journal, id, body);
    await journal.close();
  });

  function change(sql: string): void {
    const database = new DatabaseSync(join(copied.folder, 'data', 'journal.db'));
    database.exec(sql);
    database.close();
  }

  test('and lost its last entry fails', async () => {
    change(`DELETE FROM entries WHERE seq = ${entries.length - 1}`);
    const {code, stdout} = await copied.perform(['verify', id]);
    copied.remove();
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `✗ end journal of ${id}, entry ${entries.length - 1}: the entry is missing`,
    );
  });
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
    expect(JSON.parse((await launch('config', '--public-key', '--output', 'json')).stdout)).toEqual(
      {id: keyid, pem: pem.stdout},
    );
    const japanese = await launch('config', '--lang', 'ja');
    expect(japanese.stdout).toContain(`# 項目は鍵 ${keyid} で署名されます`);

    const file = join(launcher.folder, 'key.pem');
    writeFileSync(file, pem.stdout);
    const path = exported(entries);
    const elsewhere = {env: {QUORATE_HOME: join(launcher.folder, 'elsewhere')}};
    const codes: (number | null)[] = [];
    for (const key of [['--key', file], ['--key', base64 ?? ''], []]) {
      codes.push((await launcher.perform(['verify', path, ...key], elsewhere)).code);
    }
    expect(codes).toEqual([0, 0, 2]);
  });

  test('of another installation fails, and is named', async () => {
    const elsewhere = {env: {QUORATE_HOME: join(launcher.folder, 'other')}};
    const {stdout} = await launcher.perform(['config', '--public-key'], elsewhere);
    const file = join(launcher.folder, 'other.pem');
    writeFileSync(file, stdout);
    const verified = await launch('verify', id, '--key', file);
    expect(verified.code).toBe(1);
    expect(verified.stdout).toMatch(
      /✗ signatures {2}entry \d+ is signed with another key, [0-9a-f]{16}/,
    );
    const both = await launch('config', '--public-key');
    const own = join(launcher.folder, 'own.pem');
    writeFileSync(own, both.stdout);
    expect((await launch('verify', id, '--key', file, '--key', own)).code).toBe(0);
  });

  test('that cannot be read is reported by config, which shows the settings all the same', async () => {
    const home = join(launcher.folder, 'spoiled');
    mkdirSync(join(home, 'keys'), {recursive: true});
    writeFileSync(join(home, 'keys', 'signing.key'), 'nothing');
    const {code, stdout} = await launcher.perform(['config'], {env: {QUORATE_HOME: home}});
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# no entry is signed: .*signing\.key: not a private Ed25519 key/m);
  });

  test('is not made by a look at the settings', async () => {
    const elsewhere = {env: {QUORATE_HOME: join(launcher.folder, 'fresh')}};
    const {stdout} = await launcher.perform(['config'], elsewhere);
    expect(stdout).toContain('# entries are signed with a key that is made at first use');
  });
});

test('a file without a key, and a file that is not an exported run, are refused', async () => {
  const file = join(launcher.folder, 'odd.txt');
  writeFileSync(file, 'hello\n');
  const run = await launch('verify', file);
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('does not open a run')]);
  const key = await launch('verify', id, '--key', file);
  expect([key.code, key.stderr]).toEqual([2, expect.stringContaining('not a public Ed25519 key')]);
});

test('a run is recorded without signatures where no key can be made', async () => {
  const other = createLauncher();
  mkdirSync(join(other.folder, 'data'));
  writeFileSync(join(other.folder, 'data', 'keys'), '');
  const asked = await other.perform(['ask', 'What is 6 * 7?', '-q', '--output', 'json']);
  expect([asked.code, asked.stderr]).toEqual([0, expect.not.stringContaining('key')]);
  const {interaction} = JSON.parse(asked.stdout);
  const verified = await other.perform(['verify', interaction]);
  other.remove();
  expect(verified.stdout).toContain('– signatures  no entry is signed');
});
