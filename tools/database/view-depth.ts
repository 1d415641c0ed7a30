/**
 * Views that SQLite takes too long to look into: it expands each view as often as it is named, so that thirty of which each
 * names the one before twice are a thousand million.
 */

import type {DatabaseSync} from 'node:sqlite';

import {escapePattern} from '../../machines/domain/escape-pattern.ts';

/** Of a database with more of them none is looked into. */
const maxViews = 200;
/** Views that one stands for, those that they stand for included. */
const maxExpanded = 1_000;

/** Their names. Names are looked for in texts: a view that is found too often is at worst not described. */
export function deepViewsOf(db: DatabaseSync): ReadonlySet<string> {
  const views = db
    .prepare(`SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'`)
    .all()
    .map(({name, sql}) => ({name: String(name), key: bare(String(name)), text: bare(String(sql))}));
  const byKey = Map.groupBy(views, ({key}) => key);
  const isTooMuch = views.length > maxViews || byKey.has('');
  const expandedBy = isTooMuch ? () => Infinity : expansionOf(byKey);
  return new Set(views.filter(({key}) => expandedBy(key) > maxExpanded).map(({name}) => name));
}

/** How many views a view stands for, by its key. */
function expansionOf(byKey: ReadonlyMap<string, readonly {readonly text: string}[]>) {
  const known = new Map<string, number>();
  const expandedBy = (key: string): number => {
    const count = known.get(key);
    if (count !== undefined) return count;
    // Whoever comes back here names itself.
    known.set(key, Infinity);
    const own = byKey.get(key) ?? [];
    const text = own.map((view) => view.text).join(' ');
    let sum = 0;
    for (const other of byKey.keys()) {
      const times = timesIn(text, other) - (other === key ? own.length : 0);
      if (times > 0) sum += times * (1 + expandedBy(other));
    }
    known.set(key, sum);
    return sum;
  };
  return expandedBy;
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/["'`[\]\s]+/g, ' ')
    .trim();
}

const partOfName = String.raw`[\w$\u0080-\u{10ffff}]`;

function timesIn(text: string, name: string): number {
  const whole = `(?<!${partOfName})${escapePattern(name)}(?!${partOfName})`;
  return text.match(new RegExp(whole, 'gu'))?.length ?? 0;
}
