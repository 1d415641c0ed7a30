/** The context window: what of a conversation is shortened, in which order, and what stays. */

import {describe, expect, test} from 'vitest';

import {fitted, type Frame, requestTokens} from '../../../machines/loop/context-window.ts';
import {
  appendMessages,
  type Message,
  openTranscript,
  type ToolCall,
  type Transcript,
} from '../../../machines/prompts/transcript.ts';
import {policySeat, smallSettings} from '../events/settings.ts';

const {tools} = smallSettings('interactive', [policySeat]);
const shell = {
  name: 'shell',
  risk: 'high',
  repeatability: 'once',
  timeoutMs: 1,
  reaches: 'workspace',
  runs: {argument: 'command', language: 'shell'},
} as const;
const grep = {
  name: 'grep_search',
  risk: 'low',
  repeatability: 'repeatable',
  timeoutMs: 1,
  lists: ['path'],
  does: 'searches the files for {pattern}',
} as const;
const read = {...grep, name: 'read_file', reads: ['path'], does: 'reads {path}'} as const;

function frame(window: number): Frame {
  const [, , , failing] = looking;
  const step = {
    tool: 'shell',
    args: failing?.call.args ?? {},
    status: 'failed',
    text: '',
    thought: '',
  } as const;
  const steps = [{...step, checks: [{kind: 'tests', status: 'failed'}] as const}];
  return {window, reply: 0, fixed: 0, tools: [shell, grep, read, ...tools], steps};
}

interface Turn {
  readonly call: Omit<ToolCall, 'id'>;
  readonly text: string;
  readonly isError?: boolean;
}

function talk(turns: readonly Turn[]): Transcript {
  return appendMessages(
    openTranscript('# Request\nDo it.'),
    ...turns.flatMap(({call, text, isError = false}): Message[] => [
      {
        role: 'assistant',
        text: '',
        calls: [{id: 'c', ...call}],
        opaque: {model: 'a/b', parts: ['thought']},
      },
      {role: 'tool', callId: 'c', name: call.name, text, isError},
    ]),
  );
}

const numbered = Array.from({length: 200}, (_, at) => `${at + 1}\tline`).join('\n');
const looking: readonly Turn[] = [
  {call: {name: 'read_file', args: {path: 'src/a.js'}}, text: numbered},
  {call: {name: 'shell', args: {command: 'ls -R'}}, text: 'x\n'.repeat(1_000)},
  {
    call: {name: 'shell', args: {command: 'cat b'}},
    text: `the command exited with code 1\n${'y\n'.repeat(1_000)}`,
    isError: true,
  },
  {
    call: {name: 'shell', args: {command: 'cd a && npm test'}},
    text: `the command exited with code 1\n${'FAIL\n'.repeat(400)}`,
    isError: true,
  },
  {
    call: {name: 'grep_search', args: {pattern: 'X'}},
    text: `${'a.js:1: X\n'.repeat(200)}3 matches in 2 files`,
  },
];
const late: readonly Turn[] = Array.from({length: 6}, (_, at) => ({
  call: {name: 'read_file', args: {path: `late${at}`}},
  text: `1\t${'z'.repeat(2_000)}`,
}));

function texts({messages}: Transcript): string[] {
  return messages.flatMap(({role, text}) => (role === 'tool' ? [text] : []));
}

describe('a conversation that takes more than 70 % of the window', () => {
  test('has one line for each old result; the first message, a failed check and the last six turns stay', () => {
    const whole = talk([...looking, ...late]);
    const size = requestTokens(whole, frame(0));
    const short = fitted(whole, frame(Math.floor(size / 0.71)));
    expect(texts(short).slice(0, 5)).toEqual([
      '[read src/a.js, lines 1 to 200]',
      '[ran ls -R: exit code 0]',
      '[ran cat b: exit code 1]',
      looking[3]?.text,
      '[searched the files for X: 3 matches in 2 files]',
    ]);
    expect(texts(short).slice(5)).toEqual(late.map(({text}) => text));
    expect(short.messages[0]).toEqual(whole.messages[0]);
    expect(short.messages.filter(({role}) => role === 'assistant')).toEqual(
      whole.messages.filter(({role}) => role === 'assistant'),
    );
  });

  test('is shortened from its beginning, and only as far as needed', () => {
    const old = Array.from({length: 40}, (_, at) => ({
      call: {name: 'read_file', args: {path: `old${at}`}},
      text: `1\t${'z'.repeat(4_000)}`,
    }));
    const whole = talk([...old, ...late]);
    const window = Math.floor(requestTokens(whole, frame(0)) / 0.71);
    const short = fitted(whole, frame(window));
    const brief = texts(short).map((text) => text.startsWith('[read'));
    const count = brief.filter(Boolean).length;
    expect(brief.slice(0, count).every(Boolean)).toBe(true);
    expect(count).toBeLessThan(20);
    expect(requestTokens(short, frame(0))).toBeLessThanOrEqual(window * 0.5);
    expect(fitted(short, frame(window))).toBe(short);
  });

  test('has shorter old calls if that is not enough, without the state that belongs to them', () => {
    const writing = Array.from({length: 20}, (_, at) => ({
      call: {name: 'write_file', args: {path: `w${at}`, content: 'w'.repeat(5_000)}},
      text: 'created',
    }));
    const whole = talk([...writing, ...late]);
    const window = Math.floor(requestTokens(whole, frame(0)) / 0.75);
    const short = fitted(whole, frame(window));
    const first = short.messages.find(({role}) => role === 'assistant');
    expect(first).not.toHaveProperty('opaque');
    expect(first).toMatchObject({
      calls: [{args: {path: 'w0', content: expect.stringContaining('characters cut')}}],
    });
    expect(requestTokens(short, frame(0))).toBeLessThanOrEqual(window * 0.5);
  });

  test('loses its oldest turns as a whole if even their lines are too many, and says so', () => {
    const many = Array.from({length: 400}, (_, at) => ({
      call: {name: 'read_file', args: {path: `m${at}`}},
      text: '1\tx',
    }));
    const whole = talk([...many, ...late]);
    const window = 12_000;
    const short = fitted(whole, frame(window));
    expect(short.messages[0]?.text).toMatch(
      /^# Request\nDo it\.\n\n\[Earlier messages were dropped/,
    );
    expect(texts(short).slice(-6)).toEqual(late.map(({text}) => text));
    expect(requestTokens(short, frame(0))).toBeLessThanOrEqual(window * 0.7);
  });

  test('has shorter recent results only where they leave no room for a reply', () => {
    const long = late.map((turn) => ({...turn, text: `1\t${'z'.repeat(15_000)}`}));
    const whole = talk(long);
    const size = requestTokens(whole, frame(0));
    const roomy = {...frame(Math.floor(size / 0.9)), reply: Math.floor(size * 0.05)};
    expect(texts(fitted(whole, roomy))).toEqual(long.map(({text}) => text));
    const tight = {...roomy, reply: Math.floor(size / 3)};
    expect(requestTokens(fitted(whole, tight), frame(0))).toBeLessThanOrEqual(
      Math.max(tight.window * 0.7, tight.window - tight.reply),
    );
  });
});

test('a conversation within the window is the very same', () => {
  const whole = talk([...looking, ...late]);
  expect(fitted(whole, frame(128_000))).toBe(whole);
  expect(fitted(whole, frame(Infinity))).toBe(whole);
});
