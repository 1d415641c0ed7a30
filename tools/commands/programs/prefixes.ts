/** Programs that run another one, given by the words that follow. */

import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {isSure, joined, valueOf} from './given.ts';
import {act, after, has, withUnknown} from './refine.ts';

const about = '--help --version';

/** `env CI=1 npm test` */
function readEnv(reading: Reading, given: Arguments): Reading {
  const {operands} = given;
  const at = operands.findIndex(({text}) => !/^\w+=/.test(text));
  const command = operands[at];
  const folder = valueOf(given, '-C --chdir');
  if (reading.unknown.length > 0 || has(given, about)) return reading;
  if (!command) return {...reading, acts: [act('reveals', 'all variables')]};
  const set = operands.slice(0, at).map((word): readonly [string, Word] => {
    const equals = word.text.indexOf('=');
    return [word.text.slice(0, equals), after(word, equals + 1)];
  });
  const run: Act = {
    role: 'command',
    word: command,
    rest: operands.slice(at + 1),
    ...(set.length > 0 ? {env: Object.fromEntries(set)} : {}),
    ...(folder ? {from: folder} : {}),
  };
  return {...reading, acts: [run]};
}

/** `flock FILE CMD …`, `flock FILE -c TEXT`, `flock 9`. */
function readLock(reading: Reading, {operands: [lock, command, ...rest]}: Arguments): Reading {
  if (reading.unknown.length > 0 || !lock) return reading;
  const isNumber = lock.known && /^\d+$/.test(lock.text);
  const place = isNumber ? [] : [act('creates', lock)];
  if (!command) return {...reading, acts: place};
  const isText = command.known && (command.text === '-c' || command.text === '--command');
  const run: Act = isText ? act('shell', joined(rest)) : {role: 'command', word: command, rest};
  return {...reading, acts: [...place, run]};
}

/** What xargs appends, or puts in place of a word. */
function itemsOf(input: Invocation['input']): Word {
  return typeof input !== 'string' && input.pattern
    ? input
    : {text: '(what xargs reads)', known: false, pattern: false, quoted: false};
}

function readXargs(reading: Reading, {input}: Invocation, given: Arguments): Reading {
  const [command = wordOf('echo'), ...rest] = given.operands;
  const place = valueOf(given, '-I');
  if (reading.unknown.length > 0 || has(given, about)) return reading;
  if (!isSure(command) || (place && !isPlace(place, command)))
    return withUnknown(reading, command.text, 'is computed');
  const items = itemsOf(has(given, '-a --arg-file') ? 'pipe' : input);
  const one: Word = {...items, quoted: true};
  const words = place ? rest.map((word) => filled(word, place.text, one)) : [...rest, items];
  const lists = reading.acts.filter(({role}) => role === 'reads');
  return {...reading, acts: [...lists, {role: 'command', word: command, rest: words}]};
}

/** What stands for an item must be sure, and no part of the program's name. */
function isPlace(place: Word, command: Word): boolean {
  return isSure(place) && place.text !== '' && !command.text.includes(place.text);
}

function filled(word: Word, place: string, item: Word): Word {
  if (word.text === place) return item;
  return word.text.includes(place) ? {...word, known: false} : word;
}

