/** What the offline model does with a question: computes, asks the database, tells facts, else quotes what is found. */

import {compute, expressionIn} from './arithmetic.ts';
import {askTables, query, selectIn, showTables} from './database-answers.ts';
import {definitionAsked, tryDefinition} from './definition.ts';
import {facts} from './facts.ts';
import {answerOnNamedFile} from './file-question.ts';
import {labelsFor} from './japanese.ts';
import {answerOnNames} from './name-lookup.ts';
import {explanation} from './overview.ts';
import {quote} from './quoting.ts';
import {done, type Steps, type Work} from './skill.ts';
import {readTableQuestion, type TableQuestion} from './table-question.ts';
import {tablesAsked} from './table-words.ts';
import {todosAsked} from './todos.ts';

/** Questions on something that was given along with them. */
const ofAttached =
  /^\W*(?:what|how|why|which)\b.*\bthis (?:change|commit|diff|log|output|patch|text)\b|^(?:これ|この(?:差分|変更|出力|ログ))/i;

/** What is needed of the tools that exist for questions on files. */
const fileTools = ['glob_search', 'grep_search', 'read_file'];

/** `tools` are the names of those that exist for this question. */
export function workOn(question: string, tools: readonly string[]): Work {
  const told = textFor(question, tools);
  if (told) return telling(told);
  return fileTools.every((name) => tools.includes(name))
    ? namedFileOrOther(question, tools)
    : onTables(question, tools);
}

function* namedFileOrOther(question: string, tools: readonly string[]): Work {
  const answer = yield* answerOnNamedFile(question);
  return answer === undefined ? yield* onTables(question, tools) : done(answer);
}

function onTables(question: string, tools: readonly string[]): Work {
  const asked = tools.includes('database') ? readTableQuestion(question) : undefined;
  return asked ? tablesOrFiles(question, asked, tools) : onFiles(question, tools, []);
}

function* tablesOrFiles(question: string, asked: TableQuestion, tools: readonly string[]): Work {
  const found = yield* askTables(asked);
  return 'answer' in found ? done(found.answer) : yield* onFiles(question, tools, [found.note]);
}

function onFiles(question: string, tools: readonly string[], notes: readonly string[]): Work {
  if (!fileTools.every((name) => tools.includes(name)))
    return telling(quote(question, tools, notes));
  const work = (explanation.understand(question) ?? facts.understand(question))?.work;
  return work?.() ?? todosAsked(question) ?? foundOrQuoted(question, tools, notes);
}

function textFor(question: string, tools: readonly string[]): Steps<string> | undefined {
  const expression = expressionIn(question);
  if (expression !== undefined && tools.includes('calculator')) return compute(expression);
  const select = selectIn(question);
  if (select !== undefined) return query(select, tools);
  if (!tools.includes('database')) return undefined;
  return tablesAsked.test(question) ? showTables() : undefined;
}

function* telling(text: Steps<string>): Work {
  return done(yield* text);
}

function* foundOrQuoted(
  question: string,
  tools: readonly string[],
  notes: readonly string[],
): Work {
  const asked = definitionAsked(question);
  const defined = asked && (yield* tryDefinition(asked, labelsFor(question)));
  if (defined) return defined;
  const named = yield* answerOnNames(question);
  if (named !== undefined) return done(named);
  if (ofAttached.test(question))
    return done(labelsFor(question)('Nothing is attached. Pipe it in, or name a file as @FILE.'));
  return done(yield* quote(question, tools, notes));
}
