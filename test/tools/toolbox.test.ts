/** The toolbox, the guardrails before it, and the calls that spawn. */

import {array, assert, constantFrom, nat, property, string} from 'fast-check';
import {describe, expect, test} from 'vitest';
import {z} from 'zod';

import {AppError} from '../../machines/domain/app-error.ts';
import type {JsonObject} from '../../machines/domain/json.ts';
import {estimateTokens} from '../../machines/domain/text-limits.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import {checkText, patternProblem} from '../../tools/guardrails.ts';
import {
  type AnyTool,
  builtInTools,
  createSearch,
  createToolbox,
  createWebFetch,
  defineTool,
  spawnTools,
} from '../../tools/index.ts';
import {cpuMs} from '../support/cpu-time.ts';
import {createPlace, textOf, verdictOf} from './place.ts';

function createTool(name: string, run: AnyTool['run'], timeoutMs = 5_000): AnyTool {
  return defineTool({
    name,
    description: `the tool ${name}`,
    parameters: z.strictObject({count: z.int().exactOptional()}),
    timeoutMs,
    run,
  });
}

const done = async (): Promise<ToolOutcome> => ({kind: 'succeeded', text: 'done'});

test('a name registered twice is a configuration error that names it', () => {
  const tools = [createTool('a', done), createTool('b', done), createTool('a', done)];
  expect(() => createToolbox(tools)).toThrow(
    expect.objectContaining({code: 'config', message: expect.stringContaining('"a"')}),
  );
});

test('tools are listed in the order of their names, and found by them', () => {
  const [b, a] = [createTool('b', done), createTool('a', done)];
  const toolbox = createToolbox([b, a]);
  expect(toolbox.list()).toEqual([a, b]);
  expect(toolbox.find('b')).toBe(b);
  expect(toolbox.find('c')).toBeUndefined();
});

test('a tool is high risk and never repeated unless it says otherwise', () => {
  expect(createToolbox([createTool('a', done)]).infos()).toEqual([
    {name: 'a', risk: 'high', repeatability: 'once', timeoutMs: 5_000},
  ]);
});

test('the catalogue is made once for any number of runs', () => {
  const toolbox = createToolbox(builtInTools('off'));
  expect(toolbox.infos()).toBe(toolbox.infos());
});

test('the built-in tools have the risks of the design', () => {
  const infos = createToolbox(builtInTools('off')).infos();
  expect(infos.map(({name, risk, repeatability}) => `${name} ${risk} ${repeatability}`)).toEqual([
    'calculator low repeatable',
    'edit_file high checkable',
    'glob_search low repeatable',
    'grep_search low repeatable',
    'read_file low repeatable',
    'run_command high once',
    'write_file high checkable',
  ]);
});

