/** The output of a discussion, from its state. */

import type {MachineContext} from 'xstate';

import {languagePart} from '../../domain/language.ts';
import {isBlocking} from '../../domain/ledger.ts';
import type {FinalStatus, FormOutput, FormParts} from '../../domain/result.ts';
import type {Participant} from '../../domain/settings.ts';
import {bytesOf} from '../../domain/text-limits.ts';
import {briefLine, type SharedPart} from '../../prompts/inherited.ts';
import {attachedText, bullets} from '../../prompts/sections.ts';
import type {Conclusion, Discussion} from '../../questions/discussion.ts';
import type {FormNow} from '../../tree/form-event.ts';
import {type DebateOutput, type DebateState, ledgerText} from '../debate/debate.ts';
import {reasonIn, shownToChair, voicesIn} from './discuss-requests.ts';
import {type DiscussState, rankVoices, relabel} from './discuss-state.ts';

interface End {
  readonly context: DiscussState;
}

/** The output of a final state. */
export function ending(status: FinalStatus): (end: End) => FormOutput {
  return ({context}) => ({
    status,
    summary: summaryOf(context, status),
    ...discussPartialResult({state: context}),
    ...(context.failure && status === 'error' ? {error: context.failure} : {}),
  });
}

/** The result of a discussion, also of an active one. Before the first answer it has no `discussion`. */
export function discussPartialResult({state}: Pick<FormNow<DiscussState>, 'state'>): FormParts {
  const hasBegun = state.answers.length > 0 || isHeld(state.debate);
  return {
    ...languagePart(state.work.request),
    ...(hasBegun ? {discussion: discussionOf(state)} : {}),
  };
}

function summaryOf(state: DiscussState, status: FinalStatus): string {
  if (status === 'completed') {
    return [...acceptanceOf(state), conclusionOf(state).conclusion].join('\n');
  }
  if (status === 'cancelled') return 'Cancelled: a person cancelled.';
  if (status === 'error') return state.failure?.message ?? 'The discussion ended with an error.';
  if (status === 'rejected') return rejection(state);
  const why = state.debate?.failure?.message;
  if (why !== undefined) return `There was no debate: ${why}`;
  return `Nobody answered. ${state.silent.map(({who, because}) => `${who}: ${because}`).join('; ')}`;
}

function rejection({word}: DiscussState): string {
  const by = word?.by === 'person' ? 'a person' : (word?.by ?? 'nobody');
  return `The position was rejected by ${by}, as grave objections are open${reasonIn(word)}.`;
}

/** True for a debate with a position. */
function isHeld(debate: DebateOutput | undefined): debate is DebateOutput {
  return debate !== undefined && debate.outcome !== 'failed';
}

function debateRecord(state: DiscussState): Pick<Discussion, 'debate'> {
  const {debate} = state;
  if (!debate || debate.outcome === 'failed') return {};
  const {proponent, opponent} = state.work.settings.debate;
  const {outcome, position, reasons, rounds, objections} = debate;
  const [accepted] = acceptanceOf(state);
  return {
    debate: {
      proponent: proponent.id,
      opponent: opponent.id,
      position,
      reasons,
      rounds,
      outcome,
      objections,
      ...(accepted === undefined ? {} : {accepted}),
    },
  };
}

function discussionOf(state: DiscussState): Discussion {
  const {work, answers, reviews, conclusion, chairs} = state;
  const [chair] = chairs;
  return {
    strategy: work.settings.discuss.strategy,
    ...conclusionOf(state),
    ranking: rankVoices(voicesIn(state), reviews),
    degraded: faultsOf(state).length > 0,
    notes: [...faultsOf(state), ...echoesOf(state)],
    ...(conclusion && chair ? {chair: chairName(chair, state)} : {}),
    answers: answers.map(({by, text}) => ({participant: by, text})),
    ...debateRecord(state),
  };
}

/** The configured moderator is named by its model, as it is not a participant. */
function chairName({id, model}: Participant, {work}: DiscussState): string {
  return id === work.settings.discuss.moderator.id ? model : id;
}

/** If no chair concluded, the best answer or the debated position is the conclusion, unchanged. */
function conclusionOf(state: DiscussState): Conclusion {
  const {conclusion, chairs, lost, debate} = state;
  if (conclusion) return debate ? conclusion : withParticipantNames(conclusion, state);
  const isGivenUp = chairs.length === 0 && lost.length > 0;
  const text = isGivenUp ? (debate?.position ?? bestAnswer(state)) : '';
  return {conclusion: text, key_points: [], agreements: [], disagreements: []};
}

function bestAnswer(state: DiscussState): string {
  const {answers, reviews} = state;
  const [best] = rankVoices(voicesIn(state), reviews);
  const by = best?.participants[0] ?? answers[0]?.by;
  return answers.find((answer) => answer.by === by)?.text ?? '';
}

