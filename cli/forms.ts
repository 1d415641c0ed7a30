/** How the forms are called on the command line. */

import type {RunForm} from '../actors/config/resolve.ts';

export type {RunForm};

const nouns: Readonly<Record<RunForm, string>> = {
  agent: 'task',
  ask: 'question',
  discuss: 'question',
  review: 'diff',
};

const examples: Readonly<Record<RunForm, string>> = {
  agent: 'quorate "what is to be done"',
  ask: 'quorate ask "what do you want to know?"',
  discuss: 'quorate discuss "what is to be discussed?"',
  review: 'git diff | quorate review',
};

/** What a form is given. */
export function nounOf(form: RunForm): string {
  return nouns[form];
}

export function exampleOf(form: RunForm): string {
  return examples[form];
}
