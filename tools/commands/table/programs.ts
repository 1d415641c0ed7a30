/** The table of known programs. */

import {refinements} from '../refinements/index.ts';
import {createProgramTable, type ProgramTable} from './program-table.ts';
import {programTexts} from './program-texts.ts';

export const programs: ProgramTable = createProgramTable(programTexts(), refinements);
