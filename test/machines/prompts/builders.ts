/** All builders of messages to models, each with a test text in every field that others may fill. */

import type {JsonObject} from '../../../machines/domain/json.ts';
import type {Plan} from '../../../machines/domain/plan.ts';
import type {CallFact, TaskResult} from '../../../machines/domain/result.ts';
import type {Proposal, ReviewRound} from '../../../machines/domain/review.ts';
import {closingMessage} from '../../../machines/forms/agent/closing.ts';
import {evaluationMessage} from '../../../machines/forms/agent/evaluation/evaluation.ts';
import {resultsText} from '../../../machines/forms/agent/evaluation/results-text.ts';
import type {PlanRun} from '../../../machines/forms/agent/execution/open-work.ts';
import {taskMessage} from '../../../machines/forms/agent/execution/task.ts';
import {exploreMessage} from '../../../machines/forms/agent/gathering.ts';
import {adviceText, scoringMessage} from '../../../machines/forms/agent/planning/ensemble.ts';
import {planMessage} from '../../../machines/forms/agent/planning/planning.ts';
import {askMessage, directMessage} from '../../../machines/forms/ask/ask.ts';
import {correctionMessage} from '../../../machines/forms/claim-check.ts';
import {actionProposal} from '../../../machines/loop/action.ts';
import {mended} from '../../../machines/loop/turn-loop.ts';
import {reportRequest} from '../../../machines/loop/turn-requests.ts';
import {opened} from '../../../machines/loop/turn.ts';
import {reviewMessage} from '../../../machines/panel/round.ts';
import {openTranscript} from '../../../machines/prompts/transcript.ts';
import {askForRepair} from '../../../machines/questions/question.ts';
import {withPendingMessages} from '../../../machines/tree/messages.ts';
import {loopInput} from '../events/calls.ts';
import {
  dialogueBuilders,
  attachmentsOf,
  backgroundOf,
  contextFilesOf,
  type Builder,
  pendingOf,
  type Next,
  surveyOf,
  talkBuilders,
} from './fields.ts';

function runOf(next: Next): PlanRun {
  return {
    plan: planOf(next),
    results: resultsOf(next),
    evaluation: {successful: false, problems: [next(), next()], feedback: next()},
  };
}

/** A limit in bytes at which nothing is cut. */
const plenty = 100_000_000;

const made = [
  {status: 'succeeded', exitCode: 0, confinement: 'none'},
  {status: 'failed', exitCode: 1},
  {status: 'refused'},
  {status: 'rejected'},
] as const;

function planOf(next: Next): Plan {
  return {
    objective: next(),
    reasoning: next(),
    parameters: {[`key ${next()}`]: next()},
    tasks: [
      {
        id: 'worked',
        description: next(),
        expected_outcome: next(),
        context_mode: 'full',
        context_brief: next(),
      },
      {id: 'exact', description: next(), tool: next(), args: argsOf(next), context_mode: 'fresh'},
    ],
  };
}

function argsOf(next: Next): JsonObject {
  return {command: next(), more: [next()]};
}

function resultsOf(next: Next): TaskResult[] {
  const none = {evidence: [], written: []};
  const calls = made.map((fact): CallFact => ({
    ...fact,
    tool: next(),
    args: argsOf(next),
    text: next(),
    changes: [{path: next(), added: 1, removed: 2, diff: next()}],
  }));
  return [
    {...none, id: 'worked', description: next(), status: 'failed', output: next(), calls},
    {...none, id: 'silent', description: next(), status: 'succeeded', output: next(), calls: []},
    {...none, id: next(), description: next(), status: 'skipped', output: next()},
  ];
}

function roundOf(next: Next): ReviewRound {
  return {
    round: 1,
    kind: 'plan',
    title: next(),
    proposalHash: '',
    rule: 'majority',
    seats: ['a', 'b'],
    weights: {},
    vetoes: [],
    participation: {cast: 2, required: 1},
    verdict: 'rejected',
    approved: false,
    votes: [
      {
        model: 'a',
        approved: false,
        verdict: 'reject',
        reasoning: next(),
        reasons: [next(), next()],
        confidence: 1,
        suggestedChange: next(),
      },
    ],
    summary: '[○·]',
    early: false,
    withdrawn: [],
    degraded: false,
    timestamp: 0,
    screened: [{policy: 'policy/safety', verdict: 'reject', rules: ['x'], reasons: [next()]}],
  };
}

function reviewOf(proposal: Proposal, next: Next): string {
  return reviewMessage(proposal, 1, backgroundOf(next), [roundOf(next)], [next(), next()]).text;
}

function proposalOf(kind: Proposal['kind'], next: Next): Proposal {
  return {
    kind,
    title: next(),
    hash: '',
    text: next(),
    before: {done: resultsText([runOf(next)], plenty), open: ''},
    objections: [next()],
    facts: {
      request: next(),
      assigned: next(),
      workspace: '/w',
      calls: [],
      evidence: [],
      claims: [],
    },
  };
}

function actionOf(next: Next): Proposal {
  return actionProposal({
    call: {id: 'x', name: next(), args: {}},
    ready: {kind: 'ready', args: argsOf(next), preview: next()},
    brief: {
      request: next(),
      assigned: next(),
      workspace: '/w',
      purpose: next(),
      evidence: [
        {tool: next(), did: 'ran', target: next(), ok: false, exitCode: 3},
        {tool: next(), did: 'wrote', target: next(), ok: true, command: next()},
      ],
    },
    tool: undefined,
    isDoubted: true,
  });
}

