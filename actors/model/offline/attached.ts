/** Questions on what a person attached: lines are counted, and those that hold the words of the question are quoted. */

import {quotationsIn} from '../../../machines/domain/section-reading.ts';
import {keywordsOf} from './keywords.ts';
import {phrase, readings} from './phrase.ts';
import {done, type Report} from './skill.ts';

const counting = [
  'how many lines [are there|are in it|does it have|are in this|are in this file|are in the file|has it]',
  '(count|count the) lines',
  '(何行|行数は) [ありますか|ですか|あるか]',
].map(phrase);

const maxQuoted = 20;

interface Line {
  /** `FILE:LINE`. */
  readonly place: string;
  readonly text: string;
}

/** `attached` is the section of a message. */
export function answerFromAttached(question: string, attached: string): Report {
  const lines = linesOf(attached);
  if (readings(counting, question).next().done !== true) return done(countOf(lines));
  const keywords = keywordsOf(question);
  const found = lines.filter(({text}) =>
    keywords.some((keyword) => new RegExp(keyword, 'i').test(text)),
  );
  if (found.length === 0) {
    return done(
      'The offline model works by rule: of what is attached it counts the lines, or quotes those that hold the words of the question. None does.',
    );
  }
  const more = found.length > maxQuoted ? [`… and ${found.length - maxQuoted} more lines`] : [];
  const quoted = found.slice(0, maxQuoted).map(({place, text}) => `${place}: ${text}`);
  return done(
    [
      'The offline model quotes what is attached; it does not interpret it.',
      ...quoted,
      ...more,
    ].join('\n'),
  );
}

function linesOf(attached: string): Line[] {
  return quotationsIn(attached).flatMap(({source, lines}) =>
    lines.map((text, at) => ({place: `${source.replace(/^Attached /, '')}:${at + 1}`, text})),
  );
}

function countOf(lines: readonly Line[]): string {
  const names = [...new Set(lines.map(({place}) => place.slice(0, place.lastIndexOf(':'))))];
  return names
    .map(
      (name) => `${name}: ${lines.filter(({place}) => place.startsWith(`${name}:`)).length} lines`,
    )
    .join('\n');
}
