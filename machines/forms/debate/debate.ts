/**
 * Debates a position, or a proposal such as a plan: an opponent objects, the proponent answers, and a moderator rules.
 *
 * opening → attacking → defending → ruling → settled, when no critical or major objection is open; otherwise attacking …
 * escalated after the last round, or after a round that changed nothing; failed without a position
 */

import {assign, type ErrorActorEvent, setup} from 'xstate';

import {onCrash, otherwise} from '../../actor-end.ts';
import type {Failure} from '../../domain/failure.ts';
import {isBlocking, isOpen, type Objection} from '../../domain/ledger.ts';
import type {DebateSettings, Participant, Settings} from '../../domain/settings.ts';
import type {Fact} from '../../facts/fact.ts';
import {report} from '../../facts/record.ts';
import {asChart} from '../../machine-type.ts';
import {hideNames} from '../../panel/names.ts';
import {type PollInput, pollMachine, type PollOutput} from '../../panel/poll.ts';
import {engineLine, quotedText, quotingRule} from '../../prompts/section-text.ts';
import {bullets, type Section, writeSections} from '../../prompts/sections.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {answerIn} from '../../questions/question.ts';
import type {AskedQuestion} from '../../questions/questions.ts';
import {
  messageSections,
  messagesFor,
  messagesReadFact,
  type PendingMessage,
} from '../../tree/messages.ts';
import {type Ground, groundSections} from '../ground.ts';

export interface DebateInput {
  readonly ground: Ground;
  /** The debated text, such as a plan, instead of a position of the proponent. It can't be revised. */
  readonly given?: string;
  readonly settings: Pick<Settings, 'debate' | 'discuss' | 'context' | 'maxOutputTokens'>;
}

export interface DebateOutput {
  readonly outcome: 'settled' | 'escalated' | 'failed';
  readonly position: string;
  readonly reasons: readonly string[];
  readonly objections: readonly Objection[];
  readonly rounds: number;
  /** Missing turns, with the role, the round and the reason. */
  readonly notes: readonly string[];
  readonly failure?: Failure;
}

export interface DebateState extends DebateInput, Omit<DebateOutput, 'outcome'> {
  /** The open objections (ids) and the position when the round began. */
  readonly before: {readonly open: readonly string[]; readonly position: string};
}

type Role = 'proponent' | 'opponent' | 'moderator';

const machine = setup({
  types: {} as {
    context: DebateState;
    input: DebateInput;
    output: DebateOutput;
    events: ErrorActorEvent;
  },
  actors: {poll: pollMachine},
  actions: {
    takeMessages: assign(({context, self}) =>
      withMessagesInGround(context, messagesFor(self, 0).items),
    ),
    reportRead: report(({self}) => messagesReadFact(messagesFor(self, 0).items)),
    takePosition: assign(({context}, replies: PollOutput) => withPosition(context, replies)),
    beginRound: assign(({context}) => withRound(context)),
    takeAttack: assign(({context}, replies: PollOutput) => withAttack(context, replies)),
    takeDefence: assign(({context}, replies: PollOutput) => withDefence(context, replies)),
    takeRulings: assign(({context}, replies: PollOutput) => withRulings(context, replies)),
    takeFailure: assign((_, failure: Failure) => ({failure})),
    reportProponent: reporting('proponent'),
    reportOpponent: reporting('opponent'),
    reportModerator: reporting('moderator'),
  },
  guards: {
    isGiven: ({context}) => context.given !== undefined,
    hasFailed: ({context}) => context.failure !== undefined,
    isUnopposed: ({context}) => openIds(context).length === 0,
    isSettled: ({context}) => isSettled(context),
    isLastRound: ({context}) =>
      context.rounds >= context.settings.debate.maxRounds || isStalled(context),
  },
}).createMachine({
  id: 'debate',
  context: ({input}) => openDebate(input),
  initial: 'chosen',
  on: {
    'xstate.error.actor.*': onCrash('.failed', 'takeFailure'),
  },
  states: {
    chosen: {
      tags: 'choice',
      always: [{guard: 'isGiven', target: 'attacking'}, {target: 'opening'}],
    },
    opening: {
      invoke: {
        src: 'poll',
        id: 'opening',
        input: ({context}) => openingPoll(context),
        onDone: otherwise('opened', 'takePosition', 'reportProponent'),
      },
    },
    opened: {
      tags: 'choice',
      always: [{guard: 'hasFailed', target: 'failed'}, {target: 'attacking'}],
    },
    attacking: {
      entry: ['takeMessages', 'reportRead', 'beginRound'],
      invoke: {
        src: 'poll',
        id: 'attack',
        input: ({context}) => attackPoll(context),
        onDone: otherwise('attacked', 'takeAttack', 'reportOpponent'),
      },
    },
    attacked: {
      tags: 'choice',
      always: [{guard: 'isUnopposed', target: 'settled'}, {target: 'defending'}],
    },
    defending: {
      entry: ['takeMessages', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'defence',
        input: ({context}) => defencePoll(context),
        onDone: otherwise('ruling', 'takeDefence', 'reportProponent'),
      },
    },
    ruling: {
      entry: ['takeMessages', 'reportRead'],
      invoke: {
        src: 'poll',
        id: 'ruling',
        input: ({context}) => rulingPoll(context),
        onDone: otherwise('ruled', 'takeRulings', 'reportModerator'),
      },
    },
    ruled: {
      tags: 'choice',
      always: [
        {guard: 'isSettled', target: 'settled'},
        {guard: 'isLastRound', target: 'escalated'},
        {target: 'attacking'},
      ],
    },
    settled: {type: 'final', output: ({context}) => outputOf(context, 'settled')},
    escalated: {type: 'final', output: ({context}) => outputOf(context, 'escalated')},
    failed: {type: 'final', tags: 'failure', output: ({context}) => outputOf(context, 'failed')},
  },
  output: ({event}) => event.output as DebateOutput,
});

