/**
 * The rule-based part of a discussion: each seat quotes statements about one topic, such as risks; readers count quotations,
 * and the moderator lists them. None of them has an opinion, and each says so.
 */

import type {JsonObject} from '../../../../machines/domain/json.ts';
import {quotationsIn, quotedIn, sectionIn} from '../../../../machines/prompts/section-reading.ts';
import {questionOf} from '../transcript.ts';
import {countTerms, topicOf} from './keywords.ts';
import {quotedStatements, type Statement, statementsIn} from './statements.ts';

const signs: Readonly<Record<string, RegExp>> = {
  benefits:
    /\b(?:advantag|allow|automat|benefit|better|convenien|eas(?:y|ier|ily)|enabl|fast|gain|good|improv|quick|reliab|safe|sav(?:e|ing)|scal(?:e|ing|able)|simpl|support|useful)|利点|長所|メリット|速|簡単|改善|便利|向上|安全|容易/iu,
  risks:
    /\b(?:break|broke|bug|crash|danger|deadlock|difficult|error|fail|hard|insecure|lock-in|lose|lost|loss|must not|never|outage|problem|risk|slow|stop|vulnerab|warn|wrong)|危険|欠点|リスク|失敗|失わ|障害|問題|注意|遅|困難/iu,
  cost: /[$€£¥]|\b(?:budget|cost|days?\b|disk|effort|expensive|fee|hours?\b|licen[cs]e|maint|memory|migrat|months?\b|operat|pay|price|team|weeks?\b)|費用|コスト|円|時間|工数|料金|価格|保守|予算/iu,
  evidence:
    /\d+(?:\.\d+)?\s*(?:%|％|ms\b|s\b|x\b|[KMG]i?B\b|件|回|倍|times\b|per\b|jobs?\b|requests?\b|users?\b|percent)|\b(?:according|benchmark|data show|experien|measur|observ|proved|reported|tests? show)|計測|実測|測定|ベンチマーク|調査|によると/iu,
};

export const most = 5;

/** The same for each topic: equal answers count as one, and are not ranked. */
const nothingFound = 'By rule: no given or found text has anything to quote on this question.';

export function quotedFor(message: string): string {
  const view = sectionIn(message, 'Point of view') ?? 'evidence';
  const found = statementsOf(view, message);
  if (found.length === 0) return nothingFound;
  const more = found.length > most ? [`… and ${found.length - most} more`] : [];
  return [
    `Of ${view}, by rule:`,
    ...found.slice(0, most).map(({place, text}) => `- “${text}” (${place})`),
    ...more,
    'These are quotations, found by keywords; they are not an opinion.',
  ].join('\n');
}

export function statementsOf(view: string, message: string): readonly Statement[] {
  const sign = signs[view];
  return sign ? statementsFor(message).filter(({text}) => sign.test(text)) : [];
}

/** Given statements, then statements of the workspace that contain words of the question, without duplicates. */
function statementsFor(message: string): Statement[] {
  const question = questionOf(message);
  const terms = topicOf(question);
  const all = [
    ...statementsIn(question),
    ...(['Attached', 'Context files', 'Survey', 'Passages of documents'] as const).flatMap(
      (title) => quotedStatements(sectionIn(message, title) ?? ''),
    ),
  ].filter(({text, isGiven}) => isGiven || countTerms(text, terms) > 0);
  const seen = new Set<string>();
  return all.filter(({text}) => seen.size < seen.add(text.toLowerCase()).size);
}

/** The quotations of each answer. The view is empty for an answer that was not written by rule. */
function answersIn(message: string) {
  return quotationsIn(sectionIn(message, 'Answers') ?? '').map(({source: label, lines}) => {
    const text = lines.join('\n');
    const [, view = ''] = /^Of (\w+), by rule:$/m.exec(text) ?? [];
    return {label, view, quotes: [...text.matchAll(/^- (.+)$/gm)].map(([, own = '']) => own)};
  });
}

/** The arguments of `rank_answers`: the more quotations, the better. */
export function rankedByRule(message: string): JsonObject {
  const answers = answersIn(message);
  const order = answers.toSorted((a, b) => b.quotes.length - a.quotes.length);
  return {
    ranking: order.map(({label}) => label),
    reviews: order.map(({label, quotes}) => ({
      label,
      assessment: `It has ${quotes.length === 1 ? '1 quotation' : `${quotes.length} quotations`}; a rule only counts them.`,
      strengths: [],
      weaknesses: [],
      score: Math.min(10, 1 + 2 * quotes.length),
    })),
  };
}

/** The arguments of `conclude`: the quotations, and the statement that there is no conclusion. */
export function concludedByRule(message: string): JsonObject {
  const isDebate = sectionIn(message, 'Position') !== undefined;
  const spoken = answersIn(message).filter(({quotes}) => quotes.length > 0);
  const quoted = spoken.flatMap(({view, quotes}) =>
    quotes.slice(0, 3).map((quote) => `${view}: ${quote}`),
  );
  return {
    conclusion: isDebate ? debateConclusion(message) : quotesConclusion(spoken),
    key_points: isDebate
      ? [...debated(message, 'Position'), ...debated(message, 'Objections')]
      : quoted,
    agreements: [],
    disagreements: [],
  };
}

const rulesOnly = 'No conclusion: rules quote and do not weigh arguments.';

function quotesConclusion(spoken: ReturnType<typeof answersIn>): string {
  if (spoken.length === 0)
    return 'No conclusion: the rules found nothing to quote on this question.';
  const found = spoken.map(({view, quotes}) => `${view} (${quotes.length})`).join(', ');
  return `${rulesOnly} They found statements on ${found}; read the key points and weigh them yourself.`;
}

function debateConclusion(message: string): string {
  if (debated(message, 'Position').length > 0)
    return `${rulesOnly} Read both sides and weigh them yourself.`;
  return debated(message, 'Objections').length > 0
    ? 'No conclusion: the rules found nothing to quote for the position. Weigh the objections yourself.'
    : 'No conclusion: the rules found nothing to quote for or against the position.';
}

function debated(message: string, title: 'Position' | 'Objections'): string[] {
  const quotes = (quotedIn(message, title) ?? '').matchAll(/^(?:- |O\d+ \([^)]*\): )(“.+)$/gm);
  return [...quotes].map(([, text = '']) => text);
}
