/** Reading: one file, context files, credentials in a file, and a survey of a workspace. */

import {symlinkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, dirname} from 'node:path';

import {execaSync} from 'execa';
import * as fc from 'fast-check';
import {expect, test, it, afterEach, beforeEach, describe} from 'vitest';

import {riskOf} from '../../../machines/domain/tool.ts';
import {builtInTools, createSearch, createToolbox, surveyWorkspace} from '../../../tools/index.ts';
import {readPlacedJson} from '../../../tools/places/json.ts';
import type {PlacePath} from '../../../tools/places/toml.ts';
import {parseIgnoreFile} from '../../../tools/read/glob.ts';
import {listFiles} from '../../../tools/read/tree.ts';
import {triples} from '../../support/rows.ts';
import {createPlace, textOf, verdictOf} from '../place.ts';

async function reading(content: string, args: {offset?: number; limit?: number} = {}) {
  const place = createPlace();
  place.put('a.txt', content);
  return await place.run('read_file', {path: 'a.txt', ...args});
}

test.each([
  ['one\ntwo\n', {}, '1\tone\n2\ttwo\n'],
  ['one\r\n\r\nthree', {}, '1\tone\r\n2\t\r\n3\tthree'],
  ['', {}, ''],
  ['one\ntwo\nthree\n', {offset: 2}, '2\ttwo\n3\tthree\n'],
  [
    'one\ntwo\nthree\n',
    {offset: 2, limit: 1},
    '2\ttwo\n[lines 2 to 2 of 3; read on with offset 3]',
  ],
  ['one\n', {offset: 5}, '[the file has 1 lines; line 5 is beyond its end]'],
])('%j is returned with %j as %j', async (content, args, form) => {
  expect(textOf(await reading(content, args))).toBe(form);
});

test('the place of the lines is a source', async () => {
  expect(await reading('one\ntwo\nthree\n', {offset: 2})).toMatchObject({
    sources: [{place: 'a.txt:2-3'}],
  });
});

test('a long file is returned in parts that say how to read on', async () => {
  const place = createPlace();
  const lines = Array.from({length: 3_000}, (_, at) => `line ${at + 1} of a long file`);
  place.put('a.txt', `${lines.join('\n')}\n`);
  const read: string[] = [];
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const form: string = textOf(
      await place.run('read_file', {path: 'a.txt', offset, limit: 9_999}),
    );
    expect(form.length).toBeLessThanOrEqual(16_000);
    const numbered = form.split('\n').filter((line) => /^\d+\t/.test(line));
    read.push(...numbered.map((line) => line.replace(/^\d+\t/, '')));
    const next: string | undefined = /; read on with offset (\d+)\]$/.exec(form)?.[1];
    offset = next === undefined ? undefined : Number(next);
  }
  expect(read).toEqual(lines);
});

test('of a line that is too long the beginning is returned, and the next line can be read', async () => {
  const form = textOf(await reading(`${'x'.repeat(50_000)}\ntwo\n`));
  expect(form).toMatch(
    /^1\tx+\n\[line 1 has 50001 characters; the first 7750 are shown; read on with offset 2\]$/,
  );
});

const infos = createToolbox(builtInTools('off')).infos();

test.each(
  triples(`
  read_file ⇒ .env ⇒ high ¦ read_file ⇒ ./config/../.ENV ⇒ high
  read_file ⇒ config/.env.production ⇒ high ¦ read_file ⇒ deploy/production.env ⇒ high
  read_file ⇒ .netrc ⇒ high ¦ read_file ⇒ keys/id_ed25519 ⇒ high
  read_file ⇒ certs/server.key ⇒ high ¦ grep_search ⇒ .env ⇒ high ¦ grep_search ⇒ home/.ssh ⇒ high
  read_file ⇒ .env.example ⇒ low ¦ read_file ⇒ .env.local.sample ⇒ low
  read_file ⇒ src/environment.ts ⇒ low ¦ grep_search ⇒ src ⇒ low
`),
)('%s of %s is of %s risk', (tool, path, risk) => {
  const risks = infos.filter(({name}) => name === tool).map((info) => riskOf(info, {path}));
  expect(risks).toEqual([risk]);
});

