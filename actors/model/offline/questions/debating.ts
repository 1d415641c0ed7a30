/** The rule-based side of a debate: quotes texts for and against, and leaves the decision to a person. */

import type {JsonObject} from '../../../../machines/domain/json.ts';
import {sectionIn} from '../../../../machines/prompts/section-reading.ts';
import {most, statementsOf} from './discussing.ts';

export function positionByRule(message: string): JsonObject {
  const quotes = quotesOf('benefits', message);
  return {
    position:
      quotes.length === 0
        ? 'By rule: no given or found text supports it.'
        : 'By rule: the quoted texts support it. A rule has no opinion.',
    arguments: quotes.length === 0 ? ['no quotation was found'] : quotes,
  };
}

/** The arguments of `raise_objections`: a statement about risks is a major objection until a person decides. */
export function objectedByRule(message: string): JsonObject {
  if (sectionIn(message, 'Objections') !== undefined) return {objections: []};
  const risks = quotesOf('risks', message).map((objection) => ({severity: 'major', objection}));
  const cost = quotesOf('cost', message)
    .filter((quote) => !risks.some(({objection}) => objection === quote))
    .map((objection) => ({severity: 'minor', objection}));
  return {objections: [...risks, ...cost]};
}

export function answeredByRule(message: string): JsonObject {
  return {answers: openIds(message).map((id) => ({id, answer: 'A rule cannot answer it.'}))};
}

export function ruledByRule(message: string): JsonObject {
  return {
    rulings: openIds(message).map((id) => ({
      id,
      ruling: 'stands',
      reason: 'A rule cannot rule on objections: a person decides.',
    })),
  };
}

function quotesOf(view: string, message: string): string[] {
  return statementsOf(view, message)
    .slice(0, most)
    .map(({text, place}) => `“${text}” (${place})`);
}

function openIds(message: string): string[] {
  const [, task = ''] =
    /^(?:Answer|Rule on) ((?:O\d+(?:, )?)+)\./.exec(sectionIn(message, 'What to do') ?? '') ?? [];
  return task === '' ? [] : task.split(', ');
}
