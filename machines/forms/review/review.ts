/**
 * The review form: the panel votes on each part of a diff, and the votes are combined in one report.
 *
 * reviewing → weighed → approved / rejected / undecided
 *
 * Other end: cancelled. An empty diff is approved without a vote. A part whose vote crashed, which is a bug, is undecided.
 */

import {
  type AnyActorRef,
  assign,
  type DoneActorEvent,
  enqueueActions,
  type ErrorActorEvent,
  setup,
  stopChild,
} from 'xstate';

import {crashIn, outputIn} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import type {Proposal, ReviewRound} from '../../domain/review.ts';
import {changeSettings, type SettingsChange} from '../../domain/settings.ts';
import {roundsIn} from '../../facts/fact.ts';
import {factsUnder} from '../../facts/record.ts';
import {asChart} from '../../machine-type.ts';
import {quorumMachine} from '../../panel/quorum.ts';
import {historyText, type QuorumInput} from '../../panel/round.ts';
import type {Verdict} from '../../panel/rule.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {bullets} from '../../prompts/sections.ts';
import type {FormEvent, FormInput, FormNow} from '../../tree/form-event.ts';
import {type Part, partsOf} from './parts.ts';
import {reportOf, unreadIn, verdictOfParts} from './report.ts';

type ReviewInput = Pick<
  FormInput<'panel' | 'quorum' | 'maxOutputTokens'>,
  'request' | 'workspace' | 'settings' | 'inherited' | 'diff' | 'allowUnread'
>;

interface ReviewState extends ReviewInput {
  readonly parts: readonly Part[];
  /** The number of parts whose vote has begun. */
  readonly begun: number;
  readonly rounds: readonly ReviewRound[];
  /** The number of parts whose vote crashed. `failure` is the last crash. */
  readonly lost: number;
  readonly failure?: Failure;
}

/** Maximum number of parallel votes. */
const maxAtOnce = 4;

interface End {
  readonly context: ReviewState;
  readonly self: AnyActorRef;
}

type PartId = `part:${number}`;

type ReviewEvent =
  | FormEvent
  | DoneActorEvent<ReviewRound, PartId>
  | ErrorActorEvent<unknown, PartId>;

const machine = setup({
  types: {} as {
    context: ReviewState;
    input: ReviewInput;
    output: FormOutput;
    events: ReviewEvent;
  },
  actors: {quorum: quorumMachine},
  actions: {
    startParts: enqueueActions(({context, enqueue}) => {
      const parts = nextParts(context);
      for (const part of parts) {
        const input = quorumInput(context, part);
        enqueue.spawnChild('quorum', {id: `part:${context.parts.indexOf(part) + 1}`, input});
      }
      enqueue.assign({begun: context.begun + parts.length});
    }),
    takeRound: assign(({context: {rounds}}, round: ReviewRound) => ({rounds: [...rounds, round]})),
    dismiss: stopChild((_, actorId: string) => actorId),
    takeLoss: assign(({context: {lost}}, failure: Failure) => ({lost: lost + 1, failure})),
    takeSettings: assign(({context: {settings}}, change: SettingsChange) => ({
      settings: changeSettings(settings, change),
    })),
  },
  guards: {
    isComplete: ({context}) => isComplete(context),
    isApproved: ({context}) => verdictOf(context) === 'approved',
    isRejected: ({context}) => verdictOf(context) === 'rejected',
  },
}).createMachine({
  id: 'review',
  context: ({input}) => openReview(input),
  initial: 'reviewing',
  on: {
    'settings.changed': {
      actions: {type: 'takeSettings', params: ({event}) => event.settings ?? {}},
    },
    'user.cancel': '.cancelled',
  },
  states: {
    reviewing: {
      entry: 'startParts',
      always: {guard: 'isComplete', target: 'weighed'},
      on: {
        'xstate.done.actor.*': {
          actions: [
            {type: 'takeRound', params: outputIn},
            {type: 'dismiss', params: ({event}) => event.actorId},
            'startParts',
          ],
        },
        'xstate.error.actor.*': {
          actions: [
            {type: 'takeLoss', params: crashIn},
            {type: 'dismiss', params: ({event}) => event.actorId},
            'startParts',
          ],
        },
      },
    },
    weighed: {
      tags: 'choice',
      always: [
        {guard: 'isApproved', target: 'approved'},
        {guard: 'isRejected', target: 'rejected'},
        {target: 'undecided'},
      ],
    },
    approved: {type: 'final', output: ending('completed')},
    rejected: {type: 'final', tags: 'failure', output: ending('rejected')},
    undecided: {type: 'final', output: ending('failed')},
    cancelled: {type: 'final', tags: 'failure', output: ending('cancelled')},
  },
  output: ({event}) => event.output as FormOutput,
});