export const prefixes: readonly Program[] = [
  {
    name: 'env',
    options: `-i|--ignore-environment -u|--unset=text -0|--null -C|--chdir=text -v|--debug ${about}`,
    style: 'posix',
    operands: 'text*',
    refine: (reading, _, given) => readEnv(reading, given),
  },
  {
    name: ['timeout', 'gtimeout'],
    options: `-k|--kill-after=text -s|--signal=text --preserve-status --foreground -v|--verbose ${about}`,
    style: 'posix',
    operands: 'text command',
    when: {[about]: {operands: 'text*'}},
  },
  {
    name: 'nice',
    options: `-n|--adjustment=text -NUM ${about}`,
    style: 'posix',
    operands: 'command?',
  },
  {
    name: 'ionice',
    options: '-c|--class=text -n|--classdata=text -t|--ignore',
    style: 'posix',
    operands: 'command',
  },
  {name: 'taskset', options: '-c|--cpu-list', style: 'posix', operands: 'text command'},
  {
    name: 'nohup',
    options: about,
    style: 'posix',
    operands: 'command',
    when: {[about]: {operands: 'text*'}},
  },
  {
    name: 'time',
    options: '-p -v|--verbose -f|--format=text -a|--append -o|--output=writes',
    style: 'posix',
    operands: 'command?',
  },
  {
    name: 'stdbuf',
    options: '-i|--input=text -o|--output=text -e|--error=text',
    style: 'posix',
    operands: 'command',
  },
  {name: ['unbuffer', 'caffeinate', 'chronic'], style: 'posix', operands: 'command'},
  {name: 'xvfb-run', options: '-a|--auto-servernum', style: 'posix', operands: 'command'},
  {
    name: 'valgrind',
    options:
      '--leak-check=text --error-exitcode=text -q|--quiet -v|--verbose --track-origins=text --show-leak-kinds=text --tool=text --num-callers=text --version --help',
    style: 'posix',
    operands: 'command',
    // Options of its own that it reads from the folder.
    does: 'loads=.valgrindrc',
    when: {'--version --help': {operands: '', does: ''}},
  },
  {
    name: 'strace',
    options: '-f -ff -c -C -q -r -t -T -v -y -s=text -e=text -o=text -S=text -V --version',
    style: 'posix',
    operands: 'command',
    when: {'-V --version': {operands: ''}},
    refine: (reading, _, given) => {
      const output = valueOf(given, '-o');
      if (!output) return reading;
      const isProgram = !isSure(output) || /^[|!]/.test(output.text);
      return isProgram
        ? withUnknown(reading, output.text, 'may be a program that gets the output')
        : {...reading, acts: [...reading.acts, act('writes', output)]};
    },
  },
  {
    name: 'watch',
    options:
      '-n|--interval=text -d|--differences=?text -t|--no-title -b|--beep -e|--errexit -g|--chgexit -c|--color -x|--exec',
    style: 'posix',
    operands: 'text+',
    when: {'-x --exec': {operands: 'command'}},
    refine: (reading, _, given) =>
      has(given, '-x --exec')
        ? reading
        : {...reading, acts: [act('shell', joined(given.operands))]},
  },
  {
    name: 'flock',
    options:
      '-s|--shared -x|-e|--exclusive -n|--nb|--nonblock -w|--wait|--timeout=text -u|--unlock -o|--close -E|--conflict-exit-code=text -F|--no-fork --verbose',
    style: 'posix',
    operands: 'text+',
    refine: (reading, _, given) => readLock(reading, given),
  },
  {
    name: 'script',
    options: '-q|--quiet -a|--append -e|--return -f|--flush -c|--command=shell',
    operands: 'writes?',
    when: {'-a --append': {operands: 'appends?'}},
    refine: (reading, _, given) => {
      const run = has(given, '-c --command')
        ? reading
        : withUnknown(reading, 'script', 'opens a shell');
      return given.operands.length > 0
        ? run
        : {...run, acts: [...run.acts, act('writes', 'typescript')]};
    },
  },
  {
    name: 'hyperfine',
    options:
      '-w|--warmup=text -m|--min-runs=text -M|--max-runs=text -r|--runs=text -p|--prepare=shell -s|--setup=shell -c|--cleanup=shell -i|--ignore-failure -N -n|--command-name=text --style=text -u|--time-unit=text --export-json=writes --export-csv=writes --export-markdown=writes --show-output --version',
    operands: 'shell*',
  },
  {
    name: 'xargs',
    options: `-0|--null -a|--arg-file=reads -d|--delimiter=text -E=text -I=text -L|--max-lines=text -n|--max-args=text -P|--max-procs=text -r|--no-run-if-empty -s|--max-chars=text -t|--verbose -x|--exit ${about}`,
    style: 'posix',
    operands: 'command?',
    refine: readXargs,
  },
  {
    name: ['sudo', 'doas'],
    options:
      '-n|--non-interactive -E -H|--set-home -S|--stdin -k -b -u|--user=text -g|--group=text -v -l -V --help --version',
    style: 'posix',
    operands: 'command?',
    does: 'alters=the_system,_as_another_user',
    when: {'-v -l -V --help --version': {does: ''}},
  },
];
