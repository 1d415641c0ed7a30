/** Programs that read text and write other text to their output. */

import type {Program, Reading} from '../program.ts';
import {fitting, valuesOf} from './given.ts';
import {has} from './refine.ts';

const about = '--help --version';

export const text: readonly Program[] = [
  {
    name: 'sort',
    options: `-b|--ignore-leading-blanks -d|--dictionary-order -f|--ignore-case -g|--general-numeric-sort -i|--ignore-nonprinting -M|--month-sort -h|--human-numeric-sort -n|--numeric-sort -R|--random-sort --random-source=reads -r|--reverse --sort=text -V|--version-sort --batch-size=text -c --check=?text -C --debug -k|--key=text -m|--merge -o|--output=writes -s|--stable -S|--buffer-size=text -t|--field-separator=text --parallel=text -u|--unique -z|--zero-terminated ${about}`,
    operands: 'reads*',
  },
  {
    name: 'uniq',
    options: `-c|--count -d|--repeated -D --all-repeated=?text -f|--skip-fields=text --group=?text -i|--ignore-case -s|--skip-chars=text -u|--unique -z|--zero-terminated -w|--check-chars=text ${about}`,
    operands: 'reads? writes?',
  },
  {
    name: 'cut',
    options: `-b|--bytes=text -c|--characters=text -d|--delimiter=text -f|--fields=text -n --complement -s|--only-delimited --output-delimiter=text -z|--zero-terminated ${about}`,
    operands: 'reads*',
  },
  {
    name: 'tr',
    options: `-c|-C|--complement -d|--delete -s|--squeeze-repeats -t|--truncate-set1 ${about}`,
    operands: 'text text?',
  },
  {
    name: 'paste',
    options: `-d|--delimiters=text -s|--serial -z|--zero-terminated ${about}`,
    operands: 'reads*',
  },
  {
    name: 'join',
    options: `-a=text -e=text -i|--ignore-case -j=text -o=text -t=text -v=text -1=text -2=text --check-order --nocheck-order --header -z|--zero-terminated ${about}`,
    operands: 'reads reads',
  },
  {
    name: 'column',
    options: `-c|--output-width=text -d|--table-noheadings -E|--table-noextreme=text -H|--table-hide=text -J|--json -L|--keep-empty-lines -n|--table-name=text -N|--table-columns=text -o|--output-separator=text -O|--table-order=text -r|--tree=text -R|--table-right=text -s|--separator=text -t|--table -T|--table-truncate=text -W|--table-wrap=text -x|--fillrows ${about}`,
    operands: 'reads*',
  },
  {
    name: ['expand', 'unexpand'],
    options: `-a|--all --first-only -i|--initial -t|--tabs=text -NUM ${about}`,
    operands: 'reads*',
  },
  {
    name: 'fmt',
    options: `-NUM -c|--crown-margin -p|--prefix=text -s|--split-only -t|--tagged-paragraph -u|--uniform-spacing -w|--width=text -g|--goal=text ${about}`,
    operands: 'reads*',
  },
  {
    name: 'fold',
    options: `-NUM -b|--bytes -c|--characters -s|--spaces -w|--width=text ${about}`,
    operands: 'reads*',
  },
  {
    name: 'nl',
    options: `-b|--body-numbering=text -d=text -f=text -h=text -i=text -l=text -n=text -p -s|--number-separator=text -v=text -w|--number-width=text ${about}`,
    operands: 'reads*',
  },
  {
    name: 'pr',
    options: `-NUM -a -d -D=text -e=?text -f -F -h=text -i=?text -J -l=text -m -n=?text -N=text -o=text -r -s=?text -t -T -v -w=text -W=text ${about}`,
    operands: 'reads*',
  },
  {name: 'rev', options: about, operands: 'reads*'},
  {name: 'tsort', options: about, operands: 'reads?'},
  {
    name: 'shuf',
    options: `-e|--echo -i|--input-range=text -n|--head-count=text -o|--output=writes --random-source=reads -r|--repeat -z|--zero-terminated ${about}`,
    operands: 'reads?',
    when: {'-e --echo': {operands: 'text*'}},
  },
  {
    name: 'seq',
    options: `-NUM -f|--format=text -s|--separator=text -w|--equal-width ${about}`,
    operands: 'text*',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {
        form: /^-?\d{0,7}(?:\.\d)?\d?$/,
        why: 'may be more than a disk holds',
      }),
  },
  {name: 'jot', options: '-r -b=text -c -n -p=text -s=text -w=text', operands: 'text*'},
  {
    name: 'numfmt',
    options: `-d|--delimiter=text --field=text --format=text --from=text --from-unit=text --grouping --header=?text --invalid=text --padding=text --round=text --suffix=text --to=text --to-unit=text -z|--zero-terminated ${about}`,
    operands: 'text*',
  },
  {name: 'factor', options: about, operands: 'text*'},
  {name: 'expr', options: '*', operands: 'text+'},
  {
    name: 'iconv',
    options: `-f|--from-code=text -t|--to-code=text -l|--list -c -s|--silent -o|--output=writes --verbose ${about}`,
    operands: 'reads*',
    // A name with a slash is the file of a character map.
    refine: (reading, _call, given) =>
      fitting(reading, valuesOf(given, '-f --from-code -t --to-code'), {
        form: /^[\w.:+-]+(?:\/\/(?:translit|ignore)?)*$/i,
        why: 'is no name of a character set',
      }),
  },
  {
    name: 'bc',
    options:
      '-h --help -i|--interactive -l|--mathlib -q|--quiet -s|--standard -v|--version -w|--warn',
    operands: 'reads*',
  },
  {
    name: 'sponge',
    options: '-a',
    operands: 'writes?',
    when: {'-a': {operands: 'appends?'}},
  },
  {
    name: 'envsubst',
    options: '-v|--variables --help --version',
    operands: 'text?',
    does: 'unjudged=the_variables_that_a_text_names',
    when: {'-v --variables --help --version': {does: ''}},
  },
  {
    name: 'patch',
    options:
      '-p|--strip=text -d|--directory=from -i|--input=reads --dry-run -R|--reverse -s|--quiet|--silent -t|--batch -N|--forward -f|--force -E|--remove-empty-files -l|--ignore-whitespace -u --unified --verbose -F|--fuzz=text -b|--backup -V=text --no-backup-if-mismatch --help -v|--version',
    operands: 'reads? reads?',
    refine: (reading, _, given) => readPatch(reading, has(given, '--dry-run --help -v --version')),
  },
];

/** Which files it changes stands in the patch. */
function readPatch(reading: Reading, isDry: boolean): Reading {
  if (isDry) return reading;
  return {
    ...reading,
    unknown: [...reading.unknown, {word: 'patch', why: 'changes the files that a patch names'}],
  };
}