export const reviewMachine = asChart<ReviewState, FormEvent, ReviewInput, FormOutput>(machine);

// The context that a review shares with its children.

export function reviewShared({
  state: {request, parts, rounds},
}: FormNow<ReviewState>): SharedPart[] {
  return [
    {title: 'Request', text: request, brief: briefLine(request)},
    {
      title: 'Diff',
      text: parts.map(({text}) => text).join('\n\n'),
      brief: bullets(parts.map(({title}) => title)),
    },
    {
      title: 'Votes',
      text: historyText(rounds),
      brief: bullets(rounds.map(({title, verdict, summary}) => `${title}: ${verdict} ${summary}`)),
    },
  ];
}

function openReview(input: ReviewInput): ReviewState {
  return {
    ...input,
    parts: partsOf(input.diff ?? [], input.settings.panel),
    begun: 0,
    rounds: [],
    lost: 0,
  };
}

function isComplete({parts, rounds, lost}: ReviewState): boolean {
  return rounds.length + lost === parts.length;
}

function verdictOf(state: ReviewState): Verdict {
  const {rounds, lost, diff = [], allowUnread = false} = state;
  const verdict = verdictOfParts(rounds);
  if (verdict !== 'approved') return verdict;
  const isRead = allowUnread || unreadIn(diff, rounds, isByRule(state)).length === 0;
  return lost > 0 || !isRead ? 'noQuorum' : 'approved';
}

function isByRule({settings}: Pick<ReviewState, 'settings'>): boolean {
  return settings.panel.every(({kind}) => kind === 'policy');
}

function nextParts({parts, begun, rounds, lost}: ReviewState): readonly Part[] {
  return parts.slice(begun, rounds.length + lost + maxAtOnce);
}

function quorumInput(state: ReviewState, part: Part): QuorumInput {
  const {settings} = state;
  return {
    round: 1,
    proposal: proposalOf(state, part),
    seats: settings.panel,
    settings: settings.quorum,
    maxOutputTokens: settings.maxOutputTokens,
    background: [],
    history: [],
  };
}

function proposalOf({request, workspace, parts}: ReviewState, part: Part): Proposal {
  const {title, hash, text, files} = part;
  const others =
    parts.length > 1 ? `Part ${parts.indexOf(part) + 1} of ${parts.length} of a diff.\n\n` : '';
  return {
    kind: 'diff',
    title,
    hash,
    text: `${others}${text}`,
    facts: {request, workspace, calls: [], evidence: [], claims: [], diff: files},
  };
}

/** The output of a final state. */
function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context, self}) => {
    const {failure} = context;
    const parts = reviewPartialResult({state: context, facts: factsUnder(self)});
    return {
      status,
      summary: failure?.message ?? summaryOf(status, parts),
      ...parts,
      ...(failure ? {error: failure} : {}),
    };
  };
}

/** The result of a review, also of an active one. */
export function reviewPartialResult({
  state,
  facts,
}: Pick<FormNow<ReviewState>, 'state' | 'facts'>): FormParts {
  const {diff = [], parts, settings, workspace, allowUnread = false} = state;
  const rounds = roundsIn(facts);
  const {rule, lacksModels = false} = settings.quorum;
  const byRule = isByRule(state);
  const read = {isUnread: lacksModels && byRule, isByRule: byRule, allowUnread};
  return {
    review: reportOf({workspace, files: diff, parts, rounds, rule, ...read}),
    reviews: rounds,
  };
}

function summaryOf(status: FinalStatus, {review}: FormParts): string {
  if (status === 'cancelled') return 'A person cancelled it.';
  return review?.synthesis ?? '';
}