test('a file that may hold credentials is not read through the name of a link', async () => {
  const place = createPlace();
  place.put('.env', 'TOKEN=opensesame');
  symlinkSync('.env', join(place.workspace, 'notes.txt'));
  symlinkSync('.env', join(place.workspace, 'README.md'));

  const outcome = await place.run('read_file', {path: 'notes.txt'});
  expect(outcome).toMatchObject({
    kind: 'refused',
    code: 'credentials',
    message: 'notes.txt leads to .env, which may hold credentials; name that file itself',
  });
  expect(verdictOf(await place.run('read_file', {path: '.env/.'}))).toBe('refused/credentials');
  expect(textOf(await place.run('read_file', {path: '.env'}))).toContain('opensesame');
  const {text: form, read} = await surveyWorkspace(
    place.workspace,
    10_000,
    new AbortController().signal,
  );
  expect(form).not.toContain('opensesame');
  expect(read).toEqual([]);
});

test('a search through a folder skips files that may hold credentials, and says so; a search that names one does not', async () => {
  const place = createPlace();
  place.put('.env', 'TOKEN=opensesame');
  place.put('.env.example', 'TOKEN=opensomething');
  place.put('keys/id_rsa', 'opensesame');
  place.put('.ssh/config', 'opensesame');
  symlinkSync('.ssh', join(place.workspace, 'shell'));

  expect(
    textOf(await place.run('grep_search', {pattern: 'opens', file_pattern: '{**/*,**/.env*}'})),
  ).toBe(
    [
      '.env.example:1: TOKEN=opensomething',
      '… 2 files not searched, which may hold credentials; name one as path to have it voted on: .env, keys/id_rsa',
      '1 match in 1 file',
    ].join('\n'),
  );
  const behindLink = textOf(await place.run('grep_search', {pattern: 'opens', path: 'shell'}));
  expect(behindLink).toContain('1 file not searched, which may hold credentials');
  expect(textOf(await place.run('grep_search', {pattern: 'opens', path: '.ssh'}))).toContain(
    '.ssh/config:1: opensesame',
  );
});

test('documents that may hold credentials are not searched, and are counted', async () => {
  const place = createPlace(
    createToolbox([createSearch({paths: ['**/*.md', '**/*.txt', '**/.env'], topK: 5})]),
  );
  place.put('.env', 'password of the harbour is opensesame');
  place.put('secrets.txt', 'password of the harbour is opensesame');
  place.put('guide.md', '# Harbour\n\nAsk the harbour master for the password.\n');

  const found = textOf(await place.run('search', {query: 'harbour password'}));
  expect(found).not.toContain('opensesame');
  expect(found).toContain('guide.md');
  expect(found).toContain('files not searched: 2 that may hold credentials');
});

const {signal} = new AbortController();

test('documents and manifests are read in order, and two levels are listed without .git', async () => {
  const place = createPlace();
  place.put('package.json', '{"name":"sample"}');
  place.put('README.md', '# Sample\n');
  place.put('CONTRIBUTING.md', 'Be careful.');
  place.put('src/a.ts', '');
  place.put('.git/config', '');
  place.put('.gitignore', '');
  const {text: form, read} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(read).toEqual(['README.md', 'CONTRIBUTING.md', 'package.json']);
  expect(form).toBe(
    '.gitignore\nCONTRIBUTING.md\nREADME.md\npackage.json\nsrc/ (1 file)\n  src/a.ts\n\n## README.md\n# Sample\n\n' +
      '## CONTRIBUTING.md\nBe careful.\n\n## package.json\n{"name":"sample"}',
  );
});

test('the text keeps to its size, and names its cuts', async () => {
  const place = createPlace();
  place.put('README.md', '\u{1f600}'.repeat(50_000));
  place.put('CONTRIBUTING.md', 'x'.repeat(50_000));
  for (const maxBytes of [0, 10, 200, 1_000, 20_000, 60_000]) {
    const {text: form} = await surveyWorkspace(place.workspace, maxBytes, signal);
    expect(Buffer.byteLength(form)).toBeLessThanOrEqual(maxBytes);
    expect(form).not.toContain('\ufffd');
  }
  expect((await surveyWorkspace(place.workspace, 20_000, signal)).text).toContain(
    '[cut: 200000 bytes in all]',
  );
});

