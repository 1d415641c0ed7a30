/** Refusals and failures that several layers return in the same words. */

import {type Denial, failed, refused} from '../containment/denial.ts';
import {escapeLine} from '../escape.ts';

export const severalStatements = refused(
  'several_statements',
  'one statement a call: nothing may follow the semicolon; send the others one by one',
);

export const tooMuchMemory = refused(
  'limit',
  'the query needs too much memory; select less of it, or aggregate',
);

export function damaged(how: string): Denial {
  return failed(
    'corrupt',
    `not a sound SQLite database (${escapeLine(how)}); restore it from a backup`,
  );
}

/** Leftover data of a writer prevents reading without write access. */
export function unrecovered(how: string): Denial {
  return failed(
    'unrecovered',
    `its writer was interrupted or is alone with it (${escapeLine(how)}); close that program, or open the database once with one that may write to it, such as sqlite3`,
  );
}

/** Temporary: the same call may succeed later. */
export function writtenTo(how: string): Denial {
  return {...failed('locked', `${how}; try again`), kind: 'failed', retryable: true};
}
