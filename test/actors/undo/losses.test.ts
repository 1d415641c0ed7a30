/** Undo: what it reports as lost, what a killed command has changed, and the net changes of a run. */

import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

import {array, assert, asyncProperty, constantFrom, option, record} from 'fast-check';
import {beforeEach, describe, expect, test} from 'vitest';

import {createRuntime, createSqliteJournal} from '../../../actors/index.ts';
import {createNetChanges} from '../../../actors/undo/backups.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {netChanges} from '../../../machines/facts/fact.ts';
import {createSnapshots} from '../../../tools/index.ts';
import {changesOfTexts} from '../../../tools/write/change.ts';
import {folderWith} from '../../support/stage.ts';
import {createUndoPlace} from '../../support/undoing.ts';
import {createPlace} from '../../tools/place.ts';

test('changes of a command in a folder beyond the limits are a warning, and unknown to undo', async () => {
  const {workspace, run, runtime, warnings} = createUndoPlace();
  const large = 'for i in $(seq 21); do truncate -s 10M $i.bin; done';
  execFileSync('sh', ['-c', large], {cwd: workspace});
  const id = await run('echo x > out.txt');
  expect(warnings).toContainEqual(
    expect.stringMatching(
      /undo can't take back the changes of this call of run_command: its files have more than 200 MB/,
    ),
  );
  expect(await runtime().undo(id)).toMatchObject({files: [], commands: 1, unknown: 1});
});

test('a file whose earlier content is not kept is a warning when it is changed', async () => {
  const {put, run, runtime, warnings} = createUndoPlace();
  put('big.bin', Buffer.alloc(11 * 1024 * 1024, 1));
  const id = await run('rm big.bin; echo x > out.txt');
  expect(warnings).toContainEqual(
    expect.stringContaining("undo can't restore big.bin: its earlier content was not kept"),
  );
  const {files} = await runtime().undo(id);
  expect(files).toContainEqual(expect.objectContaining({path: 'big.bin', outcome: 'left'}));
});

test('a snapshot of a folder within the limits is taken however long that lasts', async () => {
  const {workspace, put} = createPlace();
  for (let at = 0; at < 300; at += 1) put(`files/${at}.txt`, `${at}\n`);
  const now = performance.now.bind(performance);
  let jumps = 0;
  // Each look at the clock is a minute after the one before: a machine that is stopped again and again.
  performance.now = () => now() + (jumps += 60_000);
  try {
    const snapshots = createSnapshots();
    expect(await snapshots.gapOf(workspace)).toBeUndefined();
    expect(await snapshots.unkeptIn(workspace)).toEqual([]);
    snapshots.close();
  } finally {
    performance.now = now;
  }
});

let killedFolder: string;

describe('a command whose process was killed', () => {
  beforeEach(() => {
    killedFolder = folderWith();
    mkdirSync(join(killedFolder, 'work'));
  });

  test('they are kept when the run is taken over, with the command as the effect that made them', async () => {
    const notes = join(killedFolder, 'work/notes.txt');
    writeFileSync(notes, 'mine\n');
    const child = fileURLToPath(new URL('killed-child.ts', import.meta.url));
    const {signal} = spawnSync(process.execPath, [child, killedFolder], {stdio: 'inherit'});
    expect([signal, readFileSync(notes, 'utf8')]).toEqual(['SIGKILL', 'changed\n']);

    const journal = createSqliteJournal(join(killedFolder, 'data/journal.db'));
    const runtime = createRuntime({journal, env: {}});
    const [first] = await runtime.interactions();
    const id = first?.id ?? '';
    await runtime.cancel(id);
    const begun = (await runtime.entries(id)).flatMap((entry) =>
      entry.type === 'requested' ? [entry.key] : [],
    );
    expect(begun).toHaveLength(1);
    expect(await journal.backups?.list(id)).toMatchObject([{path: 'notes.txt', effect: begun[0]}]);

    await runtime.undo(id);
    expect(readFileSync(notes, 'utf8')).toBe('mine\n');
    await runtime.close();
    await journal.close();
  });
});

