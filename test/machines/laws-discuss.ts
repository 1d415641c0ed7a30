/** Laws of discussions: who is asked what how often, what readers may see, and when a conclusion may be told. */

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

/** What each participant said last, by its path. */
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

/** By the rule that each states. */
export function discussLaws(participants: readonly string[]): LawfulScenario['law'] {
  return {
    'nothing but documents is looked at': ({log}) => {
      const runs = requestsOf(log, 'runTool').filter(({request}) => request.tool !== 'search');
      return unless(runs.length === 0, 'a tool runs');
    },
    'everybody answers once, reads once, and has the chair once': ({log}) => {
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
    'it is completed exactly with a conclusion, and needs an answer for it': (played) => {
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
    'who is silent is told, and nothing is degraded without a reason': (played) => {
      const output = outputOf(played);
      if (valueIn(output, 'status') !== 'completed') return [];
      const notes = listIn(output, 'discussion', 'notes').join('; ');
      const silent = participants.filter((each) => !said(played.log).has(each));
      const untold = silent.filter((each) => !notes.includes(`${each} gave no answer`));
      const isDegraded = valueIn(output, 'discussion', 'degraded') === true;
      return [
        ...unless(untold.length === 0, `${untold.join()} is not told of`),
        ...unless(!isDegraded || notes !== '', 'degraded without a reason'),
        ...unless(silent.length === 0 || isDegraded, 'it is not told as degraded'),
      ];
    },
  };
}

/** By the rule that each states. */
export const debateLaws: LawfulScenario['law'] = {
  'what is open and grave needs a person before it is concluded': (played) => {
    const output = outputOf(played);
    const isEscalated = valueIn(output, 'discussion', 'debate', 'outcome') === 'escalated';
    const word = settlementsOf(played.log, 'askHuman').at(-1)?.outcome;
    const isAccepted = valueIn(word, 'decision') === 'approve';
    const isCompleted = valueIn(output, 'status') === 'completed';
    return [
      ...unless(!isCompleted || !isEscalated || isAccepted, 'it is concluded without a word'),
      ...unless(
        valueIn(output, 'status') !== 'rejected' || valueIn(word, 'decision') === 'reject',
        'it is rejected without a word',
      ),
    ];
  },
  'a person is asked at most once, and nobody answers, ranks or reviews': ({log}) => {
    const strange = asked(log, 'discuss').length + asked(log, 'rank-answers').length;
    return unless(requestsOf(log, 'askHuman').length <= 1 && strange === 0, 'asked without need');
  },
};
