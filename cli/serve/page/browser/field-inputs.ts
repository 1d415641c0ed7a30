/** How a field of each type is answered on the page, beside free words. */

import type {Field, FieldType} from './sync/wire.ts';

export interface FieldInput {
  /** The `type` of an HTML input that changes an answer in its place. Absent: it is written as freely as in the conversation. */
  readonly control?: 'number' | 'date' | 'email' | 'url' | 'tel';
  /** The keyboard that a touch screen shows. */
  readonly keyboard?: 'decimal' | 'numeric' | 'email' | 'url' | 'tel';
  /** What may be chosen: yes and no, one of the form's choices, or several of them. */
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