/** Short texts of few different lines, so that lines repeat, move and come back. */
const texts = array(constantFrom('a', 'b', 'c', '', '}'), {maxLength: 12}).chain((lines) =>
  constantFrom('\n', '').map((end) => lines.join('\n') + end),
);
const edit = record({
  path: constantFrom('one', 'two'),
  /** Undefined: the file is removed. */
  after: option(texts, {nil: undefined}),
  by: constantFrom('i/agent', 'i/interaction:r.1/agent'),
});

test('for any sequence of edits, also by interactions below', async () => {
  await assert(
    asyncProperty(
      record({one: texts, two: option(texts, {nil: undefined})}),
      array(edit, {maxLength: 6}),
      async (first, edits) => {
        const folder = mkdtempSync(join(tmpdir(), 'quorate-net-'));
        try {
          const workspace = placeWith(folder, first);
          const facts = await settledBy(edits, workspace);
          expect(netChanges(facts).filter(({added, removed}) => added + removed > 0)).toEqual(
            expect.arrayContaining(shortest(folder)),
          );
          const counted = netChanges(facts).filter(({added, removed}) => added + removed > 0);
          expect(counted).toHaveLength(shortest(folder).length);
        } finally {
          rmSync(folder, {recursive: true});
        }
      },
    ),
    {numRuns: 60},
  );
});

/** Two folders with these files; returns the one to change. */
function placeWith(folder: string, files: Readonly<Record<string, string | undefined>>): string {
  for (const side of ['before', 'after']) {
    mkdirSync(join(folder, side));
    for (const [path, text] of Object.entries(files))
      if (text !== undefined) writeFileSync(join(folder, side, path), text);
  }
  return join(folder, 'after');
}

async function settledBy(
  edits: readonly {path: string; after: string | undefined; by: string}[],
  workspace: string,
) {
  const net = createNetChanges('r');
  const facts = [];
  for (const [at, {path, after, by}] of edits.entries()) {
    const effect = `${by}/call#${at}`;
    const place = join(workspace, path);
    const before = textAt(place);
    const content = before === undefined ? undefined : Buffer.from(before);
    net.begin(effect, [{path, ...(content ? {before: {mode: 0o100644, content}} : {})}]);
    if (after === undefined) rmSync(place, {force: true});
    else writeFileSync(place, after);
    const changes = await changesOfTexts(path, before, after);
    const outcome: ToolOutcome = {kind: 'succeeded', text: '', changes};
    const done = await net.complete(effect, workspace, outcome);
    facts.push({
      type: 'tool.settled',
      path: by,
      tool: 'write_file',
      status: 'succeeded',
      message: '',
      changes: 'changes' in done ? (done.changes ?? []) : [],
      detail: {},
    } as const);
  }
  return facts;
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The shortest differences. Git's can be longer: it leaves out lines that repeat before it compares. */
function shortest(folder: string) {
  return ['one', 'two'].flatMap((path) => {
    const before = linesOf(join(folder, 'before', path));
    const after = linesOf(join(folder, 'after', path));
    const kept = commonLines(before, after);
    const [added, removed] = [after.length - kept, before.length - kept];
    return added + removed === 0 ? [] : [{path, added, removed}];
  });
}

/** With their ends: a last line without one differs from the same line with one. */
function linesOf(path: string): readonly string[] {
  return textAt(path)?.match(/.*\n|.+$/g) ?? [];
}

/** The length of the longest common subsequence. */
function commonLines(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before;
  if (first === undefined) return 0;
  const at = after.indexOf(first);
  const without = commonLines(rest, after);
  return at < 0 ? without : Math.max(without, 1 + commonLines(rest, after.slice(at + 1)));
}

test('a run that changes a file twice reports what git reports', async () => {
  const place = createUndoPlace();
  const lines = Array.from({length: 30}, (_, at) => `line ${at}\n`);
  place.put('a.txt', lines.join(''));
  place.git('init', '-q');
  place.git('add', '.');
  const id = await place.run(
    "sed -i 's/line 3$/x/' a.txt",
    "sed -i 's/line 20$/y/' a.txt",
    "sed -i 's/^x$/z/' a.txt",
  );
  const entries = await place.journal.log.read(id);
  const closed = entries.at(-1);
  expect(closed?.type === 'closed' && closed.result['changes']).toEqual([
    {path: 'a.txt', added: 2, removed: 2},
  ]);
});
