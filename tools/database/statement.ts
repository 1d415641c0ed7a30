/**
 * Judges the text of a statement before SQLite parses it, so that a model gets a clear message, and words the denials that
 * both processes return. Not a security boundary.
 */

import {type Denial, failed, refused} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';

const maxDepth = 200;

const beginnings: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES']);

/** Reserved by SQLite: outside quotes, none of them can be a name. */
const writers: ReadonlySet<string> = new Set(
  'ALTER COMMIT CREATE DELETE DROP INSERT INTO TRANSACTION UPDATE'.split(' '),
);

/**
 * Splits text as SQLite does: strings and quoted names double their quote, brackets and comments do not nest, non-ASCII
 * characters belong to words, except that a byte order mark in front of a word is a space.
 */
const token =
  /(?<comment>--|\/\*)|(?<quoted>'(?:[^']|'')*'?|"(?:[^"]|"")*"?|`(?:[^`]|``)*`?|\[[^\]]*\]?)|(?<space>[ \t\n\f\r\ufeff])|(?<parameter>[?:@$])|(?<word>[\w$\u{80}-\u{10ffff}]+)|(?<sign>.)/gsu;

/** Undefined when the statement is acceptable. */
export function judgeStatement(sql: string): Denial | undefined {
  const tokens = sql.matchAll(token).filter(({groups}) => groups?.['space'] === undefined);
  let before = '';
  let depth = 0;
  for (const {0: text, groups = {}} of tokens) {
    const denial = before === '' ? judgeFirst(text, groups) : judgeNext(before, text, groups);
    if (denial) return denial;
    depth += nesting[text] ?? 0;
    if (depth > maxDepth) return tooDeep;
    before = text;
  }
  return before === '' ? noSelect('an empty statement') : undefined;
}

/** Without a final semicolon. */
export function bareStatement(sql: string): string {
  return sql.trim().replace(/;$/, '').trimEnd();
}

type Groups = Readonly<Record<string, string | undefined>>;

function judgeFirst(text: string, groups: Groups): Denial | undefined {
  if (groups['comment'] !== undefined) return hasComment(text);
  return beginnings.has(text.toUpperCase()) ? undefined : noSelect(text);
}

function judgeNext(before: string, text: string, groups: Groups): Denial | undefined {
  if (groups['comment'] !== undefined) return hasComment(text);
  if (before === ';') return severalStatements;
  if (groups['parameter'] !== undefined) return hasParameter(text);
  return writers.has(text.toUpperCase()) ? noSelect(text) : undefined;
}

const nesting: Readonly<Record<string, number>> = {'(': 1, ')': -1};

function noSelect(found: string): Denial {
  const message = `${escapeLine(found.slice(0, 40))} is not allowed; only SELECT is, also after WITH, or VALUES`;
  return refused('not_select', message);
}

function hasComment(start: string): Denial {
  const message = `comments (${start}) are not allowed; send the statement without them, and 1--1 as 1 - -1`;
  return refused('comment', message);
}

function hasParameter(sign: string): Denial {
  return refused('parameter', `parameters (${sign}) have no values here; write the value itself`);
}

const tooDeep = refused('limit', `parentheses nest deeper than ${maxDepth}; write a flatter query`);

export const severalStatements = refused(
  'several_statements',
  'one statement a call: nothing may follow the semicolon; send the others one by one',
);

export const tooMuchMemory = refused(
  'limit',
  'the query needs too much memory; select less of it, or aggregate',
);

export function damaged(how: string): Denial {
  return failed(
    'corrupt',
    `not a sound SQLite database (${escapeLine(how)}); restore it from a backup`,
  );
}

/** Leftover data of a writer prevents reading without write access. */
export function unrecovered(how: string): Denial {
  return failed(
    'unrecovered',
    `its writer was interrupted or is alone with it (${escapeLine(how)}); close that program, or open the database once with one that may write to it, such as sqlite3`,
  );
}

/** Temporary: the same call may succeed later. */
export function writtenTo(how: string): Denial {
  return {...failed('locked', `${how}; try again`), kind: 'failed', retryable: true};
}
