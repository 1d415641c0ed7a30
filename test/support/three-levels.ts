/** A run of three levels, spawned by a person: an agent, below it a question, below that a discussion. */

import type {Entry} from '../../actors/journal/journal.ts';
import type {Run} from '../../actors/runtime-api.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {answer, createScenario, reply, type Scenario, work} from './scenario.ts';

export interface ThreeLevels {
  readonly scenario: Scenario;
  readonly run: Run;
  /** The ids of the question and of the discussion. */
  readonly question: string;
  readonly discussion: string;
  /** Releases the models of the question, and then those of the agent. Resolves with all entries. */
  readonly goOn: () => Promise<readonly Entry[]>;
}

/** Resolves once the discussion has settled and the others wait for their models. */
export async function startThreeLevels(): Promise<ThreeLevels> {
  const above = Promise.withResolvers<void>();
  const between = Promise.withResolvers<void>();
  const scenario = createScenario({
    config: {
      ask: {model: 'test/x'},
      discuss: {participants: ['test/y', 'test/z'], moderator: 'test/y'},
    },
    work: async (request) => {
      if (request.purpose === 'explore') await above.promise;
      if (request.purpose === 'ask') await between.promise;
      return talk(request) ?? work(request);
    },
  });
  const run = scenario.start();
  const [question, discussion] = [`${run.id}.1`, `${run.id}.1.1`];
  const settled = await spawnBoth(run, question);
  if (settled !== discussion) throw new Error(`${settled} is not the discussion`);
  return {
    scenario,
    run,
    question,
    discussion,
    goOn: async () => {
      between.resolve();
      await ended(run, question);
      above.resolve();
      await run.result;
      return await scenario.runtime.entries(run.id);
    },
  };
}

async function spawnBoth(run: Run, question: string): Promise<string | undefined> {
  await run.opened;
  const spawn = {type: 'interaction.spawn', contextMode: 'fresh'} as const;
  run.send({...spawn, form: 'ask', request: 'How deep is it?'});
  for await (const event of run.events) {
    if (event.type === 'interaction.settled') return event.child;
    if (event.type !== 'phase.changed' || event.phase !== 'working') continue;
    if (event.interaction !== question) continue;
    run.send({...spawn, form: 'council', request: 'Is that deep enough?', parent: question});
  }
  return undefined;
}

async function ended(run: Run, id: string): Promise<void> {
  for await (const event of run.events) {
    if (event.type === 'interaction.settled' && event.child === id) return;
  }
}

function talk({purpose}: ModelRequest): ModelOutcome | undefined {
  if (purpose === 'ask') return answer('It is 3 m deep.');
  if (purpose === 'discuss') return answer('It depends.');
  if (purpose !== 'conclude') return undefined;
  return reply('conclude', {
    conclusion: 'Deep enough.',
    key_points: [],
    agreements: [],
    disagreements: [],
  });
}
