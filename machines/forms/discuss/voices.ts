/** The answers of a discussion as others read them: without names, and each once, however many have given it. */

import {type Authored, labelFor, type Labelled} from '../../panel/labels.ts';
import {hideNames, type Named} from '../../panel/names.ts';

/** An answer and all who gave it; `by` is the first of them, in the order of the configuration. */
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
    const same = voices.findIndex((voice) => sayingOf(voice.text) === sayingOf(shown));
    const known = voices[same];
    if (known) voices[same] = {...known, all: [...known.all, by]};
    else voices.push({by, text: shown, all: [by]});
  }
  return voices;
}

/** The words alone: case, punctuation, blanks and marks of emphasis say nothing. */
function sayingOf(text: string): string {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return words ? words.join(' ') : text.trim();
}

/** What a participant reads of the others: not what it has said itself. */
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

/** A text with other labels: what `nameOf` makes of them, or as they stand. */
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
