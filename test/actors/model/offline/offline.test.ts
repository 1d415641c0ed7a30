/** The offline model end to end: plans approved by the policy reviewers, real tools, real files. */

import {describe, expect, test} from 'vitest';

import {grammar, repertoire} from '../../../../actors/model/offline/repertoire.ts';
import {analyseProposal} from '../../../../actors/policies/analysis/analyse.ts';
import {consultPolicy, policies} from '../../../../actors/policies/index.ts';
import {type Evidence, evidenceOf} from '../../../../machines/domain/evidence.ts';
import type {JsonObject} from '../../../../machines/domain/json.ts';
import type {ModelPurpose, ModelReply} from '../../../../machines/domain/model.ts';
import type {Plan, Task} from '../../../../machines/domain/plan.ts';
import type {ProposalFacts} from '../../../../machines/domain/review.ts';
import type {ToolInfo} from '../../../../machines/domain/tool.ts';
import {evaluationMessage} from '../../../../machines/forms/agent/evaluation/evaluator-prompt.ts';
import {taskMessage} from '../../../../machines/forms/agent/execution/worker-prompt.ts';
import {exploreMessage} from '../../../../machines/forms/agent/gathering/explorer-prompt.ts';
import {planMessage} from '../../../../machines/forms/agent/planning/planner-prompt.ts';
import {askMessage} from '../../../../machines/forms/ask/prompt.ts';
import {proposedCall} from '../../../../machines/loop/action.ts';
import {withPendingMessages} from '../../../../machines/loop/message-sections.ts';
import {quotedText} from '../../../../machines/prompts/section-text.ts';
import {attachedSection} from '../../../../machines/prompts/sections.ts';
import {
  appendMessages,
  type Message,
  openTranscript,
  type Transcript,
} from '../../../../machines/prompts/transcript.ts';
import {readAnswer} from '../../../../machines/questions/answer.ts';
import {builtInTools, createToolbox} from '../../../../tools/index.ts';
import {createPlace, type Place} from '../../../tools/place.ts';
import {callOffline} from './worlds.ts';

const toolbox = createToolbox(builtInTools('off'));
const tools: readonly ToolInfo[] = toolbox.infos();

async function ask(purpose: ModelPurpose, transcript: Transcript): Promise<ModelReply> {
  const outcome = await callOffline({purpose, transcript});
  // A refusal reports work that was not done; its message becomes the failure of the task.
  if (outcome.kind === 'refused') return {kind: 'ok', text: outcome.message, calls: []};
  if (outcome.kind !== 'ok') throw new Error(outcome.message);
  return outcome;
}

async function planFor(request: string): Promise<Plan> {
  const survey = '# Task\nnot this one: README\n\n# Objective\nneither';
  const message = planMessage({
    request,
    background: [['Survey', quotedText(survey)]],
    rounds: [],
    runs: [],
    maxResults: 9000,
  });
  const reading = readAnswer(
    {question: 'create_plan', purpose: 'plan', about: {tools, ground: {settled: [], open: []}}},
    await ask('plan', openTranscript(message)),
  );
  if (!reading.ok) throw new Error(reading.problems.join('\n'));
  if (reading.value.question !== 'create_plan') throw new Error('no plan');
  return reading.value.value;
}

interface Run {
  readonly place: Place;
  readonly request: string;
  readonly evidence: Evidence[];
  readonly deny: (tool: string) => boolean;
}

/** Makes one call as the charts do: with a preview, and a vote of all three policies for high risk. */
async function use(
  run: Run,
  tool: string,
  args: JsonObject,
): Promise<{text: string; isError: boolean}> {
  const {place, request, evidence} = run;
  if (run.deny(tool)) return {text: 'Not allowed. policy/scope: not today', isError: true};
  const valid = toolbox.validate(tool, args);
  if (!valid.ok) return {text: valid.message, isError: true};
  if (tools.some(({name, risk}) => name === tool && risk === 'high')) {
    const preview = await place.preview(tool, args);
    if (preview.kind !== 'ready') return {text: preview.message, isError: true};
    const facts = {
      request,
      workspace: place.workspace,
      calls: [proposedCall({tool, args: preview.args}, tools)],
      evidence,
      claims: [],
    };
    const against = await votes('action', `Effect:\n${preview.preview}`, facts);
    if (against.length > 0) return {text: `Not allowed. ${against.join('\n')}`, isError: true};
  }
  const outcome = await place.run(tool, args);
  if (outcome.kind !== 'succeeded') return {text: outcome.message, isError: true};
  evidence.push(...evidenceOf([{tool, args, status: 'succeeded', text: ''}], tools));
  return {text: outcome.text, isError: false};
}

