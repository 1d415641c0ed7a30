/** Laws of discussions: how often participants are asked, which answers they read, and when there is a conclusion. */

import type {LawfulScenario} from './explored.ts';
import {
  listIn,
  type History,
  outputOf,
  requestsOf,
  settlementsOf,
  sinceResume,
  unless,
  valueIn,
} from './laws-record.ts';

function asked(record: History, purpose: string) {
  return requestsOf(record, 'callModel').filter(({request}) => request.purpose === purpose);
}

/** The last answer of each participant, by its model. */
function said(record: History): ReadonlyMap<string, string> {
  const answers = settlementsOf(record, 'callModel').filter(
    ({request}) => request.purpose === 'discuss',
  );
  return new Map(
    answers.flatMap(({request, outcome}) => {
      const text = valueIn(outcome, 'text');
      return typeof text === 'string' ? [[request.model, text] as const] : [];
    }),
  );
}

/** Laws by the rule that each states. */
export function discussLaws(participants: readonly string[]): LawfulScenario['law'] {
  return {
    'no tool but the search of documents runs': ({log}) => {
      const runs = requestsOf(log, 'runTool').filter(({request}) => request.tool !== 'search');
      return unless(runs.length === 0, 'another tool runs');
    },
    'each participant answers once, ranks once, and has the chair once': ({log}) => {
      const record = sinceResume(log);
      const counts = (['discuss', 'rank-answers', 'conclude'] as const).map(
        (purpose) => asked(record, purpose).length,
      );
      const most = [participants.length, participants.length, participants.length + 1];
      return unless(
        counts.every((count, index) => count <= (most[index] ?? 0)),
        `asked ${counts.join(', ')} times`,
      );
    },
    'a reader sees the answers of others and not its own': ({log}) => {
      const answers = said(log);
      return asked(log, 'rank-answers').flatMap(({request: {model, transcript}}) => {
        const text = transcript.messages[0]?.text ?? '';
        const isRight = [...answers].every(
          ([by, words]) => text.includes(words) === (by !== model),
        );
        return unless(isRight, `${model} reads ${text}`);
      });
    },
    'it completes only with a conclusion and an answer, and fails only without an answer': (
      played,
    ) => {
      const output = outputOf(played);
      const isCompleted = valueIn(output, 'status') === 'completed';
      const conclusion = valueIn(output, 'discussion', 'conclusion') ?? '';
      const hasFailed = valueIn(output, 'status') === 'failed';
      return [
        ...unless(
          !isCompleted || (conclusion !== '' && said(played.log).size > 0),
          'nothing is concluded',
        ),
        ...unless(!hasFailed || said(played.log).size === 0, 'it has failed with an answer'),
      ];
    },
    'the notes name silent participants, and a degraded result has a reason': (played) => {
      const output = outputOf(played);
      if (valueIn(output, 'status') !== 'completed') return [];
      const notes = listIn(output, 'discussion', 'notes').join('; ');
      const silent = participants.filter((each) => !said(played.log).has(each));
      const unnamed = silent.filter((each) => !notes.includes(`${each} gave no answer`));
      const isDegraded = valueIn(output, 'discussion', 'degraded') === true;
      return [
        ...unless(unnamed.length === 0, `${unnamed.join()} is not in the notes`),
        ...unless(!isDegraded || notes !== '', 'degraded without a reason'),
        ...unless(silent.length === 0 || isDegraded, 'it is not marked as degraded'),
      ];
    },
  };
}

/** Laws by the rule that each states. */
export const debateLaws: LawfulScenario['law'] = {
  'an escalated debate is concluded or rejected only by a person': (played) => {
    const output = outputOf(played);
    const isEscalated = valueIn(output, 'discussion', 'debate', 'outcome') === 'escalated';
    const word = settlementsOf(played.log, 'askHuman').at(-1)?.outcome;
    const isAccepted = valueIn(word, 'decision') === 'approve';
    const isCompleted = valueIn(output, 'status') === 'completed';
    return [
      ...unless(!isCompleted || !isEscalated || isAccepted, 'it is concluded without an approval'),
      ...unless(
        valueIn(output, 'status') !== 'rejected' || valueIn(word, 'decision') === 'reject',
        'it is rejected without a rejection',
      ),
    ];
  },
  'a person is asked at most once, and no participant answers or ranks': ({log}) => {
    const strange = asked(log, 'discuss').length + asked(log, 'rank-answers').length;
    return unless(requestsOf(log, 'askHuman').length <= 1 && strange === 0, 'asked without need');
  },
};
