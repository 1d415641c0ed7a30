/** Answers a question: computes, describes a file, queries the database, reports facts, or else quotes search results. */

import {labelsFor} from '../japanese.ts';
import {facts} from '../skills/facts.ts';
import {explanation} from '../skills/overview.ts';
import {done, type Report, type Steps, type Work} from '../skills/skill.ts';
import {todos} from '../skills/todos.ts';
import {compute, expressionIn} from './arithmetic.ts';
import {askTables, type TableAnswer, query, selectIn, showTables} from './database-answers.ts';
import {answerOnNamedFile} from './file-question.ts';
import {answerOnNames} from './name-lookup.ts';
import {quote} from './quoting.ts';
import {readTableQuestion} from './table-question.ts';
import {tablesAsked} from './table-words.ts';

const ofAttached =
  /^\W*(?:what|how|why|which)\b.*\bthis (?:change|commit|diff|log|output|patch|text)\b|^(?:これ|この(?:差分|変更|出力|ログ))/i;

const fileTools = ['glob_search', 'grep_search', 'read_file'];

/** `tools` are the names of the tools that are available for the question. */
export function* workOn(question: string, tools: readonly string[]): Work {
  const quick = quickAnswer(question, tools);
  if (quick) return done(yield* quick);
  const isOnFiles = fileTools.every((name) => tools.includes(name));
  const named = isOnFiles ? yield* answerOnNamedFile(question) : undefined;
  if (named !== undefined) return done(named);
  const asked = tools.includes('database') ? readTableQuestion(question) : undefined;
  const {answer, note}: TableAnswer = asked ? yield* askTables(asked) : {};
  if (answer !== undefined) return done(answer);
  const report = isOnFiles ? yield* answerOnFiles(question) : undefined;
  return report ?? done(yield* quote(question, tools, note === undefined ? [] : [note]));
}

function quickAnswer(question: string, tools: readonly string[]): Steps<string> | undefined {
  const expression = expressionIn(question);
  if (expression !== undefined && tools.includes('calculator')) return compute(expression);
  const select = selectIn(question);
  if (select !== undefined) return query(select, tools);
  return tools.includes('database') && tablesAsked.test(question) ? showTables() : undefined;
}

/** Answers by a read-only skill, otherwise by the names in the question. */
function* answerOnFiles(question: string): Steps<Report | undefined> {
  const jobs = [explanation, facts, todos].map((skill) => skill.understand(question));
  const job = jobs.find((one) => one && one.task.id !== 'write');
  const report = job?.work && (yield* job.work());
  // `What is in the config?` is about a folder only if the folder exists.
  if (report && (report.isDone || job.task.id === 'list')) return report;
  const label = labelsFor(question);
  const named = yield* answerOnNames(question);
  if (named !== undefined) return done(named);
  return ofAttached.test(question)
    ? done(label('Nothing is attached. Pipe it in, or name a file as @FILE.'))
    : undefined;
}
