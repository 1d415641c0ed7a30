/** The shape of each port's outcome, as far as charts rely on it. An outcome that does not fit is a bug of its performer. */

import {
  anyObject,
  boolean,
  byKind,
  listOf,
  number,
  objectOf,
  oneOf,
  optional,
  type Shape,
  share,
  text,
} from './domain/shape.ts';

const withMessage = objectOf({message: text});
const refusal = objectOf({code: text, message: text});

export const modelOutcome: Shape = byKind(
  'kind',
  {
    ok: objectOf({
      text,
      calls: listOf(objectOf({id: text, name: text, args: anyObject})),
      opaque: optional(objectOf({model: text})),
    }),
  },
  withMessage,
);

const lines = {added: number, removed: number, diff: optional(text)};
const change = objectOf({path: text, ...lines, net: optional(listOf(objectOf(lines)))});

const confinement = oneOf('bubblewrap', 'landlock', 'seatbelt', 'none');

const commandRecord = {
  confinement: optional(confinement),
  written: optional(listOf(text)),
  changes: optional(listOf(change)),
  checks: optional(listOf(objectOf({kind: text, status: text}))),
};

export const toolOutcome: Shape = byKind(
  'kind',
  {
    succeeded: objectOf({
      text,
      exitCode: optional(number),
      found: optional(listOf(text)),
      ...commandRecord,
    }),
    failed: objectOf({code: text, message: text, text: optional(text), ...commandRecord}),
    refused: refusal,
    inDoubt: withMessage,
    cancelled: withMessage,
  },
  objectOf({kind: oneOf('succeeded', 'failed', 'refused', 'inDoubt', 'cancelled')}),
);

export const previewOutcome: Shape = byKind(
  'kind',
  {
    ready: objectOf({
      args: anyObject,
      preview: text,
      facts: optional(listOf(text)),
      confinement: optional(confinement),
      allow: optional(
        listOf(objectOf({folder: text, command: text, match: oneOf('exact', 'prefix')})),
      ),
    }),
    refused: refusal,
  },
  objectOf({kind: oneOf('ready', 'refused')}),
);

export const checkedCalls: Shape = objectOf({
  problems: listOf(text),
  changes: optional(listOf(objectOf({task: text, preview: text, basedOn: optional(text)}))),
});
export const survey: Shape = objectOf({
  text,
  read: listOf(text),
  files: optional(number),
  sources: optional(listOf(objectOf({path: text, text}))),
  machine: optional(
    objectOf({facts: listOf(text), git: optional(objectOf({status: text, subjects: text}))}),
  ),
});
export const locked: Shape = objectOf({locked: boolean});
export const resumed: Shape = objectOf({resumed: boolean});
export const missing: Shape = objectOf({missing: listOf(text)});

export const guardrailResult: Shape = objectOf({
  action: oneOf('allow', 'warn', 'block'),
  reason: text,
  details: anyObject,
});

/** At least one reason: a verdict without a reason can't be weighed. */
const ballot: Shape = objectOf({
  verdict: oneOf('approve', 'reject', 'abstain'),
  reasons: listOf(text, 1),
  confidence: share,
  suggestedChange: optional(text),
  rules: optional(listOf(text)),
  unknown: optional(listOf(text)),
  comments: optional(listOf(objectOf({file: text, severity: text, message: text}))),
  calls: optional(
    listOf(
      objectOf({
        number,
        verdict: oneOf('approve', 'reject', 'abstain'),
        reasons: listOf(text, 1),
        rules: optional(listOf(text)),
        unknown: optional(listOf(text)),
      }),
    ),
  ),
});

export const policyBallot: Shape = objectOf({ballot});

export const policyBallots: Shape = objectOf({ballots: listOf(ballot)});

export const decision: Shape = byKind(
  'decision',
  {
    edit: objectOf({plan: anyObject}),
    revise: objectOf({reason: text}),
    answer: objectOf({content: anyObject}),
  },
  objectOf({decision: oneOf('approve', 'always', 'reject', 'retry', 'done', 'fail')}),
);

export const personReply: Shape = objectOf({text, field: optional(text)});

const fieldChange = {field: text, text: optional(text)};

const correction = objectOf({
  ...fieldChange,
  more: optional(listOf(objectOf(fieldChange))),
  unread: optional(listOf(text)),
});

const route = byKind(
  'kind',
  {language: objectOf({language: text}), correct: correction},
  objectOf({kind: text}),
);

export const replyReading: Shape = objectOf({
  route,
  found: listOf(objectOf({field: text, quote: text})),
});

export const settingReading: Shape = objectOf({value: optional(text), problem: optional(text)});

export const answerReading: Shape = objectOf({
  facts: anyObject,
  problems: listOf(text),
  missing: listOf(text),
  suffices: boolean,
});

export const questionnaireReading: Shape = byKind(
  'kind',
  {read: objectOf({questionnaire: anyObject})},
  objectOf({kind: oneOf('absent', 'invalid'), problem: text}),
);
