/** Programs that show the content of files, or where files are. */

import type {Refinements} from '../program.ts';
import {wordOf} from '../word.ts';
import {fitting} from './given.ts';
import {act, withActs} from './refine.ts';

/** `+!CMD` */
const notCommand = {form: /^(?!\+)/, why: 'may be a command of the pager'};

export const viewers: Refinements = {
  notCommands: (reading, _, {operands}) => fitting(reading, operands, notCommand),
  manualPages: (reading, _, {operands}) =>
    fitting(reading, operands, {form: /^[\w.:+-]+$/, why: 'is not the name of a page'}),
  // It opens its operands, and shows no more than the disk that holds them.
  listsOperands: (reading, _, {operands}) =>
    withActs(
      reading,
      ...operands.filter(({text}) => !/^\/[^.]*$/.test(text)).map((word) => act('lists', word)),
    ),
  optionFiles: (reading, _, {operands}) =>
    fitting(reading, operands, {form: /^[^@]/, why: 'may be a file of options'}),
  looksWords: (reading, _, {operands}) =>
    operands.length > 1
      ? reading
      : {
          ...reading,
          acts: [...reading.acts, {role: 'reads', word: wordOf('/usr/share/dict/words')}],
        },
};
