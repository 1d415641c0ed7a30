/** Law 8: no field is done without its reviewer's pass; nothing is submitted while a required field is not done. */

import type {PlacedReport} from '../../actors/history/record.ts';
import {type Law, receivedIn, type RecordIndex, textOf} from '../../actors/verify/record-index.ts';
import {converses} from '../../machines/domain/interaction-form.ts';
import {isJsonObject, type Json} from '../../machines/domain/json.ts';
import type {Report} from '../../machines/facts/progress.ts';

type Reviewed = Extract<Report, {readonly type: 'interview.reviewed'}>;

export const reviewedFields: Law = (record, {violated}) => {
  for (const {id, status, entry} of openRequired(record))
    violated(8, entry, `submitted, and the required field ${id} is ${status}`);
  const reviews = new Reviews(record);
  for (const placed of record.replayed?.reports ?? []) {
    const problem = reviews.problemOf(placed);
    if (problem !== undefined) violated(8, placed.entry, problem);
  }
};

/** The reviews of a run until a point of it. */
class Reviews {
  readonly #record: RecordIndex;
  readonly #passed = new Set<string>();
  /** By the path of the field: the entry of its last review. */
  readonly #last = new Map<string, number>();

  constructor(record: RecordIndex) {
    this.#record = record;
  }

  /** Takes the next report of the run. */
  problemOf(placed: PlacedReport): string | undefined {
    const {report, actor} = placed;
    if (report.type === 'interview.reviewed' && !this.#take(placed, report))
      return `no reviewer has seen the answer to ${report.field}`;
    if (report.type !== 'interview.changed' || report.status !== 'done') return undefined;
    // A field that is changed may get back the answer that passed before.
    return this.#passed.has(`${interviewOf(actor)} ${report.field}`)
      ? undefined
      : `the field ${report.field} is done, and no reviewer has passed it`;
  }

  /** False when no outcome of a reviewer precedes it. */
  #take({actor, entry}: PlacedReport, {passed, field}: Reviewed): boolean {
    const since = this.#last.get(actor) ?? -1;
    this.#last.set(actor, entry);
    if (passed) this.#passed.add(`${interviewOf(actor)} ${field}`);
    return this.#record
      .outcomesBelow(`i/${actor}/reviewer`)
      .some(({seq}) => seq > since && seq <= entry);
  }
}

/** The path of the interview of an actor. */
function interviewOf(actor: string): string {
  return actor.split('/interviewer/', 1)[0] ?? actor;
}

interface OpenField {
  readonly id: string;
  readonly status: string;
  readonly entry: number;
}

/** Required fields without an answer in a form that was submitted. */
function openRequired(record: RecordIndex): OpenField[] {
  const {closed, opened} = record;
  if (!opened || !converses(opened.form)) return [];
  if (closed?.result['status'] !== 'completed') return [];
  const answers = memberOf(memberOf(closed.result, 'answers'), 'answers');
  return requiredIn(formOf(record)).flatMap((id): OpenField[] => {
    const status = textOf(memberOf(memberOf(answers, id), 'status')) || 'open';
    return status === 'done' || status === 'notApplicable' ? [] : [{id, status, entry: closed.seq}];
  });
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The form that was filled last. */
function formOf(record: RecordIndex): Json | undefined {
  const changed = receivedIn(record, 'form.changed').at(-1)?.event['questionnaire'];
  const [opened] = record.entries;
  return changed ?? (opened?.type === 'opened' ? opened.input['questionnaire'] : undefined);
}

function requiredIn(form: Json | undefined): string[] {
  const fields = memberOf(form, 'fields');
  if (!Array.isArray(fields)) return [];
  return fields.flatMap((field: Json) =>
    memberOf(field, 'required') === true ? [textOf(memberOf(field, 'id'))] : [],
  );
}
