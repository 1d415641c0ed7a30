/** The answers of a discussion as others read them: without names, and equal answers only once. */

import {type Authored, hideNames, labelFor, type Labelled, type Named} from '../../panel/names.ts';

/** An answer and all participants that gave it. `by`: the first of them, in the order of the configuration. */
export interface Voice extends Authored {
  readonly all: readonly string[];
}

export function voicesOf(
  answers: readonly Authored[],
  named: readonly Named[],
  question: string,
): readonly Voice[] {
  const voices: Voice[] = [];
  for (const {by, text} of answers) {
    const shown = hideNames(text, named, question);
    const same = voices.findIndex((voice) => comparableText(voice.text) === comparableText(shown));
    const known = voices[same];
    if (known) voices[same] = {...known, all: [...known.all, by]};
    else voices.push({by, text: shown, all: [by]});
  }
  return voices;
}

/** The words of a text, without case, punctuation, blanks and marks of emphasis. */
function comparableText(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words ? words.join(' ') : text.trim();
}

/** The answers that a participant reads: all except its own. */
export function shownTo(
  reader: string,
  voices: readonly Voice[],
  seed: string,
): readonly Labelled[] {
  return labelFor(
    reader,
    voices.filter(({all}) => !all.includes(reader)),
    seed,
  );
}

/** The text with each label replaced by its `nameOf`, or unchanged if that is undefined. */
export function relabel(
  text: string,
  shown: readonly Labelled[],
  nameOf: (by: string) => string | undefined,
): string {
  return text.replaceAll(/\bResponse [A-Z]{1,2}\b/g, (label) => {
    const by = shown.find((each) => each.label === label)?.by;
    return (by === undefined ? undefined : nameOf(by)) ?? label;
  });
}
