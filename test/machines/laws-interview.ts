/** Laws of interviews: a reviewer's pass alone completes a field, and the person's confirmation alone submits the answers. */

import type {Logged} from '../support/hand-performer.ts';
import type {Played} from '../support/played.ts';
import type {Law} from './explored.ts';
import {
  type History,
  kindOf,
  listIn,
  outputOf,
  requestsOf,
  type Settled,
  settlementsOf,
  unless,
  valueIn,
} from './laws-record.ts';

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
