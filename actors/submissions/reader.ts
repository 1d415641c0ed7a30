/** Reads the standing of a submission that is awake, sleeps, or has ended. Reading a sleeping one writes nothing. */

import {AppError} from '../../machines/domain/app-error.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import {
  type Questionnaire,
  questionnaireDigest,
} from '../../machines/questionnaire/questionnaire.ts';
import {peekRun} from '../history/peek.ts';
import type {Entry} from '../journal/journal.ts';
import {openedIn} from '../run/run-input.ts';
import {recordedResult} from '../run/run-result.ts';
import {validForm} from '../run/validation.ts';
import type {Run, Runtime} from '../runtime-api.ts';
import {type Awake, isQuiet, untilQuiet} from './awake.ts';
import type {SubmissionRecord, SubmissionRepository} from './repository.ts';
import {type About, endedStanding, type Standing, standingOf} from './standing.ts';

export type Read = (id: string) => Promise<Standing>;

interface ReaderDeps {
  readonly runtime: Runtime;
  readonly repository: SubmissionRepository;
  readonly awake: Awake;
  readonly findForm: (name: string) => Promise<Questionnaire | undefined>;
}

/** How long a run that was just woken may take to apply a changed form. */
const momentMs = 1_000;

export function createReader({runtime, repository, awake, findForm}: ReaderDeps): Read {
  /** True for a sleeping submission that has work to do, or whose form has changed. */
  const needsWaking = async (
    {questionnaire}: InterviewView,
    about: About,
    isAtWork: boolean,
  ): Promise<boolean> => {
    const form = isAtWork ? undefined : await findForm(about.form);
    return (
      isAtWork ||
      (form !== undefined && questionnaireDigest(form) !== questionnaireDigest(questionnaire))
    );
  };
  return async (id) => {
    const about = await requireRecord(id, repository);
    const run = awake.find(id);
    const live = run && liveStanding(about, run);
    if (live) return live;
    // The last entry of the run is about to be written.
    await run?.result;
    const entries = await runtime.entries(id);
    const ended = pastStanding(about, entries);
    if (ended) return ended;
    const {interview, isAtWork} = await peekRun(id, entries);
    if (interview && !(await needsWaking(interview, about, isAtWork)))
      return standingOf(about, interview, false);
    return await awake.use(id, async (woken) => {
      await untilQuiet(woken, momentMs);
      const standing = liveStanding(about, woken);
      if (standing) return standing;
      await woken.result;
      const past = pastStanding(about, await runtime.entries(id));
      if (past) return past;
      throw new AppError('busy', `submission ${id} is ending; try again`);
    });
  };
}

/** Undefined when the run has ended meanwhile. */
export function liveStanding(about: About, run: Run): Standing | undefined {
  const view = run.interview();
  return view && standingOf(about, view, !isQuiet(run));
}

/** Undefined while the run is open. */
function pastStanding(about: About, entries: readonly Entry[]): Standing | undefined {
  const {answers, conversation = []} = recordedResult(entries) ?? {};
  const questionnaire = formIn(entries);
  if (!answers || !questionnaire) return undefined;
  return endedStanding(about, questionnaire, answers, conversation);
}

/** The last version of the form that was filled. */
function formIn(entries: readonly Entry[]): Questionnaire | undefined {
  const changes = entries.flatMap((entry) =>
    entry.type === 'received' && entry.event['type'] === 'form.changed' ? [entry.event] : [],
  );
  const last = changes.at(-1);
  return last ? validForm(last['questionnaire']) : openedIn(entries)?.questionnaire;
}

export async function requireRecord(
  id: string,
  repository: SubmissionRepository,
): Promise<SubmissionRecord> {
  const record = await repository.find(id);
  if (record) return record;
  throw new AppError('not_found', `there is no submission ${id}`);
}
