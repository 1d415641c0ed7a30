/** The names of the forms on the command line. */

import type {RunForm} from '../../actors/config/resolve.ts';
import {formTraits, type InteractionForm} from '../../machines/domain/interaction-form.ts';
import type {Texts} from '../language.ts';

export type {RunForm};

/** A command line that begins a run of the form. */
const examples: Readonly<Record<InteractionForm, string>> = {
  agent: 'quorate "TASK"',
  ask: 'quorate ask "what do you want to know?"',
  discuss: 'quorate discuss "what is to be discussed?"',
  interview: 'quorate interview form.toml',
  review: 'git diff | quorate review',
  command: 'quorate chat, and there: !npm test',
};

/** The noun for the form's input. */
const inJapanese = new Map([
  ['task', 'タスク'],
  ['question', '質問'],
  ['form', 'フォーム'],
  ['diff', '差分'],
  ['command', 'コマンド'],
]);

export function nounOf(form: InteractionForm): Texts {
  const en = formTraits[form].input;
  return {en, ja: inJapanese.get(en) ?? en};
}

export function exampleOf(form: InteractionForm): string {
  return examples[form];
}
