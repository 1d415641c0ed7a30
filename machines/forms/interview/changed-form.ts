/** Applies a form that has changed while a person fills it. */

import type {Questionnaire} from '../../questionnaire/questionnaire.ts';
import {
  type Dialogue,
  openDialogue,
  recordOf,
  settled,
  textsOf,
  withNotice,
  withRecord,
} from './dialogue.ts';

/**
 * The dialogue with the changed form. New fields are pending, and removed fields are dropped. A done field whose definition or
 * facts have changed is asked again. All conditions are evaluated again.
 */
export function withChangedForm(dialogue: Dialogue, questionnaire: Questionnaire): Dialogue {
  const {respondent, assumed, said, unusableModels, notices} = dialogue;
  const known = {assumed, said, unusableModels, notices};
  const opened = {...openDialogue(questionnaire, respondent), ...known};
  const kept = questionnaire.fields.filter(({id}) => Object.hasOwn(dialogue.fields, id));
  const filled = kept.reduce((now, {id}) => {
    const record = recordOf(dialogue, id);
    const isStale = record.status === 'done' && !isSameField(dialogue, questionnaire, id);
    return withRecord(now, id, isStale ? {...record, status: 'stale'} : record);
  }, opened);
  const order = [
    ...dialogue.order.filter((id) => kept.some((field) => field.id === id)),
    ...opened.order.filter((id) => !Object.hasOwn(dialogue.fields, id)),
  ];
  return withNotice(settled({...filled, order}), textsOf(dialogue).formChanged);
}

function isSameField({questionnaire: before}: Dialogue, after: Questionnaire, id: string): boolean {
  const askedFor = ({fields, facts}: Questionnaire): string =>
    JSON.stringify([
      fields.find((each) => each.id === id),
      facts.filter(({field}) => field === id),
    ]);
  return askedFor(before) === askedFor(after);
}
