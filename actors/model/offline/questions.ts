/** What the offline model does with a question: computes, asks the database, tells facts, else quotes what is found. */

import {compute, expressionIn} from './arithmetic.ts';
import {query, rank, selectIn} from './database-answers.ts';
import {definitionAsked, tryDefinition} from './definition.ts';
import {factAsked} from './facts.ts';
import {explanation} from './overview.ts';
import {quote} from './quoting.ts';
import {understandRanking} from './ranking.ts';
import {done, type Steps, type Work} from './skill.ts';

/** What is needed of the tools that exist for questions on files. */
const fileTools = ['glob_search', 'grep_search', 'read_file'];

/** `tools` are the names of those that exist for this question. */
export function workOn(question: string, tools: readonly string[]): Work {
  const told = textFor(question, tools);
  if (told) return telling(told);
  if (!fileTools.every((name) => tools.includes(name))) return telling(quote(question, tools));
  const work = (explanation.understand(question) ?? factAsked(question))?.work;
  return work ? work() : definedOrQuoted(question, tools);
}

function textFor(question: string, tools: readonly string[]): Steps<string> | undefined {
  const expression = expressionIn(question);
  if (expression !== undefined && tools.includes('calculator')) return compute(expression);
  const select = selectIn(question);
  if (select !== undefined) return query(select, tools);
  const ranking = tools.includes('database') ? understandRanking(question) : undefined;
  return ranking && rank(ranking, tools);
}

function* telling(text: Steps<string>): Work {
  return done(yield* text);
}

function* definedOrQuoted(question: string, tools: readonly string[]): Work {
  const asked = definitionAsked(question);
  const defined = asked && (yield* tryDefinition(asked));
  return defined ?? done(yield* quote(question, tools));
}
