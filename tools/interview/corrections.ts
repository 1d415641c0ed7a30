/** Phrases that correct an answer: by the name of its field, by its number in a list, or without naming it, for the last answer. */

import type {FormField} from '../../machines/questionnaire/questionnaire.ts';
import {fold, type Folded, typed} from './fold.ts';
import {fieldNamed, type NamedField} from './labels.ts';

export interface Correction {
  readonly field: FormField;
  /** How certainly the field was named. */
  readonly how: NamedField['how'];
  /** The new value, verbatim; absent when it was not given. */
  readonly text?: string;
}

const lead = String.raw`(?:(?:ok|okay|well|oh|oops|wait|hmm|sorry|actually|please|no|hold on|one moment|my mistake|can you|could you|can we|could we|can i|could i|may i|let me|let's|i want to|i'd like to|i would like to|i need to|i have to|i wish to|i think|also|and|then|now|yes|but|looks good|looks fine|all good|great|good|fine)[,.!: ]+)*`;
const change = new RegExp(
  String.raw`^${lead}(?:change|correct|update|fix|edit|set|replace|amend|modify|revise|redo|alter|go back to|back to|return to)(?: the answer (?:to|for))? (?<rest>.+)$`,
  'is',
);
const wrong =
  /^(?:(?:i think|i believe|oh|oops|wait|sorry|actually|no|but)[,. ]+(?:that )?)*(?<name>.{1,80}?) (?:is|was|are) (?:wrong|incorrect|not right|not correct|a typo|misspelled|mistaken)\b[,.;: -]*(?:(?:it|that)(?:'s| is| should be| must be)|should be|correct is|make it)? *(?<said>.*)$/is;
/** Phrases that take back an earlier statement. */
const takenBack = /^(?:oh|oops|wait|sorry|actually|no|correction|my mistake|i mean|i meant)\b/i;
const stated = new RegExp(
  String.raw`^${lead}(?:my |the |our )(?<name>.{1,80}?)(?: is| are| was|'s| should be| must be| should have been) (?:actually |really |now |rather )?(?<said>.+)$`,
  'is',
);
const japaneseLead = String.raw`(?:(?:すみません|すいません|ごめんなさい|やっぱり|やはり|あの|あっ|あ|えっと|いや|いえ|いいえ|違います|訂正します|訂正)[,.! ]*)*`;
const japaneseChange = new RegExp(
  String.raw`^${japaneseLead}(?<name>[^\n]{1,60}?)[をは] *(?:(?<said>.+?) *[にへ] *)?(?:変更|修正|訂正|直|変え|書き換え|なお|かえ)(?:ら|し|す|た|て|る|さ|え|で|お|を|が|く|い|ま|れ|ば|だ|せ|ん|か|り|ほ|よ|う|ね|願|下|ください|[.!?])*$`,
  'su',
);
const japaneseWrong = new RegExp(
  String.raw`^${japaneseLead}(?<name>[^\n]{1,60}?)[がは] *(?:間違い|間違え|間違って|間違|違い|違って|違う|誤り)(?:でした|です|ました|ます|います|いました|てい|る|た|だ)*[,. ]*(?:正しくは|正解は)? *(?<said>.*?)(?:です|でした|になります)?[.]?$`,
  'su',
);
const japaneseStated = new RegExp(
  String.raw`^${japaneseLead}(?:私の)?(?<name>[^\n]{1,60}?)は *(?<said>.+?)(?:です|でした|になります|でお願いします)?[.]?$`,
  'su',
);
const last =
  /^(?:(?:no|nope|oh|oops|wait|sorry|actually|hold on|hmm|my mistake|my bad|correction|scratch that|i mean|i meant|i mis(?:typed|spoke|spelled))[,.!:; -]+)+(?:(?:i meant?|(?:it|that)(?:'s| is| was| should be| should have been)|make (?:it|that)|should be|correct is) )(?<said>.+)$|^(?:(?:sorry|oops|wait|actually|no|oh|hmm)[,.! ]+)*(?:i meant?|scratch that|correction|(?:that|it) should (?:be|have been))[,:]? (?<meant>.+)$/is;
const japaneseLast =
  /^(?:(?:いや|いえ|いいえ|違います|違う|ちがいます|間違えました|間違いました|間違えた|訂正します|訂正|失礼しました|すみません|あっ|あ)[,.!: ]+)+(?:正しくは|正解は)? *(?<said>.+?)(?:です|でした|の間違いです|の間違いでした|に訂正します|に変更します|だ)?[.]?$/su;

/** Longer replies are more than a correction. */
const maxCorrectionLength = 600;

/** A change that names its field and says that it is a change. */
export function namedCorrection(
  text: string,
  fields: readonly FormField[],
): Correction | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  const rest = change.exec(folded.text)?.groups?.['rest'];
  if (rest !== undefined) return changed(folded, rest, fields);
  return (
    byGroups(folded, wrong.exec(folded.text)?.groups, fields) ??
    byGroups(folded, japaneseChange.exec(folded.text)?.groups, fields) ??
    byGroups(folded, japaneseWrong.exec(folded.text)?.groups, fields)
  );
}

/** `My email is x`: an answer, or a correction of an earlier one. */
export function statedValue(
  text: string,
  fields: readonly FormField[],
): (Correction & {readonly isTakenBack: boolean}) | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  const named =
    byGroups(folded, stated.exec(folded.text)?.groups, fields) ??
    byGroups(folded, japaneseStated.exec(folded.text)?.groups, fields);
  return named?.text === undefined
    ? undefined
    : {...named, isTakenBack: takenBack.test(folded.text)};
}

/** `No, it's x`: corrects the last answer. Verbatim. */
export function takenBackText(text: string): string | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  const english = last.exec(folded.text)?.groups;
  const said =
    english?.['said'] ?? english?.['meant'] ?? japaneseLast.exec(folded.text)?.groups?.['said'];
  return said === undefined ? undefined : verbatim(folded, said);
}

const item =
  /^(?:number |no\.? ?|nr\.? ?|#)?(?<n>\d{1,3})(?:番目?)?(?:(?<end>[.!?]?)$|[.:)=]? *(?:to |is |should be |を|は)? *(?<said>.+?)(?:に(?:変更|修正|訂正|して|変えて).{0,15}|です)?$)/isu;

/** Without a verb, a number names a field only if it stands alone or a mark separates it from the value: `2 days` does not. */
const setOff =
  /^(?:number |no\.? ?|nr\.? ?|#)?\d{1,3}(?:番目?)?(?:[.!?]?$| ?[.:)=をはが]| (?:to|is|was|should) )/i;

const short =
  /^(?<name>.{1,80}?)(?: should be| must be| is| to|は| *を) *(?<said>.+?)(?<=\S)(?:に|へ|です)?[.]?$/isu;

/** `Hours should be 20`, 人数を3人に: clear enough if the reply contains nothing else. */
export function shortValue(text: string, fields: readonly FormField[]): Correction | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  return byGroups(folded, short.exec(folded.text)?.groups, fields);
}

const onlyWrong =
  /^(?:is |was )?(?:wrong|incorrect|not right|not correct)[.!]?$|^[がは]?(?:違|間違|誤).{0,10}$/i;

/** `2`, `2: x`, 2番をxに変更; by the position in the list of all fields. */
export function numberedCorrection(
  text: string,
  fields: readonly FormField[],
): Correction | undefined {
  if (text.length > maxCorrectionLength) return undefined;
  const folded = fold(text.trim());
  const {n, said} = itemIn(folded.text) ?? {};
  const field = fields[Number(n) - 1];
  if (!field) return undefined;
  const value = said?.replace(/^(?:to|into) /i, '').replace(onlyWrong, '');
  return {field, how: 'exact', ...correctionText(folded, value)};
}

function itemIn(text: string): Readonly<Record<string, string | undefined>> | undefined {
  const rest = change.exec(text)?.groups?.['rest'] ?? (setOff.test(text) ? text : '');
  return item.exec(rest)?.groups;
}

/** `email to x`: the name itself may contain a `to`. */
function changed(
  folded: Folded,
  rest: string,
  fields: readonly FormField[],
): Correction | undefined {
  const whole = fieldNamed(rest.replace(/[.!?]+$/, ''), fields);
  if (whole) return whole;
  for (const {index, 0: mark} of rest.matchAll(
    / (?:to|into|as|with|from .{1,100} to) (?:be )?|[:=] */gi,
  )) {
    const named = fieldNamed(rest.slice(0, index), fields);
    if (named) return {...named, ...correctionText(folded, rest.slice(index + mark.length))};
  }
  return undefined;
}

function byGroups(
  folded: Folded,
  groups: Readonly<Record<string, string | undefined>> | undefined,
  fields: readonly FormField[],
): Correction | undefined {
  const named = groups && fieldNamed(groups['name'] ?? '', fields);
  return named && {...named, ...correctionText(folded, groups['said'])};
}

function correctionText(folded: Folded, said: string | undefined): {text?: string} {
  const text = said === undefined ? '' : verbatim(folded, said);
  return text === '' ? {} : {text};
}

/** The value comes last. */
function verbatim(folded: Folded, said: string): string {
  const start = folded.text.lastIndexOf(said);
  return typed(folded, start, start + said.length).replace(/(?<=\S)[。!！?？]$/u, '');
}
