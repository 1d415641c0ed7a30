/** The names of the forms on the command line. */

import type {RunForm} from '../../actors/config/resolve.ts';
import {formTraits, type InteractionForm} from '../../machines/domain/interaction-form.ts';
import {type Message, t} from '../../machines/message.ts';

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

const nouns: Readonly<Record<(typeof formTraits)[InteractionForm]['input'], Message>> = {
  task: t`task`,
  question: t`question`,
  form: t`form`,
  diff: t`diff`,
  command: t`command`,
};

/** The noun for the form's input. */
export function nounOf(form: InteractionForm): Message {
  return nouns[formTraits[form].input];
}

export function exampleOf(form: InteractionForm): string {
  return examples[form];
}
