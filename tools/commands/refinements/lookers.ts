/** Programs that show facts about the system, the time and the logged-in users. */

import {namesSecretValue} from '../../../machines/places/secrets.ts';
import type {Arguments, Reading, Refinements} from '../program.ts';
import type {Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {act, has, onlyWith, withUnknown} from './refine.ts';

const about = '--help --version';

/** `ps aux`; an e among letters without a dash also shows the environment of other programs. */
function readProcesses(reading: Reading, given: Arguments): Reading {
  const letters = given.operands.find(({text}) => /e/i.test(text));
  const columns = valuesOf(given, '-o -O --format').find(({text}) => /env/i.test(text));
  const shown = letters ?? columns;
  return shown
    ? {...reading, acts: [...reading.acts, act('reveals', 'variables of other processes')]}
    : reading;
}

/** `printenv NAME`: allowed only for variables that hold no secret. */
function readVariables(reading: Reading, names: readonly Word[]): Reading {
  if (names.length === 0) return {...reading, acts: [act('reveals', 'all variables')]};
  const revealing = names.filter(({known, text}) => !known || namesSecretValue(text));
  return {...reading, acts: revealing.map((word) => act('reveals', word))};
}

/** `date +%F`: an operand other than a format sets the clock. */
const format = {form: /^\+/, why: 'sets the clock'};

export const lookers: Refinements = {
  readProcesses: (reading, _, given) => readProcesses(reading, given),
  opensEditor: onlyWith('--version --help', 'opens an editor, or runs a program'),
  changesAlternatives: onlyWith('--help', 'changes which programs are installed'),
  changesKeys: onlyWith('-l', 'makes or changes keys'),
  dateFormat: (reading, _, {operands}) => fitting(reading, operands, format),
  terminalCapability: (reading, _, {operands}) =>
    fitting(reading, operands, {form: /^[\w-]+$/, why: 'is not a capability of a terminal'}),
  terminalSettings: (reading, _, {operands}) =>
    fitting(reading, operands, {
      form: /^(?:size|speed|sane|-?echo)$/,
      why: 'changes the terminal',
    }),
  showsVariables: (reading, _, given) =>
    has(given, about) ? reading : readVariables(reading, given.operands),
  looksForProgram: (reading, _, {operands}) =>
    fitting(reading, operands, {
      form: /^[^/]*(?:=.*)?$/,
      why: 'may be a file that it looks into',
    }),
  sysctlReads: (reading, _, {operands}) => {
    const set = operands.find(({known, text}) => !known || text.includes('='));
    return set ? withUnknown(reading, set.text, 'may set a value') : reading;
  },
};
