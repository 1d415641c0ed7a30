/** The models, the tools and the person of simulated worlds when nothing goes wrong. */

import {z} from 'zod';

import {createOfflineModel} from '../../actors/model/offline/offline.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import type {ToolOutcome} from '../../machines/domain/tool.ts';
import type {OpenAsk} from '../../machines/questionnaire/answers.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import {defineTool} from '../../tools/index.ts';
import {revised} from '../support/agent-models.ts';
import {answer, reply, vote} from '../support/scenario.ts';
import type {SceneName} from './plan.ts';

const offline = createOfflineModel();

const look = {id: 'look', description: 'look here', tool: 'look', args: {at: 'here'}};
const prove = {id: 'prove', description: 'prove it', tool: 'prove', args: {what: 'it'}};

const plans = {
  agent: {
    objective: 'Change the thing',
    reasoning: 'look, change, prove',
    tasks: [
      look,
      {id: 'change', description: 'change it', depends_on: ['look']},
      {...prove, depends_on: ['change']},
    ],
  },
  parallel: {
    objective: 'Prove both things',
    reasoning: 'they are independent',
    tasks: [prove, {...prove, id: 'again', description: 'prove more', args: {what: 'that'}}],
  },
  spawning: {
    objective: 'Ask another',
    reasoning: 'it knows',
    tasks: [
      {id: 'ask', description: 'ask', tool: 'spawn_ask', args: {request: 'How deep is it?'}},
      {...prove, depends_on: ['ask']},
    ],
  },
};

function planOf(scene: SceneName) {
  return scene === 'parallel' || scene === 'spawning' ? plans[scene] : plans.agent;
}

/** The worker calls the tool with an argument that its schema trims. */
function act({transcript}: ModelRequest): ModelOutcome {
  const turn = transcript.messages.filter(({role}) => role === 'assistant').length;
  return turn === 0 ? reply('change', {what: ' a little '}) : answer('Changed a little.');
}

function ask({transcript}: ModelRequest): ModelOutcome {
  const turn = transcript.messages.filter(({role}) => role === 'assistant').length;
  return turn === 0 ? reply('look', {at: 'the well'}) : answer('It is deep.');
}

type Replies = Readonly<Record<string, (request: ModelRequest, scene: SceneName) => ModelOutcome>>;

/** By purpose. */
const workers: Replies = {
  plan: ({transcript}, scene) =>
    reply('create_plan', revised(planOf(scene), transcript.messages[0]?.text ?? '')),
  evaluate: () => reply('evaluate_result', {successful: true, problems: []}),
  act,
  ask,
  close: () => answer('Changed.'),
  explore: () => answer('nothing to know'),
  discuss: ({model}) => answer(`${model} thinks that it is deep.`),
  'review-plan': () => vote('approve'),
  'review-action': () => vote('approve'),
};

/** The reply of a model that does its job. */
export async function replyOf(request: ModelRequest, scene: SceneName): Promise<ModelOutcome> {
  const work = workers[request.purpose];
  if (work) return work(request, scene);
  const {signal} = new AbortController();
  return await offline.call(request, {tools: [], signal, onDelta: () => {}});
}

/** Called for each run of a tool. */
type OnRun = (signal: AbortSignal) => Promise<ToolOutcome>;

/** Three tools that change nothing: to be repeated, to be checked first, and to be run once. */
export function simulatedTools(onRun: OnRun) {
  return [
    defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: z.strictObject({at: z.string()}),
      risk: 'low',
      repeatability: 'repeatable',
      run: async (_, {signal}) => await onRun(signal),
    }),
    defineTool({
      name: 'change',
      description: 'Changes.',
      parameters: z.strictObject({what: z.string().trim()}),
      repeatability: 'checkable',
      run: async (_, {signal}) => await onRun(signal),
    }),
    defineTool({
      name: 'prove',
      description: 'Proves.',
      parameters: z.strictObject({what: z.string()}),
      run: async (_, {signal}) => await onRun(signal),
    }),
  ];
}

export const questionnaire: Questionnaire = {
  id: 'shirt',
  title: 'A shirt',
  facts: [],
  fields: [
    {id: 'name', label: 'Full name', type: 'text', required: true, sensitivity: 'none', order: 0},
    {
      id: 'size',
      label: 'Size',
      type: 'choice',
      choices: ['S', 'M', 'L'],
      required: true,
      sensitivity: 'none',
      order: 1,
    },
    {id: 'wish', label: 'Wishes', type: 'text', required: false, sensitivity: 'none', order: 2},
  ],
};

const replies: Readonly<Record<string, string>> = {name: 'Ann Lee', size: 'M', wish: 'skip'};

/** What the person says to a message of an interview; a mistaken person says something else. */
export function saidTo({field = ''}: OpenAsk, isMistaken: boolean): string {
  return isMistaken ? 'purple' : (replies[field] ?? 'yes');
}
