/** Turns errors of SQLite into denials that name the next step. */

import type {DatabaseSync} from 'node:sqlite';

import {didYouMean} from '../../machines/domain/nearest.ts';
import {type Denial, errorCode, failed, refused} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';
import {functionNames, tableNames} from './confinement.ts';
import {damaged, tooMuchMemory, unrecovered, writtenTo} from './denials.ts';
import {columnsOf} from './schema.ts';

const maxMessage = 300;

/** Suggestions use the columns of at most this many tables. */
const maxTables = 500;

/** Rethrows errors that neither SQLite nor the file system reported. */
export function faultToDenial(error: unknown, db?: DatabaseSync): Denial {
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined) throw error;
  const message = escapeLine(error.message).slice(0, maxMessage);
  const result = 'errcode' in error ? Number(error.errcode) : 0;
  // The low byte of an extended result code is the primary one.
  const known = knownFaults[result & 0xff];
  return known ? known(message) : statementFault(message, db);
}

const knownFaults: Readonly<Record<number, (message: string) => Denial>> = {
  0: unreadable,
  3: unreadable,
  5: locked,
  6: locked,
  7: () => tooMuchMemory,
  8: () => unrecovered('changes wait in its journal or log'),
  10: unreadable,
  11: damaged,
  13: unreadable,
  14: unreadable,
  18: (message) => refused('limit', `${message}; at most 10 MB a value and 100 KB a statement`),
  23: (message) =>
    refused('denied', `${message}; only SELECT from the tables and views is allowed`),
  26: damaged,
};

function unreadable(message: string): Denial {
  return failed('io', `${message}; check that the file and its folder can be read`);
}

function locked(): Denial {
  return writtenTo('another program is writing to the database');
}

const beyondLimit =
  /too (?:large|many|complex|big)|^at most \d+ tables|^parser stack overflow|^LIKE or GLOB/;

function statementFault(message: string, db?: DatabaseSync): Denial {
  if (beyondLimit.test(message)) return refused('limit', `${message}; write a smaller query`);
  if (/^(?:not authorized|unsafe use of)/.test(message)) return refused('denied', message);
  return refused('sql_error', message + (db ? suggestion(message, db) : ''));
}

function suggestion(message: string, db: DatabaseSync): string {
  const [, kind = '', name = ''] =
    /^no such (table|column|function): "?(.*?)"?(?: - should this .*)?$/.exec(message) ?? [];
  const last = name.split('.').at(-1) ?? '';
  db.setAuthorizer(null);
  if (kind === 'table') return didYouMean(last, tableNames(db));
  if (kind === 'function') return didYouMean(last, functionNames);
  if (kind === '') return '';
  const tables = tableNames(db).slice(0, maxTables);
  return didYouMean(
    last,
    new Set(tables.flatMap((table) => columnsOf(db, table).map((c) => c.name))),
  );
}
