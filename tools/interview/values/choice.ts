/** Reads one or several of a form's choices: by name, by number, by the beginning of the name. */

import {nearest} from '../../../machines/domain/nearest.ts';
import {yesNoWords} from '../data/tables.ts';
import {fold, type Folded, quotedPart} from '../fold.ts';
import {isTooLong, maxTypedLength, type ValueReading} from './reading.ts';

const negated =
  /\b(?:not|no|neither|nor|without|except|but|anything but)\b|n't\b|以外|ではな|じゃな|なく/i;

export function readChoice(folded: Folded, choices: readonly string[]): ValueReading<string> {
  const text = isTooLong(folded) ? '' : plain(folded.text);
  const value = clearChoice(text, choices) ?? mentioned(text, choices);
  if (value !== undefined) return {value, quote: quotedPart(folded, 0, folded.text.length)};
  const meant = text === '' ? undefined : nearest(text, choices);
  return {problem: (texts) => texts.notChoice(choices, meant)};
}

/** In the order of the form, each once. */
export function readChoices(
  folded: Folded,
  choices: readonly string[],
): ValueReading<readonly string[]> {
  const values = isTooLong(folded) ? undefined : severalOf(folded.text, choices);
  if (!values) return {problem: (texts) => texts.notChoices(choices)};
  const ordered = [...new Set(choices)].filter((choice) => values.includes(choice));
  return {value: ordered, quote: quotedPart(folded, 0, folded.text.length)};
}

export function isChoice(text: string, choices: readonly string[]): boolean {
  return text.length <= maxTypedLength && clearChoice(text, choices) !== undefined;
}

/** A whole text that clearly is one of the choices. */
export function clearChoice(
  text: string,
  choices: readonly string[],
  names = namesOf(choices),
): string | undefined {
  const wanted = plain(text);
  if (wanted === '') return undefined;
  const exact = choices[names.indexOf(wanted)];
  if (exact !== undefined) return exact;
  const size = sizes[wanted];
  const bySize = size === undefined ? undefined : choices[names.indexOf(size)];
  return (
    bySize ??
    byNumber(wanted, choices) ??
    byBeginning(wanted, choices, names) ??
    byPart(wanted, choices, names) ??
    byYesNo(wanted, choices, names)
  );
}

function namesOf(choices: readonly string[]): readonly string[] {
  return choices.map((choice) => plain(fold(choice).text));
}

/** As labels abbreviate them. */
const sizes: Readonly<Record<string, string>> = {
  'extra small': 'xs',
  small: 's',
  medium: 'm',
  large: 'l',
  'extra large': 'xl',
  小: 's',
  中: 'm',
  大: 'l',
  sサイズ: 's',
  mサイズ: 'm',
  lサイズ: 'l',
};

const ordinals = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
];
const number =
  /^(?:(?:number|no\.?|nr\.?|option|choice|#|the)\s*)*(?:(\d{1,3})(?:st|nd|rd|th)?|(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|last))(?:[.)]|\s?(?:one|option|choice)|番目?|つ目)*(?:です|で)?$/;

function byNumber(wanted: string, choices: readonly string[]): string | undefined {
  const [, digits, word = ''] = number.exec(wanted) ?? [];
  if (digits !== undefined) {
    // With the choices `1 year` and `2 years`, `2` is a beginning.
    const isName = digits === wanted && choices.some((choice) => /\p{N}/u.test(choice));
    return isName ? undefined : choices[Number(digits) - 1];
  }
  if (word === 'last') return choices.at(-1);
  return word === '' ? undefined : choices[ordinals.indexOf(word)];
}

/** A single letter counts as a beginning as well, if only one name begins with it. */
function byBeginning(
  wanted: string,
  choices: readonly string[],
  names: readonly string[],
): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(wanted)) return undefined;
  const begun = choices.filter((_, at) => names[at]?.startsWith(wanted) === true);
  return begun.length === 1 ? begun[0] : undefined;
}

/** Words that occur in one name only: ろくろ of 電動ろくろ. */
function byPart(
  wanted: string,
  choices: readonly string[],
  names: readonly string[],
): string | undefined {
  if (wanted.length < 2 || !/\p{L}/u.test(wanted)) return undefined;
  const having = choices.filter((_, at) => removed(names[at] ?? '', wanted) !== names[at]);
  return having.length === 1 ? having[0] : undefined;
}

/** `yep`, if the choices are Yes and No. */
function byYesNo(
  wanted: string,
  choices: readonly string[],
  names: readonly string[],
): string | undefined {
  const value = yesOrNo(wanted);
  if (value === undefined) return undefined;
  const same = choices.filter((_, at) => yesOrNo(names[at] ?? '') === value);
  return same.length === 1 ? same[0] : undefined;
}

/** The only choice whose name occurs in a sentence without a negation. */
function mentioned(text: string, choices: readonly string[]): string | undefined {
  const {found, rest} = takenOut(text, choices);
  return found.length === 1 && !negated.test(rest) ? found[0] : undefined;
}

