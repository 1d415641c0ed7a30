/** Keeps the private answers of an interview out of the reports and the result of a run. */

import {converses} from '../../machines/domain/interaction-form.ts';
import type {RunResult} from '../../machines/domain/result.ts';
import {isStreamed, type Report} from '../../machines/facts/progress.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import {createPrivacy, maskedResult} from '../../machines/questionnaire/private-answers.ts';

export interface Discretion {
  /** Undefined for a report that must not be shown: a private answer that arrives in pieces can't be recognised. */
  readonly report: (report: Report) => Report | undefined;
  /** For the program that began the run: its member `answers` is not masked. */
  readonly result: (result: RunResult) => RunResult;
}

/** For a run without private answers. */
export const indiscreet: Discretion = {report: (report) => report, result: (result) => result};

/** For a run of this form. `interview`: its current view; undefined when it has ended. */
export function createDiscretion(
  form: unknown,
  interview: () => InterviewView | undefined,
): Discretion {
  if (!converses(form)) return indiscreet;
  let last: InterviewView | undefined;
  const known = (): readonly InterviewView[] => {
    last = interview() ?? last;
    return last ? [last] : [];
  };
  const result = (whole: RunResult): RunResult => maskedResult(whole, ...known());
  return {
    report: (report) => {
      if (report.type === 'result') return result(report);
      const privacy = createPrivacy(...known());
      if (!privacy.isNeeded) return report;
      return isStreamed(report) ? undefined : privacy.data(report);
    },
    result: (whole) => {
      const {answers} = whole;
      return {...result(whole), ...(answers ? {answers} : {})};
    },
  };
}