// The prompts of the proponent, the opponent and the moderator of a debate.

const common = `Write in the language of the question, from the texts below and what you know: you have no tools. Say what you could not see.
${quotingRule}`;

const positionSystem = `You open a debate as its proponent: call take_position exactly once. position is your opinion, in a few sentences \
that can be attacked; arguments are your reasons, with their evidence. An opponent will object, and a moderator rules. ${common}`;

const attacks: Readonly<Record<DebateSettings['intensity'], string>> = {
  mild: 'Raise the objections that you honestly have: what is wrong, missing or risky in the position.',
  strong: `Attack the position as hard as you honestly can: look for what is wrong, missing, risky or unproven in it, and for a \
case in which it fails.`,
};

const proponentSystem = `You defend a position in a debate: call answer_objections exactly once, with an answer to each open objection. Set \
concedes where the objection is right; then give the whole position anew as revised_position, so that it meets the objection, if you \
may revise it. ${common}`;

const rulingSystem = `You moderate a debate and take no side: call rule_on_objections exactly once, with a ruling on each open objection and \
its reason. resolved: the answer meets it, or the position was revised so that it no longer applies. stands: neither. An objection \
that was conceded is resolved only by a revision. ${common}`;

/** In a debate on a plan, its author is the proponent. The output lists all objections, open ones included. */
export const debateMachine = asChart<DebateState, ErrorActorEvent, DebateInput, DebateOutput>(
  machine,
);

function reporting(role: Role) {
  return report<DebateState, ErrorActorEvent, PollOutput, ErrorActorEvent>(({context}, replies) =>
    turnReport(context, role, replies),
  );
}

// The polls of a debate. Each step asks one role.

function pollFor(
  state: DebateState,
  role: Role,
  ask: AskedQuestion & {readonly system: string; readonly message: string},
): PollInput {
  const {model} = speakerOf(state, role);
  const {message, ...question} = ask;
  const {discuss, maxOutputTokens} = state.settings;
  const transcript = openTranscript(message);
  const seat = {
    id: role,
    filledBy: 'model' as const,
    ask: {...question, model, transcript, maxOutputTokens},
  };
  return {subject: `round ${state.rounds}`, seats: [seat], deadlineMs: discuss.deadlineMs};
}

function openingPoll(state: DebateState): PollInput {
  return pollFor(state, 'proponent', {
    question: 'take_position',
    purpose: 'take-position',
    about: {},
    system: positionSystem,
    message: openingMessage(state.ground),
  });
}

function attackPoll(state: DebateState): PollInput {
  return pollFor(state, 'opponent', {
    question: 'raise_objections',
    purpose: 'raise-objections',
    about: {open: openIds(state)},
    system: opponentSystem(state.settings.debate.intensity),
    message: attackMessage(briefOf(state)),
  });
}

