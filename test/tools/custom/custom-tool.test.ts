/** Tools of a configuration: their words, their arguments and their reserved names. */

import {existsSync, mkdirSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';

import {describe, expect, test} from 'vitest';

import {agentTools} from '../../../machines/forms/interview/agents/agent-loop.ts';
import {questionNames, toolOf} from '../../../machines/questions/questions.ts';
import {isFreeName} from '../../../tools/custom/definition.ts';
import {
  createSandbox,
  builtInTools,
  createDatabase,
  createSearch,
  createWebFetch,
  spawnTools,
} from '../../../tools/index.ts';
import {createSnapshots} from '../../../tools/run/snapshot/snapshots.ts';
import type {Replacement} from '../../../tools/tool.ts';
import {cells} from '../../support/rows.ts';
import {type Place, textOf, verdictOf} from '../place.ts';
import {canConfine} from '../run/confined.ts';
import {createCustomPlace, showsWords, wordsOf} from './custom.ts';

const text = {type: 'string'} as const;

function checked(): Place {
  return createCustomPlace({
    command: [...showsWords, '{name}', '{size}', '{level}', '{tags}'],
    parameters: {
      name: {type: 'string', pattern: '[a-z]+', max: 5},
      size: {type: 'choice', choices: ['S', 'M']},
      level: {type: 'integer', min: 1, max: 3},
      tags: {type: 'list', min: 1, max: 2, pattern: 't\\d'},
    },
  });
}

function reader(): Place {
  return createCustomPlace({command: ['cat', '{path}'], parameters: {path: {type: 'path'}}});
}

function lint(): Place {
  return createCustomPlace({command: ['sh', 'lint.sh'], risk: 'low', reaches: 'workspace'});
}

describe('the words of a call', () => {
  test.each([
    ...cells(`
    ; rm -rf . ¦ $(rm -rf .) ¦ \`rm -rf .\` ¦ | rm -rf . & ¦ ' ; rm -rf . ; ' ¦ " && rm -rf . && "
    $HOME *
  `),
    '\n rm -rf .\n',
    '',
  ])('an argument %j is one word of the program, and no shell reads it', async (value) => {
    const place = createCustomPlace({
      command: [...showsWords, 'before', '{text}', '--text={text}', 'after'],
      parameters: {text},
    });
    place.put('kept.txt', 'kept');
    expect(await wordsOf(place, {text: value})).toEqual([
      'before',
      value,
      `--text=${value}`,
      'after',
    ]);
    expect(place.text('kept.txt')).toBe('kept');
  });

  test('a word of the definition is not read by a shell either', async () => {
    const place = createCustomPlace({command: [...showsWords, '; touch made', '$HOME', '*', '{}']});
    expect(await wordsOf(place, {})).toEqual(['; touch made', '$HOME', '*', '{}']);
    expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  });

  test('a missing optional argument drops its whole word, and a list becomes one word for each entry', async () => {
    const place = createCustomPlace({
      command: [...showsWords, '--depth={depth}', '{all}', '{{all}}', '--', '{names}'],
      parameters: {
        depth: {type: 'integer'},
        all: {type: 'boolean'},
        names: {type: 'list', required: true},
      },
    });
    expect(await wordsOf(place, {names: []})).toEqual(['{all}', '--']);
    expect(await wordsOf(place, {depth: 2, all: false, names: ['-a b', 'c']})).toEqual(
      cells(`
      --depth=2 ¦ false ¦ {all} ¦ -- ¦ -a b ¦ c
    `),
    );
  });

  test('a program starts in its folder, and gets paths relative to it', async () => {
    const place = createCustomPlace({
      command: ['cat', '{path}'],
      parameters: {path: {type: 'path', required: true}},
      working_dir: 'deep/folder',
    });
    mkdirSync(join(place.workspace, 'deep/folder'), {recursive: true});
    place.put('src/a.txt', 'content of a');
    expect(textOf(await place.run('tool', {path: 'src/a.txt'}))).toBe('content of a');
  });
});

describe('an argument that could be an option', () => {
  const parameters = {
    text,
    items: {type: 'list'},
    path: {type: 'path'},
    count: {type: 'number'},
    free: {type: 'string', allows_dash: true},
  } as const;
  const place = () =>
    createCustomPlace({
      command: [...showsWords, '{text}', '{items}', '{path}', '{count}', '{free}'],
      parameters,
    });

  test.each([{text: '-rf'}, {items: ['a', '--all']}, {path: '-x'}, {count: -1}])(
    '%j is refused',
    async (args) => {
      const outcome = await place().run('tool', args);
      expect(outcome).toMatchObject({
        kind: 'refused',
        code: 'schema',
        message: expect.stringContaining('begins with "-"'),
      });
    },
  );

  test('is passed where its parameter allows it, within a word, and after two dashes', async () => {
    expect(await wordsOf(place(), {free: '-rf'})).toEqual(['-rf']);
    const parts = createCustomPlace({
      command: [...showsWords, '--text={text}', '--', '{text}'],
      parameters: {text},
    });
    expect(await wordsOf(parts, {text: '-x'})).toEqual(['--text=-x', '--', '-x']);
  });

  test('is refused behind an argument that is empty', async () => {
    const both = createCustomPlace({
      command: [...showsWords, '{a}{b}'],
      parameters: {a: text, b: text},
    });
    expect(verdictOf(await both.run('tool', {a: '', b: '-x'}))).toBe('refused/schema');
    expect(await wordsOf(both, {a: 'x', b: '-x'})).toEqual(['x-x']);
  });
});

describe('arguments are checked', () => {
  test.each([
    [{name: 'ab1'}, 'name: does not match [a-z]+'],
    [{name: 'abcdef'}, 'name: must have at most 5'],
    [{name: 'a\0'}, 'name: '],
    [{size: 'L'}, 'size: expected one of "S", "M"'],
    [{level: 4}, 'level: must be at most 3'],
    [{level: 1.5}, 'level: expected int'],
    [{tags: []}, 'tags: must not be empty'],
    [{tags: ['t1', 'x']}, 'tags[1]: does not match'],
    [{other: 1}, 'unknown key: "other"'],
  ])('%j is refused', async (args, message) => {
    expect(await checked().run('tool', args)).toMatchObject({
      kind: 'refused',
      code: 'schema',
      message: expect.stringContaining(message),
    });
  });
});

describe('a path', () => {
  test.each(['/etc/passwd', '../outside/secret.txt', 'a/../../outside/secret.txt', 'a/..'])(
    '%s is refused',
    async (path) => {
      expect(verdictOf(await reader().run('tool', {path}))).toBe('refused/schema');
    },
  );

  test('that leads out by a link is refused, and one that stays inside is passed', async () => {
    const linked = reader();
    symlinkSync(linked.outside, join(linked.workspace, 'out'));
    symlinkSync('real', join(linked.workspace, 'in'));
    linked.put('real/a.txt', 'inside');
    expect(verdictOf(await linked.run('tool', {path: 'out/secret.txt'}))).toBe('refused/symlink');
    expect(verdictOf(await linked.preview('tool', {path: 'out/secret.txt'}))).toBe(
      'refused/symlink',
    );
    expect(textOf(await linked.run('tool', {path: 'in/a.txt'}))).toBe('inside');
  });

  test('of a folder to start in is no link', async () => {
    const linked = createCustomPlace({command: ['pwd'], working_dir: 'in'});
    mkdirSync(join(linked.workspace, 'real'));
    symlinkSync('real', join(linked.workspace, 'in'));
    expect(verdictOf(await linked.run('tool', {}))).toBe('refused/symlink');
  });

  test('that is protected is for a person', async () => {
    const writer = createCustomPlace({
      command: ['touch', '{path}'],
      parameters: {path: {type: 'path'}},
      writes: ['path'],
    });
    expect(await writer.preview('tool', {path: '.github/workflows/a.yml'})).toMatchObject({
      kind: 'ready',
      protectedReason: expect.stringContaining('only a person may allow'),
    });
  });
});

describe('a call is a command', () => {
  test.each([
    ['exit 3', {kind: 'failed', code: 'exit_nonzero', exitCode: 3}],
    ['kill -SEGV $$', {kind: 'failed', code: 'signal'}],
    ['echo out; echo err >&2', {kind: 'succeeded', text: 'out\nerr\n', exitCode: 0}],
  ])('%s has the outcome of run_command', async (script, expected) => {
    const place = createCustomPlace({command: ['sh', '-c', script]});
    expect(await place.run('tool', {})).toMatchObject({...expected, confinement: 'none'});
  });

  test('a program that is missing exits with 127', async () => {
    const place = createCustomPlace({command: ['no-such-program-here']});
    expect(await place.run('tool', {})).toMatchObject({code: 'exit_nonzero', exitCode: 127});
  });

  test('its output is cut, and its time is limited with all that it starts', async () => {
    const loud = createCustomPlace({command: ['sh', '-c', 'yes | head -c 300000']});
    expect(textOf(await loud.run('tool', {}))).toMatch(/\[… \d+ characters cut …/);
    const slow = createCustomPlace({command: ['sh', '-c', 'sleep 60 & sleep 60'], timeout_secs: 1});
    expect(await slow.run('tool', {})).toMatchObject({
      code: 'timeout',
      message: 'tool ran longer than 1 s and was ended',
    });
  });

  test('it gets the variables that it names, and no others', async () => {
    const variables = {GIVEN_TOKEN: 'a b', HELD_TOKEN: 'secret'};
    const place = createCustomPlace({command: ['env'], env: ['GIVEN_TOKEN', 'UNSET']}, {variables});
    const lines = textOf(await place.run('tool', {})).split('\n');
    expect(lines).toContain('GIVEN_TOKEN=a b');
    expect(lines.filter((line) => /^(?:HELD|UNSET)/.test(line))).toEqual([]);
  });

  test('its preview shows the words as a shell would need them, and its arguments are voted on', async () => {
    const place = createCustomPlace({command: ['printf', '%s', '{text}'], parameters: {text}});
    expect(await place.preview('tool', {text: "it's; rm -rf ."})).toMatchObject({
      kind: 'ready',
      args: {text: "it's; rm -rf ."},
      confinement: 'none',
      preview: expect.stringMatching(/^\$ printf %s 'it'\\''s; rm -rf \.'\nin the workspace, /),
    });
  });

  test('its changes are recorded before and after, for undo', async () => {
    const snapshots = createSnapshots({holdsSecret: () => false});
    const place = createCustomPlace({command: ['sh', '-c', 'echo new > a.txt']}, {snapshots});
    place.put('a.txt', 'old\n');
    const replaced: Replacement[] = [];
    const outcome = await place.run('tool', {}, {onReplace: (all) => void replaced.push(...all)});
    expect(outcome).toMatchObject({written: ['a.txt']});
    expect(replaced.map(({path, before}) => [path, String(before?.content)])).toEqual([
      ['a.txt', 'old\n'],
    ]);
    snapshots.close();
  });

  test('a script that was changed after its approval is not run', async () => {
    const place = createCustomPlace({command: ['sh', 'a.sh']});
    place.put('a.sh', 'echo harmless\n');
    const preview = await place.preview('tool', {});
    const basedOn = 'basedOn' in preview ? preview.basedOn : undefined;
    expect(basedOn).toMatch(/^[0-9a-f]{64}/);
    place.put('a.sh', 'touch made\n');
    const outcome = await place.run('tool', {}, {run: 'r', ...(basedOn ? {basedOn} : {})});
    expect(verdictOf(outcome)).toBe('refused/changed');
    expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  });
});

describe('a tool of low risk', () => {
  test('runs a script of the workspace without a preview', async () => {
    const place = lint();
    place.put('lint.sh', 'echo fine\n');
    expect(textOf(await place.run('tool', {}, {run: 'r'}))).toBe('fine\n');
  });

  test('does not run a script that the run has changed', async () => {
    const place = lint();
    place.put('lint.sh', 'touch made\n');
    const outcome = await place.run('tool', {}, {run: 'r', changed: async () => ['lint.sh']});
    expect(verdictOf(outcome)).toBe('refused/unknown_code');
    expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  });
});

describe.runIf(canConfine)('confined', () => {
  const sandbox = createSandbox({mode: 'required', network: ['example.com:443']});

  test('it can write in the workspace only', async () => {
    const place = createCustomPlace(
      {command: ['sh', '-c', 'echo x > made; echo x > {path}'], parameters: {path: text}},
      {sandbox, parent: '/var/tmp'},
    );
    const path = join(place.outside, 'made');
    expect(await place.run('tool', {path})).toMatchObject({
      kind: 'failed',
      confinement: 'bubblewrap',
    });
    expect([existsSync(path), place.text('made')]).toEqual([false, 'x\n']);
  });

  test('it gets the network of the settings only if it says that it reaches the network', async () => {
    const command = ['sh', '-c', 'echo "proxy:$HTTPS_PROXY"'];
    const [near, far] = (['workspace', 'network'] as const).map((reaches) =>
      createCustomPlace({command, reaches}, {sandbox, parent: '/var/tmp'}),
    );
    expect(textOf((await near?.run('tool', {})) ?? {kind: 'inDoubt', message: ''})).toBe(
      'proxy:\n',
    );
    expect(textOf((await far?.run('tool', {})) ?? {kind: 'inDoubt', message: ''})).toMatch(
      /^proxy:http/,
    );
    const preview = await near?.preview('tool', {});
    expect(preview).toMatchObject({preview: expect.stringContaining('no network')});
  });

  test('it is refused without a sandbox if one is required', async () => {
    const missing = createSandbox({mode: 'required', grades: []});
    const place = createCustomPlace({command: ['true']}, {sandbox: missing});
    expect(verdictOf(await place.run('tool', {}))).toBe('refused/sandbox_missing');
  });
});

const tools = [
  ...builtInTools('off'),
  createSearch({paths: [], topK: 1}),
  createDatabase({path: 'a.db'}),
  createWebFetch({allowPrivate: false}),
  ...spawnTools,
].map(({name}) => name);

test.each([
  ...new Set([
    ...tools,
    ...questionNames,
    ...questionNames.map(toolOf),
    ...Object.keys(agentTools),
  ]),
])('%s is taken', (name) => {
  expect(isFreeName(name)).toBe(false);
});

test.each(['lint', 'read_files', 'askme'])('%s is free', (name) => {
  expect(isFreeName(name)).toBe(true);
});
