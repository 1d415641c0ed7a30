/** Removes the names of participants from their texts. */

import {quickDigest} from '../domain/digest.ts';
import {escapePattern} from '../domain/plain-text.ts';

/** A participant: `id` is that of the seat, `model` is `provider/model`. */
export interface Named {
  readonly id: string;
  readonly model: string;
}

/** The replacement of a name. */
const nobody = '[a participant]';

/** Words that always name a provider or a family of models. */
const wellKnown =
  /^(?:anthropic|chatgpt|claude|codex|deepseek|gemini|gemma|gpt|grok|kimi|llama|mistral|openai|qwen)$/;
const versions = String.raw`(?:[-\s]?(?:\d[\w.]*|sonnet|opus|haiku|codex|flash|pro|mini|nano|turbo))*`;

/** Shorter names are too ambiguous. */
const shortest = 3;

/**
 * Hides the names of all participants. An unambiguous name is hidden everywhere, unless the question itself contains it
 * and so is about it. A name that is also a common word is hidden only where an author introduces himself by it.
 */
export function hideNames(text: string, named: readonly Named[], question: string): string {
  const names = [...new Set(named.flatMap(namesOf))].filter((name) => name.length >= shortest);
  if (names.length === 0) return text;
  const asked = question.toLowerCase();
  const anywhere = names.filter((name) => isDistinct(name) && !asked.includes(name));
  const hidden = anywhere.length === 0 ? text : text.replaceAll(namesPattern(anywhere), nobody);
  return introductions(names).reduce(
    (shown, pattern) =>
      shown.replaceAll(pattern, (_whole, before: string, after: string) => before + nobody + after),
    hidden,
  );
}

/** `openai/gpt-5.2` is also gpt-5.2, gpt and openai. */
function namesOf({id, model}: Named): string[] {
  const provider = model.slice(0, Math.max(0, model.indexOf('/')));
  const bare = model.slice(model.indexOf('/') + 1);
  const family = /^\p{L}+/u.exec(bare)?.[0] ?? '';
  const seat = id.replace(/#\d+$/, '');
  return [model, bare, seat, provider, family].map((name) => name.toLowerCase());
}

function isDistinct(name: string): boolean {
  return wellKnown.test(name) || /\d|[^\p{L}]/u.test(name);
}

function namesPattern(names: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![A-Za-z0-9_])(?:${alternatives(names)})(?![A-Za-z0-9_])`, 'giu');
}

/** The longest first. The parts of a name may also be separated by blanks. */
function alternatives(names: readonly string[]): string {
  return names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => {
      const parts = name.split(/[-_ /:]/).map(escapePattern);
      return parts.join(String.raw`[-_\s/:]?`) + (wellKnown.test(name) ? versions : '');
    })
    .join('|');
}

/** Each pattern captures the text before the name and the text after it. */
function introductions(names: readonly string[]): RegExp[] {
  const name = `(?:${alternatives(names)})`;
  const words = String.raw`\b(?:I am|I['’]m|as|this is|my name is|speaking as|signed|(?:made|built|trained|developed|created) by)\s+`;
  return [
    new RegExp(String.raw`(${words})${name}(?![A-Za-z0-9_])()`, 'giu'),
    new RegExp(String.raw`(^[\s*_#>]*)${name}([\s*_]*[:：])`, 'gimu'),
    new RegExp(String.raw`(^\s*[—–-]+\s*)${name}(\W*$)`, 'gimu'),
    new RegExp(
      String.raw`((?<![A-Za-z0-9_]))${name}(\s+here\b|\s*(?:です|として|と申します))`,
      'giu',
    ),
    new RegExp(String.raw`(\bI,\s+)${name}(,)`, 'giu'),
  ];
}

// Labels answers, so that a reader does not see their authors' names.

export interface Authored {
  /** A seat. */
  readonly by: string;
  readonly text: string;
}

export interface Labelled extends Authored {
  /** `Response A`, `Response B` …, for this reader alone. */
  readonly label: string;
}

/**
 * The answers for `reader`: all except its own, in a different order for each reader, so that no author benefits from a
 * position. The same reader and `seed`, such as a proposal's hash, always give the same order.
 */
export function labelFor(
  reader: string,
  answers: readonly Authored[],
  seed: string,
): readonly Labelled[] {
  return answers
    .filter(({by}) => by !== reader)
    .map((answer) => ({answer, place: quickDigest(JSON.stringify([seed, reader, answer.by]))}))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({answer: {by, text}}, index) => ({label: `Response ${letters(index)}`, by, text}));
}

/** A … Z, AA, AB … */
function letters(index: number): string {
  const last = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? last : `${letters(Math.floor(index / 26) - 1)}${last}`;
}
