/** The context that a child interaction receives from its parent, over the wire: every form below every form, in every mode. */

import {describe, expect, test} from 'vitest';

import type {ContextMode} from '../../machines/domain/interaction-form.ts';
import {ballot, call} from '../support/agent-models.ts';
import {isDeep} from '../support/depth.ts';
import {putManyFiles} from '../support/many-files.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setWireStage} from '../support/stage.ts';

const forms = ['agent', 'ask', 'discuss'] as const;
type Form = (typeof forms)[number];

/** The finding of the parent; it is too long for a summary, which loses its end. */
const start = 'The door is blue';
const end = 'and it is locked.';
const finding = `${start}, ${'as far as anybody knows, '.repeat(40)}${end}`;

const above = 'What about the door?';
const below = 'Find out about the key.';

function isBelow({text}: ReceivedRequest): boolean {
  return text.includes(`# Request\n${below}`) || text.includes(`# Question\n${below}`);
}

/** The replies of every model, to the parent and to the child. */
function reply(received: ReceivedRequest): Said {
  const name = received.tools.find((tool) => tool in replies);
  const file = isBelow(received) ? 'key.txt' : 'door.txt';
  if (name !== undefined) return replies[name]?.(file) ?? {text: ''};
  const isAsk = /^# Question$/m.test(received.text) && received.tools.includes('read_file');
  if (isAsk && received.turn === 0) return call('read_file', {path: file});
  return {
    text: isBelow(received) ? `${received.model} has no key.` : `${received.model}: ${finding}`,
  };
}

const replies: Readonly<Record<string, (file: string) => Said>> = {
  cast_ballot: () => ballot('approve'),
  create_plan: (path) => {
    const tasks = [{id: 'a', description: 'look', tool: 'read_file', args: {path}}];
    return call('create_plan', {objective: 'Look', reasoning: '', tasks});
  },
  evaluate_result: () => call('evaluate_result', {successful: true, problems: []}),
  rank_answers: () => {
    const review = {label: 'Response A', assessment: 'well', score: 5};
    return call('rank_answers', {ranking: ['Response A'], reviews: [review]});
  },
  conclude: () => {
    const nothing = {key_points: [], agreements: [], disagreements: []};
    return call('conclude', {conclusion: 'So it is.', ...nothing});
  },
};

/** True when the parent has its finding and has not ended. */
function hasFound(form: Form, received: ReceivedRequest): boolean {
  if (form === 'ask') return received.turn === 1;
  return received.tools.includes(form === 'agent' ? 'evaluate_result' : 'rank_answers');
}

/** Resolves with all prompts of the models of the child. */
async function promptsBelow(form: Form, child: Form, contextMode?: ContextMode): Promise<string[]> {
  let isSpawned = false;
  const files = {'door.txt': finding, 'key.txt': 'There is no key.'};
  const stage = await setWireStage({
    files,
    say: (received) => {
      if (!isSpawned && hasFound(form, received)) {
        isSpawned = true;
        const mode = contextMode ? {contextMode} : {};
        run.send({type: 'interaction.spawn', form: child, request: below, ...mode});
      }
      return reply(received);
    },
    config: {
      agent: {exploration_model: 'mock/worker', review_models: ['mock/p']},
      discuss: {participants: ['mock/p', 'mock/q'], moderator: 'mock/worker'},
    },
  });
  putManyFiles(stage.workspace);
  const run = stage.start(above, {form});
  const result = await run.result;
  expect(result).toMatchObject({status: 'completed'});
  expect(result.interactions).toMatchObject([{form: child, status: 'completed'}]);
  return stage.received.filter(isBelow).map(({text}) => text);
}

/** The parts of the parent (request, start and end of the finding) that each prompt of the child has, by mode. */
const known: Readonly<Record<ContextMode, readonly boolean[]>> = {
  full: [true, true, true],
  projected: [true, true, false],
  fresh: [false, false, false],
};

function knownIn(prompt: string): readonly boolean[] {
  return [above, start, end].map((text) => prompt.includes(text));
}

/** Each pair of forms in some mode, and each mode for some form; in a deep search, all combinations. */
const modes = ['full', 'projected', 'fresh'] as const;

const usual = {agent: 'full', ask: 'projected', discuss: 'full'} as const;

describe.each(forms)('below %s', (form) => {
  test.each(
    forms.flatMap((child, row) =>
      modes
        .filter((_, column) => isDeep || (row + column) % forms.length === forms.indexOf(form))
        .map((mode) => [child, mode] as const),
    ),
  )('%s with %s context receives that context in each of its prompts', async (child, mode) => {
    const prompts = await promptsBelow(form, child, mode);
    expect(prompts.length).toBeGreaterThan(0);
    expect(prompts.map(knownIn)).toEqual(prompts.map(() => known[mode]));
  });

  test.each(forms)('%s receives its default context when no mode is set', async (child) => {
    const prompts = await promptsBelow(form, child);
    expect(prompts.map(knownIn)).toEqual(prompts.map(() => known[usual[child]]));
  });
});
