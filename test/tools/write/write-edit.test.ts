/** Writes and edits of files, and the difference that a person reads. */

import {existsSync, statSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

import {array, assert, asyncProperty, constantFrom, pre} from 'fast-check';
import {describe, expect, test} from 'vitest';

import type {JsonObject} from '../../../machines/domain/json.ts';
import {sha256} from '../../../tools/read/read.ts';
import type {ToolContext} from '../../../tools/tool.ts';
import {unifiedDiff} from '../../../tools/write/change.ts';
import {cpuMs} from '../../support/cpu-time.ts';
import {cells} from '../../support/rows.ts';
import {createPlace, type Place, textOf, verdictOf} from '../place.ts';

describe('write_file', () => {
  test('creates missing folders only with create_dirs', async () => {
    const place = createPlace();
    const args = {path: 'a/b/c.txt', content: 'text'};
    expect(await place.run('write_file', args)).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('create_dirs'),
    });
    expect(verdictOf(await place.preview('write_file', args))).toBe('refused/not_found');
    const outcome = await place.run('write_file', {...args, create_dirs: true});
    expect(outcome).toMatchObject({kind: 'succeeded', written: ['a/b/c.txt']});
    expect(place.text('a/b/c.txt')).toBe('text');
  });

  test('shows a new file completely and changes nothing', async () => {
    const place = createPlace();
    const args = {path: 'new/a.txt', content: 'one\ntwo\n', create_dirs: true};
    expect(await place.preview('write_file', args)).toEqual({
      kind: 'ready',
      args,
      basedOn: 'absent',
      preview: '--- /dev/null\n+++ b/new/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two',
    });
    expect(existsSync(join(place.workspace, 'new'))).toBe(false);
  });

  test('shows the replaced content, and its basis', async () => {
    const place = createPlace();
    place.put('a.txt', 'one\ntwo\n');
    const preview = await place.preview('write_file', {path: 'a.txt', content: 'one\n2\n'});
    expect(preview).toMatchObject({basedOn: sha256('one\ntwo\n')});
    expect(preview).toMatchObject({preview: expect.stringContaining('-two\n+2')});
  });

  test('states how much of a long preview was cut, and the hash of the whole', async () => {
    const place = createPlace();
    const content = 'line\n'.repeat(5_000);
    const preview = await place.preview('write_file', {path: 'long.txt', content});
    const text = preview.kind === 'ready' ? preview.preview : '';
    expect(text).toMatch(
      /\[cut: 40\d\d more lines of 500\d; the whole new content has 25000 bytes/,
    );
    expect(text).toContain(sha256(content));
  });

  test('refuses to replace a file that changed after the preview', async () => {
    const place = createPlace();
    place.put('a.txt', 'seen');
    const basedOn = sha256('seen');
    place.put('a.txt', 'changed meanwhile');
    const outcome = await place.run('write_file', {path: 'a.txt', content: 'new'}, {basedOn});
    expect(verdictOf(outcome)).toBe('failed/stale_base');
    expect(place.text('a.txt')).toBe('changed meanwhile');
  });

  test('after a crash it recognizes its own write, and only that', async () => {
    const place = createPlace();
    const context = {basedOn: 'absent', recovering: true};
    const args = {path: 'a.txt', content: 'new'};
    expect(textOf(await place.run('write_file', args, context))).toContain('created');
    expect(textOf(await place.run('write_file', args, context))).toContain('already written');
    place.put('a.txt', 'someone else');
    expect(verdictOf(await place.run('write_file', args, context))).toBe('failed/stale_base');
    place.put('a.txt', 'new');
    const fresh = await place.run('write_file', args, {basedOn: 'absent'});
    expect(verdictOf(fresh)).toBe('failed/stale_base');
  });
});

