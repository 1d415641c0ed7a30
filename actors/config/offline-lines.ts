/** The first warning of a run in which everything goes by rule. */

import type {RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

const used = 'the built-in offline model is used.';

const usual = 'It understands a few kinds of requests';

/** Of a review: the whole line. */
export const judged = 'No AI model has a seat, so the policy reviewers judge the diff by rule.';

const forModel = 'For a real model set ANTHROPIC_API_KEY or OPENAI_API_KEY';

/** How a form says that rules do its work. */
export interface OfflineWords {
  /** Names the model that does its work. */
  readonly key: string;
  /** Every key that can name that model. Absent: `key` alone. */
  readonly namedBy?: (config: Config) => readonly string[];
  /** What the offline model can do in it. Absent: the usual. */
  readonly ability?: string;
  /** Absent: that the offline model is used, and what it can do. */
  readonly line?: string;
}

/** One line; how to configure a model is said unless rules were asked for by name. */
export function offlineLine(
  {key, namedBy, ability = usual, line: own}: OfflineWords,
  config: Config,
  {named, userFile}: RoleContext,
): string {
  const keys = namedBy?.(config) ?? [key];
  const isNamed = keys.some((each) => named.has(each));
  const [help, models] =
    userFile === undefined
      ? ['', `, or name a model in ${key}`]
      : [' (quorate help offline)', ' (quorate help models)'];
  const first = isNamed ? `As configured, ${used}` : `No AI model is configured, so ${used}`;
  const line = own ?? `${first} ${ability}${help}.`;
  return isNamed ? line : `${line} ${forModel}${models}.`;
}

/** Whether a warning is such a line. */
export function isOfflineLine(message: string): boolean {
  return message.includes(used) || message.startsWith(judged);
}
