/** Interactions below interactions, to depth 3, each form below each; over the wire. */

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {createRuntime} from '../../actors/index.ts';
import type {Run, Runtime} from '../../actors/runtime-api.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {askedOf, chainRequest, type ChainForm, createChains} from '../support/chains.ts';
import {isDeep} from '../support/depth.ts';
import {type ReceivedRequest, type MockOpenAi, startMockOpenAi} from '../support/mock-openai.ts';

const forms: readonly ChainForm[] = ['agent', 'ask', 'discuss'];
const chains = createChains();
let workspace: string;
let server: MockOpenAi;
let runtime: Runtime;

beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'quorate-nesting-'));
  server = await startMockOpenAi(chains.answer);
  runtime = createRuntime({
    config: {
      agent: {
        exploration_model: 'mock/worker',
        decision_model: 'mock/worker',
        review_models: ['mock/reviewer'],
      },
      ask: {model: 'mock/worker'},
      providers: {mock: {kind: 'openai-compatible', base_url: server.baseUrl}},
    },
    env: {},
  });
});

afterAll(async () => {
  await runtime.close();
  await server.close();
  rmSync(workspace, {recursive: true});
});

interface Followed {
  readonly result: RunResult;
  /** The error of a spawn below the interaction at depth 3. */
  readonly refusal: unknown;
}

async function follow(run: Run): Promise<Followed> {
  let refusal: unknown;
  for await (const event of run.events) {
    chains.follow(run, event);
    if (event.type === 'interaction.spawned' && event.depth === 3) {
      refusal = refusedBelow(run, event.child);
    }
  }
  return {result: await run.result, refusal};
}

function refusedBelow(run: Run, parent: string): unknown {
  try {
    run.send({type: 'interaction.spawn', form: 'ask', request: 'Deeper?', parent});
    return 'not refused';
  } catch (error) {
    return error;
  }
}

/** Chains of forms, by their places in the list: each form below each one at each depth; in a deep search, every chain. */
const nested = forms.flatMap((root, top) =>
  forms.flatMap((one, first) =>
    forms.flatMap((two, second) =>
      forms
        .filter(
          (_, third) => isDeep || (isSum(second, top + first) && isSum(third, first + second)),
        )
        .map((three) => [root, one, two, three] as const),
    ),
  ),
);

function isSum(place: number, sum: number): boolean {
  return place === sum % forms.length;
}

const results: Readonly<Record<ChainForm, string>> = {
  agent: '[Agent Result (completed)]: Report it',
  ask: '[Ask Result]: answered',
  discuss: '[Discuss Result (1 models)]: concluded',
};

/** The requests of models on behalf of the interaction with this request. */
function receivedFor(request: string): readonly ReceivedRequest[] {
  return server.received.filter((each) => askedOf(each) === request);
}

test.each(nested)(
  'below %s, %s, %s and %s are nested, and nothing below them',
  async (root, ...chain) => {
    const name = [root, ...chain].join('');
    const run = runtime.start({form: root, request: chainRequest(name, chain), workspace});
    const {result, refusal} = await follow(run);

    expect(result.status).toBe('completed');
    expect(
      result.interactions?.map(({form, depth, parent, status}) => [form, depth, parent, status]),
    ).toEqual(
      chain.map((form, index) => [form, index + 1, `${run.id}${'.1'.repeat(index)}`, 'completed']),
    );
    expect(refusal).toMatchObject({code: 'maxDepthExceeded'});
    const deepest = receivedFor(chainRequest(name, []));
    expect(deepest.filter(({text, tools}) => `${text} ${tools.join()}`.includes('spawn_'))).toEqual(
      [],
    );
    // A discussion does not wait: it reads results that arrive while it still has models to call.
    const waiting = [...chain.entries()].filter(([index]) => [root, ...chain][index] !== 'discuss');
    for (const [index, form] of waiting) {
      const received = receivedFor(chainRequest(name, chain.slice(index)));
      expect(received.map(({text}) => text).join('\n')).toContain(results[form]);
    }
  },
);