function defencePoll(state: DebateState): PollInput {
  return pollFor(state, 'proponent', {
    question: 'answer_objections',
    purpose: 'answer-objections',
    about: {open: openIds(state)},
    system: proponentSystem,
    message: defenceMessage(briefOf(state)),
  });
}

function rulingPoll(state: DebateState): PollInput {
  return pollFor(state, 'moderator', {
    question: 'rule_on_objections',
    purpose: 'rule-on-objections',
    about: {open: openIds(state)},
    system: rulingSystem,
    message: rulingMessage(briefOf(state)),
  });
}

/** The debate for a prompt, without names. */
export function briefOf(state: DebateState): DebateBrief {
  const {ground, given, settings, rounds} = state;
  const {proponent, opponent, maxRounds} = settings.debate;
  const hidden = (text: string) => hideNames(text, [proponent, opponent], ground.question);
  return {
    ground,
    position: hidden(state.position),
    reasons: state.reasons.map(hidden),
    objections: state.objections.map((each) => hideIn(each, hidden)),
    round: `round ${rounds} of ${maxRounds}`,
    mayRevise: given === undefined,
  };
}

function hideIn(objection: Objection, hidden: (text: string) => string): Objection {
  const {evidence, answer, reason} = objection;
  return {
    ...objection,
    objection: hidden(objection.objection),
    ...(evidence === undefined ? {} : {evidence: hidden(evidence)}),
    ...(answer === undefined ? {} : {answer: hidden(answer)}),
    ...(reason === undefined ? {} : {reason: hidden(reason)}),
  };
}

function opponentSystem(intensity: DebateSettings['intensity']): string {
  return `You are the opponent in a debate: call raise_objections exactly once. ${attacks[intensity]}
severity: critical, the position must not stand; major, it must not stand as it is; minor, worth saying. Give evidence.
Raise nothing twice, and list in withdrawn the objections that were met. In a later round do not raise the bar: a new \
critical or major objection needs evidence. An empty list is an honest answer. ${common}`;
}

export interface DebateBrief {
  readonly ground: Ground;
  readonly position: string;
  readonly reasons: readonly string[];
  readonly objections: readonly Objection[];
  /** `round 1 of 3` */
  readonly round: string;
  readonly mayRevise: boolean;
}

export function openingMessage(ground: Ground): string {
  return writeSections([
    ...groundSections(ground),
    ['What to do', engineLine`Take your position.`],
  ]);
}

/** The ground, the position and the objections. */
export function debateSections({ground, position, reasons, objections}: DebateBrief): Section[] {
  return [
    ...groundSections(ground),
    ['Position (data)', quotedText(`${position}\n${bullets(reasons)}`)],
    ['Objections (data)', quotedText(ledgerText(objections))],
  ];
}

export function attackMessage(brief: DebateBrief): string {
  const what = engineLine`Raise your objections in ${brief.round}.`;
  return writeSections([...debateSections(brief), ['What to do', what]]);
}

export function defenceMessage(brief: DebateBrief): string {
  const revision = brief.mayRevise
    ? 'You may revise the position.'
    : 'The position can’t be revised: leave revised_position out.';
  return writeSections([
    ...debateSections(brief),
    ['What to do', engineLine`Answer ${openIdList(brief.objections)}. ${revision}`],
  ]);
}

export function rulingMessage(brief: DebateBrief): string {
  const what = engineLine`Rule on ${openIdList(brief.objections)}.`;
  return writeSections([...debateSections(brief), ['What to do', what]]);
}

function openIdList(objections: readonly Objection[]): string {
  return objections
    .filter(isOpen)
    .map(({id}) => id)
    .join(', ');
}

/** `O1 (major, stands): …` for each, with evidence, answer and reason on separate lines. */
export function ledgerText(objections: readonly Objection[]): string {
  return objections
    .map(({id, severity, ruling = 'open', objection, evidence, answer, isConceded, reason}) =>
      [
        `${id} (${severity}, ${ruling}): ${objection}`,
        ...(evidence === undefined ? [] : [`  evidence: ${evidence}`]),
        ...(answer === undefined ? [] : [`  ${isConceded ? 'conceded' : 'answer'}: ${answer}`]),
        ...(reason === undefined ? [] : [`  ruling: ${reason}`]),
      ].join('\n'),
    )
    .join('\n');
}

