/** Statements in what a discussion is given, each with its place: what can be quoted without an opinion of one's own. */

import {quotationsIn} from '../../../../machines/prompts/section-reading.ts';
import {parseCitations} from '../../../../tools/search/hits.ts';

export interface Statement {
  /** `docs/queue.md:3`, `the question`. */
  readonly place: string;
  readonly text: string;
  /** Whether it speaks of the question: it was given along with it, or found for it. */
  readonly isGiven: boolean;
}

const shortest = 12;
const longest = 400;
const sentenceEnd = /(?<=[.!?])\s+|(?<=[。！？])/u;

export function statementsIn(question: string): Statement[] {
  return sentencesIn(question, 'the question', true).filter(({text}) => !/[?？]$/u.test(text));
}

/** Of quoted texts, each below its source: a survey of the workspace, passages that were found, or what was attached. */
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

/** Headings, code and single words state nothing. */
function sentencesIn(line: string, place: string, isGiven: boolean): Statement[] {
  if (/^\s*(?:#|```|\||[{}[\]"])/.test(line)) return [];
  return line
    .split(sentenceEnd)
    .map((text) => text.replace(/^[\s*+-]+/, '').trim())
    .filter((text) => text.length >= shortest || /[^\p{ASCII}]{6}/u.test(text))
    .map((text) => ({place, text: text.slice(0, longest).toWellFormed(), isGiven}));
}