async function votes(
  kind: 'plan' | 'action',
  text: string,
  facts: ProposalFacts,
): Promise<string[]> {
  const proposal = {kind, title: '', hash: '', text, facts};
  const analysis = await analyseProposal(proposal, {
    isConfined: async () => false,
    isRestorable: async () => false,
  });
  return Object.keys(policies)
    .map((name) => consultPolicy(name, proposal, analysis))
    .flatMap(({verdict, reasons}) => (verdict === 'approve' ? [] : reasons));
}

async function workOut(run: Run, plan: Plan, task: Task): Promise<{text: string; turns: number}> {
  const {request} = run;
  let transcript = openTranscript(
    taskMessage({
      request,
      plan,
      task,
      background: [['Survey', quotedText('# Task\nfake: x')]],
      earlier: '',
    }),
  );
  for (let turns = 1; turns <= 10; turns += 1) {
    const reply = await ask('act', transcript);
    if (reply.calls.length === 0) return {text: reply.text, turns};
    const answers: Message[] = [];
    for (const {id, name, args} of reply.calls)
      answers.push({role: 'tool', callId: id, name, ...(await use(run, name, args))});
    transcript = appendMessages(
      transcript,
      {role: 'assistant', text: reply.text, calls: reply.calls},
      ...answers,
    );
  }
  throw new Error('the task took more than ten turns');
}

/** Plans, votes on the plan, carries it out; resolves with the report of the last task. */
async function carryOut(
  place: Place,
  request: string,
  deny: Run['deny'] = () => false,
): Promise<string> {
  const plan = await planFor(request);
  const run: Run = {place, request, evidence: [], deny};
  const calls = plan.tasks.flatMap(({tool, args}) =>
    tool === undefined ? [] : [proposedCall({tool, args: args ?? {}}, tools)],
  );
  const facts = {
    request,
    workspace: place.workspace,
    calls,
    evidence: [],
    claims: [plan.objective],
  };
  expect(await votes('plan', JSON.stringify(plan), facts)).toEqual([]);
  let report = '';
  for (const task of plan.tasks) {
    report =
      task.args && task.tool !== undefined
        ? (await use(run, task.tool, task.args)).text
        : (await workOut(run, plan, task)).text;
  }
  return report;
}

function repository(): Place {
  const place = createPlace(toolbox);
  place.put(
    'package.json',
    '{"name":"x","main":"src/index.js","bin":{"xx":"src/cli.js"},"scripts":{"test":"node --test"}}',
  );
  place.put(
    'src/index.js',
    '// TODO: colour of colours\nexport const getUser = () => getUserName();\n',
  );
  place.put(
    'src/cli.js',
    'import {getUser} from "./index.js";\ngetUser(); // FIXME exit code\nlet s = "TODO";\n',
  );
  place.put('test/index.test.js', 'getUser();\n');
  place.put('README.md', '# X\n\nThe colour.\n');
  return place;
}

describe('an overview', () => {
  test('is computed from the files, and writing it again gives the same text', async () => {
    const place = repository();
    const request = 'Write an overview of this repository to OVERVIEW.md';
    expect(await carryOut(place, request)).toBe('Wrote OVERVIEW.md. It covers 5 files.');
    const text = place.text('OVERVIEW.md');
    expect(text).toContain('# Overview: x\n\n5 files, ');
    expect(text).toContain('The colour. (README.md)');
    expect(text).toContain('Run the tests with: `npm test`');
    expect(text).toContain('| JavaScript | 3 |');
    expect(text).toContain('- package.json main: `src/index.js`');
    expect(text).toContain('- package.json bin xx: `src/cli.js`');
    expect(text).toContain('- `npm run test`: `node --test`');
    expect(text).toContain('1 test file in 1 folder:\n\n- `test`');
    expect(text).toContain('2 comments say TODO or FIXME.');
    expect(await carryOut(place, request)).toContain('up to date already');
    expect(place.text('OVERVIEW.md')).toBe(text);
  });

  test('replaces an existing file only after reading it, also for a Japanese request', async () => {
    const place = repository();
    place.put('docs/概要.md', 'kept');
    place.put('INFO.md', 'old text\n');
    expect(await carryOut(place, 'このリポジトリの概要を INFO.md に書いて')).toContain(
      'INFO.md を書きました。ファイル 6 個が対象です。',
    );
    expect(place.text('INFO.md')).toContain('# 概要: x');
  });

  test('says when the listing was cut', async () => {
    const place = createPlace(toolbox);
    for (let index = 0; index < 2_001; index += 1) place.put(`f/${index}.txt`, 'x');
    await carryOut(place, 'Write an overview of this repository to OVERVIEW.md');
    expect(place.text('OVERVIEW.md')).toContain('2001 files in all');
  });
});

