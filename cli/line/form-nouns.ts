/** The names of the forms on the command line. */

import type {RunForm} from '../../actors/config/resolve.ts';
import {type InteractionForm, inputOf} from '../../machines/domain/interaction-form.ts';

export type {RunForm};

/** A command line that begins a run of the form. */
const examples: Readonly<Record<InteractionForm, string>> = {
  agent: 'quorate "what is to be done"',
  ask: 'quorate ask "what do you want to know?"',
  discuss: 'quorate discuss "what is to be discussed?"',
  interview: 'quorate interview form.toml',
  review: 'git diff | quorate review',
  command: 'quorate chat, and there: !npm test',
};

/** The noun for the form's input. */
export function nounOf(form: InteractionForm): string {
  return inputOf(form);
}

export function exampleOf(form: InteractionForm): string {
  return examples[form];
}