describe('edit_file', () => {
  test('replaces the one passage and keeps every other byte', async () => {
    const place = createPlace();
    place.put('a.txt', '\ufeffone\r\ntwo $& \u{1f600}\r\nthree');
    const args = {path: 'a.txt', old_text: 'two', new_text: "$& $1 $'"};
    expect(verdictOf(await place.run('edit_file', args))).toBe('succeeded');
    expect(place.text('a.txt')).toBe("\ufeffone\r\n$& $1 $' $& \u{1f600}\r\nthree");
  });

  test.each([
    ['missing', 'failed/no_match', 'does not occur'],
    ['a', 'failed/ambiguous_match', '3 times'],
    ['aa', 'failed/ambiguous_match', '2 times'],
  ])('with the passage %j it fails with %s', async (passage, verdict, words) => {
    const place = createPlace();
    place.put('a.txt', 'aaa');
    const args = {path: 'a.txt', old_text: passage, new_text: 'b'};
    const outcome = await place.run('edit_file', args);
    expect(verdictOf(outcome)).toBe(verdict);
    expect(outcome).toMatchObject({message: expect.stringContaining(words)});
    expect(verdictOf(await place.preview('edit_file', args))).toBe(
      verdict.replace('failed', 'refused'),
    );
    expect(place.text('a.txt')).toBe('aaa');
  });

  test('a missing file is reported, with the tool that creates one', async () => {
    const place = createPlace();
    const outcome = await place.run('edit_file', {path: 'a.txt', old_text: 'x', new_text: 'y'});
    expect(outcome).toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('write_file'),
    });
  });

  test.each([
    ['another text', 'one two three', 'two', '2'],
    ['a text that was there before', 'one two three one', 'two', 'one'],
    ['nothing', 'one two three', ' two', ''],
    ['itself and more', 'one two three', 'two', 'two two'],
  ])('after a crash it recognizes its replacement by %s', async (_what, before, passage, text) => {
    const place = createPlace();
    place.put('a.txt', before);
    const args = {path: 'a.txt', old_text: passage, new_text: text};
    const context = await resumed(place, args);
    expect(textOf(await place.run('edit_file', args, context))).toContain('edited');
    const edited = place.text('a.txt');
    expect(textOf(await place.run('edit_file', args, context))).toContain('already edited');
    expect(place.text('a.txt')).toBe(edited);
  });

  test('after a crash it does not mistake another change for its own', async () => {
    const place = createPlace();
    place.put('a.txt', 'one two three');
    const args = {path: 'a.txt', old_text: 'two', new_text: '2'};
    const context = await resumed(place, args);
    place.put('a.txt', 'one 2 three, and more');
    expect(verdictOf(await place.run('edit_file', args, context))).toBe('failed/stale_base');
  });
});

/** The context in which a call is made again after a crash. */
async function resumed(place: Place, args: JsonObject): Promise<Partial<ToolContext>> {
  const preview = await place.preview('edit_file', args);
  if (preview.kind !== 'ready') throw new Error(preview.message);
  const {basedOn, becomes} = preview;
  return {basedOn, becomes, recovering: true};
}

const protectedPaths = cells(`
  .git/hooks/pre-commit ¦ .git/config ¦ .GIT/config ¦ sub/.git/config ¦ .gitattributes
  .husky/pre-push ¦ .mcp.json ¦ .github/CODEOWNERS ¦ .lintstagedrc.json ¦ .vscode/tasks.json
  .vſcode/tasks.json ¦ .cursor/rules/a.mdc ¦ .claude/settings.json
  .devcontainer/devcontainer.json ¦ .bashrc ¦ home/.zshenv ¦ .npmrc ¦ .envrc
  .github/workflows/ci.yml ¦ .gitlab-ci.yml ¦ Jenkinsfile ¦ quorate.toml ¦ binding.gyp
`);

describe('protected paths', () => {
  test.each(protectedPaths)('a person must allow %s, even before it exists', async (path) => {
    const place = createPlace();
    const args = {path, content: 'x', create_dirs: true};
    const absent = await place.preview('write_file', args);
    expect(absent).toMatchObject({protectedReason: expect.stringContaining('only a person')});
    place.put(path, 'there');
    const edit = {path, old_text: 'there', new_text: 'here'};
    expect(await place.preview('edit_file', edit)).toHaveProperty('protectedReason');
  });

  test.each(['src/index.ts', 'src/hooks/use-it.ts', '.gitignore', 'README.md', 'a.git/x'])(
    '%s does not',
    async (path) => {
      const place = createPlace();
      const preview = await place.preview('write_file', {path, content: 'x', create_dirs: true});
      expect(preview.kind).toBe('ready');
      expect(preview).not.toHaveProperty('protectedReason');
    },
  );

  test.each([
    ['{"scripts":{"test":"vitest","postinstall":"sh x"}}', true],
    ['{"scripts":{"test":"vitest"},"scripts":{"prepare":"sh x"}}', true],
    ['\ufeff{"scripts":{"preinstall":"sh x"}}', true],
    ['{"scripts":{"test":"jest"}}', false],
    ['{"scripts":{"test":"vitest"},"postinstall":"x"}', false],
    ['not json', false],
  ])('package.json becoming %s needs a person: %s', async (content, wanted) => {
    const place = createPlace();
    place.put('package.json', '{"scripts":{"test":"vitest"}}');
    const preview = await place.preview('write_file', {path: 'package.json', content});
    expect('protectedReason' in preview).toBe(wanted);
  });

  test('an unchanged lifecycle script needs no person', async () => {
    const place = createPlace();
    place.put('package.json', '{"scripts":{"prepare":"husky"},"version":"1"}');
    const edit = {path: 'package.json', old_text: '"1"', new_text: '"2"'};
    expect(await place.preview('edit_file', edit)).not.toHaveProperty('protectedReason');
  });
});

