/**
 * Runs of every form that an earlier version has written, with the launcher of today. What it says of each is kept in
 * `test/fixtures/journals/shown`. An open run of other charts may be outdated.
 */

import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';

import {speak} from '../fixtures/journals/recorded-models.ts';
import {
  beforeFolder,
  beforeForms,
  unpackBefore,
  workspaceOf,
} from '../fixtures/journals/recorded.ts';
import {createLauncher, type Launched, type Launcher} from '../support/launch.ts';
import {type MockOpenAi, startMockOpenAi} from '../support/mock-openai.ts';
import {useMockPanel} from '../support/mock-panel.ts';

const shown = join(import.meta.dirname, '../fixtures/journals/shown');

/** The state of each open run in the list. */
const left: Readonly<Record<string, string>> = {
  'agent-waiting': 'waiting',
  'agent-interrupted': 'suspended',
  'agent-killed': 'crashed',
  'agent-spawning': 'suspended',
  'ask-interrupted': 'suspended',
  'discuss-interrupted': 'suspended',
  'debate-waiting': 'waiting',
  'interview-waiting': 'waiting',
  'review-interrupted': 'suspended',
  'command-killed': 'crashed',
};

const kept = readdirSync(shown);

let launcher: Launcher;

function unpacked(): Launcher {
  const created = createLauncher();
  unpackBefore(join(created.folder, 'data/journal.db'));
  return created;
}

function idOf(name: string): string {
  return beforeForms[name]?.id ?? '';
}

