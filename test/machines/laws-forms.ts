/** Laws of questions, discussions and interviews. */

import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import type {LawfulScenario, Law} from './explored.ts';
import {stopFaults} from './laws-agent.ts';
import {
  kindOf,
  listIn,
  outputOf,
  type History,
  requestsOf,
  settlementsOf,
  unless,
  valueIn,
  sinceResume,
  type Settled,
} from './laws-record.ts';
import {callsOf, workFaults} from './laws-turns.ts';

const harmless = new Set<string>([
  'checkText',
  'surveyWorkspace',
  'callModel',
  'runTool',
  'awaitResume',
]);

/** `path` is that of the form's actor. */
export function askFaults(played: Played, path: string, maxSteps: number): string[] {
  const record = played.log;
  const strange = record.filter((each) => each.type === 'requested' && !harmless.has(each.port));
  const changes = requestsOf(record, 'runTool').filter(({request}) => request.tool !== 'read_file');
  const isGuarded =
    verdictOf(record, 'input') !== undefined && verdictOf(record, 'input') !== 'block';
  return [
    ...unless(strange.length === 0, 'a request of another kind is made'),
    ...unless(changes.length === 0, 'a tool that changes something runs'),
    ...unless(isGuarded || requestsOf(record, 'callModel').length === 0, 'an unguarded question'),
    ...workFaults(record, `${path}/turns`, maxSteps),
    ...stopFaults(played),
    ...(played.status() === 'done' ? endFaults(played, path) : []),
  ];
}

/** The last verdict of the guardrails on a stage; undefined before the first. */
function verdictOf(record: History, stage: 'input' | 'output'): unknown {
  const last = settlementsOf(record, 'checkText').findLast(({request}) => request.stage === stage);
  return valueIn(last?.outcome, 'action');
}

function endFaults(played: Played, path: string): string[] {
  const record = played.log;
  const output = outputOf(played);
  const [status, reason] = [valueIn(output, 'status'), valueIn(output, 'stoppedReason')];
  const answer = valueIn(output, 'answer');
  const isBlocked = [verdictOf(record, 'input'), verdictOf(record, 'output')].includes('block');
  return [
    ...unless(answer === undefined || isChecked(record, answer), 'an unguarded answer'),
    ...unless(
      isBlocked === (status === 'rejected'),
      `blocked is ${String(isBlocked)}, it ended as ${String(status)}`,
    ),
    ...unless(
      status !== 'completed' || reason === reasonOf(record, path),
      `the reason is ${String(reason)}`,
    ),
    ...unless(status !== 'completed' || answer !== undefined, 'completed without an answer'),
    ...unless(status !== 'limited' || reason !== 'completed', 'limited without a limit'),
    ...unless(status !== 'error' || isFailure(record), 'an error without a fault'),
    ...unless(listIn(output, 'steps').length <= callsMade(record, path), 'more steps than calls'),
  ];
}

/** True when exactly this text passed the guardrails, after a model wrote it. */
function isChecked(record: History, answer: unknown): boolean {
  const check = settlementsOf(record, 'checkText').findLast(
    ({request}) => request.stage === 'output',
  );
  const said = settlementsOf(record, 'callModel').at(-1)?.outcome;
  const text = check?.request.text ?? '';
  const isAllowed = ['allow', 'warn'].includes(String(valueIn(check?.outcome, 'action')));
  return isAllowed && text === answer && text.endsWith(String(valueIn(said, 'text')));
}

/** The reason of a completed run: its loop answered, possibly with an empty text, or a tool failed for good. */
function reasonOf(record: History, path: string): string {
  const replies = settlementsOf(record, 'callModel');
  const last = replies.findLast((each) => each.path.startsWith(`${path}/turns`));
  const isAnswer = kindOf(last?.outcome) === 'ok' && listIn(last?.outcome, 'calls').length === 0;
  return isAnswer ? 'completed' : 'tool_failure_degraded';
}

function isFailure(record: History): boolean {
  const last = record.findLast(({type}) => type === 'settled');
  if (last?.type !== 'settled') return false;
  const isEmpty = kindOf(last.outcome) === 'ok' && valueIn(last.outcome, 'text') === '';
  return last.port === 'checkText'
    ? valueIn(last.outcome, 'action') === undefined
    : isEmpty || kindOf(last.outcome) !== 'ok';
}

function callsMade(record: History, path: string): number {
  const replies = settlementsOf(record, 'callModel').map(({outcome}) => outcome);
  return callsOf(replies, `${path}/turns`).length;
}

function asked(record: History, purpose: string) {
  return requestsOf(record, 'callModel').filter(({request}) => request.purpose === purpose);
}