test('an unreadable file is reported and does not count as read', async () => {
  const place = createPlace();
  symlinkSync(join(place.outside, 'secret.txt'), join(place.workspace, 'README.md'));
  place.put('CONTRIBUTING.md', Buffer.from([0, 1, 2]));
  const {text: form, read} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(read).toEqual([]);
  expect(form).toContain('leads out of the workspace');
  expect(form).toContain('binary');
  expect(form).not.toContain('keep me');
});

test('folders are listed with the number of files that tools find in them', async () => {
  const place = createPlace();
  place.put('.gitignore', 'dist/\n');
  place.put('dist/out.js', '');
  place.put('node_modules/a/index.js', '');
  for (const name of ['a.ts', 'lib/b.ts', 'lib/c/d.ts']) place.put(`src/${name}`, '');
  const {text: form, files} = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(form).toBe(
    '.gitignore\ndist/\nnode_modules/\nsrc/ (3 files)\n  src/a.ts\n  src/lib/ (2 files)',
  );
  expect(files).toBe(4);
  for (let index = 0; index < 200; index += 1) place.put(`src/many-${index}.ts`, '');
  const many = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(many.text).toBe('.gitignore\ndist/\nnode_modules/\nsrc/ (203 files)');
});

test('of fewer than ten files the short texts are read whole, except files that may hold credentials', async () => {
  const place = createPlace();
  place.put('README.md', 'Read me.');
  place.put('src/a.js', 'export const a = 1;\n');
  place.put('src/long.js', 'x'.repeat(8_001));
  place.put('image.png', Buffer.from([0, 1, 2]));
  place.put('.env', 'TOKEN=abc\n');
  const few = await surveyWorkspace(place.workspace, 10_000, signal);
  expect(few).toMatchObject({files: 5, read: ['README.md']});
  expect(few.sources).toEqual([{path: 'src/a.js', text: 'export const a = 1;'}]);
  const listed = await surveyWorkspace(place.workspace, 10_000, signal, true);
  expect(listed).toMatchObject({
    text: expect.stringMatching(/^\.env\nREADME/),
    read: [],
    sources: [],
  });
  for (let index = 0; index < 5; index += 1) place.put(`more-${index}.js`, 'x');
  expect(await surveyWorkspace(place.workspace, 10_000, signal)).toMatchObject({
    files: 10,
    sources: [],
  });
});

test('an empty workspace is reported as empty, and an aborted survey rejects', async () => {
  const place = createPlace();
  expect(await surveyWorkspace(place.workspace, 100, signal)).toEqual({
    text: 'The workspace is empty.',
    read: [],
    files: 0,
    sources: [],
  });
  await expect(surveyWorkspace(place.workspace, 100, AbortSignal.abort())).rejects.toThrow(
    'aborted',
  );
});

const form = '{\n  "fields": [\n    {"id": "a"},\n    {"id": "b", "tags": ["x", "y"]}\n  ]\n}';

function placeOf(path: PlacePath): string {
  const json = readPlacedJson(form);
  if (!json.ok) throw new Error(json.problem);
  const {line, column} = json.locate(path);
  return `${line}:${column}`;
}

it.each([
  [['fields'], '2:3'],
  [['fields', 0], '3:5'],
  [['fields', 1, 'id'], '4:6'],
  [['fields', 1, 'tags', 1], '4:31'],
  [['fields', 1, 'missing'], '4:5'],
  [['missing'], '1:1'],
] satisfies [PlacePath, string][])('finds %j at %s', (path, place) => {
  expect(placeOf(path)).toBe(place);
});

it.each([
  ['', '1:1', 'expected a value, found the end'],
  ['{"a": 1,}', '1:9', 'expected a key in double quotes, found }'],
  ['{"a": 1\n "b": 2}', '2:2', 'expected "," or "}", found "b"'],
  ['{"a" 1}', '1:6', 'expected ":", found 1'],
  ['[1 2]', '1:4', 'expected "," or "]", found 2'],
  ['[1]\n]', '2:1', 'expected the end, found ]'],
  ["{'a': 1}", '1:2', "'a' is not valid JSON"],
  [
    '{"a": "x\n"}',
    '1:7',
    '"x is not valid JSON; this string is not closed, or contains a line end',
  ],
  ['// a\n{}', '1:1', '// is not valid JSON'],
  ['[01]', '1:2', '01 is not valid JSON'],
  ['{"a": 1, "a": 2}', '1:10', 'the key "a" appears twice'],
  ['['.repeat(100), '1:66', 'nested deeper than 64 levels'],
])('%j: %s: %s', (broken, place, problem) => {
  const json = readPlacedJson(broken);
  expect(json.ok ? undefined : `${json.place.line}:${json.place.column} ${json.problem}`).toBe(
    `${place} ${problem}`,
  );
});