describe('arguments', () => {
  const toolbox = createToolbox(builtInTools('off'));

  test('an unknown tool is refused with the name that was probably meant', () => {
    expect(toolbox.validate('read_fil', {})).toMatchObject({
      ok: false,
      code: 'unknown_tool',
      message: expect.stringMatching(
        /^there is no tool "read_fil"; did you mean "read_file"\?; there is calculator, /,
      ),
    });
    expect(toolbox.validate('grep', {})).toMatchObject({
      message: expect.stringContaining('did you mean "grep_search"?'),
    });
    expect(toolbox.validate('__proto__', {}).ok).toBe(false);
    expect(toolbox.validate('x'.repeat(100_000), {}).ok).toBe(false);
    expect(createToolbox([]).validate('x', {})).toMatchObject({
      message: expect.stringContaining('no tools'),
    });
  });

  test('of very many tools, an unknown one is refused with the nearest', () => {
    const many = Array.from({length: 500}, (_, index) => createTool(`server__tool_${index}`, done));
    expect(createToolbox(many).validate('server__tool_42x', {})).toMatchObject({
      message: expect.stringMatching(
        /^there is no tool "server__tool_42x"; did you mean "server__tool_42"\?; there are 500 tools, such as server__tool_42(, server__tool_\d+){7}$/,
      ),
    });
  });

  test.each([
    [{}, 'path'],
    [{path: 1}, 'path'],
    [{path: 'a', offset: '1'}, 'offset'],
    [{path: 'a', offset: 1.5}, 'offset'],
    [{path: 'a', limit: -1}, 'limit'],
    [{path: 'a', sudo: true}, 'sudo'],
    [JSON.parse('{"path":"a","__proto__":{"limit":1}}'), '__proto__'],
  ])('the arguments %j are refused with the name of the field', (args, field) => {
    const valid = toolbox.validate('read_file', args);
    expect(valid).toMatchObject({
      ok: false,
      code: 'schema',
      message: expect.stringContaining(field),
    });
  });

  test('null means absent', () => {
    const args = {path: 'a', offset: null, limit: null};
    expect(toolbox.validate('read_file', args)).toEqual({ok: true, args: {path: 'a'}});
  });

  test('the calls of a plan are checked, one problem a line', () => {
    const problems = toolbox.check([
      {task: '1', tool: 'read_file', args: {path: 'a'}},
      {task: '2', tool: 'read_file', args: {}},
      {task: '3', tool: 'reed_file', args: {}},
    ]);
    expect(problems).toHaveLength(2);
    expect(problems[0]).toMatch(/^task 2: read_file: path/);
    expect(problems[1]).toMatch(/^task 3: there is no tool "reed_file"/);
  });

  test('models receive every parameter in a closed JSON Schema', async () => {
    const names = toolbox.infos().map(({name}) => name);
    const offers = await Promise.all(names.map(toolbox.offered));
    for (const offered of offers) {
      expect(offered?.schema).toMatchObject({type: 'object', additionalProperties: false});
    }
    expect(await Promise.all(names.map(toolbox.offered))).toEqual(offers);
    expect((await toolbox.offered('write_file'))?.schema).toMatchObject({
      required: ['path', 'content'],
    });
    expect(await toolbox.offered('none')).toBeUndefined();
  });

  test('tool descriptions are Latin-1: one other character doubles the size of a request', async () => {
    const whole = createToolbox([
      ...builtInTools('off'),
      ...spawnTools,
      createSearch({paths: [], topK: 1}),
      createWebFetch({allowPrivate: false}),
    ]);
    const offers = await Promise.all(whole.infos().map(({name}) => whole.offered(name)));
    expect(offers).toHaveLength(whole.infos().length);
    const text = JSON.stringify(offers);
    expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text);
  });

  test('a JSON Schema is made on first use, and once for every toolbox', async () => {
    const described = createTool('described', async () => ({kind: 'succeeded', text: ''}));
    const undescribed = {...described, parameters: z.custom<JsonObject>()};
    const offered = await createToolbox([undescribed]).offered('described');
    expect(offered?.name).toBe('described');
    expect(() => offered?.schema).toThrow(/custom/i);
    const [one, other] = await Promise.all(
      [1, 2].map(async () => await createToolbox([described]).offered('described')),
    );
    expect(one?.schema).toBe(other?.schema);
  });

  test('a description that must be computed is computed once; a failure is reported', async () => {
    let lookups = 0;
    const described = createTool('described', async () => ({kind: 'succeeded', text: ''}));
    const lookUp = async (): Promise<string> => {
      lookups += 1;
      return await Promise.resolve('its tables are a and b');
    };
    const good = createToolbox([{...described, describe: lookUp}]);
    await good.ready();
    expect((await good.offered('described'))?.description).toBe('its tables are a and b');
    expect(lookups).toBe(1);
    const missing = new AppError('config', 'there is no such file');
    const bad = createToolbox([{...described, describe: () => Promise.reject(missing)}]);
    await expect(bad.ready()).rejects.toBe(missing);
    let isThere = false;
    const late = createToolbox([
      {...described, describe: () => (isThere ? lookUp() : Promise.reject(missing))},
    ]);
    await expect(late.offered('described')).rejects.toBe(missing);
    isThere = true;
    expect((await late.offered('described'))?.description).toBe('its tables are a and b');
  });
});

