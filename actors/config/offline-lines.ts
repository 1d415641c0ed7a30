/** The first warning of a run in which rules do the work. */

import type {RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

const offline = 'using the built-in offline model (rules only).';

/** The sentences of these warnings. Programs match them; a screen shows them in its language. */
export const offlineSentences = {
  notConfigured: `No model is configured: ${offline}`,
  asConfigured: `As configured: ${offline}`,
  byReviewers: 'No model has a seat: the policy reviewers judge the diff by rule.',
  byForm:
    'It asks for each field in the words of the form and checks answers by their type and criteria.',
  setKey: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.',
} as const;

/** The texts by which a form reports that rules do its work. */
export interface OfflineWords {
  /** The configuration key of the model that does its work. */
  readonly key: string;
  /** Every key that can name that model. Absent: `key` alone. */
  readonly namedBy?: (config: Config) => readonly string[];
  /** A sentence on the abilities of the offline model in this form. */
  readonly ability?: string;
  /** Replaces the sentence on the offline model. */
  readonly line?: string;
}

/** One line. It explains how to configure a model, unless the user named the offline model. */
export function offlineLine(
  {key, namedBy, ability, line}: OfflineWords,
  config: Config,
  {named, userFile}: RoleContext,
): string {
  const {notConfigured, asConfigured, setKey} = offlineSentences;
  const keys = namedBy?.(config) ?? [key];
  const isNamed = keys.some((each) => named.has(each));
  const remedy =
    userFile === undefined ? setKey.replace('use -m', `name a model in ${key}`) : setKey;
  const first = line ?? (isNamed ? asConfigured : notConfigured);
  return [first, ability, isNamed ? undefined : remedy]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** True if a warning is such a line. */
export function isOfflineLine(message: string): boolean {
  return message.includes(offline) || message.startsWith(offlineSentences.byReviewers);
}
