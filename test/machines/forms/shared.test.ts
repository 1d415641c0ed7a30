/** The context that a form shares with its children while it is at work: in full, and as a summary. */

import {expect, test} from 'vitest';
import type {AnyActorRef} from 'xstate';

import type {ContextMode} from '../../../machines/domain/interaction-form.ts';
import type {InteractionForm} from '../../../machines/domain/interaction-form.ts';
import type {ModelOutcome, ModelRequest} from '../../../machines/domain/model.ts';
import {sharedBy} from '../../../machines/forms/forms.ts';
import {inheritedFor} from '../../../machines/prompts/inherited.ts';
import {answer, createScenario, reply, work} from '../../support/scenario.ts';

type SharedContext = (mode: ContextMode) => string;

/** Runs a form, and returns the context that it shares at the first request for which `isDue` is true. */
async function sharedAt(
  form: Exclude<InteractionForm, 'review'>,
  isDue: (request: ModelRequest) => boolean,
  models: (request: ModelRequest) => ModelOutcome = work,
  strategy: 'quorum' | 'debate' = 'quorum',
): Promise<SharedContext> {
  const found: {actor?: AnyActorRef; shared?: SharedContext} = {};
  const {runtime} = createScenario({
    config: {
      ask: {model: 'test/worker'},
      discuss: {participants: ['test/x', 'test/y'], moderator: 'test/z', strategy},
    },
    inspect: ({actorRef}) => {
      if (isForm(actorRef)) found.actor = actorRef;
    },
    work: (request) => {
      if (found.actor && !found.shared && isDue(request))
        found.shared = sharedNow(form, found.actor);
      return models(request);
    },
  });
  const run = runtime.start({
    form,
    request: 'Change the thing',
    workspace: import.meta.dirname,
    attachments: [{name: 'notes', text: 'It is blue.'}],
  });
  await run.result;
  await runtime.close();
  if (!found.shared) throw new Error('no request was due');
  return found.shared;
}

function isForm(actor: object): actor is AnyActorRef {
  return 'id' in actor && actor.id === 'form';
}

/** The context that the form shares now, in each mode. */
function sharedNow(form: InteractionForm, actor: AnyActorRef): SharedContext {
  const budget = {maxTotalBytes: 60_000, maxEntryBytes: 20_000, recentFullCount: 3};
  const parts = sharedBy(form, actor);
  const [full = '', projected = ''] = (['full', 'projected'] as const).map((mode) =>
    inheritedFor(mode, parts, budget),
  );
  return (mode) => (mode === 'full' ? full : projected);
}

function turnOf({transcript}: ModelRequest): number {
  return transcript.messages.filter(({role}) => role === 'assistant').length;
}

function texts(...parts: readonly string[]): string {
  return parts.join('\n\n');
}

test('an agent shares its plan with anonymous votes, its background, results and open work', async () => {
  const shared = await sharedAt(
    'agent',
    (request) => request.purpose === 'act' && turnOf(request) === 1,
  );
  const [before, after] = shared('full').split(
    /\n\nBackground:\n> # Attached[^]*> nothing to know\n\nSurvey:\n[^]*?\n\n(?=Results)/,
  );
  expect(before).toBe(
    texts(
      'From the agent, executing:',
      'Request:\n> Change the thing',
      'Objective:\n> Change the thing\n> look, change, prove, as said 1 times',
      'Tasks of the plan:\n> - a: look here\n> - b: look there\n> - c: change it\n> - d: prove it',
      'Tasks at work:\n> - c',
      'Votes:\n> Round 1: rejected [○○○]\n> Reasons:\n> > - a reviewer: I reject\n> > - a reviewer: I reject\n> > - a reviewer: I reject\n> Round 2: approved [●●·]',
    ),
  );
  expect(after).toBe(
    texts(
      'Results so far:\n> Task a (succeeded): "look here"\n> Result:\n> > look here\n> Done:\n> - look {"at":"here"}: succeeded\n> \n> Task b (succeeded): "look there"\n> Result:\n> > look there\n> Done:\n> - look {"at":"there"}: succeeded',
      'Steps so far:\n> - change {"what":"everything"} (rejected): Not allowed. x: I reject\n> y: I reject\n> z: I reject',
    ),
  );
  expect(shared('projected')).toBe(
    texts(
      'From the agent, executing:',
      'Request:\n> Change the thing',
      'Objective:\n> Change the thing',
      'Tasks at work:\n> - c: change it',
      'Results so far:\n> - a (succeeded): look here: look here\n> - b (succeeded): look there: look there',
      'Steps so far:\n> - change {"what":"everything"} (rejected): Not allowed. x: I reject y: I reject z: I reject',
    ),
  );
});

test('an agent without a plan shares the steps of its explorer', async () => {
  const shared = await sharedAt(
    'agent',
    (request) => request.purpose === 'explore' && turnOf(request) === 1,
    (request) =>
      request.purpose === 'explore' && turnOf(request) === 0
        ? reply('look', {at: 'everything'})
        : work(request),
  );
  expect(shared('full')).toBe(
    texts(
      'From the agent, gathering:',
      'Request:\n> Change the thing',
      'Attached:\n> notes:\n> > It is blue.',
      'Steps so far:\n> - look {"at":"everything"} (succeeded): look everything',
    ),
  );
});

test('an ask shares the steps that it has taken', async () => {
  const shared = await sharedAt(
    'ask',
    (request) => turnOf(request) === 1,
    (request) => (turnOf(request) === 0 ? reply('look', {at: 'here'}) : answer('so it is')),
  );
  expect(shared('full')).toBe(
    texts(
      'From the ask, working:',
      'Question:\n> Change the thing',
      'Attached:\n> notes:\n> > It is blue.',
      'Steps so far:\n> - look {"at":"here"} (succeeded): look here',
    ),
  );
  expect(shared('projected')).toBe(
    texts(
      'From the ask, working:',
      'Question:\n> Change the thing',
      'Steps so far:\n> - look {"at":"here"} (succeeded): look here',
    ),
  );
});

test('a discussion shares its answers without the names of the participants', async () => {
  const shared = await sharedAt(
    'discuss',
    ({purpose}) => purpose === 'rank-answers',
    ({purpose, model}) =>
      purpose === 'discuss'
        ? answer(`${model} says ${model === 'test/x' ? 'yes' : 'no'}`)
        : answer(''),
  );
  expect(shared('projected')).toBe(
    texts(
      'From the discuss, peerReviewing:',
      'Question:\n> Change the thing',
      'Answers so far:\n> - Answer 1: [a participant] says yes\n> - Answer 2: [a participant] says no',
    ),
  );
  expect(shared('full')).toContain('Attached:\n> notes:\n> > It is blue.\n\nBackground:\n> ');
});

test('a debate shares its current position and objections', async () => {
  const shared = await sharedAt(
    'discuss',
    ({purpose}) => purpose === 'answer-objections',
    ({purpose}) => {
      if (purpose === 'take-position') {
        return reply('take_position', {position: 'Move it.', arguments: ['backups']});
      }
      const objections = [{severity: 'minor', objection: 'a fault'}];
      return purpose === 'raise-objections' ? reply('raise_objections', {objections}) : answer('');
    },
    'debate',
  );
  expect(shared('projected')).toBe(
    texts(
      'From the discuss, debating:',
      'Question:\n> Change the thing',
      'Position:\n> Move it.',
      'Objections:\n> - O1 (minor, open): a fault',
    ),
  );
});
