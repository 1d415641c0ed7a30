/** The field that a sentence is about, by the words of its label: `Actually I do need a car`. */

import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fold} from './fold.ts';

/** Longer replies are more than a mention. */
const maxLength = 200;

const native = /[\p{Script=Han}\p{Script=Katakana}ー]+|[\p{Script=Latin}\p{Script=Cyrillic}]+/gu;
const common =
  /^(?:a|an|and|any|are|can|could|did|do|does|for|have|has|how|if|in|is|it|many|may|much|my|not|of|on|or|our|should|the|this|that|to|was|we|were|what|when|where|which|who|why|will|with|would|you|your|i|don|t)$/;

/** Undefined for a question, and unless exactly one field has most of its words in the text. */
export function fieldMentioned(text: string, fields: readonly FormField[]): FormField | undefined {
  if (text.length > maxLength || /[?？]\s*$/.test(text)) return undefined;
  const said = significantWords(text);
  const [field, second] = fields.filter(({label}) => {
    const words = [...significantWords(label)];
    return words.length > 0 && words.filter((word) => said.has(word)).length * 2 > words.length;
  });
  return second === undefined ? field : undefined;
}

function significantWords(text: string): ReadonlySet<string> {
  const words = fold(text).text.toLowerCase().match(native) ?? [];
  return new Set(words.filter((word) => !common.test(word)));
}