export function openDebate(input: DebateInput): DebateState {
  const before = {open: [], position: ''};
  return {
    ...input,
    position: input.given ?? '',
    reasons: [],
    objections: [],
    rounds: 0,
    notes: [],
    before,
  };
}

function outputOf(state: DebateState, outcome: DebateOutput['outcome']): DebateOutput {
  const {position, reasons, objections, rounds, notes, failure} = state;
  return {outcome, position, reasons, objections, rounds, notes, ...(failure ? {failure} : {})};
}

function openIds({objections}: Pick<DebateState, 'objections'>): readonly string[] {
  return objections.filter(isOpen).map(({id}) => id);
}

function isSettled({objections}: DebateState): boolean {
  return !objections.some(isBlocking);
}

/** True if the round changed neither the position nor the open objections. */
function isStalled(state: DebateState): boolean {
  const {before, position} = state;
  return position === before.position && openIds(state).join() === before.open.join();
}

function speakerOf({settings}: DebateState, role: Role): Participant {
  return role === 'moderator' ? settings.discuss.moderator : settings.debate[role];
}

/** A note about a missing turn. Undefined if the role answered. */
function silenceOf(state: DebateState, role: Role, replies: PollOutput): string | undefined {
  const answer = replies[role];
  if (answer?.kind !== 'unanswered') return undefined;
  const when = state.rounds === 0 ? '' : ` in round ${state.rounds}`;
  return `the ${role} (${speakerOf(state, role).id}) said nothing${when}: ${answer.because}`;
}

function noted(state: DebateState, role: Role, replies: PollOutput): Partial<DebateState> {
  const silence = silenceOf(state, role, replies);
  return silence === undefined ? {} : {notes: [...state.notes, silence]};
}

function withPosition(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const answer = replies['proponent'] && answerIn('take_position', replies['proponent']);
  if (answer) return {position: answer.position, reasons: answer.arguments};
  const message = silenceOf(state, 'proponent', replies) ?? 'there is no position';
  return {failure: {code: 'no_position', message}};
}

function withMessagesInGround(
  {ground, settings}: DebateState,
  items: readonly PendingMessage[],
): Partial<DebateState> {
  const {maxEntryBytes} = settings.context;
  return {ground: {...ground, pendingMessages: messageSections(items, maxEntryBytes)}};
}

function withRound(state: DebateState): Partial<DebateState> {
  const {position, rounds} = state;
  return {rounds: rounds + 1, before: {open: openIds(state), position}};
}

function withAttack(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const attack = replies['opponent'] && answerIn('raise_objections', replies['opponent']);
  if (!attack) return noted(state, 'opponent', replies);
  const {objections: known, rounds: round} = state;
  const kept = known.map((each) =>
    attack.withdrawn.includes(each.id) ? {...each, ruling: 'withdrawn' as const} : each,
  );
  const fresh = attack.objections.map((each, index): Objection =>
    Object.assign({id: `O${known.length + index + 1}`, round}, each),
  );
  return {objections: [...kept, ...fresh]};
}

function withDefence(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const defence = replies['proponent'] && answerIn('answer_objections', replies['proponent']);
  if (!defence) return noted(state, 'proponent', replies);
  const {revised_position: revised} = defence;
  const mayRevise = state.given === undefined && revised !== undefined;
  return {
    objections: state.objections.map((each) => {
      const own = defence.answers.find(({id}) => id === each.id);
      if (!own) return each;
      const {isConceded: _, ...rest} = each;
      return {...rest, answer: own.answer, ...(own.concedes ? {isConceded: true as const} : {})};
    }),
    ...(mayRevise ? {position: revised} : {}),
  };
}

function withRulings(state: DebateState, replies: PollOutput): Partial<DebateState> {
  const rulings = replies['moderator'] && answerIn('rule_on_objections', replies['moderator']);
  if (!rulings) return noted(state, 'moderator', replies);
  return {
    objections: state.objections.map((each) => {
      const own = rulings.find(({id}) => id === each.id);
      return own ? {...each, ruling: own.ruling, reason: own.reason} : each;
    }),
  };
}

/** Reports a turn, with the position and the objections after it. */
function turnReport(state: DebateState, role: Role, replies: PollOutput): Fact {
  const {rounds: round, position, objections} = state;
  const because = silenceOf(state, role, replies);
  return {
    type: 'debate.turn',
    round,
    role,
    participant: speakerOf(state, role).id,
    position,
    objections,
    ...(because === undefined ? {} : {because}),
  };
}