const voting: readonly Builder[] = [
  {name: 'reviewMessage', build: (next) => reviewOf(proposalOf('plan', next), next), calls: made},
  {name: 'reviewMessage', build: (next) => reviewOf(actionOf(next), next)},
  {
    name: 'reviewMessage',
    build: (next) => {
      const {before: _, ...proposal} = proposalOf('result', next);
      const shown = resultsText([runOf(next)], plenty);
      return reviewOf({...proposal, shown}, next);
    },
    calls: made,
  },
  {
    name: 'reviewMessage',
    build: (next) => {
      const {before: _, ...proposal} = proposalOf('diff', next);
      return reviewOf(proposal, next);
    },
  },
];

const planning: readonly Builder[] = [
  {
    name: 'exploreMessage',
    build: (next) =>
      exploreMessage(next(), surveyOf(next), {
        attachments: attachmentsOf(next),
        contextFiles: contextFilesOf(next),
        inherited: next(),
      }),
  },
  {
    name: 'planMessage',
    build: (next) =>
      planMessage({
        request: next(),
        pendingMessages: pendingOf(next),
        background: backgroundOf(next),
        previous: planOf(next),
        rounds: [roundOf(next), roundOf(next)],
        runs: [runOf(next)],
        maxResults: plenty,
      }),
    calls: made,
  },
  {
    name: 'planMessage',
    build: (next) =>
      planMessage({
        request: next(),
        background: backgroundOf(next),
        previous: planOf(next),
        advice: adviceText({
          by: 'a',
          objective: next(),
          mean: 3,
          scores: [{scorer: 'b', score: 3, reasons: [next(), next()]}],
        }),
        rounds: [],
        runs: [],
        maxResults: plenty,
      }),
  },
  {
    name: 'scoringMessage',
    build: (next) =>
      scoringMessage({request: next(), background: backgroundOf(next)}, planOf(next)),
  },
];

const working: readonly Builder[] = [
  ...(['full', 'projected', 'fresh'] as const).map((mode): Builder => ({
    name: 'taskMessage',
    build: (next) => {
      const plan = planOf(next);
      const task = {
        id: next(),
        description: next(),
        context_mode: mode,
        context_brief: next(),
        tool: next(),
        expected_outcome: next(),
      };
      const buffer = {recentFullCount: 2, maxEntryBytes: 4_000, maxTotalBytes: 9_000};
      const earlier = resultsText([runOf(next)], buffer.maxTotalBytes, buffer);
      return taskMessage({request: next(), plan, task, background: backgroundOf(next), earlier});
    },
  })),
  {
    name: 'evaluationMessage',
    build: (next) =>
      evaluationMessage({
        request: next(),
        inherited: next(),
        pendingMessages: pendingOf(next),
        runs: [runOf(next)],
        checked: [next()],
        removed: [next()],
        maxResults: plenty,
      }),
    calls: made,
  },
  {
    name: 'evaluationMessage',
    build: (next) =>
      evaluationMessage({
        request: next(),
        runs: [runOf(next)],
        checked: [],
        removed: [],
        maxResults: 4_000,
      }),
    calls: made,
    isCut: true,
  },
  {
    name: 'closingMessage',
    build: (next) =>
      closingMessage({
        request: next(),
        inherited: next(),
        pendingMessages: pendingOf(next),
        runs: [runOf(next)],
        maxResults: plenty,
      }),
    calls: made,
  },
];

const asking: readonly Builder[] = [
  {
    name: 'correctionMessage',
    build: (next) =>
      correctionMessage({question: next(), answer: next(), problems: [next(), next()]}),
  },
  {
    name: 'askMessage',
    build: (next) =>
      askMessage({
        question: next(),
        inherited: next(),
        attachments: attachmentsOf(next),
        contextFiles: contextFilesOf(next),
        survey: surveyOf(next),
      }),
  },
  {
    name: 'directMessage',
    build: (next) =>
      directMessage({
        question: next(),
        inherited: next(),
        attachments: attachmentsOf(next),
        pendingMessages: pendingOf(next),
        steps: [1, 2].map(() => ({
          thought: next(),
          tool: next(),
          args: argsOf(next),
          status: 'succeeded',
          text: next(),
        })),
        because: 'There was no answer.',
        maxChars: 1_000,
        maxBytes: 2_000,
      }),
  },
];

const repairing: readonly Builder[] = [
  {
    name: 'askForRepair',
    build: (next) => {
      const transcript = openTranscript('');
      const {messages} = askForRepair(transcript, {question: 'create_plan'}, next(), [next()]);
      return messages.at(-1)?.text ?? '';
    },
  },
  {
    name: 'withPendingMessages',
    build: (next) => {
      const text = askMessage({question: next(), attachments: attachmentsOf(next)});
      const items = [
        {from: 'person', text: next()},
        {from: 'interaction', text: next()},
      ] as const;
      const first = withPendingMessages(openTranscript(text), items, 400);
      return withPendingMessages(first, items, 90).messages.at(-1)?.text ?? '';
    },
  },
  {
    name: 'mended',
    build: (next) => {
      const outcome = {kind: 'truncated', message: next(), at: 0, ms: 0, pausedMs: 0} as const;
      return mended(opened(loopInput), outcome).transcript?.messages.at(-1)?.text ?? '';
    },
  },
  {
    name: 'reportRequest',
    build: () => reportRequest(opened(loopInput)).transcript.messages.at(-1)?.text ?? '',
  },
];

export const builders: readonly Builder[] = [
  ...voting,
  ...planning,
  ...working,
  ...asking,
  ...repairing,
  ...talkBuilders,
  ...dialogueBuilders,
];
