/** The first warning of a run in which everything goes by rule. */

import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {keysForInterview} from './interview.ts';
import type {RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

const used = 'the built-in offline model is used.';

const usual = 'It understands a few kinds of requests';

/** The abilities of the offline model in forms where they differ from the usual ones. */
const abilities: Readonly<Partial<Record<InteractionForm, string>>> = {
  interview:
    'It asks the fields as the form words them and checks answers by their type and criteria',
};

const judged = 'No AI model has a seat, so the policy reviewers judge the diff by rule.';

const forModel = 'For a real model set ANTHROPIC_API_KEY or OPENAI_API_KEY';

/** Where the model is named that does the work of a form. */
const workingKeys: Readonly<Record<Exclude<InteractionForm, 'command'>, string>> = {
  agent: 'agent.decision_model',
  ask: 'ask.model',
  discuss: 'discuss.participants',
  interview: 'interview.model',
  review: 'agent.review_models',
};

/** One line; how to configure a model is said unless rules were asked for by name. */
export function offlineLine(
  form: keyof typeof workingKeys,
  config: Config,
  {named, userFile}: RoleContext,
): string {
  const keys = form === 'interview' ? keysForInterview(config) : [workingKeys[form]];
  const isNamed = keys.some((key) => named.has(key));
  const [help, models] =
    userFile === undefined
      ? ['', `, or name a model in ${workingKeys[form]}`]
      : [' (quorate help offline)', ' (quorate help models)'];
  const first = isNamed ? `As configured, ${used}` : `No AI model is configured, so ${used}`;
  const line = form === 'review' ? judged : `${first} ${abilities[form] ?? usual}${help}.`;
  return isNamed ? line : `${line} ${forModel}${models}.`;
}

/** Whether a warning is such a line. */
export function isOfflineLine(message: string): boolean {
  return message.includes(used) || message.startsWith(judged);
}
