/** Builds the SELECT statements for questions about tables. */

import type {Asked, Place} from './table-question.ts';
import {
  labelColumn,
  type Link,
  linksOf,
  literal,
  quotedIdentifier,
  type Table,
  textColumns,
} from './tables.ts';

export interface Filter {
  readonly place: Place;
  readonly value: string;
}

export function valueQuery(value: string, tables: readonly Table[]): string {
  const selects = tables.flatMap((one) =>
    textColumns(one).map(
      (column) =>
        `SELECT ${literal(one.name)} AS t, ${literal(column)} AS c WHERE EXISTS (SELECT 1 FROM ${quotedIdentifier(one.name)} WHERE ${holds(quotedIdentifier(column), value)})`,
    ),
  );
  return selects.join(' UNION ALL ');
}

function holds(column: string, value: string): string {
  return `lower(${column}) = lower(${literal(value)})`;
}

export function queryFor(
  {measure, table, column, group, most, year}: Asked,
  filters: readonly Filter[],
  tables: readonly Table[],
): string {
  const places = [...filters.map(({place}) => place), ...(group ? [group] : [])];
  const links = linksOf(table, tables).filter(({to}) => places.some((place) => place.table === to));
  const conditions = filters.map(({place, value}) => holds(nameOf(place), value));
  if (year)
    conditions.unshift(
      `substr(${nameOf({table, column: year.column})}, 1, 4) = ${literal(year.year)}`,
    );
  const value = valueOf({measure, table, column});
  return [
    `SELECT ${group ? groupColumns(group, measure === 'count' ? `${value} AS ${quotedIdentifier(table.name)}` : value) : value}`,
    `FROM ${quotedIdentifier(table.name)}`,
    ...distinctLinks(links).map(
      ({key, to, id}) =>
        `JOIN ${quotedIdentifier(to.name)} ON ${nameOf({table: to, column: id})} = ${nameOf({table, column: key})}`,
    ),
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(' AND ')}`] : []),
    ...(group && measure !== 'list'
      ? [`GROUP BY ${keysOf(group, links, table).join(', ')} ORDER BY 2 DESC, 1`]
      : []),
    ...(most === undefined ? [] : [`LIMIT ${most}`]),
  ].join(' ');
}

function groupColumns(group: Place, value: string): string {
  const title = group.isOfWhole ? ` AS ${quotedIdentifier(group.table.name)}` : '';
  return `${nameOf(group)}${title}, ${value}`;
}

function keysOf(group: Place, links: readonly Link[], table: Table): string[] {
  const link = links.find(({to}) => group.isOfWhole && to === group.table);
  return [...(link ? [nameOf({table, column: link.key})] : []), nameOf(group)];
}

function valueOf({measure, table, column}: Pick<Asked, 'measure' | 'table' | 'column'>): string {
  const own = column === undefined ? undefined : nameOf({table, column});
  if (measure === 'list') return `${quotedIdentifier(table.name)}.*`;
  if (measure === 'count') return own === undefined ? 'count(*)' : `count(DISTINCT ${own})`;
  // The row with the largest or the smallest value is shown with its name.
  const label = labelColumn(table);
  const isNamed = (measure === 'max' || measure === 'min') && label !== undefined;
  const named = isNamed ? `, ${nameOf({table, column: label})}` : '';
  return `${measure}(${own ?? '*'})${named}`;
}

function nameOf({table, column}: Place): string {
  return `${quotedIdentifier(table.name)}.${quotedIdentifier(column)}`;
}

/** Joins each table only once, by its first key. */
function distinctLinks(links: readonly Link[]): Link[] {
  return [...new Map(links.toReversed().map((link) => [link.to.name, link])).values()].toReversed();
}