describe('running', () => {
  test('a tool that throws has failed, and the message is kept', async () => {
    const place = createPlace(
      createToolbox([
        createTool('rejects', () => Promise.reject(new Error('a bug'))),
        createTool('throws', () => {
          throw new Error('a bug');
        }),
      ]),
    );
    for (const tool of ['rejects', 'throws']) {
      expect(await place.run(tool, {})).toEqual({
        kind: 'failed',
        code: 'internal',
        message: 'a bug',
      });
    }
  });

  test('a tool that a time-out stopped has failed, and the message has its limit', async () => {
    const stops = createTool(
      'stops',
      (_args, {signal}) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({kind: 'cancelled', message: ''}));
        }),
      50,
    );
    const place = createPlace(createToolbox([stops]));
    const outcome = await place.run('stops', {}, {signal: AbortSignal.timeout(1)});
    expect(outcome).toMatchObject({
      kind: 'failed',
      code: 'timeout',
      message: expect.stringContaining('50 ms'),
    });
  });

  test('a tool that finished despite its time limit has succeeded', async () => {
    const late = createTool(
      'late',
      (_args, {signal}) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({kind: 'succeeded', text: 'after all'}));
        }),
    );
    const place = createPlace(createToolbox([late]));
    expect(await place.run('late', {}, {signal: AbortSignal.timeout(1)})).toMatchObject({
      text: 'after all',
    });
  });

  test('nothing starts after the run is cancelled', async () => {
    let started = false;
    const tool = createTool('a', async () => {
      started = true;
      return done();
    });
    const place = createPlace(createToolbox([tool]));
    expect(verdictOf(await place.run('a', {}, {signal: AbortSignal.abort()}))).toBe('cancelled');
    expect(started).toBe(false);
  });

  test('a tool without a preview shows its arguments; a preview that throws is refused', async () => {
    const plain = createTool('plain', done);
    const broken = {
      ...createTool('broken', done),
      preview: () => Promise.reject(new Error('a bug')),
    };
    const place = createPlace(createToolbox([plain, broken]));
    expect(await place.preview('plain', {count: 2})).toMatchObject({
      args: {count: 2},
      preview: '{\n  "count": 2\n}',
    });
    expect(verdictOf(await place.preview('broken', {}))).toBe('refused/internal');
    expect(verdictOf(await place.preview('plane', {}))).toBe('refused/unknown_tool');
  });
});

describe('results that are too large', () => {
  const long = 'a'.repeat(20_000_000);

  test('are cut, with a note', async () => {
    const sources = Array.from({length: 5_000}, () => ({place: long, quote: long}));
    const tool = createTool('own', async () => ({kind: 'succeeded', text: long, sources}));
    const outcome = await createPlace(createToolbox([tool])).run('own', {});
    expect(JSON.stringify(outcome).length).toBeLessThan(5_000_000);
    expect(textOf(outcome)).toMatch(
      /^a{11000,}\n\[… 1998\d{4} characters cut …: call the tool again, and ask for less at once\]\na{4000,}\n\[5000 sources; the first 1000 are kept\]$/,
    );
  });

  test('are cut to what a model can take in, unless a person reads them', async () => {
    const tool = createTool('own', async () => ({kind: 'succeeded', text: 'a'.repeat(100_000)}));
    const toolbox = createToolbox([tool]);
    const place = createPlace(toolbox);
    expect(textOf(await place.run('own', {})).length).toBeLessThanOrEqual(16_000);
    const {workspace} = place;
    const request = {tool: 'own', args: {}, workspace, repeatability: 'once'} as const;
    const context = {
      workspace,
      signal: new AbortController().signal,
      recovering: false,
      onChild: () => undefined,
    };
    const typed = await toolbox.run({...request, isTyped: true}, context);
    expect(textOf(typed)).toHaveLength(100_000);
  });

  test('are also cut when they report a failure, a refusal or a bug', async () => {
    const outcomes: AnyTool['run'][] = [
      async () => ({kind: 'failed', code: 'x', message: long, text: long}),
      async () => ({kind: 'refused', code: 'x', message: long}),
      async () => await Promise.reject(new Error(long)),
    ];
    for (const run of outcomes) {
      const place = createPlace(createToolbox([createTool('own', run)]));
      const outcome = JSON.stringify(await place.run('own', {}));
      expect(outcome.length).toBeLessThan(300_000);
      expect(outcome).toContain('[20000000 characters; the first');
    }
  });

  test('do not affect smaller ones', async () => {
    const outcome = {
      kind: 'succeeded',
      text: 'x',
      written: ['a'],
      sources: [{place: 'b'}],
    } as const;
    const place = createPlace(createToolbox([createTool('own', async () => outcome)]));
    expect(await place.run('own', {})).toEqual(outcome);
  });
});

const nothing = async () => ({kind: 'succeeded', text: ''}) as const;

test('a fact can name only an argument of its tool', () => {
  const parameters = z.strictObject({path: z.string()});
  const made = {name: 'probe', description: 'Probe.', parameters, run: nothing};
  expect(() => {
    // @ts-expect-error -- `pth` is no argument
    defineTool({...made, reads: ['pth']});
  }).toThrow(
    'the tool "probe" has reads: "pth", which is not an argument of it; did you mean "path"?',
  );
  expect(defineTool({...made, reads: ['path']}).reads).toEqual(['path']);
});

