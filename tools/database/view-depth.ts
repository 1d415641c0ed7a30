/**
 * Views that SQLite takes too long to expand: it expands each view as often as it is named, so thirty views that each
 * name the previous one twice lead to a thousand million expansions.
 */

import type {DatabaseSync} from 'node:sqlite';

import {escapePattern} from '../../machines/domain/escape-pattern.ts';

/** If a database has more views, none is expanded. */
const maxViews = 200;
/** The maximum number of views in an expansion, including nested ones. */
const maxExpanded = 1_000;

/** Their names. Names are searched for in texts: a false match at worst leaves a view undescribed. */
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

/** The number of views in the expansion of a view, by its key. */
function expansionOf(byKey: ReadonlyMap<string, readonly {readonly text: string}[]>) {
  const known = new Map<string, number>();
  const expandedBy = (key: string): number => {
    const count = known.get(key);
    if (count !== undefined) return count;
    // Reaching this view again means that it names itself.
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
