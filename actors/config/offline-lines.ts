/** The first warning of a run in which rules do the work. */

import type {RoleContext} from './roles.ts';
import type {Config} from './schema.ts';

const offline = 'using the built-in offline model (rules only).';

/** The sentences of these warnings. Programs match the English text; a screen may show the Japanese text. */
export const offlineSentences = {
  notConfigured: {
    en: `No model is configured: ${offline}`,
    ja: 'モデルが設定されていません。内蔵のオフラインモデル（規則のみ）を使います。',
  },
  asConfigured: {
    en: `As configured: ${offline}`,
    ja: '設定のとおり、内蔵のオフラインモデル（規則のみ）を使います。',
  },
  byReviewers: {
    en: 'No model has a seat: the policy reviewers judge the diff by rule.',
    ja: 'モデルの席がないため、ポリシーのレビュアーが規則で差分を判定します。',
  },
  byForm: {
    en: 'It asks for each field in the words of the form and checks answers by their type and criteria.',
    ja: 'フォームの文言で各項目を尋ね、回答を型と条件で確かめます。',
  },
  setKey: {
    en: 'Set ANTHROPIC_API_KEY or OPENAI_API_KEY, or use -m.',
    ja: 'ANTHROPIC_API_KEY か OPENAI_API_KEY を設定するか、-m を使ってください。',
  },
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
    userFile === undefined ? setKey.en.replace('use -m', `name a model in ${key}`) : setKey.en;
  const first = line ?? (isNamed ? asConfigured.en : notConfigured.en);
  return [first, ability, isNamed ? undefined : remedy]
    .filter((sentence) => sentence !== undefined)
    .join(' ');
}

/** True if a warning is such a line. */
export function isOfflineLine(message: string): boolean {
  return message.includes(offline) || message.startsWith(offlineSentences.byReviewers.en);
}
