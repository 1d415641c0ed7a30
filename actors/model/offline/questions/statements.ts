/** Extracts statements from the material of a discussion, each with its place, to be quoted without an opinion. */

import {quotationsIn} from '../../../../machines/prompts/section-reading.ts';
import {parseCitations} from '../../../../tools/search/hits.ts';

export interface Statement {
  /** The source, such as `docs/queue.md:3` or `the question`. */
  readonly place: string;
  readonly text: string;
  /** True if it belongs to the question: it was given with the question or found for it. */
  readonly isGiven: boolean;
}

const shortest = 12;
const longest = 400;
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])/u;

export function statementsIn(question: string): Statement[] {
  return sentencesIn(question, 'the question', true).filter(({text}) => !/[?？]$/u.test(text));
}

/** Statements from quoted texts, each below its source: survey files, passages of a search, attached texts. */
export function quotedStatements(section: string): Statement[] {
  return quotationsIn(section).flatMap(({source, lines}) => {
    if (source === 'Found by a search') return passageStatements(lines);
    const [, kind, name = ''] = /^(File|Attached) (.*)$/.exec(source) ?? [];
    return (kind === undefined ? [] : lines).flatMap((line, at) =>
      sentencesIn(line, `${name}:${at + 1}`, kind === 'Attached'),
    );
  });
}

function passageStatements(lines: readonly string[]): Statement[] {
  return parseCitations(lines.join('\n')).flatMap(({path, startLine, quote}) =>
    quote.split('\n').flatMap((line, at) => sentencesIn(line, `${path}:${startLine + at}`, true)),
  );
}

/** Splits a line into sentences. Headings, code and very short texts are dropped. */
function sentencesIn(line: string, place: string, isGiven: boolean): Statement[] {
  if (/^\s*(?:#|```|\||[{}[\]"])/.test(line)) return [];
  return line
    .split(sentenceEnd)
    .map((text) => text.replace(/^[\s*+-]+/, '').trim())
    .filter((text) => text.length >= shortest || /[^\p{ASCII}]{6}/u.test(text))
    .map((text) => ({place, text: text.slice(0, longest).toWellFormed(), isGiven}));
}
