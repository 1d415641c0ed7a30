/** What of git only looks. */

import type {Act, Program} from '../program.ts';
import {act, after, eachAct, has, onlyWith, withActs} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;

const diffOptions =
  '-p|-u|--patch -s|--no-patch -U|--unified=text --output=writes --raw --minimal --patience --histogram --diff-algorithm=text --anchored=text --stat=?text --stat-width=text --stat-count=text --compact-summary --numstat --shortstat --dirstat=?text --summary --patch-with-stat -z --name-only --name-status --submodule=?text --color=?text --no-color --color-moved=?text --word-diff=?text --word-diff-regex=text --color-words=?text --no-renames --check --full-index --binary --abbrev=?text -M|--find-renames=?text -C|--find-copies=?text --find-copies-harder --diff-filter=text -S=text -G=text --pickaxe-all --pickaxe-regex -R --relative=?text -a|--text --ignore-cr-at-eol --ignore-space-at-eol -b|--ignore-space-change -w|--ignore-all-space --ignore-blank-lines -W|--function-context --exit-code -q|--quiet --no-ext-diff --no-textconv --no-prefix --src-prefix=text --dst-prefix=text --line-prefix=text -O=reads --inter-hunk-context=text -c --cc -m --first-parent -t -r --root';

const revisionOptions =
  '-NUM -n|--max-count=text --skip=text --since|--after|--until|--before=text --author|--committer|--grep=text --all-match --invert-grep -i|--regexp-ignore-case -E|--extended-regexp -F|--fixed-strings -P|--perl-regexp --all --branches|--tags|--remotes=?text --glob|--exclude=text --merges --no-merges --min-parents|--max-parents=text --not --reverse --topo-order --date-order --author-date-order --first-parent --full-history --simplify-by-decoration --simplify-merges --dense --sparse --ancestry-path --boundary --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark -g|--walk-reflogs --no-walk --do-walk --abbrev-commit --no-abbrev-commit --oneline --pretty=?text --format=text --date=text --relative-date --parents --children --count --objects --disk-usage=?text --ignore-missing';

const logOptions = `${revisionOptions} --graph --no-graph --decorate=?text --no-decorate --decorate-refs=text --decorate-refs-exclude=text --clear-decorations --follow --source --use-mailmap --mailmap --no-mailmap --notes=?text --no-notes --log-size -L=text --encoding=text --expand-tabs=?text --no-expand-tabs --no-color`;

const grepOptions =
  '-e=text -f=reads -n|--line-number -i|--ignore-case -I -a|--text -w|--word-regexp -l|--files-with-matches|--name-only -L|--files-without-match -c|--count -o|--only-matching -p|--show-function -W|--function-context -A|--after-context=text -B|--before-context=text -C|--context=text -NUM -E|--extended-regexp -P|--perl-regexp -F|--fixed-strings -G|--basic-regexp -h -H -v|--invert-match -q|--quiet -z|--null --cached --untracked --max-depth=text --max-count|-m=text --heading --break --column --color=?text --no-color --all-match --and --or --not --threads=text --full-name -r --recursive --no-recursive';

const rest = eachAct(pathOfRevision);

const toOutput = onlyWith('--stdout', 'writes a file for each commit');