it('yields the same as JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({maxDepth: 5}), fc.nat(2), (value, indent) => {
      const json = readPlacedJson(JSON.stringify(value, undefined, indent));
      expect(json).toMatchObject({ok: true, value: JSON.parse(JSON.stringify(value))});
    }),
  );
});

it('accepts nothing that JSON.parse refuses, and never throws', () => {
  const marks = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', ' ', 'x', '"'));
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        marks.map((parts) => parts.join('')),
      ),
      (given) => {
        const json = readPlacedJson(given);
        expect(json.ok && JSON.parse(given)).toEqual(json.ok && json.value);
      },
    ),
  );
});

describe('ignored files', () => {
  let workspace: string;

  beforeEach(() => {
    workspace = mkdtempSync(join(tmpdir(), 'quorate-ignored-'));
  });
  afterEach(() => rmSync(workspace, {recursive: true, force: true}));

  function write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), {recursive: true});
      writeFileSync(join(workspace, path), text);
    }
  }

  async function listed(base: readonly string[] = []): Promise<string[]> {
    const {files} = await listFiles(workspace, base, new AbortController().signal);
    return files.map(({path}) => path);
  }

  const tree = {
    'a.log': '',
    'b.txt': '',
    'dist/out.js': '',
    'src/a.log': '',
    'src/dist/x.js': '',
    'src/keep.log': '',
    'src/deep/er/tmp': '',
    'docs/build/page.html': '',
    'docs/{x}.md': '',
    '.cache/data': '',
  };

  describe('untracked files are not listed', () => {
    test.each([
      [{'.gitignore': '*.log\n!keep.log\n'}],
      [{'.gitignore': '/dist\n'}],
      [{'.gitignore': 'dist/\n# src/\n\n'}],
      [{'.gitignore': 'docs/build\n.cache\n'}],
      [{'.gitignore': 'src/**/tmp\n'}],
      [{'.gitignore': '*\n!*/\n!*.txt\n'}],
      [{'.gitignore': '{x}.md\ndocs/{x}.md   \n'}],
      [{'.gitignore': '*.log\n', 'src/.gitignore': '!a.log\n/deep\n'}],
      [{'.gitignore': 'src/*\n!src/keep.log\r\n'}],
      [{'.gitignore': '[ab].*\n\\#x\n'}],
    ])('%j', async (ignoreFiles: Readonly<Record<string, string>>) => {
      write({...tree, ...ignoreFiles});
      execaSync('git', ['init', '-q'], {cwd: workspace});
      const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
      const tracked = execaSync('git', args, {cwd: workspace}).stdout;

      expect(await listed()).toEqual(tracked.split('\0').filter(Boolean).toSorted());
    });
  });

  test('an ignored folder that is named is listed', async () => {
    write({...tree, '.gitignore': 'dist\n*.log\n'});
    expect(await listed(['dist'])).toEqual(['dist/out.js']);
    expect(await listed(['src'])).toEqual(['src/deep/er/tmp']);
  });

  test('a hostile file neither delays the walk nor leads it out', async () => {
    const evil = [`${'*a'.repeat(400)}b`, '/../**', `${'**/'.repeat(300)}x`, '[', '\\', '!'].join(
      '\n',
    );
    write({...tree, ['a'.repeat(200)]: '', '.gitignore': `${evil}\n`.repeat(50)});
    expect(await listed()).toContain('b.txt');
  });

  test('only as many wildcards are applied as a walk can afford; later rules are dropped', () => {
    const hostile = Array.from({length: 900}, (_, index) => `*a*a*a*a*a*a*b${index}`);
    const {rules} = parseIgnoreFile([...hostile, 'dist/'].join('\n'), 0);
    expect(rules.length).toBeGreaterThan(100);
    expect(rules.reduce((sum, {glob}) => sum + glob.stars, 0)).toBeLessThanOrEqual(1_000);
    const usual = Array.from({length: 900}, (_, index) => `*.${index}`);
    expect(parseIgnoreFile(usual.join('\n'), 0).rules).toHaveLength(900);
  });
});