async function said(...args: readonly string[]): Promise<string> {
  const {code, stdout, stderr} = await launcher.perform(args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

/** Without parts that depend on the clock and the time zone of the reader. */
function timeless(text: string): string {
  return text
    .replaceAll(/\b(opened|from) (?:just now|\d+ \w+ ago)/g, '$1 SOME TIME AGO')
    .replaceAll(/\b\d{4}-\d\d-\d\d \d\d:\d\d\b/g, 'THEN');
}

describe('reading', () => {
  beforeAll(() => {
    launcher = unpacked();
  });
  afterAll(() => launcher.remove());

  test('the description of each is kept', () => {
    expect(kept.toSorted()).toEqual(
      Object.keys(beforeForms)
        .map((name) => `${name}.txt`)
        .toSorted(),
    );
  });

  test('all are listed, the newest first', async () => {
    const listed: unknown = JSON.parse(
      await said('sessions', '--all', '--limit', '99', '--output', 'json'),
    );
    const expected = Object.entries(beforeForms).map(([name, {id, entries}]) => {
      const state = left[name] ?? 'ended';
      const outdated = expect.stringMatching(`^(?:${state}|outdated)$`);
      return {
        id,
        entries,
        workspace: workspaceOf(name),
        state: state === 'ended' ? state : outdated,
      };
    });
    expect(listed).toMatchObject(expected.toReversed());
    const text = await said('sessions', '--all', '--limit', '99');
    for (const {id} of expected) expect(text).toContain(`\n${id} `);
  });

  test.each(Object.entries(beforeForms))(
    '%s is shown, counted again and exported as ever',
    async (name, {id, entries}) => {
      const exported = await said('export', id);
      const {journal, ...row} = JSON.parse(await said('show', id, '--output', 'json'));
      const {stdout: show, stderr: next} = await launcher.perform(['show', id]);
      const recount = await said('recount', id);
      expect(exported.trimEnd().split('\n')).toHaveLength(entries);
      expect(journal).toHaveLength(entries);
      if (row.state === 'outdated') return expectOutdatedShow(next, name);
      const parts = {
        export: createHash('sha256').update(exported).digest('hex'),
        show: next === '' ? show : `${show}\n${next}`,
        recount,
        json: Object.entries(row)
          .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
          .join('\n'),
      };
      const text = Object.entries(parts).map(
        ([part, output]) => `# ${part}\n\n${output.trimEnd()}\n`,
      );
      await expect(timeless(text.join('\n'))).toMatchFileSnapshot(join(shown, `${name}.txt`));
    },
  );
});

describe('writing', () => {
  let server: MockOpenAi;

  beforeEach(async () => {
    launcher = unpacked();
    server = await startMockOpenAi(speak);
    useMockPanel(launcher, server);
    for (const name of Object.keys(beforeForms)) mkdirSync(workspaceOf(name), {recursive: true});
  });
  afterEach(async () => {
    await server.close();
    launcher.remove();
    rmSync(beforeFolder, {recursive: true, force: true});
  });

  test.each(Object.keys(left))('%s is cancelled', async (name) => {
    const id = idOf(name);
    expect(await said('cancel', id)).toMatch(new RegExp(`^run ${id}: cancelled\n`));
    expect(await said('show', id)).toMatch(/^cancelled/m);
    expect(await said('sessions', id, '--all', '--output', 'json')).toContain('"cancelled"');
  });

  test.each([
    ['agent-ended', 'note.txt', 'hello\n', ''],
    ['agent-decided', 'note.txt', 'hello\n', ''],
    [
      'command-ended',
      'done.txt',
      'done\n',
      'Other effects of 1 command are not taken back: quorate show ID shows them\n',
    ],
  ])(
    'the file that %s wrote is taken back, unless it has changed since',
    async (name, file, content, note) => {
      const path = join(workspaceOf(name), file);
      const head = `${idOf(name)} in ${workspaceOf(name)}\n`;
      const rest = note.replace('ID', idOf(name));
      writeFileSync(path, 'mine\n');
      const changed = await launcher.perform(['undo', idOf(name)]);
      expect([changed.code, changed.stderr]).toEqual([1, '']);
      expect(changed.stdout).toBe(
        `${head}  left       ${file}: something else has changed it since\n${rest}`,
      );
      expect(readFileSync(path, 'utf8')).toBe('mine\n');
      writeFileSync(path, content);
      expect(await said('undo', idOf(name))).toBe(`${head}  removed    ${file}\n${rest}`);
      expect(existsSync(path)).toBe(false);
    },
  );

  test('a run that wrote nothing has nothing to undo', async () => {
    expect(await said('undo', idOf('agent-refused'))).toMatch(/\n {2}it has written no files\n$/);
  });

  test.each<readonly [name: string, args: readonly string[], code: number, says: string]>([
    ['agent-waiting', ['--decision', 'approve'], 0, '  person approved plan '],
    ['agent-waiting', ['--decision', 'reject'], 1, '  person rejected plan '],
    ['agent-killed', [], 4, '  person allowed for good action '],
    ['agent-killed', ['--decision', 'done'], 4, '  person counted as done what was asked '],
    ['agent-spawning', [], 0, '  1 ask completed: asked says that it is four metres deep.\n'],
    ['debate-waiting', [], 4, '  O1 (critical, stands): it has no test\n'],
    ['debate-waiting', ['--decision', 'approve'], 0, '  O1 critical, open\n'],
    ['interview-waiting', [], 0, 'Professional experience  Seven years\n'],
    ['command-killed', [], 4, '  quorate resume ID --decision retry '],
    ['command-killed', ['--decision', 'fail'], 1, 'failed: $ echo begun; sleep 5\n'],
  ])('%s continues with %j, or one line explains why it cannot', async (name, args, code, says) => {
    const id = idOf(name);
    const stdin = name.startsWith('interview') ? {stdin: 'Seven years\nsubmit\n'} : {};
    const resumed = await launcher.perform(['resume', id, ...args], stdin);
    if (resumed.code === 2) return expectOutdated(resumed, id);
    expect(resumed.code).toBe(code);
    const output = code === 4 ? resumed.stderr : resumed.stdout;
    expect(output.replaceAll(id, 'ID')).toContain(says);
  });
});

function expectOutdatedShow(text: string, name: string): void {
  expect(Object.keys(left)).toContain(name);
  expect(text).toContain("It can't be resumed: another version of Quorate recorded it.");
}

function expectOutdated({stdout, stderr}: Launched, id: string): void {
  expect(stdout).toBe('');
  expect(stderr).toMatch(
    new RegExp(`^quorate: run ${id} can't be resumed: [^\n]* quorate cancel ${id}[^\n]*\n$`),
  );
}