/** The names that occur, the longest first, and the text without them. */
function takenOut(
  text: string,
  choices: readonly string[],
): {readonly found: readonly string[]; readonly rest: string} {
  const longestFirst = choices.toSorted((a, b) => b.length - a.length);
  const found: string[] = [];
  let rest = plain(text);
  for (const choice of longestFirst) {
    const without = removed(rest, plain(fold(choice).text));
    if (without === rest) continue;
    found.push(choice);
    rest = without;
  }
  return {found, rest};
}

/** Whole words only, if the script has words. */
function removed(text: string, name: string): string {
  let rest = text;
  if (name === '') return text;
  for (let at = rest.indexOf(name); at >= 0; at = rest.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (joins(rest, at) || joins(rest, end)) continue;
    rest = `${rest.slice(0, at)}\n${rest.slice(end)}`;
  }
  return rest;
}

/** Between two letters or digits of a script with spaces. */
function joins(text: string, at: number): boolean {
  const word = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;
  return word.test(text.charAt(at - 1)) && word.test(text.charAt(at));
}

const everything =
  /^(?:all|all of them|all of the above|everything|both|both of them|全部|すべて|全て|両方)(?:です)?$/;
const nothing =
  /^(?:none|none of them|none of these|none of the above|nothing|なし|無し|特になし|どれも(?:ない|ありません)?)(?:です)?$/;

function severalOf(text: string, choices: readonly string[]): readonly string[] | undefined {
  const wanted = plain(text);
  const one = clearChoice(wanted, choices);
  if (one !== undefined) return [one];
  if (everything.test(wanted)) return choices;
  if (nothing.test(wanted)) return [];
  const {found, rest} = takenOut(wanted, choices);
  if (unsure.test(rest)) return undefined;
  const parts = rest.split(separators).filter((part) => plain(part) !== '');
  const names = namesOf(choices);
  const others = parts.map((part) => clearChoice(part, choices, names));
  if (others.every((choice) => choice !== undefined)) {
    return found.length + others.length === 0 ? undefined : [...found, ...others];
  }
  // A sentence around whole names, such as `I like red and blue best`; but no entry of a list is dropped.
  if (/[\n,;/・]/.test(wanted)) return undefined;
  return found.length > 0 && !others.some((choice) => choice !== undefined) ? found : undefined;
}

const unsure = new RegExp(
  `${negated.source}|\\b(?:or|maybe|perhaps)\\b|または|それとも|かも|たぶん`,
  'i',
);

const separators = /[\n,;/&+・]|\band\b|\bplus\b|と(?!り)/;

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/^[ "'(「『.,-]+|[ "')」』.,!-]+$/gu, '')
    .replace(
      /^(?:the |a |an |i(?:'d| would) (?:like|choose|pick|say) (?:the )?|(?:please|definitely|probably) )/,
      '',
    )
    .replace(/(?: please|でお願いします|がいいです|にします|です|で)$/u, '');
}

// Yes and no, in English, Japanese and a few words of other languages.

const opening =
  /^(?:(?:well|oh|um|uh|hmm|so|ah|yes but|えーと|えっと|あの|まあ)[, ]+)*(?<word>yes|yeah|yep|yup|sure|no|nope|nah|はい|ええ|うん|いいえ|いえ|いや)(?=[\s,.!;:…-])/i;
const other: Readonly<Record<'yes' | 'no', RegExp>> = {
  yes: /\b(?:no|nope|not|n't)\b|いいえ|違い|ません/i,
  no: /\b(?:yes|yeah|yep|sure)\b|はい/i,
};
const harmless = /\bno (?:problem|worries|doubt|trouble|question)\b/gi;

const maxLength = 500;

export function readYesNo(folded: Folded): ValueReading<boolean> {
  const value = yesOrNo(folded.text);
  if (value === undefined) return {problem: (texts) => texts.notYesNo};
  return {value, quote: quotedPart(folded, 0, folded.text.length)};
}

/** Undefined for anything that is not clearly one of them: `maybe`, `yes and no`. */
export function yesOrNo(text: string): boolean | undefined {
  if (text.length > maxLength) return undefined;
  const whole = text
    .replaceAll(/[\s,.!~…ー-]+/gu, ' ')
    .trim()
    .replace(/ ?(?:please|thanks|thank you|お願いします)$/i, '');
  const words = yesNoWords();
  const answer = words.get(whole.toLowerCase());
  if (answer !== undefined) return answer;
  const word = opening.exec(`${text.trim()} `)?.groups?.['word']?.toLowerCase();
  if (word === undefined) return undefined;
  const isYes = words.get(word) === true;
  const rest = text.toLowerCase().replace(word, '').replaceAll(harmless, '');
  return other[isYes ? 'yes' : 'no'].test(rest) ? undefined : isYes;
}