test.each([
  [{wirtes: ['path']}, 'has the unknown member "wirtes"; did you mean "writes"?'],
  [{reaches: 'workspce'}, 'has reaches: "workspce", which is not one of "nothing", "workspace"'],
  [{risk: 'Low'}, 'has risk: "Low", which is not one of "low", "high"'],
  [{puts: 'content'}, 'has puts: "content", which is not an argument of it; its arguments: path'],
  [
    {runs: {argument: 'path', language: 'shell', folder: 'pathh'}},
    'has runs.folder: "pathh", which is not an argument of it; did you mean "path"?',
  ],
  [
    {program: {argv: ['cat', '{pth}']}},
    'has program.argv: "pth", which is not an argument of it; did you mean "path"?',
  ],
  [{program: {argv: ['cat'], paths: ['at']}}, 'has program.paths: "at", which is not an argument'],
])('without types, the slip %j in a definition is an error that names it', (slip, message) => {
  const parameters = z.strictObject({path: z.string()});
  const made = {name: 'probe', description: 'Probe.', parameters, run: nothing};
  expect(() => defineTool(Object({...made, ...slip}))).toThrow(
    expect.objectContaining({code: 'config', message: expect.stringContaining(message)}),
  );
});

test.each([
  z.union([z.strictObject({a: z.string()}), z.strictObject({path: z.string()})]),
  z.looseObject({a: z.string()}),
  z.record(z.string(), z.string()),
])('a fact may name any argument of a tool whose arguments are not listed', (parameters) => {
  const made = {name: 'probe', description: 'Probe.', parameters, run: nothing, reads: ['path']};
  expect(defineTool(Object(made)).reads).toEqual(['path']);
});

const rules = {maxInputTokens: 1_000_000, maxOutputTokens: 1_000_000};

describe('patterns', () => {
  test.each([
    ['nested repetition', '([a-zA-Z0-9]+)*@'],
    ['doubled choice', '(a|a)*$b'],
    ['many stars', '(.*)*x(.*)*y(.*)*z'],
  ])('%s takes time linear in the text', (_, pattern) => {
    const text = 'a'.repeat(200_000);
    const before = cpuMs();
    const result = checkText('input', text, {...rules, blockedPatterns: [pattern]});
    expect(result.action).toBe('allow');
    expect(cpuMs() - before).toBeLessThan(5_000);
  });

  test.each(['(?<=(a*)*)b', String.raw`(.*)*\1`, '[', '(', '(?=x)', 'a{1001}', '*'])(
    '%j is refused before a run begins',
    (pattern) => expect(patternProblem(pattern)).toMatch(/^(?:invalid|missing) [^/]+: `/),
  );

  test.each(['a|b', '(?i)x', String.raw`\bword\b`, '東京', String.raw`\p{Han}+`])(
    '%j is a pattern',
    (pattern) => expect(patternProblem(pattern)).toBeUndefined(),
  );

  test('invisible characters anywhere in a word do not hide it', () => {
    const hidden = constantFrom(
      '\u200b',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\u202e',
      '\u{e0041}',
      '\ufe0f',
      '\u3164',
    );
    assert(
      property(array(hidden, {minLength: 1, maxLength: 7}), nat(6), (marks, at) => {
        const word = Array.from('secrets');
        word.splice(at, 0, ...marks);
        const text = `Tell me the ${word.join('')} now`;
        expect(checkText('input', text, {...rules, blockedPatterns: ['secret']}).action).toBe(
          'block',
        );
      }),
    );
  });

  test('no text makes the check throw', () => {
    assert(
      property(string({unit: 'binary'}), (text) => {
        const result = checkText('output', text, {...rules, blockedPatterns: ['(?i)secret', '^$']});
        expect(['allow', 'warn', 'block']).toContain(result.action);
      }),
    );
  });
});

describe('tokens', () => {
  test.each([
    ['English', 'The quick brown fox jumps over the lazy dog. '.repeat(10), 0.25],
    ['Japanese', '東京の営業時間は午前十時から午後八時までです。'.repeat(10), 0.87],
    ['Korean', '영업시간은오전열시부터'.repeat(10), 0.87],
    ['Russian', 'Часыработысдесяти'.repeat(10), 0.5],
  ])('%s has this number of tokens per character', (_, text, each) => {
    expect(estimateTokens(text) / Array.from(text).length).toBeCloseTo(each, 1);
  });

  test('of both add up over its parts', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd東')).toBe(Math.ceil(1 + 0.87));
  });
});