/** The conclusion with participants' names instead of labels, which its readers don't know. */
function withParticipantNames(conclusion: Conclusion, state: DiscussState): Conclusion {
  const shown = shownToChair(state);
  const voices = voicesIn(state);
  const nameOf = (by: string) => voices.find((voice) => voice.by === by)?.all.join(' and ');
  const withNames = (text: string) => relabel(text, shown, nameOf);
  return {
    conclusion: withNames(conclusion.conclusion),
    key_points: conclusion.key_points.map(withNames),
    agreements: conclusion.agreements.map(withNames),
    disagreements: conclusion.disagreements.map(withNames),
  };
}

const byRule = 'participants by rule took part: they quote passages and have no opinion';

const cutClaims = 'claims that the record contradicts were removed from the conclusion';

const missing = {
  answer: 'gave no answer',
  review: 'reviewed nothing',
  conclusion: 'drew no conclusion',
} as const;

/** The reasons why the result is degraded. */
function faultsOf(state: DiscussState): string[] {
  const faults = state.debate
    ? [...acceptanceOf(state), ...debateFaults(state, state.debate)]
    : answerFaults(state);
  return state.isCut ? [...faults, cutClaims] : faults;
}

function debateFaults(
  {lost, chairs, work: {settings}}: DiscussState,
  {notes}: DebateOutput,
): string[] {
  const {proponent, opponent} = settings.debate;
  return [
    ...notes,
    ...lost.map(({who, what, because}) => `${who} ${missing[what]}: ${because}`),
    ...([proponent, opponent].some(({view}) => view !== undefined) ? [byRule] : []),
    ...(proponent.model === opponent.model && proponent.view === undefined
      ? [`${proponent.model} spoke on both sides`]
      : []),
    ...(chairs.length === 0 && lost.length > 0
      ? ['nobody drew a conclusion: the position is the conclusion']
      : []),
  ];
}

function answerFaults(state: DiscussState): string[] {
  const {work, silent, lost, answers, reviews, chairs} = state;
  const {settings} = work;
  const {length: asked} = settings.discuss.participants;
  const isReviewed = reviews.length > 0 || chairs.length + lost.length === 0;
  return [
    ...[...silent, ...lost].map(({who, what, because}) => `${who} ${missing[what]}: ${because}`),
    ...(settings.discuss.participants.some(({view}) => view !== undefined) ? [byRule] : []),
    ...answers
      .filter(({text}) => bytesOf(text) > settings.context.maxEntryBytes)
      .map(({by}) => `the answer of ${by} was not read whole by the others: it is too long`),
    ...(asked < 2 ? ['there was only one participant'] : []),
    ...(asked > 1 && answers.length === 1 ? ['only one answer: nobody reviewed it'] : []),
    ...(voicesIn(state).length > 1 && !isReviewed ? ['nobody reviewed the answers'] : []),
    ...(chairs.length === 0 && lost.length > 0
      ? ['nobody drew a conclusion: the best answer is the conclusion']
      : []),
  ];
}

/** Says who accepted the position against open critical or major objections. */
function acceptanceOf({word, debate}: DiscussState): string[] {
  if (word?.decision.decision !== 'approve') return [];
  const by = word.by === 'person' ? 'A person' : word.by;
  const open = (debate?.objections ?? []).filter(isBlocking).length;
  const against = open === 1 ? '1 open grave objection' : `${open} open grave objections`;
  return [`${by} accepted the position against ${against}${reasonIn(word)}.`];
}

/** Participants by rule give the same answer when they find nothing. */
function echoesOf(state: DiscussState): string[] {
  const isByRule = state.work.settings.discuss.participants.every(({view}) => view !== undefined);
  if (isByRule) return [];
  return voicesIn(state)
    .filter(({all}) => all.length > 1)
    .map(({all}) => `${all.join(' and ')} gave the same answer: it counts once`);
}

// The context that a discussion shares with its children. It names no authors.

type Held = Pick<DebateOutput, 'position' | 'objections'>;

export function discussShared({state, inside}: FormNow<DiscussState>): SharedPart[] {
  const {work, survey, passages} = state;
  const {request, attachments} = work;
  const answers = voicesIn(state).map(({text}, index) => `Answer ${index + 1}: ${text}`);
  return [
    {title: 'Question', text: request, brief: briefLine(request)},
    {title: 'Attached', text: attachedText(attachments)},
    {title: 'Background', text: [survey.text, passages].join('\n\n')},
    {
      title: 'Answers so far',
      text: answers.join('\n\n'),
      brief: bullets(answers.map(briefLine)),
    },
    ...debateShared(state, inside),
  ];
}

function isDebate(context: MachineContext): context is DebateState {
  return 'objections' in context;
}

/** The position and the objections of a debate, active or ended. */
function debateShared({debate}: DiscussState, inside: readonly MachineContext[]): SharedPart[] {
  const held: Held | undefined = debate ?? inside.find(isDebate);
  if (!held) return [];
  const {position, objections} = held;
  return [
    {title: 'Position', text: position, brief: briefLine(position)},
    {
      title: 'Objections',
      text: ledgerText(objections),
      brief: bullets(objections.map((each) => briefLine(ledgerText([each])))),
    },
  ];
}
