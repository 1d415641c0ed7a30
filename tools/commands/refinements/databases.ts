/** Clients of databases: a statement is understood if it plainly only reads. */

import type {Arguments, Invocation, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has, withActs, withUnknown} from './refine.ts';

const migrations =
  /^(?:status|list|show|history|generate|validate|format|check|introspect|version|help|--version|migrate (?:status|diff)|migrate:(?:status|list)|migration:show|studio|init)\b/;

export const databases: Refinements = {
  psqlQueries: (reading, call, given) =>
    has(given, '-l --list -V --version --help')
      ? withHost(reading, given)
      : queries(reading, call, {given, texts: valuesOf(given, '-c --command')}),
  mysqlQueries: (reading, call, given) =>
    has(given, '-V --version')
      ? reading
      : queries(reading, call, {given, texts: valuesOf(given, '-e --execute')}),
  sqliteQueries: (reading, call, given) =>
    has(given, '-version --version -help')
      ? reading
      : queries(reading, call, {given, texts: given.operands.slice(1)}),
  redisCommands: (reading, _call, given) => {
    const verb = given.operands[0]?.text ?? '';
    if (has(given, '-v --version --help')) return reading;
    if (given.operands.some(({known}) => !known))
      return withUnknown(reading, 'redis-cli', 'receives a computed word');
    if (
      /^(?:get|mget|keys|scan|exists|type|ttl|pttl|info|ping|dbsize|llen|lrange|hget|hgetall|hkeys|hlen|smembers|scard|sismember|zrange|zcard|zscore|strlen|xlen|xrange|memory|time|lastsave|echo)$/i.test(
        verb,
      ) ||
      (verb === '' && has(given, '--scan'))
    )
      return withHost(reading, given, '-u');
    return verb === ''
      ? withUnknown(reading, 'redis-cli', 'runs its standard input')
      : withActs(reading, act('alters', 'a database'));
  },
  statementsUnread: (reading, {name}, given) =>
    has(given, '--version --help')
      ? reading
      : withUnknown(reading, name, 'runs statements that are not looked at'),
  atHost: (reading, _call, given) => withHost(reading, given),
  migrates: (reading, {name}, given) => {
    const line = given.operands.map(({text}) => text).join(' ');
    if (has(given, '--version --help') || line === '') return reading;
    return withActs(
      reading,
      migrations.test(line) ? act('runs', `${name} ${line}`) : act('alters', 'a database'),
    );
  },
};

interface Asked {
  readonly given: Arguments;
  readonly texts: readonly Word[];
}

function queries(reading: Reading, {name}: Invocation, {given, texts}: Asked): Reading {
  const result = withHost(reading, given);
  if (texts.length === 0) return withUnknown(result, name, 'runs its standard input');
  const odd = texts.find((word) => !word.known || !isLook(word.text));
  if (!odd) return result;
  return odd.known &&
    /\b(?:drop|delete|truncate|update|insert|alter|create|grant|revoke|replace|merge)\b/i.test(
      odd.text,
    )
    ? withActs(result, act('alters', 'a database'))
    : withUnknown(result, odd.text, 'is a statement that does more than look, or may');
}

/** @param address Its option for a whole address. */
function withHost(reading: Reading, given: Arguments, address = ''): Reading {
  const named = [...valuesOf(given, '-d --dbname'), ...given.operands].filter(isAddress);
  const places = [...valuesOf(given, `-h --host ${address}`), ...named];
  const far = places.filter(
    ({text}) =>
      !/^(?:\w+:\/\/(?:[^@/]*@)?)?(?:(?:localhost|127\.0\.0\.1|::1)(?=[:/]|$)|\/)/.test(text),
  );
  return withActs(reading, ...far.map((word) => act('fetches', word)));
}

function isAddress({text}: Word): boolean {
  return /^\w+:\/\/|\bhost(?:addr)?\s*=/.test(text);
}

/** One statement, without functions that may have effects. */
function isLook(text: string): boolean {
  if (/^\s*\\(?:d[a-zA-Z]*\+?|l\+?|conninfo|x)(?: [\w.*"]+)?\s*$/.test(text)) return true;
  if (
    /^\s*\.(?:schema|tables|indexes|indices|databases|fullschema|dbinfo|stats)(?: [\w.%]+)?\s*$/.test(
      text,
    )
  )
    return true;
  const statement = text.replace(/;\s*$/, '');
  const isRead =
    /^\s*(?:select|show|describe|desc|explain(?!\s+\(?\s*analy[sz]e)|pragma\s+(?:table_info|table_list|index_list|foreign_key_list|integrity_check|user_version)\b(?!\s*=)|values|with)\b/i.test(
      statement,
    );
  const isMore =
    /;|\/\*|--|\\|\b(?:into|insert|update|delete|drop|truncate|alter|create|grant|copy|call|do|set|attach|analyze|vacuum|lock|for\s+update|outfile|dumpfile|load)\b/i.test(
      statement,
    );
  const functions = [...statement.matchAll(/([\w."]+)\s*\(/g)].map(([, called = '']) =>
    called.toLowerCase(),
  );
  return isRead && !isMore && functions.every((called) => plain.has(called));
}

/** Functions that only compute, and words that may precede a bracket. */
const plain: ReadonlySet<string> = new Set(
  [
    'count sum min max avg coalesce nullif now length lower upper trim substr substring round abs',
    'date time datetime strftime date_trunc extract to_char cast concat version current_database',
    'group_concat string_agg array_agg json_agg row_number rank over in exists any all and or not',
    'where from on as join select with table_info table_list index_list foreign_key_list',
    'pg_size_pretty pg_total_relation_size pg_database_size pg_relation_size',
  ].flatMap((line) => line.split(' ')),
);
