/**
 * The rule-based part of discussions and debates: each seat quotes statements on one point of view, readers count quotations, and
 * the moderator lists them. None of them has an opinion, and each says so.
 */

import type {JsonObject} from '../../../machines/domain/json.ts';
import {quotationsIn, sectionIn, unescapedWords} from '../../../machines/prompts/section-text.ts';
import type {SectionTitle} from '../../../machines/prompts/sections.ts';
import {isStopWord} from '../../../tools/search/query.ts';
import {textWords} from '../../../tools/text/words.ts';

const signs: Readonly<Record<string, RegExp>> = {
  benefits:
    /\b(?:benefit|better|easi?er|fast|good|improv|reliab|safe|sav(?:e|ing)|simpl)|利点|改善|安全/iu,
  risks:
    /\b(?:break|broke|bug|crash|danger|fail|los[est]|outage|problem|risk|slow)|危険|失敗|障害|問題/iu,
  cost: /[$€£¥]|\b(?:budget|cost|effort|expensive|hours?\b|months?\b|price|weeks?\b)|費用|円|料金/iu,
  evidence:
    /\d\s*(?:%|ms\b|x\b|[KMG]B\b|件|倍|times\b|jobs?\b|users?\b)|\b(?:benchmark|measur)|計測/iu,
};

const maxQuotes = 5;

/** The statements of a point of view, each with its place, such as `“Postgres costs more.” (docs/queue.md:4)`. */
function quotesOf(view: string, message: string): string[] {
  const question = unescapedWords(sectionIn(message, 'Question') ?? message);
  const words = new Set(textWords(question).filter((word) => !isStopWord(word)));
  const isOnTopic = ([text]: Sentence): boolean => textWords(text).some((word) => words.has(word));
  const inSection = (title: SectionTitle): Sentence[] => quotedSentences(sectionIn(message, title));
  const sentences = [
    ...sentencesIn(question, 'the question').filter(([text]) => !/[?？]$/u.test(text)),
    ...inSection('Attached'),
    ...inSection('Passages of documents'),
    ...inSection('Survey').filter(isOnTopic),
  ].filter(([text]) => signs[view]?.test(text));
  const placeOf = new Map(sentences.toReversed());
  const distinct = [...new Set(sentences.map(([text]) => text))].slice(0, maxQuotes);
  return distinct.map((text) => `“${text}” (${placeOf.get(text)})`);
}

type Sentence = readonly [text: string, place: string];

/** A passage of a search begins with `[1] path:first-last`, and its lines are quoted once more. */
function quotedSentences(section = ''): Sentence[] {
  return quotationsIn(section).flatMap(({source, lines}) => {
    let [name, number] = [/^(?:File|Attached) (.*)$/.exec(source)?.[1], 0];
    return lines.flatMap((line) => {
      const [, path, first] = /^\[\d+\] (.+):(\d+)-\d+$/.exec(line) ?? [];
      if (path !== undefined) [name, number] = [path, Number(first) - 1];
      if (name === undefined || path !== undefined || line.startsWith('heading: ')) return [];
      number += 1;
      return sentencesIn(line.replace(/^> /, ''), `${name}:${number}`);
    });
  });
}

/** Headings, code and very short texts are left out. */
function sentencesIn(line: string, place: string): Sentence[] {
  if (/^\s*(?:#|```|\||[{}[\]"])/.test(line)) return [];
  return line
    .split(/(?<=[.!?])\s+|(?<=[。！？])/u)
    .map((text) => text.replace(/^[\s*+-]+/, '').trim())
    .filter((text) => text.length >= 12 || /[^\p{ASCII}]{6}/u.test(text))
    .map((text) => [text.slice(0, 400).toWellFormed(), place]);
}

/** Equal answers count as one: that of a seat without a quotation does not name its point of view. */
export function takePart(message: string): string {
  const view = sectionIn(message, 'Point of view') ?? 'evidence';
  const quotes = quotesOf(view, message).map((quote) => `- ${view}: ${quote}`);
  return quotes.length === 0
    ? 'By rule: no given or found text has anything to quote on this question.'
    : ['Found by keywords, not an opinion:', ...quotes].join('\n');
}

/** The arguments of the tool that answers each question of a discussion or a debate. */
export const contributions = {
  rank_answers: (message: string): JsonObject => {
    const reviews = quotationsIn(sectionIn(message, 'Answers') ?? '')
      .map(({source, lines}) => ({
        label: source,
        assessment: 'A rule only counts quotations.',
        score: Math.min(10, 1 + 2 * lines.filter((line) => line.startsWith('- ')).length),
      }))
      .toSorted((one, other) => other.score - one.score);
    return {ranking: reviews.map(({label}) => label), reviews};
  },
  conclude: (message: string): JsonObject => {
    const points = (['Answers', 'Position', 'Objections'] as const).flatMap(
      (title) => sectionIn(message, title)?.match(/(?:(?<=- )\w+: )?“.+” \([^)]*\)$/gm) ?? [],
    );
    const conclusion =
      points.length > 0
        ? 'No conclusion: rules quote and do not weigh arguments. Weigh the key points yourself.'
        : 'No conclusion: the rules found nothing to quote on this question.';
    return {conclusion, key_points: points, agreements: [], disagreements: []};
  },
  take_position: (message: string): JsonObject => {
    const quotes = quotesOf('benefits', message);
    return quotes.length > 0
      ? {position: 'By rule: the quotations support it. A rule has no opinion.', arguments: quotes}
      : {position: 'By rule: no text supports it.', arguments: ['no quotation was found']};
  },
  /** A risk is a major objection until a person decides. */
  raise_objections: (message: string): JsonObject => {
    const quotes = sectionIn(message, 'Objections') === undefined ? quotesOf('risks', message) : [];
    return {objections: quotes.map((objection) => ({severity: 'major', objection}))};
  },
  answer_objections: (message: string): JsonObject => ({
    answers: openIds(message).map((id) => ({id, answer: 'A rule cannot answer it.'})),
  }),
  rule_on_objections: (message: string): JsonObject => ({
    rulings: openIds(message).map((id) => ({id, ruling: 'stands', reason: 'A person decides.'})),
  }),
} as const;

function openIds(message: string): readonly string[] {
  return sectionIn(message, 'What to do')?.match(/\bO\d+\b/g) ?? [];
}