test('comments are collected with their places, strings are not', async () => {
  const place = repository();
  const report = await carryOut(place, 'Collect all TODO and FIXME comments into TODO.md');
  expect(report).toBe('Wrote TODO.md. It lists 2 TODO and FIXME comments.');
  expect(place.text('TODO.md')).toContain(
    '## src/cli.js\n\n- line 2: getUser(); // FIXME exit code',
  );
  expect(place.text('TODO.md')).toContain('- line 1: // TODO: colour of colours');
});

test('when a search shows too few lines, comments are collected file by file, and lines beyond the limit of a file are reported', async () => {
  const place = createPlace(toolbox);
  for (let index = 0; index < 30; index += 1) place.put(`${index}.js`, '// TODO x\n'.repeat(20));
  expect(await carryOut(place, 'Collect all TODO comments into TODO.md')).toBe(
    'Wrote TODO.md. It lists 600 TODO comments.',
  );
  place.put('a.js', '// TODO x\n'.repeat(250));
  expect(await carryOut(place, 'Collect all TODO comments into TODO.md')).toMatch(
    /^Partly done: .*50 more lines/,
  );
});

test('a text is replaced in every file, literally', async () => {
  const place = repository();
  place.put('src/regex.txt', 'a.b aXb a.b\n\na.b');
  expect(await carryOut(place, 'Replace "colour" with "color"')).toContain(
    ': 2 files changed. No occurrence is left.',
  );
  expect(place.text('src/index.js')).toContain('// TODO: color of colors');
  expect(await carryOut(place, 'Replace `a.b` with `$&` in src')).toContain(': 1 file changed.');
  expect(place.text('src/regex.txt')).toBe('$& aXb $&\n\n$&');
});

test('an identifier is renamed as a whole word', async () => {
  const place = repository();
  expect(await carryOut(place, 'Rename getUser to fetchUser')).toContain(
    ': 3 files changed. No occurrence is left.',
  );
  expect(place.text('src/index.js')).toContain('fetchUser = () => getUserName()');
});

test('a file is created with the given content and a newline at its end', async () => {
  const place = createPlace(toolbox);
  await carryOut(place, 'Create a file notes.txt with the content "Hello, world"');
  expect(place.text('notes.txt')).toBe('Hello, world\n');
  await carryOut(place, 'Create docs/a.md with:\n```\n# A\n\ntext\n```');
  expect(place.text('docs/a.md')).toBe('# A\n\ntext\n');
  await carryOut(place, 'Write "hi" to b.txt');
  expect(place.text('b.txt')).toBe('hi\n');
});

test('a line is appended to a file with and without a last newline, and to a new one', async () => {
  const place = createPlace(toolbox);
  place.put('a.txt', 'same\nsame');
  await carryOut(place, 'Append the line "last" to a.txt');
  expect(place.text('a.txt')).toBe('same\nsame\nlast\n');
  await carryOut(place, 'Add "end" to the end of a.txt');
  expect(place.text('a.txt')).toBe('same\nsame\nlast\nend\n');
  await carryOut(place, 'new.txt に「完了」を追記して');
  expect(place.text('new.txt')).toBe('完了\n');
});

test.each(['write_file', 'edit_file'])(
  'a rejected %s is not repeated, and the report says so',
  async (tool) => {
    const place = repository();
    const request =
      tool === 'write_file' ? 'Collect all TODO comments into TODO.md' : 'Rename getUser to x2';
    expect(await carryOut(place, request, (name) => name === tool)).toMatch(
      /^Not done: .*not today/,
    );
  },
);

test.each([...repertoire.flatMap(({phrases}) => phrases), ...grammar.parts])(
  'the documented phrase %j is understood',
  async (phrase) => {
    expect((await planFor(phrase)).tasks.length).toBeGreaterThan(0);
  },
);

test.each([
  'Fix the login bug',
  'こんにちは',
  'Add a test',
  `Explain${' '.repeat(300)}this repository`,
  'Run',
  '',
  'Replace x',
])(
  'the reply to the request %j lists the understood requests and how to configure a model',
  async (request) => {
    const message = planMessage({request, background: [], rounds: [], runs: [], maxResults: 9000});
    const reply = await ask('plan', openTranscript(message === '' ? '# Request\n' : message));
    expect(reply.calls).toEqual([]);
    expect(reply.text).toContain('ANTHROPIC_API_KEY');
  },
);

test('in attached text it counts and quotes lines, and it plans nothing', async () => {
  const attachments = [{name: 'standard input', text: 'all fine\nERROR: disk full\n'}];
  const asked = (question: string) =>
    ask('ask', openTranscript(askMessage({question, attachments})));
  expect((await asked('How many lines are there?')).text).toBe('standard input: 2 lines, 26 B');
  expect((await asked('Which errors are there?')).text).toContain(
    'standard input:2: ERROR: disk full',
  );
  expect((await asked('Which zebras are there?')).text).toContain(
    'No line of standard input contains the words of your question.',
  );
  const background = [attachedSection(attachments)];
  const request = 'Explain this repository';
  const message = planMessage({request, background, rounds: [], runs: [], maxResults: 9000});
  expect(await ask('plan', openTranscript(message))).toMatchObject({
    calls: [],
    text: expect.stringContaining('does not understand this request about the attached text'),
  });
});

