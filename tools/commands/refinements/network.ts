/** Programs that contact other computers. */

import type {Act, Arguments, Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, isSure, valuesOf} from './given.ts';
import {act, has, ownFetch, sendOf, withActs, withUnknown} from './refine.ts';

const recordTypes = /^(?:A|AAAA|ANY|CAA|CNAME|IN|MX|NS|PTR|SOA|SRV|TXT)$/i;

/** A name that is looked up is sent, with any data in it, to the computer that answers. */
function readNames(reading: Reading, {operands}: Arguments): Reading {
  const names = operands.filter(
    ({text, known}) => !(known && (recordTypes.test(text) || text.startsWith('+'))),
  );
  return {...reading, acts: names.map((word) => act('fetches', word))};
}

/** `nc -z HOST PORT` only checks for a listener; any other call sends its input. */
function readConnection(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0) return reading;
  const target: Word = {
    text: given.operands.map(({text}) => text).join(':'),
    known: given.operands.every(isSure),
    pattern: false,
    quoted: true,
  };
  const reached = has(given, '-z') ? act('fetches', target) : sendOf(target, 'its standard input');
  return {...reading, acts: [reached]};
}

/** `host:path`, `user@host:path`, `rsync://host/path`, and words that may be one of these. */
function isRemote({text, known}: Word): boolean {
  return /^[^/]*:/.test(text) || (!known && !/^[./]/.test(text));
}

function readSync(reading: Reading, given: Arguments): Reading {
  if (reading.unknown.length > 0) return reading;
  const sources = given.operands.slice(0, -1);
  const target = given.operands.at(-1) ?? wordOf('.');
  const isDry = has(given, '-n --dry-run');
  const deletes = has(
    given,
    '--delete --delete-after --delete-during --delete-before --delete-excluded',
  );
  const lists = reading.acts.filter(
    ({role, word}) => role === 'reads' && !given.operands.includes(word),
  );
  const from = sources.map((word) => act(isRemote(word) ? 'fetches' : 'reads-tree', word));
  const to: readonly Act[] = isRemote(target)
    ? [sendOf(target, 'each file')]
    : [act('writes-tree', target), ...(deletes ? [act('deletes-tree', target)] : [])];
  return {...reading, acts: [...lists, ...from, ...(isDry && !isRemote(target) ? [] : to)]};
}

function readCopyOver(reading: Reading, {operands}: Arguments): Reading {
  if (reading.unknown.length > 0) return reading;
  const far = operands.filter(isRemote);
  const near = operands.filter((word) => !isRemote(word));
  const target = operands.at(-1);
  const isSent = target !== undefined && isRemote(target);
  return {
    ...reading,
    acts: [
      ...near.map((word) => act(word === target ? 'writes-tree' : 'reads-tree', word)),
      ...far.map((word) => (isSent ? sendOf(word, 'each file') : act('fetches', word))),
    ],
  };
}

/** Words of a filter that are not the name of a computer. */
const socketFilter =
  /^(?:state|exclude|all|connected|listening|established|time-wait|close-wait|dst|src|[sd]port|and|or|not|eq|ne|[gl][te]|[=!<>()&|]+|\*?:\w+|\d+(?:\.\d+){0,3}(?::\d+)?)$/;

/** Without the option that keeps addresses numeric, the name server is asked for their names. */
function asksForNames(reading: Reading, given: Arguments, plain: string): Reading {
  return has(given, plain) ? reading : withActs(reading, ownFetch('names of addresses'));
}

export const network: Refinements = {
  readNames: (reading, _, given) => readNames(reading, given),
  // With `-` it looks up every line of its input.
  asksForNothingRead: (reading, _, given) =>
    fitting(reading, given.operands, {form: /^[^-]/, why: 'looks up its input'}),
  readConnection: (reading, _, given) => readConnection(reading, given),
  syncs: (reading, _, given) =>
    has(given, '--version --help') ? reading : readSync(reading, given),
  readCopyOver: (reading, _, given) => readCopyOver(reading, given),
  obeysOther: (reading, {name}, given) =>
    has(given, '-V') ? reading : withUnknown(reading, name, 'does what another computer requests'),
  asksNames: (reading, _, given) => asksForNames(reading, given, '-n --numeric'),
  socketFilters: (reading, _, {operands}) =>
    fitting(reading, operands, {form: socketFilter, why: 'may be a name that is asked for'}),
  packetFilters: (reading, _, given) =>
    fitting(asksForNames(reading, given, '-n'), [...given.operands, ...valuesOf(given, '-i')], {
      form: /^[\w./:,+-]+$/,
      why: 'may be a name that is asked for',
    }),
};