describe('a written file', () => {
  test('is reported with its diff, whether new or changed', async () => {
    const place = createPlace();
    const made = await place.run('write_file', {path: 'a.txt', content: 'one\ntwo\n'});
    expect(made).toMatchObject({
      changes: [{path: 'a.txt', added: 2, removed: 0, diff: expect.stringContaining('+one\n+two')}],
    });
    const edit = {path: 'a.txt', old_text: 'two', new_text: '2\n3'};
    expect(await place.run('edit_file', edit)).toMatchObject({
      changes: [{added: 2, removed: 1, diff: expect.stringContaining('-two\n+2\n+3')}],
    });
    const replaced = await place.run('write_file', {path: 'a.txt', content: ''});
    expect(replaced).toMatchObject({changes: [{added: 0, removed: 3}]});
  });

  test('is not reported when unchanged, and has no diff when binary', async () => {
    const place = createPlace();
    place.put('same.txt', 'same\n');
    place.put('image.bin', Buffer.from([0, 1, 2]));
    expect(await place.run('write_file', {path: 'same.txt', content: 'same\n'})).toMatchObject({
      changes: [],
    });
    expect(await place.run('write_file', {path: 'image.bin', content: 'a\nb'})).toMatchObject({
      changes: [{path: 'image.bin', added: 2, removed: 0}],
    });
  });

  test.each([
    ['write_file', {content: 'same\n'}],
    ['edit_file', {old_text: 'same', new_text: 'same'}],
  ])('%s does not write a file that already has the content, and says so', async (tool, args) => {
    const place = createPlace();
    place.put('same.txt', 'same\n');
    const {ino} = statSync(join(place.workspace, 'same.txt'));
    const outcome = await place.run(tool, {path: 'same.txt', ...args});
    expect(outcome).toMatchObject({
      text: 'same.txt is unchanged: it already has exactly this content (5 bytes)',
      changes: [],
    });
    expect(statSync(join(place.workspace, 'same.txt')).ino).toBe(ino);
  });

  test('has the line counts of a diff that is too long to keep', async () => {
    const place = createPlace();
    const content = 'line\n'.repeat(5_000);
    const outcome = await place.run('write_file', {path: 'long.txt', content});
    expect(outcome).toMatchObject({
      changes: [{added: 5_000, diff: expect.stringMatching(/\[cut: 40\d\d more lines of 500\d/)}],
    });
  });
});

describe('a file whose lines end in CRLF', () => {
  const text = 'one\r\ntwo\r\nthree\r\n';

  test('keeps them when a model that writes LF edits it', async () => {
    const place = createPlace();
    place.put('a.txt', text);
    const edit = {path: 'a.txt', old_text: 'one\ntwo', new_text: '1\n2\n2.5'};
    const preview = await place.preview('edit_file', edit);
    expect(preview).toMatchObject({preview: expect.stringContaining('+2.5\r')});
    const again = await resumed(place, edit);
    expect(verdictOf(await place.run('edit_file', edit))).toBe('succeeded');
    expect(place.text('a.txt')).toBe('1\r\n2\r\n2.5\r\nthree\r\n');
    expect(textOf(await place.run('edit_file', edit, again))).toContain('already edited');
  });

  test('keeps them when it is rewritten, and the outcome says so', async () => {
    const place = createPlace();
    place.put('a.txt', text);
    const args = {path: 'a.txt', content: 'one\ntwo\nthree\nfour\n'};
    const outcome = await place.run('write_file', args);
    expect(textOf(outcome)).toBe('replaced a.txt (23 bytes, its lines end in CRLF as before)');
    expect(outcome).toMatchObject({changes: [{added: 1, removed: 0}]});
    expect(place.text('a.txt')).toBe('one\r\ntwo\r\nthree\r\nfour\r\n');
    const again = {basedOn: sha256(text), recovering: true};
    expect(textOf(await place.run('write_file', args, again))).toContain('already written');
  });

  test('does not result from one whose lines end in LF', async () => {
    const place = createPlace();
    place.put('a.txt', 'one\ntwo\nthree\n');
    await place.run('edit_file', {path: 'a.txt', old_text: 'three', new_text: 'three\nfour'});
    expect(place.text('a.txt')).toBe('one\ntwo\nthree\nfour\n');
  });

  test('takes the line ends of a text that has some', async () => {
    const place = createPlace();
    place.put('a.txt', text);
    await place.run('write_file', {path: 'a.txt', content: 'a\r\nb\n'});
    expect(place.text('a.txt')).toBe('a\r\nb\n');
  });
});

test('changes are shown with three lines of context, distant ones separately', async () => {
  const before = Array.from({length: 20}, (_, index) => `${index + 1}\n`).join('');
  const after = before.replace('2\n', 'two\n').replace('19\n', '').replace('20\n', '20');
  expect(await unifiedDiff('a.txt', before, after)).toBe(
    [
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,5 +1,5 @@',
      ' 1\n-2\n+two\n 3\n 4\n 5',
      '@@ -16,5 +16,4 @@',
      ' 16\n 17\n 18\n-19\n-20\n+20',
      String.raw`\ No newline at end of file`,
    ].join('\n'),
  );
});

test('equal texts have no diff; an emptied file loses every line', async () => {
  expect(await unifiedDiff('a', 'x\n', 'x\n')).toBe('');
  expect(await unifiedDiff('a', 'x\ny\n', '')).toContain('@@ -1,2 +0,0 @@\n-x\n-y');
});

/** Applies a diff by its line numbers alone. */
function apply(before: string, diff: string): string {
  const lines = before === '' ? [] : before.split(/(?<=\n)/);
  const out: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2)) {
    const hunk = /^@@ -(\d+),(\d+) /.exec(line);
    if (hunk) {
      const start = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      out.push(...lines.slice(at, start));
      at = start;
    } else if (line.startsWith('\\')) out.push((out.pop() ?? '').replace(/\n$/, ''));
    else {
      if (line[0] !== '+') at += 1;
      if (line[0] !== '-') out.push(`${line.slice(1)}\n`);
    }
  }
  return [...out, ...lines.slice(at)].join('');
}