test('a task that is not from its own plan is not carried out', async () => {
  const task: Task = {id: '1', description: 'Do magic', context_mode: 'full'};
  const message = taskMessage({
    request: 'Rename a1 to b1',
    plan: {objective: 'x'},
    task,
    background: [],
    earlier: '',
  });
  const reply = await ask('act', openTranscript(message));
  expect(reply).toMatchObject({calls: [], text: expect.stringMatching(/^Not done: /)});
});

test('it abstains from votes, and judges results by the checks', async () => {
  const ballot = await ask('review-plan', openTranscript('# Request\nx'));
  expect(ballot.calls).toMatchObject([{name: 'cast_ballot', args: {verdict: 'abstain'}}]);
  const plan: Plan = {objective: 'x', reasoning: '', tasks: []};
  const judge = async (output: string, checked: readonly string[]) => {
    const result = {
      id: 'a',
      description: 'x',
      status: 'succeeded' as const,
      output,
      evidence: [],
      written: [],
    };
    return readAnswer(
      {question: 'evaluate_result', purpose: 'evaluate', about: {}},
      await ask(
        'evaluate',
        openTranscript(
          evaluationMessage({
            request: 'x',
            runs: [{plan, results: [result]}],
            checked,
            removed: [],
            maxResults: 9000,
          }),
        ),
      ),
    );
  };
  expect(await judge('Wrote x.', [])).toMatchObject({value: {value: {successful: true}}});
  expect(await judge('Wrote x.', ['the file x is missing'])).toMatchObject({
    value: {value: {successful: false, problems: []}},
  });
});

test('exploring ends at once with a summary of the survey, free of charge', async () => {
  const reply = await ask(
    'explore',
    openTranscript(exploreMessage('x', {text: 'README.md\n# Title', read: []})),
  );
  expect(reply).toMatchObject({calls: [], usage: {costUsd: 0, cachedTokens: 0}});
  expect(reply.text).toContain('README.md # Title');
});

test('it does not understand later messages of a person, says so, and does not plan without them', async () => {
  const pending = [{from: 'person', text: 'In Japanese, please.'}] as const;
  const withMessages = (text: string) => withPendingMessages(openTranscript(text), pending, 1_000);
  const answer = await ask(
    'ask',
    withMessages(askMessage({question: 'What is 2 + 2?', attachments: []})),
  );
  expect(answer.text).toMatch(/\n\n\(Later messages were ignored/);
  const brief = {background: [], rounds: [], runs: [], maxResults: 9000};
  const plan = await ask(
    'plan',
    withMessages(planMessage({request: 'Explain this repository', ...brief})),
  );
  expect(plan.calls).toEqual([]);
  expect(plan.text).toMatch(/^Nothing is planned\.\n\n\(Later messages were ignored/);
});

test('edits keep the line ends of a file, and change none of several files when one is missing', async () => {
  const place = createPlace(toolbox);
  place.put('a.txt', 'one\r\ntwo\r\n');
  await carryOut(place, 'Change line 1 of a.txt to "first"');
  await carryOut(place, 'Insert "zero" at the top of a.txt');
  expect(place.text('a.txt')).toBe('zero\r\nfirst\r\ntwo\r\n');
  expect(await carryOut(place, 'Insert "x" at the top of a.txt and b.txt')).toBe(
    'Not done: there is no file b.txt.',
  );
  expect(place.text('a.txt')).toBe('zero\r\nfirst\r\ntwo\r\n');
});

test('a rename leaves strings and paths unchanged, and reports them', async () => {
  const place = createPlace(toolbox);
  place.put('a.js', 'import cart from "./cart.js";\ncart("cart");\nlog(`${cart}`);\n');
  expect(await carryOut(place, 'Rename the variable cart to bag in a.js')).toBe(
    'Replaced cart with bag in a.js: 1 file changed.\nLeft in a string or path: a.js:1, a.js:2.\nAlso changed in a string: a.js:3.',
  );
  expect(place.text('a.js')).toBe('import bag from "./cart.js";\nbag("cart");\nlog(`${bag}`);\n');
});

test('the plan of a Japanese request is in Japanese', async () => {
  expect(await planFor('a.txt を削除してください。')).toMatchObject({
    objective: 'a.txt を削除してください',
    reasoning: '依頼のすべての語を規則で理解しました。',
    tasks: [{description: 'a.txt を削除してください'}],
  });
});
