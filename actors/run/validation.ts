/** Checks of the options of a run, before it opens or resumes. */

import {realpathSync, statSync} from 'node:fs';
import {resolve} from 'node:path';

import {AppError} from '../../machines/domain/app-error.ts';
import {formTraits, interactionForms} from '../../machines/domain/interaction-form.ts';
import {didYouMean} from '../../machines/domain/nearest.ts';
import type {FileDiff} from '../../machines/domain/patch.ts';
import {type Plan, readPlan} from '../../machines/domain/plan.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import {readQuestionnaire} from '../../machines/questionnaire/questionnaire-reading.ts';
import type {Questionnaire} from '../../machines/questionnaire/questionnaire.ts';
import type {InteractionInput} from '../../machines/tree/children.ts';
import type {RunForm} from '../config/resolve.ts';
import {isInteractionId} from '../journal/chain.ts';
import type {Router} from '../model/router.ts';
import type {StartOptions} from '../runtime-api.ts';
import type {Needs} from './run-input.ts';

/** Callers in plain JavaScript may pass any string. */
export function checkedRunForm(form: string): RunForm {
  const known = interactionForms.find((each) => each === form);
  if (known) return known;
  const name = form.slice(0, 80);
  const names = interactionForms.join(', ');
  throw new AppError(
    'usage',
    `there is no form ${JSON.stringify(name)}${didYouMean(name, interactionForms)}; there are ${names}`,
  );
}

export function checkedRequest(request: string): string {
  const text = request.toWellFormed().trim();
  if (text === '') throw new AppError('usage', 'the request is empty; describe the task');
  return text;
}

/** Throws AppError `usage`, `config` or `credentials` when the workspace or a model that an open run needs is missing. */
export function demand({id, workspace, models}: Needs, router: Router): void {
  if (workspace !== undefined && !isFolder(workspace)) {
    throw new AppError(
      'usage',
      `run ${id} works in ${workspace}, which is not a folder any more; restore it, or name its new place: quorate resume ${id} -C FOLDER`,
    );
  }
  for (const model of models) router.get(model);
}

export function isFolder(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
}

/** Checks the options that only some forms take. */
export function checkedGoods(
  {
    plan,
    diff,
    allowUnread,
    questionnaire,
    respondent,
  }: Pick<StartOptions, 'plan' | 'diff' | 'allowUnread' | 'questionnaire' | 'respondent'>,
  form: RunForm,
  tools: readonly ToolInfo[],
): Pick<InteractionInput, 'plan' | 'diff' | 'allowUnread' | 'questionnaire' | 'respondent'> {
  return {
    ...(plan === undefined ? {} : {plan: checkedPlan(plan, form, tools)}),
    ...(diff === undefined ? {} : {diff: checkedDiff(diff, form)}),
    ...(allowUnread === undefined ? {} : {allowUnread}),
    ...(questionnaire === undefined ? {} : {questionnaire: checkedForm(questionnaire, form)}),
    ...(respondent === undefined ? {} : {respondent}),
  };
}

function checkedPlan(plan: unknown, form: RunForm, tools: readonly ToolInfo[]): Plan {
  if (formTraits[form].input !== 'task')
    throw new AppError('usage', `a run of the form ${form} takes no plan`);
  const reading = readPlan(plan, tools);
  if (reading.ok) return reading.plan;
  throw new AppError('usage', `the plan is not valid: ${reading.problems.join('; ')}`);
}

function checkedDiff(diff: readonly FileDiff[], form: RunForm): readonly FileDiff[] {
  if (formTraits[form].input === 'diff') return diff;
  throw new AppError('usage', `a run of the form ${form} takes no diff`);
}

/** A questionnaire, as a program or a file has it. */
export function checkedForm(questionnaire: unknown, form: RunForm): Questionnaire {
  if (formTraits[form].input !== 'form')
    throw new AppError('usage', `a run of the form ${form} fills no form`);
  return validForm(questionnaire);
}

/** Throws AppError `usage` for a questionnaire that cannot be filled. */
export function validForm(questionnaire: unknown): Questionnaire {
  const reading = readQuestionnaire(questionnaire);
  if (reading.ok) return reading.value;
  throw new AppError('usage', `the form is not valid: ${reading.problems.join('; ')}`);
}

/** The absolute path with links resolved, as runs record their folders; links of a missing folder stay as they are. */
export function realPath(folder: string): string {
  const path = resolve(folder);
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

export function checkedSession(session: string): string {
  if (isInteractionId(session)) return session;
  throw new AppError(
    'usage',
    `${JSON.stringify(session.slice(0, 80))} is not a session id; give 1 to 64 letters, digits, "-" or "_"`,
  );
}

export function checkedWorkspace(workspace: string): string {
  const path = resolve(workspace);
  if (!isFolder(path)) {
    throw new AppError('usage', `the workspace ${path} is not a folder; name one with --cwd`);
  }
  return realpathSync(path);
}

/** The workspace of a run that works in no folder. Throws AppError `usage` for one that is given to it. */
export function withoutFolder(id: string, given: string | undefined): '' {
  if (given === undefined) return '';
  throw new AppError('usage', `run ${id} works in no folder; leave out ${given}`);
}