const text = array(constantFrom('a', 'b', 'c', 'd\r', ''), {maxLength: 30}).map((lines) =>
  lines.map((line) => `${line}\n`).join(''),
);

test('for any texts, applying the diff to the old one gives the new one', async () => {
  await assert(
    asyncProperty(text, text, async (before, after) => {
      pre(before !== after);
      expect(apply(before, await unifiedDiff('f', before, after))).toBe(after);
    }),
    {numRuns: 300},
  );
});

function makeLines(mark: string, count: number): string {
  return Array.from({length: count}, (_, index) => `${mark}${index}\n`).join('');
}

test('texts too different to compare still have a correct diff, in bounded time', async () => {
  await assert(
    asyncProperty(text, text, text, text, async (start, end, more, other) => {
      const before = `${start}${makeLines('a', 300)}${more}${end}`;
      const after = `${start}${makeLines('b', 300)}${other}${end}`;
      expect(apply(before, await unifiedDiff('f', before, after))).toBe(after);
    }),
    {numRuns: 30},
  );
  const started = cpuMs();
  const whole = await unifiedDiff('f', makeLines('a', 100_000), makeLines('b', 100_000));
  expect(whole.split('\n')).toHaveLength(200_003);
  expect(cpuMs() - started).toBeLessThan(5_000);
});

test('a name is shown as it is written', async () => {
  expect(await unifiedDiff('注文 "x".md', 'a\n', 'b\n')).toMatch(
    /^--- a\/注文 "x"\.md\n\+\+\+ b\/注文 "x"\.md\n@@/,
  );
});

test.each([
  ['decomposed', 'u\u0308ber.txt', '\u00fcber.txt', '"u\\u0308ber.txt"'],
  ['of other capitals', 'README.md', 'Readme.md', '"README.md"'],
])('a name beside one %s is not written, edited or read', async (_, there, asked, shown) => {
  const place = createPlace();
  place.put(`docs/${there}`, 'one\n');
  const path = `docs/${asked}`;
  const refusal = {
    code: 'not_found',
    message: expect.stringContaining(`does not exist, but ${shown} does, which looks alike`),
  };
  expect(await place.preview('write_file', {path, content: 'two\n'})).toMatchObject(refusal);
  const edits = [{old_text: 'one', new_text: 'two'}];
  expect(await place.preview('edit_file', {path, edits})).toMatchObject(refusal);
  expect(await place.run('edit_file', {path, edits})).toMatchObject(refusal);
  expect(await place.run('read_file', {path})).toMatchObject(refusal);
  expect(readdirSync(`${place.workspace}/docs`)).toEqual([there]);
  const exact = {path: `docs/${there}`, content: 'two\n'};
  expect(verdictOf(await place.preview('write_file', exact))).toBe('ready');
});

test('of two existing names that look alike, each is itself', async () => {
  const place = createPlace();
  place.put('README.md', 'one\n');
  place.put('Readme.md', 'two\n');
  const write = async (path: string) => await place.preview('write_file', {path, content: 'x\n'});
  expect(verdictOf(await write('README.md'))).toBe('ready');
  expect(verdictOf(await write('Readme.md'))).toBe('ready');
  expect(await place.run('read_file', {path: 'Readme.md'})).toMatchObject({kind: 'succeeded'});
});
