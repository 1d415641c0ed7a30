/** Carries out an order on a database. Runs in a process of its own, because a query can take it down. */

import {statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';

import type {Denial} from '../containment/denial.ts';
import {confine} from './confinement.ts';
import {openConnection} from './connection.ts';
import {damaged, severalStatements, writtenTo} from './denials.ts';
import {faultToDenial} from './faults.ts';
import {rowsToJson} from './rows.ts';
import {describeSchema} from './schema.ts';

export type Order =
  /** Replies with the schema if the database is sound. */
  | {readonly task: 'check'; readonly path: string}
  /** Replies with the rows. */
  | {
      readonly task: 'query';
      readonly path: string;
      /** Without a semicolon at its end. */
      readonly sql: string;
      readonly maxRows: number;
    };

export type Reply = {readonly kind: 'succeeded'; readonly text: string} | Denial;

/** Throws only for bugs. */
export function perform(given: Order): Reply {
  try {
    const opened = openConnection(given.path);
    if (!opened.ok) return opened.denial;
    const reply = answer(given, opened.value.db);
    return opened.value.isSteady() ? reply : changed;
  } catch (error) {
    return faultToDenial(error);
  }
}

function answer(given: Order, db: DatabaseSync): Reply {
  try {
    return given.task === 'check' ? check(db, given.path) : query(db, given);
  } catch (error) {
    return faultToDenial(error, db);
  }
}

function check(db: DatabaseSync, path: string): Reply {
  const finding = readPragma(db, 'quick_check(1)');
  if (finding !== 'ok') return damaged(String(finding));
  // SQLite fills the end of a page that was cut off with zeros.
  const isWhole = statSync(path).size % Number(readPragma(db, 'page_size')) === 0;
  return isWhole ? {kind: 'succeeded', text: describeSchema(db)} : damaged('the last page is cut');
}

function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function query(db: DatabaseSync, {sql, maxRows}: Extract<Order, {task: 'query'}>): Reply {
  confine(db);
  const statement = db.prepare(sql, {readBigInts: true, returnArrays: true});
  if (statement.sourceSQL !== sql) return severalStatements;
  const names = statement.columns().map(({name}) => name);
  return {kind: 'succeeded', text: rowsToJson(names, valuesOf(statement.iterate()), maxRows)};
}

/** A row is typed as an object, but is a list already. */
function* valuesOf(rows: ReturnType<ReturnType<DatabaseSync['prepare']>['iterate']>) {
  for (const row of rows) yield Object.values(row);
}

const changed = writtenTo('another program wrote to the database while it was read');
