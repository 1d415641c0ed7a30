import {fileURLToPath} from 'node:url';

import type {Progress} from '@modelcontextprotocol/client';
import {describe, expect, it} from 'vitest';
import {z} from 'zod';

import {requests, speak} from '../../fixtures/journals/recorded-models.ts';
import {call, revised} from '../../support/agent-models.ts';
import {type ReceivedRequest, type Said, startMockOpenAi} from '../../support/mock-openai.ts';
import {setStage} from '../stage.ts';
import {connectMcp, connectProgram, type Elicited, type Reply} from './mcp-client.ts';

const more = `max_plan_revisions = 2
[ask]
model = "mock/asked"
[discuss]
participants = ["mock/a", "mock/b", "mock/c"]
moderator = "mock/chair"`;

const diff = '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n';

const idIn = z.object({run: z.string()});
const waitingIn = idIn.extend({waiting: z.object({digest: z.string()})});

const {launcher, server: models} = setStage({
  models: answerOf,
  agent: more,
  prepare: () => {
    isHanging = false;
    isPlanLong = false;
  },
});

/** The models do not answer. */
let isHanging = false;
/** The plan does not fit into a message. */
let isPlanLong = false;

function answerOf(received: ReceivedRequest): Said {
  if (isHanging) return 'hang';
  const isPlanned = isPlanLong && received.tools.includes('create_plan');
  return isPlanned ? call('create_plan', revised(longPlan, received.text)) : speak(received);
}

const longPlan = {
  objective: 'Write notes',
  reasoning: 'they are asked for',
  tasks: Array.from({length: 40}, (_, index) => ({
    id: `t${index}`,
    description: `${index} ${'and so on '.repeat(60)}`,
  })),
};

/** Collects progress; `seen` resolves when one that matches was the third. */
function collect(pattern: RegExp) {
  const {promise: seen, resolve} = Promise.withResolvers<void>();
  const numbers: number[] = [];
  let matches = 0;
  const onprogress = ({progress, message = ''}: Progress): void => {
    numbers.push(progress);
    if (pattern.test(message)) matches += 1;
    if (matches === 3) resolve();
  };
  return {onprogress, seen, numbers};
}

async function runs(): Promise<readonly {readonly id: string}[]> {
  const {stdout} = await launcher.perform(['sessions', '--output', 'json']);
  return JSON.parse(stdout);
}

