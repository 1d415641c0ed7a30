/**
 * Replies of the models of a mock server for runs in which each interaction spawns another. An agent spawns by an exact call of
 * its plan, a question by a call of its model; a discussion has no tools, so a person spawns for it.
 */

import type {Run} from '../../actors/runtime-api.ts';
import type {ProgressEvent} from '../../machines/facts/progress.ts';
import {ballot, call, isBallot} from './agent-models.ts';
import type {ReceivedRequest, Said} from './mock-openai.ts';

export type ChainForm = 'agent' | 'ask' | 'discuss';

/** The request of an interaction in a chain: the name of the chain, and the forms to begin below it. */
export function chainRequest(name: string, below: readonly ChainForm[]): string {
  return `chain ${name}:${below.join('>')}.`;
}

interface Link {
  readonly name: string;
  readonly below: readonly ChainForm[];
}

function linkIn(text: string): Link {
  const [, name = '', forms = ''] = /chain (\w+):([\w>]*)\./.exec(text) ?? [];
  const below = forms.split('>').filter((form) => form !== '');
  return {
    name,
    below: below.map((form) => (form === 'agent' || form === 'ask' ? form : 'discuss')),
  };
}

/** The request of the interaction that a model works for. */
export function askedOf({text}: ReceivedRequest): string {
  return /^# (?:Question|Request)\n(chain .*)$/m.exec(text)?.[1] ?? '';
}

export interface Chains {
  readonly answer: (received: ReceivedRequest) => Said | Promise<Said>;
  /** Spawns, as a person, the interaction below a discussion. */
  readonly follow: (run: Run, event: ProgressEvent) => void;
}

export function createChains(): Chains {
  /** By the request of a discussion: resolved once a person has spawned for it. */
  const begun = new Map<string, PromiseWithResolvers<Said>>();
  const beginning = (request: string) => {
    const known = begun.get(request) ?? Promise.withResolvers<Said>();
    begun.set(request, known);
    return known;
  };
  const meet = (run: Run, id: string, form: string, request: string): void => {
    if (form !== 'discuss') return;
    const {name, below} = linkIn(request);
    const [next, ...rest] = below;
    if (next !== undefined) {
      run.send({
        type: 'interaction.spawn',
        form: next,
        request: chainRequest(name, rest),
        parent: id,
      });
    }
    beginning(request).resolve({text: 'discussed'});
  };
  return {
    answer: (received) => {
      const asked = askedOf(received);
      const closes = /^# Results\n/m.test(received.text);
      if (received.tools.length > 0 || !asked || closes) return byTools(received, linkIn(asked));
      return beginning(asked).promise;
    },
    follow: (run, event) => {
      if (event.type === 'interaction.started') meet(run, run.id, event.form, event.request);
      if (event.type === 'interaction.spawned') meet(run, event.child, event.form, event.request);
    },
  };
}

function byTools(received: ReceivedRequest, {name, below}: Link): Said {
  const {tools, text, turn} = received;
  const [next, ...rest] = below;
  const spawn = {tool: `spawn_${next}`, args: {request: chainRequest(name, rest)}};
  if (isBallot(received)) return ballot('approve');
  if (tools.includes('create_plan')) {
    const task = {id: 'only', description: 'Report', ...(next === undefined ? {} : spawn)};
    const plan = {objective: 'Report it', reasoning: '', asks_for_change: false, tasks: [task]};
    return call('create_plan', plan);
  }
  if (tools.includes('evaluate_result')) {
    return call('evaluate_result', {successful: true, problems: []});
  }
  if (tools.includes('conclude')) {
    const conclusion = {conclusion: 'concluded', key_points: [], agreements: [], disagreements: []};
    return call('conclude', conclusion);
  }
  const isQuestion = /^# Question\n/m.test(text);
  if (isQuestion && turn === 0 && next !== undefined) return call(spawn.tool, spawn.args);
  return {text: isQuestion ? 'answered' : 'reported'};
}