/** The last answer of each participant, by its model. */
function saidBy(record: History): ReadonlyMap<string, string> {
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
      const answers = saidBy(log);
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
          !isCompleted || (conclusion !== '' && saidBy(played.log).size > 0),
          'nothing is concluded',
        ),
        ...unless(!hasFailed || saidBy(played.log).size === 0, 'it has failed with an answer'),
      ];
    },
    'the notes name silent participants, and a degraded result has a reason': (played) => {
      const output = outputOf(played);
      if (valueIn(output, 'status') !== 'completed') return [];
      const notes = listIn(output, 'discussion', 'notes').join('; ');
      const silent = participants.filter((each) => !saidBy(played.log).has(each));
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

/** The judge of answers: rules alone, or rules and then a model. */
export type Judge = 'rules' | 'model';

export function interviewLaws(judge: Judge): Readonly<Record<string, Law>> {
  return {
    'a field is done only by its reviewer’s pass': ({log}) =>
      log.flatMap((each, at) => {
        const field = doneIn(each);
        if (field === undefined) return [];
        const record = log.slice(0, at);
        const judgeNow = isModelReplaced(record) ? 'rules' : judge;
        return unless(isPassed(sinceReply(record), field, judgeNow), `${field} is done`);
      }),
    'nothing is submitted while a required field is open': (played) =>
      isSubmitted(played)
        ? answersIn(played).flatMap(([field, answer]) =>
            unless(
              !requiredFields.has(field) || valueIn(answer, 'status') === 'done',
              `${field} is ${String(valueIn(answer, 'status'))}`,
            ),
          )
        : [],
    'every exported answer has passed its check': (played) =>
      answersIn(played)
        .filter(([, answer]) => valueIn(answer, 'status') === 'done')
        .flatMap(([field, answer]) =>
          unless(
            checksOf(played.log, field).some(
              ({outcome}) =>
                isSound(outcome) && valueIn(outcome, 'value') === valueIn(answer, 'value'),
            ),
            `${field} holds an answer that passed no check`,
          ),
        ),
    'answers are submitted only after the person confirmed all of them': (played) =>
      unless(!isSubmitted(played) || isConfirmed(played.log), 'nobody has confirmed it'),
    'one message waits at a time': ({log}) => {
      const left = log.filter(
        (each) => 'port' in each && each.port === 'askPerson' && each.type !== 'requested',
      );
      return unless(requestsOf(log, 'askPerson').length - left.length <= 1, 'two messages wait');
    },
    'it ends with a status of its form': (played) =>
      played.status() === 'done'
        ? unless(
            ['completed', 'cancelled', 'error'].includes(
              String(valueIn(outputOf(played), 'status')),
            ),
            'it ends with another status',
          )
        : [],
    'nothing is asked after a cancel': ({log}) => {
      const at = log.findIndex(({type, ...each}) => type === 'sent' && isCancel(each));
      const after = at < 0 ? [] : log.slice(at).filter(({type}) => type === 'requested');
      return unless(after.length === 0, 'something is asked after a cancel');
    },
    'rules alone call no model': ({log}) =>
      unless(judge === 'model' || requestsOf(log, 'callModel').length === 0, 'a model is called'),
  };
}

/** The required fields of the explored form. */
const requiredFields: ReadonlySet<string> = new Set(['name']);

function isCancel(sent: object): boolean {
  return valueIn(sent, 'event', 'type') === 'user.cancel';
}

function doneIn(each: Logged): string | undefined {
  if (each.type !== 'reported' || valueIn(each.report, 'type') !== 'interview.changed') {
    return undefined;
  }
  const isDone = valueIn(each.report, 'status') === 'done';
  return isDone ? String(valueIn(each.report, 'field')) : undefined;
}

/** One model leads and reviews here. When it calls no tool, rules replace it in both. */
function isModelReplaced(record: History): boolean {
  return record.some(
    (each) =>
      each.type === 'reported' &&
      String(valueIn(each.report, 'message')).startsWith('rules replace'),
  );
}

/** The record after the person's last reply. */
function sinceReply(record: History): History {
  const at = record.findLastIndex((each) => each.type === 'settled' && each.port === 'askPerson');
  return record.slice(at + 1);
}

function isPassed(record: History, field: string, judge: Judge): boolean {
  const last = checksOf(record, field).at(-1);
  if (last === undefined || !isSound(last.outcome)) return false;
  if (judge === 'rules') return listIn(last.outcome, 'missing').length === 0;
  const review = settlementsOf(record, 'callModel').findLast(
    ({request}) => request.purpose === 'review-answer',
  );
  return valueIn(listIn(review?.outcome, 'calls')[0], 'args', 'passed') === true;
}

function checksOf(record: History, field: string): Settled<'checkAnswer'>[] {
  return settlementsOf(record, 'checkAnswer').filter(({request}) => request.field.id === field);
}

function isSound(outcome: object): boolean {
  return valueIn(outcome, 'problems') !== undefined && listIn(outcome, 'problems').length === 0;
}

function isSubmitted(played: Played): boolean {
  return played.status() === 'done' && valueIn(outputOf(played), 'status') === 'completed';
}

function answersIn(played: Played): [string, unknown][] {
  if (played.status() !== 'done') return [];
  return Object.entries(Object(valueIn(outputOf(played), 'answers', 'answers')));
}

function isConfirmed(record: History): boolean {
  const said = settlementsOf(record, 'askPerson').at(-1);
  const reading = settlementsOf(record, 'readReply').at(-1);
  const isShown = said?.request.agent === 'confirmation';
  return (
    isShown &&
    (valueIn(said.outcome, 'confirms') === true ||
      kindOf(Object(valueIn(reading?.outcome, 'route'))) === 'confirm')
  );
}
