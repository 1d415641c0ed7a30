/** A run that is suspended names the calls that it aborts, and a resumed run names their repetition. */

import {expect, test} from 'vitest';

import {peekRun} from '../../../actors/sessions/peek.ts';
import type {ModelOutcome} from '../../../machines/domain/model.ts';
import {createScenario, work} from '../../support/scenario.ts';

const planning = 'the call of test/worker (plan) is asked again';

test('a call that a suspension aborted is named, while the run is open and after it resumes', async () => {
  const {promise: never} = Promise.withResolvers<ModelOutcome>();
  let mayAnswer = false;
  const asked = Promise.withResolvers<undefined>();
  const {runtime, journal, start} = createScenario({
    work: async (request) => {
      if (request.purpose !== 'plan' || mayAnswer) return work(request);
      asked.resolve(undefined);
      return await never;
    },
  });
  const run = start();
  await asked.promise;
  expect(run.underWay()).toEqual([planning]);
  await run.suspend('interrupted');
  expect(await run.result).toMatchObject({status: 'waiting', exitCode: 130, aborted: [planning]});
  expect((await peekRun(run.id, await journal.log.read(run.id))).underWay).toEqual([planning]);

  mayAnswer = true;
  const resumed = await runtime.resume(run.id);
  expect(resumed.underWay()).toEqual([planning]);
  const result = await resumed.result;
  expect(result).toMatchObject({status: 'completed'});
  expect(result).not.toHaveProperty('aborted');
});
