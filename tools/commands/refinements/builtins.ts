/** Builtins of the shell. Their changes to the shell (folder, variables) are followed where the whole command is read. */

import type {Reading, Refinements} from '../program.ts';
import {wordOf, type Word} from '../word.ts';
import {fitting, joinedWords, valuesOf} from './given.ts';
import {withUnknown} from './refine.ts';

/** The subscript of a name is evaluated, and commands in it run: `a[$(id)]`. */
const name = /^[A-Za-z_]\w*$/;

/** A list in brackets is expanded a second time. */
const assignment = /^[A-Za-z_]\w*(\+?=(?!\().*)?$/s;

/** `printf %n PATH` */
const setsVariable = /%[-+ #0'*.\dhlLjzt]*n/;

const shellOptions = new Set(
  'errexit nounset pipefail xtrace noglob noclobber verbose noexec errtrace'.split(' '),
);

const switches = new Set('nullglob failglob globstar inherit_errexit checkwinsize'.split(' '));

const plain = {form: name, why: 'is not a plain name of a variable'};

function only(reading: Reading, words: readonly Word[], known: ReadonlySet<string>): Reading {
  const odd = words.find((word) => !word.known || !known.has(word.text));
  return odd ? withUnknown(reading, odd.text, 'changes how the shell reads what follows') : reading;
}

export const builtins: Refinements = {
  setsVariableByFormat: (reading, _, {operands: [format]}) =>
    format && setsVariable.test(format.text.replaceAll('%%', ''))
      ? withUnknown(reading, format.text, 'sets a variable')
      : reading,
  assignsPlainly: (reading, _, {operands}) =>
    fitting(reading, operands, {...plain, form: assignment}),
  namesPlainly: (reading, _, {operands}) => fitting(reading, operands, plain),
  namesPlainlyOrArray: (reading, _, given) =>
    fitting(reading, [...given.operands, ...valuesOf(given, '-a')], plain),
  namesPlainSecond: (reading, _, {operands}) => fitting(reading, operands.slice(1, 2), plain),
  listsVariables: (reading, {args}, given) => {
    if (args.length === 0)
      return {...reading, acts: [{role: 'reveals', word: wordOf('all variables')}]};
    return only(reading, valuesOf(given, '-o'), shellOptions);
  },
  onlySwitches: (reading, _, {operands}) => only(reading, operands, switches),
  dropsNoTrap: (reading, _, {operands: [first]}) => {
    const isNone = first !== undefined && first.known && (first.text === '' || first.text === '-');
    return isNone ? {...reading, acts: []} : reading;
  },
  evaluatesWords: (reading, {args}) => ({
    ...reading,
    acts: [{role: 'shell', word: joinedWords(args)}],
  }),
};
