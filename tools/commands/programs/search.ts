/** Programs that search in files. */

import type {Act, Arguments, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {valuesOf} from './given.ts';
import {act, has} from './refine.ts';

/** `grep -r` reads all below; below `.` when nothing is named. */
function readGrep(reading: Reading, given: Arguments): Reading {
  if (!has(given, '-r -R --recursive --dereference-recursive')) return reading;
  const acts = reading.acts.map((each): Act =>
    each.role === 'reads' ? {...each, role: 'reads-tree'} : each,
  );
  const named = given.operands.length - (has(given, '-e --regexp -f --file') ? 0 : 1);
  const below = {...reading, acts: named > 0 ? acts : [...acts, act('reads-tree', '.')]};
  return withHidden(below, given);
}

/** What it reads when only the expression is named. */
function readBelow(reading: Reading, given: Arguments): Reading {
  if (has(given, '--type-list --version -V')) return reading;
  const isNamed = has(given, '-e --regexp -f --file --files');
  const named = given.operands.length - (isNamed ? 0 : 1);
  const role = has(given, '--files') ? 'lists' : 'reads-tree';
  const acts = named > 0 ? reading.acts : [...reading.acts, act(role, '.')];
  return withHidden({...reading, acts}, given);
}

const unhiding =
  '-u --unrestricted --hidden -. --no-ignore --no-ignore-dot --no-ignore-files --no-ignore-vcs';

/** Files that are left out by themselves, credentials among them, are read where they are asked for. */
function withHidden(reading: Reading, given: Arguments): Reading {
  const asks = valuesOf(given, '--include -G --file-search-regex').some(
    (word) => !word.known || /(?:^|\/)\\?\./.test(word.text),
  );
  const globs = valuesOf(given, '-g --glob --iglob').filter(mayUnhide);
  if (!asks && globs.length === 0 && !has(given, unhiding)) return reading;
  const isAll = asks || has(given, unhiding);
  const folders = isAll ? [''] : globs.map(({text}) => /^\/?([\w-]+\/)*/.exec(text)?.[0] ?? '');
  const hidden = reading.acts
    .filter(({role}) => role === 'reads-tree')
    .flatMap(({word}) => folders.map((folder) => act('reads', hiddenBelow(word, folder))));
  return {...reading, acts: [...reading.acts, ...hidden]};
}

/** What it matches is searched, though it be hidden or ignored. One that names an ending has only that. */
function mayUnhide({text, known}: Word): boolean {
  if (!known) return true;
  const isEnding =
    /\.(?:\w+|\{\w+(?:,\w+)*\})$/.test(text) && !/env|pem|key|rc\b|(?:^|\/)\./i.test(text);
  return !text.startsWith('!') && !isEnding;
}

function hiddenBelow(word: Word, folder: string): Word {
  const text = `${word.text.replace(/\/+$/, '')}/${folder.replace(/^\//, '')}**/.*`;
  return {...word, text, pattern: true};
}

export const search: readonly Program[] = [
  {
    name: ['grep', 'egrep', 'fgrep', 'ggrep'],
    options:
      '-E|--extended-regexp -F|--fixed-strings -G|--basic-regexp -P|--perl-regexp -e|--regexp=text -f|--file=reads -i|--ignore-case --no-ignore-case -v|--invert-match -w|--word-regexp -x|--line-regexp -y -c|--count --color|--colour=?text -L|--files-without-match -l|--files-with-matches -m|--max-count=text -o|--only-matching -q|--quiet|--silent -s|--no-messages -b|--byte-offset -H|--with-filename -h|--no-filename --label=text -n|--line-number -T|--initial-tab -Z|--null -A|--after-context=text -B|--before-context=text -C|--context=text -NUM -a|--text --binary-files=text -D|--devices=text --exclude=text --exclude-from=reads --exclude-dir=text -I --include=text -r|--recursive -R|--dereference-recursive --line-buffered -U|--binary -z|--null-data -V|--version --help',
    operands: 'text reads*',
    when: {
      '-e --regexp -f --file': {operands: 'reads*'},
      '-V --version --help': {operands: 'text*'},
    },
    refine: (reading, _, given) => readGrep(reading, given),
  },
  {
    name: 'rg',
    options:
      '-e|--regexp=text -f|--file=reads -A|--after-context=text -B|--before-context=text -C|--context=text --binary -b|--byte-offset -s|--case-sensitive --color=text --column -c|--count --count-matches --crlf --debug --engine=text --field-context-separator=text --field-match-separator=text --files -l|--files-with-matches --files-without-match -F|--fixed-strings -L|--follow -g|--glob=text --glob-case-insensitive --heading --no-heading -h|--help -. --hidden --no-hidden --iglob=text -i|--ignore-case --ignore-file=reads --include-zero -v|--invert-match --json --line-buffered --block-buffered -n|--line-number -N|--no-line-number -x|--line-regexp -M|--max-columns=text --max-columns-preview -m|--max-count=text -d|--max-depth=text --max-filesize=text --mmap --no-mmap -U|--multiline --multiline-dotall --no-config --no-filename -I --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-messages --no-require-git --no-unicode -0|--null --one-file-system -o|--only-matching --passthru --path-separator=text -P|--pcre2 -p|--pretty -q|--quiet -r|--replace=text -S|--smart-case --sort=text --sortr=text --stats -a|--text -j|--threads=text --trim -t|--type=text -T|--type-not=text --type-list -u|--unrestricted -V|--version --vimgrep -H|--with-filename -w|--word-regexp',
    operands: 'text reads-tree*',
    when: {
      '-e --regexp -f --file': {operands: 'reads-tree*'},
      '--files': {operands: 'lists*'},
      '--type-list -V --version -h --help': {operands: 'text*'},
    },
    refine: (reading, _, given) => (has(given, '-h --help') ? reading : readBelow(reading, given)),
  },
  {
    name: 'ag',
    options:
      '-A|--after=text -B|--before=text -C|--context=text -a|--all-types -c|--count --color --nocolor --column -D|--debug --depth=text -f|--follow -F|--fixed-strings -G|--file-search-regex=text --group --nogroup -H|--heading --noheading --hidden -i|--ignore-case --ignore=text --ignore-dir=text -l|--files-with-matches -L|--files-without-matches -m|--max-count=text --numbers --nonumbers -o|--only-matching -p|--path-to-ignore=reads -Q|--literal -s|--case-sensitive -S|--smart-case --silent --stats -t|--all-text -u|--unrestricted -U|--skip-vcs-ignores -v|--invert-match -V|--version -w|--word-regexp -W|--width=text -0|--null --js --ts --py --python --go --rust --ruby --java --cpp --cc --html --css --json --md',
    operands: 'text reads-tree*',
    refine: (reading, _, given) => readBelow(reading, given),
  },
  {
    name: ['fd', 'fdfind'],
    options:
      '-H|--hidden -I|--no-ignore -u|--unrestricted --no-ignore-vcs -s|--case-sensitive -i|--ignore-case -g|--glob --regex -F|--fixed-strings --and=text -a|--absolute-path -l|--list-details -L|--follow -p|--full-path -0|--print0 -d|--max-depth=text --min-depth=text --exact-depth=text -E|--exclude=text --prune -t|--type=text -e|--extension=text -S|--size=text --changed-within=text --changed-before=text -o|--owner=text -c|--color=text -j|--threads=text --max-results=text -1 -q|--quiet --show-errors --base-directory=from -V|--version -h|--help',
    operands: 'text? lists*',
    does: 'lists=.',
  },
];
