/** Rules over the wire: an interaction is spawned after a number of events, its result is used, and a crash changes nothing. */

import {describe, expect, test} from 'vitest';

import type {ConfigInput} from '../../actors/index.ts';
import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {follow, ofType, setWireStage, type WireStageOptions} from '../support/stage.ts';

/** Five revisions; the events of the spawned interactions. */
async function ruled(say: NonNullable<WireStageOptions['say']>, spawn: ConfigInput['spawn']) {
  const {start, received} = await setWireStage({
    say,
    config: {
      agent: {max_plan_revisions: 5, hil_mode: 'auto_reject'},
      quorum: {feedback_grace_ms: 1},
      spawn,
    },
  });
  const {result, events} = await follow(start('Write a note to note.txt'));
  return {result, received, spawned: ofType(events, 'interaction.spawned')};
}

/** Replies of all models that do not reject. */
function speak(received: ReceivedRequest): Said {
  if (received.model === 'asker') return {text: 'Ask for a shorter one.'};
  if (received.tools.includes('rank_answers')) {
    const reviews = ['Response A', 'Response B'].map((label) => ({
      label,
      assessment: 'clear',
      strengths: [],
      weaknesses: [],
      score: 5,
    }));
    return call('rank_answers', {ranking: ['Response A', 'Response B'], reviews});
  }
  if (received.tools.includes('conclude')) {
    const conclusion = 'The note wants a date.';
    return call('conclude', {conclusion, key_points: [], agreements: [], disagreements: []});
  }
  if (received.tools.length === 0) return {text: `A date, says ${received.model}.`};
  return isBallot(received) ? ballot('approve') : act(received);
}

/** Each reviewer rejects `times` proposals for which `isBad` is true. */
function rejecting(
  times: number,
  isBad: (received: ReceivedRequest) => boolean,
): (received: ReceivedRequest) => Said {
  const left = new Map<string, number>();
  return (received) => {
    const more = left.get(received.model) ?? times;
    if (!isBallot(received) || !isBad(received) || more === 0) return speak(received);
    left.set(received.model, more - 1);
    return ballot('reject', 'not yet');
  };
}

describe('over the wire', () => {
  test('two rejected plans spawn one discussion, whose conclusion the planner reads before its next plan', async () => {
    const {result, spawned, received} = await ruled(rejecting(4, isPlanBallot), [
      {when: 'plan.rejected:2', form: 'discuss', request: 'What is wrong with these plans?'},
    ]);
    expect(result).toMatchObject({
      status: 'completed',
      interactions: [
        {id: `${result.interaction}.1`, form: 'discuss', by: 'rule', status: 'completed'},
      ],
    });
    expect(spawned).toMatchObject([
      {
        form: 'discuss',
        by: 'rule',
        contextMode: 'full',
        request: 'What is wrong with these plans?',
      },
    ]);
    const conclusion = '[Discuss Result (3 models)]: The note wants a date.';
    const drafts = received.filter(({tools}) => tools.includes('create_plan'));
    const isRead = drafts.map(({text}) => text.includes(conclusion));
    expect(isRead).toEqual([false, false, true, true, true]);
  });
});
