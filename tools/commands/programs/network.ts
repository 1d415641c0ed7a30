/** Programs that speak with other computers. */

import type {Act, Arguments, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, isSure, valuesOf} from './given.ts';
import {act, has, ownFetch, sendOf, withActs, withUnknown} from './refine.ts';

const recordTypes = /^(?:A|AAAA|ANY|CAA|CNAME|IN|MX|NS|PTR|SOA|SRV|TXT)$/i;

/** Names that are asked for say what stands in them to whoever answers. */
function readNames(reading: Reading, {operands}: Arguments): Reading {
  const names = operands.filter(
    ({text, known}) => !(known && (recordTypes.test(text) || text.startsWith('+'))),
  );
  return {...reading, acts: names.map((word) => act('fetches', word))};
}

/** `nc -z HOST PORT` looks whether somebody listens; all else sends what it reads. */
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

/** `host:path`, `user@host:path`, `rsync://host/path`, and what may be one. */
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

const sockets =
  '-a|--all -t|--tcp -u|--udp -l|--listening -n|--numeric -p|--processes|--programs -e|--extended -o -4 -6';

/** Words of a filter that are no name of a computer. */
const socketFilter =
  /^(?:state|exclude|all|connected|listening|established|time-wait|close-wait|dst|src|[sd]port|and|or|not|eq|ne|[gl][te]|[=!<>()&|]+|\*?:\w+|\d+(?:\.\d+){0,3}(?::\d+)?)$/;

/** Without the option that leaves addresses as they are, whoever keeps names is asked for theirs. */
function asksForNames(reading: Reading, given: Arguments, plain: string): Reading {
  return has(given, plain) ? reading : withActs(reading, ownFetch('names of addresses'));
}

export const network: readonly Program[] = [
  {
    name: ['dig', 'drill'],
    options: '-t=text -x -4 -6 -v -a -p=text',
    operands: 'fetches*',
    refine: (reading, _, given) => readNames(reading, given),
  },
  {
    name: ['host', 'nslookup'],
    options: '-t=text -4 -6 -v -a',
    operands: 'fetches fetches?',
    // With `-` it asks for every line of its input.
    refine: (reading, _, given) =>
      fitting(reading, given.operands, {form: /^[^-]/, why: 'asks for what it reads'}),
  },
  {
    name: ['ping', 'ping6'],
    options: '-c=text -i=text -W=text -w=text -t=text -s=text -n -q -4 -6',
    operands: 'fetches',
  },
  {
    name: ['traceroute', 'tracepath'],
    options: '-n -m=text -q=text -w=text -4 -6',
    operands: 'fetches',
  },
  {name: 'whois', operands: 'fetches+'},
  {
    name: ['nc', 'ncat', 'netcat'],
    options: '-z -v -n -u -4 -6 -N -w=text -q=text',
    operands: 'local local',
    refine: (reading, _, given) => readConnection(reading, given),
  },
  {
    name: 'rsync',
    options:
      '-a|--archive -c|--checksum -C|--cvs-exclude -d|--dirs -D -g|--group -h|--human-readable -H|--hard-links -i|--itemize-changes -k -l|--links -m|--prune-empty-dirs -n|--dry-run -o|--owner -p|--perms -P -q|--quiet -r|--recursive -R|--relative -s -S|--sparse -t|--times -u|--update -v|--verbose -W|--whole-file -x|--one-file-system -z|--compress --progress --partial --stats --delete --delete-after --delete-during --delete-before --delete-excluded --exclude=text --include=text --exclude-from=reads --include-from=reads --existing --ignore-existing --ignore-errors --size-only --info=text --max-size=text --min-size=text --chmod=text --version --help',
    operands: 'reads* text',
    when: {'--version --help': {operands: 'text*'}},
    refine: (reading, _, given) =>
      has(given, '--version --help') ? reading : readSync(reading, given),
  },
  {
    name: 'scp',
    options: '-r -p -q -v -C -3 -4 -6 -P=text -l=text',
    operands: 'text text+',
    refine: (reading, _, given) => readCopyOver(reading, given),
  },
  {
    name: ['ssh', 'sftp', 'ftp', 'telnet', 'mosh'],
    options: '-V',
    style: 'posix',
    operands: 'sends text*',
    when: {'-V': {operands: ''}},
    refine: (reading, {name}, given) =>
      has(given, '-V') ? reading : withUnknown(reading, name, 'does what another computer is told'),
  },
  {
    name: 'ip',
    options: '-4 -6 -br -brief -c -color -o -oneline -s -stats -j -json -p -pretty -d -details',
    style: 'single',
    subcommands: {
      'a addr address l link r route n neigh neighbor rule maddr': {
        subcommands: {'': {}, 'show list ls': {operands: 'text*'}},
      },
    },
  },
  {name: 'ifconfig', options: '-a', operands: 'text?'},
  {
    name: 'netstat',
    options: `${sockets} -s -i -r -M -g`,
    refine: (reading, _, given) => asksForNames(reading, given, '-n --numeric'),
  },
  {
    name: 'ss',
    options: `${sockets} -s -i -x -H -m -O`,
    operands: 'text*',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {form: socketFilter, why: 'may be a name that is asked for'}),
  },
  {
    name: 'lsof',
    options: '-i=?text -P -n -p=text -t -u=text -c=text -a -s=?text -w -l -b -U -r=?text',
    operands: 'text*',
    refine: (reading, _, given) =>
      fitting(asksForNames(reading, given, '-n'), [...given.operands, ...valuesOf(given, '-i')], {
        form: /^[\w./:,+-]+$/,
        why: 'may be a name that is asked for',
      }),
  },
];