describe.for(['auto', 'legacy'] as const)('quorate mcp, for a client in the mode %s', (mode) => {
  it('answers, discusses, plans, reviews and recounts', async () => {
    await using server = await connectMcp(launcher, {mode});
    const {client} = server;
    expect(client.getProtocolEra()).toBe(mode === 'legacy' ? 'legacy' : 'modern');
    const {tools} = await client.listTools();
    expect(tools.map(({name}) => name)).toEqual([
      'review_diff',
      'plan',
      'ask',
      'discuss',
      'recount',
    ]);

    const answered = await client.callTool({name: 'ask', arguments: {question: requests.question}});
    expect(answered.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(/^asked says that it is four metres deep\.\n\nrun \w+$/),
      },
    ]);
    expect(answered.structuredContent).toMatchObject({
      status: 'completed',
      answer: 'asked says that it is four metres deep.',
      usage: {modelCalls: 1},
    });

    const concluded = await client.callTool({name: 'discuss', arguments: {topic: requests.topic}});
    expect(concluded.structuredContent).toMatchObject({
      status: 'completed',
      discussion: {conclusion: 'Move it in May.', agreements: ['it is slow']},
    });

    const planned = await client.callTool({name: 'plan', arguments: {task: requests.note}});
    expect(planned.structuredContent).toMatchObject({
      status: 'completed',
      plan: {tasks: [{tool: 'write_file'}]},
      reviews: [{kind: 'plan', verdict: 'approved'}],
    });
    expect(JSON.stringify(planned.content)).toMatch(/Tasks.*1\. Write the note.*write_file/);
    expect(JSON.stringify(planned.content)).not.toMatch(/not reached/);

    const reviewed = await client.callTool({name: 'review_diff', arguments: {diff}});
    expect(reviewed.structuredContent).toMatchObject({
      status: 'completed',
      review: {
        approved: true,
        votes: expect.arrayContaining([expect.objectContaining({reasons: ['approve']})]),
      },
    });

    const {run} = idIn.parse(planned.structuredContent);
    const counted = await client.callTool({
      name: 'recount',
      arguments: {run, rule: 'unanimous', without: ['mock/a']},
    });
    expect(counted.structuredContent).toMatchObject({interaction: run, without: ['a']});
    expect(counted.content).toMatchObject([{text: expect.stringContaining('unanimous')}]);
  });

  it('reports progress in order, and names what is missing or wrong', async () => {
    await using server = await connectMcp(launcher, {mode});
    const {client} = server;
    const progress: {readonly progress: number; readonly message?: string | undefined}[] = [];
    await client.callTool(
      {name: 'plan', arguments: {task: requests.note}},
      {onprogress: (one) => progress.push(one)},
    );
    expect(progress.map((one) => one.progress)).toEqual(progress.map((_, index) => index + 1));
    const text = progress.map(({message}) => message).join('\n');
    expect(text).toMatch(/▸ planning[^]*1\. Write the note[^]*APPROVED/);

    const failures = [
      [{name: 'review_diff', arguments: {}}, 'give either "diff" or "base"'],
      [{name: 'review_diff', arguments: {diff, base: 'HEAD'}}, 'give either "diff" or "base"'],
      [{name: 'review_diff', arguments: {diff: 'no diff'}}, 'diff'],
      [{name: 'review_diff', arguments: {diff: ' \n'}}, 'the diff is empty'],
      [{name: 'review_diff', arguments: {base: '--output=x'}}, 'not a git repository'],
      [{name: 'ask', arguments: {question: ' '}}, 'question'],
      [{name: 'ask', arguments: {question: 'a', more: 'b'}}, 'more'],
      [{name: 'recount', arguments: {run: 'nobody'}}, 'there is no run nobody'],
      [{name: 'recount', arguments: {rule: 'some'}}, 'at_least:N'],
    ] as const;
    for (const [params, expected] of failures) {
      const {isError, content} = await client.callTool({...params});
      expect({isError, text: JSON.stringify(content)}).toEqual({
        isError: true,
        text: expect.stringContaining(JSON.stringify(expected).slice(1, -1)),
      });
    }
  });

  it('cancels the run of a cancelled call, and goes on', async () => {
    await using server = await connectMcp(launcher, {mode});
    const {client} = server;
    const stop = new AbortController();
    isHanging = true;
    const asking = client.callTool(
      {name: 'ask', arguments: {question: requests.question}},
      {signal: stop.signal},
    );
    await expect.poll(() => models.received.length).toBe(1);
    stop.abort('no longer wanted');
    await expect(asking).rejects.toThrow(/abort|wanted|closed/i);
    await models.hangUp;
    await expect.poll(runs).toMatchObject([{state: 'ended', status: 'cancelled'}]);
    isHanging = false;
    const {structuredContent} = await client.callTool({
      name: 'ask',
      arguments: {question: requests.question},
    });
    expect(structuredContent).toMatchObject({status: 'completed'});
  });

  it('suspends its runs when the client goes away, so that they can be resumed', async () => {
    const {client} = await connectMcp(launcher, {mode});
    isHanging = true;
    const asking = client.callTool({name: 'ask', arguments: {question: requests.question}});
    const failed = asking.catch(String);
    await expect.poll(() => models.received.length).toBe(1);
    await client.close();
    expect(await failed).toMatch(/closed/i);
    await expect.poll(runs).toMatchObject([{state: 'suspended'}]);
    isHanging = false;
    const {code, stdout} = await launcher.perform(['resume']);
    expect({code, stdout}).toEqual({code: 0, stdout: expect.stringContaining('four metres deep')});
  });
});

