/** Net changes equal `git diff --no-index` of the first texts and the last, for any sequence of edits. */

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {array, assert, asyncProperty, constantFrom, option, record} from 'fast-check';
import {expect, test} from 'vitest';

import {createNetChanges} from '../../../actors/undo/net-changes.ts';
import type {ToolOutcome} from '../../../machines/domain/tool.ts';
import {netChanges} from '../../../machines/facts/folds.ts';
import {changesOfTexts} from '../../../tools/write/change.ts';
import {createUndoPlace} from '../../support/undoing.ts';

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
            expect.arrayContaining(numstat(folder)),
          );
          const counted = netChanges(facts).filter(({added, removed}) => added + removed > 0);
          expect(counted).toHaveLength(numstat(folder).length);
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

/** Git exits 1 for folders that differ. */
function numstat(folder: string) {
  const command = 'git diff --no-index --no-renames --numstat before after || true';
  const out = execFileSync('sh', ['-c', command], {cwd: folder, encoding: 'utf8'});
  return out.split('\n').flatMap((line) => {
    const [, added, removed, path = ''] = /^(\d+)\t(\d+)\t(.*)$/.exec(line) ?? [];
    const [name] = /one|two/.exec(path) ?? [];
    return name === undefined || Number(added) + Number(removed) === 0
      ? []
      : [{path: name, added: Number(added), removed: Number(removed)}];
  });
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
