/** Commands of the shell itself. What they change of the shell (folder, variables) is followed by who reads the whole command. */

import type {Program, Reading} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, joined, valuesOf} from './given.ts';
import {withUnknown} from './refine.ts';

/** A subscript in a name is calculated, and runs what stands in it: `a[$(id)]`. */
const name = /^[A-Za-z_]\w*$/;
/** A list in brackets is expanded once more. */
const assignment = /^[A-Za-z_]\w*(\+?=(?!\().*)?$/s;
/** `printf %n PATH` */
const setsVariable = /%[-+ #0'*.\dhlLjzt]*n/;
const shellOptions = new Set(
  'errexit nounset pipefail xtrace noglob noclobber verbose noexec errtrace'.split(' '),
);
const switches = new Set('nullglob failglob globstar inherit_errexit checkwinsize'.split(' '));

const plain = {form: name, why: 'is no plain name of a variable'};

function only(reading: Reading, words: readonly Word[], known: ReadonlySet<string>): Reading {
  const odd = words.find((word) => !word.known || !known.has(word.text));
  return odd ? withUnknown(reading, odd.text, 'changes how the shell reads what follows') : reading;
}

const declares = {
  operands: 'text*',
  when: {'': {does: 'reveals=all_variables'}},
  refine: (reading, _, {operands}) => fitting(reading, operands, {...plain, form: assignment}),
} satisfies Partial<Program>;

export const builtins: readonly Program[] = [
  {name: [':', 'true', 'false'], options: '*', operands: 'text*'},
  {name: 'echo', options: '*', operands: 'text*'},
  {
    name: 'printf',
    style: 'posix',
    operands: 'text+',
    refine: (reading, _, {operands: [format]}) =>
      format && setsVariable.test(format.text.replaceAll('%%', ''))
        ? withUnknown(reading, format.text, 'sets a variable')
        : reading,
  },
  {name: ['cd', 'pushd'], options: '-L -P -e -n', operands: 'text?'},
  {name: 'popd', options: '-n'},
  {name: 'dirs', options: '-l -p -v'},
  {name: 'pwd', options: '-L|--logical -P|--physical'},
  {name: ['exit', 'return', 'break', 'continue', 'shift'], operands: 'text?'},
  {
    name: 'export',
    options: '-n -p',
    ...declares,
    when: {'-p': {does: 'reveals=all_variables'}, ...declares.when},
  },
  {name: 'readonly', options: '-p', ...declares},
  {name: ['declare', 'typeset'], options: '-g -l -r -u -x', ...declares},
  {name: 'local', options: '-l -r -u -x', ...declares, when: {}},
  {
    name: 'unset',
    options: '-f -v',
    operands: 'text*',
    refine: (reading, _, {operands}) => fitting(reading, operands, plain),
  },
  {
    name: 'read',
    options: '-r -s -e -a=text -d=text -i=text -n=text -N=text -p=text -t=text -u=text',
    operands: 'text*',
    refine: (reading, _, given) =>
      fitting(reading, [...given.operands, ...valuesOf(given, '-a')], plain),
  },
  {
    name: ['mapfile', 'readarray'],
    options: '-d=text -n=text -O=text -s=text -t -u=text',
    operands: 'text?',
    refine: (reading, _, {operands}) => fitting(reading, operands, plain),
  },
  {
    name: 'getopts',
    operands: 'text text text*',
    refine: (reading, _, {operands}) => fitting(reading, operands.slice(1, 2), plain),
  },
  {
    name: 'set',
    options: '-b -C -e -E -f -h -m -n -u -v -x -o=text',
    operands: 'text*',
    refine: (reading, {args}, given) => {
      if (args.length === 0)
        return {...reading, acts: [{role: 'reveals', word: wordOf('all variables')}]};
      return only(reading, valuesOf(given, '-o'), shellOptions);
    },
  },
  {
    name: 'shopt',
    options: '-s -u -q -p',
    operands: 'text*',
    refine: (reading, _, {operands}) => only(reading, operands, switches),
  },
  {name: 'umask', options: '-S -p', operands: 'text?'},
  {name: 'ulimit', options: '*', operands: 'text*'},
  {name: 'wait', options: '-f -n', operands: 'text*'},
  {name: ['jobs', 'fg', 'bg', 'disown'], options: '-a -h -l -n -p -r -s', operands: 'text*'},
  {name: 'times'},
  {
    name: 'trap',
    options: '-l -p',
    operands: 'shell? text*',
    refine: (reading, _, {operands: [first]}) => {
      const isNone =
        first !== undefined && first.known && (first.text === '' || first.text === '-');
      return isNone ? {...reading, acts: []} : reading;
    },
  },
  {
    name: 'eval',
    options: '*',
    operands: 'text*',
    refine: (reading, {args}) => ({...reading, acts: [{role: 'shell', word: joined(args)}]}),
  },
  {name: ['source', '.'], operands: 'script text*'},
  {name: 'exec', options: '-a=text -c -l', style: 'posix', operands: 'command?'},
  {name: 'builtin', style: 'posix', operands: 'command'},
  {
    name: 'command',
    options: '-p -v -V',
    style: 'posix',
    operands: 'command',
    when: {'-v -V': {operands: 'text*'}},
  },
  {name: 'type', options: '-a -f -p -P -t', operands: 'text*'},
  {name: 'which', options: '-a -s --all --version', operands: 'text*'},
  {name: 'hash', options: '-d -l -r -t', operands: 'text*'},
];