describe('progress in silence', () => {
  const program = fileURLToPath(new URL('../../fixtures/mcp/impatient.ts', import.meta.url));
  it.for(['auto', 'legacy'] as const)('goes on while models work (%s)', async (mode) => {
    const {onprogress, seen, numbers} = collect(
      /^still at work: .*0\/3 ballots · \d+ s · waiting for a, b, c$/,
    );
    const slow = await startMockOpenAi(async (received) => {
      await seen;
      return speak(received);
    });
    try {
      await using server = await connectProgram([program, slow.baseUrl], launcher.folder, {mode});
      const {structuredContent} = await server.client.callTool(
        {name: 'review_diff', arguments: {diff}},
        {onprogress},
      );
      expect(structuredContent).toMatchObject({status: 'completed'});
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    } finally {
      await slow.close();
    }
  });

  it('goes on while the person of the client thinks', async () => {
    const {onprogress, seen} = collect(/^waits for a person$/);
    const answer = async (): Promise<Reply> => {
      await seen;
      return {action: 'accept', content: {decision: 'reject', reason: 'not today'}};
    };
    const args = [program, models.baseUrl];
    await using server = await connectProgram(args, launcher.folder, {mode: 'legacy', answer});
    const {structuredContent} = await server.client.callTool(
      {name: 'plan', arguments: {task: requests.contested}},
      {onprogress},
    );
    expect(structuredContent).toMatchObject({status: 'rejected'});
  });
});

const edit = {action: 'accept', content: {decision: 'edit'}} as const;

function fail(): never {
  throw new Error('no window');
}