export const looking: Subcommands = {
  status: {
    options:
      '-s|--short -b|--branch --show-stash --porcelain=?text --long -v|--verbose -u|--untracked-files=?text --ignore-submodules=?text --ignored=?text -z --column=?text --no-column --ahead-behind --no-ahead-behind --no-renames --find-renames=?text',
    operands: 'lists*',
  },
  diff: {
    options: `${diffOptions} --cached --staged --merge-base --no-index -1 -2 -3 -0`,
    operands: 'reads-tree*',
    refine: rest,
  },
  'diff-index diff-tree diff-files': {
    options: `${diffOptions} --cached --no-commit-id -v --pretty=?text --format=text`,
    operands: 'reads-tree*',
    refine: rest,
  },
  'log whatchanged': {
    options: `${diffOptions} ${logOptions}`,
    operands: 'lists*',
    when: {'-p -u --patch -S -G -U --unified -W -c --cc': {operands: 'reads-tree*'}},
    refine: (reading, call, given) => {
      const lines = given.options.filter(({name}) => name === '-L').map(({value}) => value);
      const files = lines.flatMap((word) =>
        word ? [act('reads', after(word, word.text.lastIndexOf(':') + 1))] : [],
      );
      const shown = rest(reading, call, given);
      return {...shown, acts: [...shown.acts, ...files]};
    },
  },
  show: {
    options: `${diffOptions} ${logOptions} --show-notes`,
    operands: 'reads-tree*',
    refine: rest,
  },
  'format-patch': {
    options:
      '-NUM --stdout -k|--keep-subject -n|--numbered -N|--no-numbered -s|--signoff -q|--quiet -v|--reroll-count=text --subject-prefix=text --no-signature --no-stat --stat=?text --root --full-index --binary',
    operands: 'reads-tree*',
    refine: (reading, call, given) => toOutput(rest(reading, call, given), call, given),
  },
  'rev-list': {options: `${revisionOptions} --header --timestamp -z`, operands: 'text*'},
  'rev-parse': {
    options:
      '--abbrev-ref=?text --short=?text --verify -q|--quiet --show-toplevel --show-prefix --show-cdup --show-superproject-working-tree --git-dir --absolute-git-dir --git-common-dir --git-path=text --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --symbolic-full-name --symbolic --all --branches --tags --remotes --revs-only --no-revs --flags --path-format=text --default=text --show-object-format',
    operands: 'text*',
  },
  'blame annotate': {
    options:
      '-L=text -C=?text -M=?text -w -e|--show-email -s -l -t -f -n -p --porcelain --line-porcelain --since=text --date=text --reverse --first-parent --root --contents=reads --ignore-rev=text --ignore-revs-file=reads --color-lines --abbrev=text --incremental -c -b --score-debug --show-stats',
    operands: 'reads+',
    refine: rest,
  },
  'ls-files': {
    options:
      '-m|--modified -o|--others -d|--deleted -s|--stage -u|--unmerged -c|--cached -i|--ignored -k|--killed -v -t -f -z --exclude-standard --error-unmatch -x|--exclude=text -X|--exclude-from=reads --exclude-per-directory=text --full-name --directory --no-empty-directory --eol --with-tree=text --abbrev=?text --recurse-submodules --deduplicate --format=text',
    operands: 'lists*',
  },
  'ls-tree': {
    options:
      '-d -r -t -l|--long -z --name-only --name-status --object-only --full-name --full-tree --abbrev=?text --format=text',
    operands: 'text lists*',
  },
  'cat-file': {
    options: '-t -s -e -p --batch-check=?text --allow-unknown-type',
    operands: 'reads-tree*',
    refine: rest,
  },
  grep: {
    options: grepOptions,
    operands: 'text reads-tree*',
    when: {'-e -f': {operands: 'reads-tree*'}},
    refine: (reading, call, given) => {
      const named = given.operands.length - (has(given, '-e -f') ? 0 : 1);
      const told = rest(reading, call, given);
      const isAll = named <= 0 && has(given, '--untracked');
      return isAll ? withActs(told, act('reads-tree', '.')) : told;
    },
  },
  describe: {
    options:
      '--all --tags --contains --abbrev=text --candidates=text --exact-match --debug --long --match=text --exclude=text --always --first-parent --dirty=?text --broken=?text',
    operands: 'text*',
  },
  shortlog: {
    options: `${revisionOptions} -s|--summary -e|--email -n|--numbered -c|--committer --group=text -w=?text`,
    operands: 'text*',
  },
  'merge-base': {
    options: '-a|--all --octopus --independent --is-ancestor --fork-point',
    operands: 'text+',
  },
  'for-each-ref': {
    options:
      '--count=text --sort=text --format=text --color=?text --points-at=text --merged=?text --no-merged=?text --contains=?text --no-contains=?text --ignore-case --omit-empty --exclude=text',
    operands: 'text*',
  },
  'show-ref': {
    options:
      '--head --heads --tags --branches -d|--dereference -s|--hash=?text --verify --exists --abbrev=?text -q|--quiet',
    operands: 'text*',
  },
  'show-branch': {options: '-a|--all -r|--remotes --current --list --sha1-name', operands: 'text*'},
  'name-rev': {options: '--tags --refs=text --all --name-only --always', operands: 'text*'},
  'range-diff': {options: diffOptions, operands: 'text+'},
  cherry: {options: '-v --abbrev=?text', operands: 'text*'},
  'merge-tree': {
    options:
      '--write-tree --name-only --messages --no-messages -z --allow-unrelated-histories --merge-base=text',
    operands: 'text+',
  },
  'count-objects': {options: '-v|--verbose -H|--human-readable'},
  fsck: {
    options:
      '--full --no-full --strict --unreachable --dangling --no-dangling --no-reflogs --connectivity-only --verbose --progress --no-progress --name-objects',
    operands: 'text*',
  },
  'check-ignore': {
    options: '-q|--quiet -v|--verbose -n|--non-matching --no-index -z --stdin',
    operands: 'lists*',
  },
  'check-attr': {options: '-a|--all --cached -z --stdin', operands: 'text lists*'},
  'check-ref-format': {options: '--branch --normalize --allow-onelevel', operands: 'text'},
  'symbolic-ref': {options: '-q|--quiet --short', operands: 'text'},
  'hash-object': {options: '-t=text --stdin --no-filters --path=text', operands: 'reads*'},
  var: {options: '-l', operands: 'text?'},
  version: {options: '--build-options'},
  help: {options: '-a|--all -g|--guides', operands: 'text*'},
  archive: {
    options:
      '--format=text -o|--output=writes --prefix=text -l|--list -v|--verbose --worktree-attributes --add-file=reads -0 -1 -9',
    operands: 'text lists*',
  },
  bundle: {
    subcommands: {
      create: {options: `${revisionOptions} -q|--quiet --progress`, operands: 'writes text*'},
      'verify list-heads': {options: '-q|--quiet', operands: 'reads text*'},
    },
  },
};

/**
 * A word of a revision is no place, but for the path in it: `HEAD:.env`, `:0:.env`. Magic of pathspecs (`:(exclude)a`, `:!a`)
 * names places that are left out, or places by other means: what follows it is one.
 */
function pathOfRevision(read: Act): readonly Act[] {
  if (read.role !== 'reads-tree' && read.role !== 'reads') return [read];
  const {text} = read.word;
  const magic = /^:(?:\([^)]*\)|[!^/]+|[0-3]:)?/.exec(text);
  if (magic) return text === magic[0] ? [] : [{...read, word: after(read.word, magic[0].length)}];
  const colon = text.indexOf(':');
  return colon < 0 ? [read] : [{...read, word: after(read.word, colon + 1)}];
}
