/** What a person is told first when everything goes by rule. */

import type {InteractionForm} from '../../machines/domain/interaction-form.ts';
import {keysForInterview} from './interview.ts';
import type {RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

const byRule = 'offline: a rule-based model works, which understands a few kinds of requests';

const told: Readonly<Partial<Record<InteractionForm, string>>> = {
  interview:
    'offline: the interview goes by rule: fields are asked as the form words them, and answers checked by type and criteria',
};

const judged = 'offline: no model is seated, so the policy reviewers judge the diff by rule';

const noModel = 'no model is configured: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a model';

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
      ? ['', ` in ${workingKeys[form]}`]
      : ['; see quorate help offline', ' with -m; see quorate help models'];
  const line = form === 'review' ? judged : (told[form] ?? byRule) + help;
  return line + (isNamed ? '' : `. ${noModel}${models}`);
}