describe('a run that waits for a person', () => {
  const contested = {name: 'plan', arguments: {task: requests.contested}};

  it.for(['auto', 'legacy'] as const)(
    'is decided by the person of the client (%s)',
    async (mode) => {
      const asked: Elicited[] = [];
      const answer = (elicited: Elicited): Reply => {
        asked.push(elicited);
        return {action: 'accept', content: {decision: 'approve', reason: 'no date needed'}};
      };
      await using server = await connectMcp(launcher, {mode, answer});
      const {client} = server;
      const {structuredContent} = await client.callTool(contested);
      expect(structuredContent).toMatchObject({
        status: 'completed',
        plan: {tasks: [{id: 'write'}]},
      });
      expect(asked).toHaveLength(1);
      expect(asked[0]?.message).toMatch(/1\. Write the note[^]*it needs a date/);
      expect(asked[0]?.requestedSchema).toMatchObject({
        properties: {decision: {enum: ['approve', 'reject', 'revise']}},
        required: ['decision'],
      });
      const {run} = idIn.parse(structuredContent);
      const {stdout} = await launcher.perform(['show', run]);
      expect(stdout).toMatch(/no date needed/);
    },
  );

  it.for([
    ['decline', 'auto', {action: 'decline'}],
    ['decline', 'legacy', {action: 'decline'}],
    ['cancel', 'legacy', {action: 'cancel'}],
    ['give an answer that is not offered', 'auto', edit],
    ['give an answer that is not offered', 'legacy', edit],
    ['can not be asked', 'legacy', undefined],
  ] as const)('goes on waiting if they %s (%s)', async ([, mode, reply]) => {
    const answer = (): Reply => reply ?? fail();
    await using server = await connectMcp(launcher, {mode, answer});
    const {structuredContent, isError} = await server.client.callTool(contested);
    expect(structuredContent).toMatchObject({status: 'waiting', waiting: {kind: 'plan'}});
    expect(isError).toBeUndefined();
    expect(await runs()).toMatchObject([{state: 'waiting'}]);
  });

  it('is cancelled with its call while its question is open', async () => {
    const stop = new AbortController();
    const answer = (): Reply => {
      stop.abort('no longer wanted');
      return {action: 'cancel'};
    };
    await using server = await connectMcp(launcher, {mode: 'legacy', answer});
    const asking = server.client.callTool(contested, {signal: stop.signal});
    await expect(asking).rejects.toThrow(/abort|wanted/i);
    await expect.poll(runs).toMatchObject([{state: 'ended', status: 'cancelled'}]);
  });

  it('is not asked about through a client that could not show the whole subject', async () => {
    const asked: Elicited[] = [];
    const answer = (elicited: Elicited): Reply => {
      asked.push(elicited);
      return {action: 'accept', content: {decision: 'approve'}};
    };
    await using server = await connectMcp(launcher, {answer});
    const {client} = server;
    const padded = `${requests.contested} ${'\nx'.repeat(9_000)}`;
    await client.callTool({name: 'plan', arguments: {task: padded}});
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toMatch(
      /Request:\n[^…]{0,1200}…\n[^]*1\. Write the note[^]*it needs a date/,
    );

    isPlanLong = true;
    const {structuredContent} = await client.callTool(contested);
    expect(structuredContent).toMatchObject({status: 'waiting'});
    expect(asked).toHaveLength(1);
  });

  it('returns its result to a client that answers after it was decided elsewhere', async () => {
    const elsewhere = async (): Promise<void> => {
      const [waiting] = await runs();
      await launcher.run(['resume', waiting?.id ?? '', '--decision', 'reject']);
    };
    const decided: Promise<void>[] = [];
    await using server = await connectMcp(launcher, {
      answer: async () => {
        decided.push(elsewhere());
        await Promise.all(decided);
        return {action: 'accept', content: {decision: 'approve'}};
      },
    });
    const {structuredContent} = await server.client.callTool(contested);
    expect(structuredContent).toMatchObject({status: 'rejected'});
  });

  it('is a result with its digest and commands for a client that can not ask', async () => {
    await using server = await connectMcp(launcher);
    const {client} = server;
    const {structuredContent, isError} = await client.callTool(contested);
    const {run, waiting} = waitingIn.parse(structuredContent);
    const short = waiting.digest.slice(0, 8);
    expect({structuredContent, isError}).toMatchObject({
      structuredContent: {
        status: 'waiting',
        waiting: {
          kind: 'plan',
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          commands: expect.arrayContaining([
            {
              command: `quorate resume ${run} --decision approve:${short}`,
              effect: expect.anything(),
            },
          ]),
        },
      },
    });
    const {code} = await launcher.perform(['resume', run, '--decision', `approve:${short}`]);
    expect(code).toBe(0);
  });

  it('accepts no answer to a question that it did not ask', async () => {
    await using server = await connectMcp(launcher, {answer: () => ({action: 'cancel'})});
    const {client} = server;
    await client.callTool(contested);
    const [waiting] = await runs();
    const payload = {p: {tool: 'plan', run: waiting?.id, digest: ''}, exp: 9_999_999_999};
    const forged = `v1.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.AAAA`;
    const request = {
      method: 'tools/call',
      params: {
        ...contested,
        requestState: forged,
        inputResponses: {decision: {action: 'accept', content: {decision: 'approve'}}},
      },
    };
    await expect(client.request(request, z.unknown())).rejects.toThrow(/requestState/);
    expect(await runs()).toMatchObject([{state: 'waiting'}]);
  });
});

it('a run that waits for its model is a suspended one, with the command that continues it', async () => {
  await models.close();
  await using server = await connectMcp(launcher);
  const {structuredContent, isError} = await server.client.callTool({
    name: 'ask',
    arguments: {question: requests.question},
  });
  expect({structuredContent, isError}).toMatchObject({
    structuredContent: {
      status: 'suspended',
      error: {code: expect.any(String)},
      resume: expect.stringMatching(/^quorate resume \w+$/),
    },
    isError: true,
  });
});

it('ends with its input, also when a message is too large, and prints nothing but messages', async () => {
  const ended = await launcher.run(['mcp'], {stdin: 'no message\n'});
  expect(ended).toMatchObject({code: 0, stdout: ''});
  const flooded = await launcher.run(['mcp'], {stdin: 'x'.repeat(17_000_000)});
  expect(flooded).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^warning: MCP: .*exceeded maximum size/m),
  });
});
