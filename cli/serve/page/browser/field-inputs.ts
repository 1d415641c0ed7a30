/** The controls for a field of each type, beside the text box. */

import type {Field, FieldType} from './sync/wire.ts';

export interface FieldInput {
  /** The `type` of the HTML input that edits an answer in place. Absent: free text, as in the conversation. */
  readonly control?: 'number' | 'date' | 'email' | 'url' | 'tel';
  /** The keyboard that a touch screen shows. */
  readonly keyboard?: 'decimal' | 'numeric' | 'email' | 'url' | 'tel';
  /** The choices: yes and no, one of the form's choices, or several of them. */
  readonly choices?: 'yesNo' | 'one' | 'several';
}

const inputs: Readonly<Record<FieldType, FieldInput>> = {
  text: {},
  number: {control: 'number', keyboard: 'decimal'},
  integer: {control: 'number', keyboard: 'numeric'},
  date: {control: 'date'},
  email: {control: 'email', keyboard: 'email'},
  url: {control: 'url', keyboard: 'url'},
  phone: {control: 'tel', keyboard: 'tel'},
  boolean: {choices: 'yesNo'},
  choice: {choices: 'one'},
  choices: {choices: 'several'},
};

export function inputFor({type}: Pick<Field, 'type'>): FieldInput {
  return inputs[type];
}
