/** The commands at an interview that are about its answers: go back to one, look at them, submit them. */

import type {Run} from '../../actors/runtime-api.ts';
import {nearest} from '../../machines/domain/nearest.ts';
import {languageOf} from '../../machines/forms/interview/dialogue.ts';
import {listed, type Message, t} from '../../machines/message.ts';
import type {InterviewView} from '../../machines/questionnaire/answers.ts';
import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {tryLanguage} from '../language.ts';
import {usageError} from '../line/usage-error.ts';
import type {Style} from '../render/style.ts';
import {oneLine} from '../render/text.ts';
import type {Ui} from '../talk/talk.ts';
import type {Asking} from '../talk/waiting.ts';
import {type Room, answerLines, fieldsThatApply, reviewLines} from './screen.ts';

/** BCP 47, once the respondent's language is known, or the form has one. */
export function languageIn(view: InterviewView | undefined): string | undefined {
  return view && languageOf({respondent: view.answers, questionnaire: view.questionnaire});
}

export function roomFor({root, open}: Asking, {style, size}: Pick<Ui, 'style' | 'size'>): Room {
  return roomIn(root.run.interview(open.interaction), style, size().width);
}

/** Until the respondent's language is known, the texts are in that of the style. */
export function roomIn(view: InterviewView | undefined, style: Style, width: number): Room {
  const language = tryLanguage(languageIn(view)) ?? style.language;
  return {style: {...style, language}, width};
}

/** The texts of the launcher are in the respondent's language, too. `language`: BCP 47, until theirs is known. */
export function respondentStyle(
  run: Pick<Run, 'interview'>,
  language: string | undefined,
  style: Style,
): Style {
  return {
    ...style,
    get language() {
      return tryLanguage(languageIn(run.interview()) ?? language) ?? style.language;
    },
  };
}

/** Throws AppError `usage` for a name that no field has. */
export function goBack(name: string, asking: Asking): void {
  const {id} = fieldNamed(name, asking);
  reply({field: id}, asking);
}

/** Prints all answers, or that of one field in full. Throws AppError `usage` for a name that no field has. */
export function review(
  name: string,
  asking: Asking,
  ui: Pick<Ui, 'style' | 'size' | 'print'>,
): void {
  const view = viewOf(asking);
  const room = roomFor(asking, ui);
  const lines =
    name === '' ? reviewLines(view, room) : answerLines(fieldNamed(name, asking), view, room);
  ui.print(['', ...lines]);
}

/** Throws AppError `usage` while answers are missing. */
export function submit(asking: Asking): void {
  const view = viewOf(asking);
  if (asking.open.state === 'confirming' && view.canSubmit) return reply({confirms: true}, asking);
  const open = fieldsThatApply(view).filter(({id}) => view.open.includes(id));
  const labels = listed(
    open.map(({label}) => oneLine(label)),
    (before, next) => t`${before}, ${next}`,
  );
  throw usageError(
    open.length === 0
      ? t`all questions must be asked first`
      : t`it can’t be submitted yet; still needed: ${labels}`,
  );
}

function viewOf({root, open}: Asking): InterviewView {
  const view = root.run.interview(open.interaction);
  if (view) return view;
  throw new Error(`the interview ${open.interaction} asks, and has no view`);
}

function reply(
  said: {readonly field: string} | {readonly confirms: true},
  {root, open}: Asking,
): void {
  root.gates.reply({type: 'person.replied', ask: open.ask, ...said});
}

function fieldNamed(name: string, asking: Asking): FormField {
  const view = viewOf(asking);
  const fields = fieldsThatApply(view);
  const field = matchingField(name, fields);
  if (field) return field;
  const names = fields.flatMap(({id, label}) => [label, id]);
  const near = nearest(name, names);
  const hint: Message = near === undefined ? t`` : t`; did you mean “${oneLine(near)}”?{:field}`;
  throw usageError(t`there is no question “${oneLine(name)}”${hint}`);
}

/** Finds a field by number, by id, or by the beginning of the label. */
function matchingField(name: string, fields: readonly FormField[]): FormField | undefined {
  const wanted = name.toLowerCase();
  return (
    fields[Number(name) - 1] ??
    fields.find(({id, label}) => id === name || label.toLowerCase() === wanted) ??
    fields.find(({label}) => label.toLowerCase().startsWith(wanted))
  );
}
