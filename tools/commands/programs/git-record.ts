/** What of git records, moves between what is recorded, or discards. */

import type {Unknown} from '../effect.ts';
import type {Act, Arguments, Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {keepsBothSides} from './git-sides.ts';
import {act, eachAct, has, onlyWith, withActs, withUnknown} from './refine.ts';

type Subcommands = NonNullable<Program['subcommands']>;

const history = 'discards=history';
const unrecorded = 'discards=what_is_not_recorded';
const proceeding = '--continue --abort --quit';

const commitOptions =
  '-m|--message=text -a|--all -q|--quiet -v|--verbose --allow-empty --allow-empty-message -F|--file=reads --author=text --date=text -s|--signoff --no-signoff --edit --no-edit --dry-run --short --porcelain --long --status --no-status -o|--only -i|--include --cleanup=text --trailer=text --fixup|--squash=text --reset-author -C|--reuse-message=text --no-gpg-sign -u|--untracked-files=?text --branch';

export const recording: Subcommands = {
  init: {
    options: '-q|--quiet -b|--initial-branch=text --object-format=text',
    operands: 'creates?',
    does: 'records=a_new_repository',
  },
  'add stage': {
    options:
      '-A|--all --no-all -u|--update -n|--dry-run -v|--verbose -N|--intent-to-add --refresh --ignore-errors --ignore-missing --chmod=text --sparse --pathspec-from-file=reads',
    operands: 'lists*',
    does: 'records=the_index',
  },
  commit: {
    options: `${commitOptions} --amend --no-verify -n`,
    operands: 'lists*',
    does: 'records=a_commit',
    when: {
      '--no-verify -n': {does: 'alters=safeguards:_git_commit_--no-verify'},
      '--amend': {does: 'amends=the_last_commit'},
    },
  },
  mv: {options: '-k -n|--dry-run -v|--verbose', operands: 'moves+ writes'},
  rm: {
    options: '--cached -r -f|--force -q|--quiet -n|--dry-run --ignore-unmatch --sparse',
    operands: 'deletes+',
    when: {
      '--cached -n --dry-run': {operands: 'lists+', does: 'records=the_index'},
      '-r': {operands: 'deletes-tree+'},
    },
    refine: eachAct(bounded),
  },
  branch: {
    options:
      '-a|--all -r|--remotes -l|--list -v|--verbose --contains=?text --no-contains=?text --merged=?text --no-merged=?text --points-at=text --show-current --sort=text --format=text --column=?text --no-column --color=?text --no-color --abbrev=?text -i|--ignore-case -q|--quiet -t|--track=?text --no-track -u|--set-upstream-to=text --unset-upstream --create-reflog -d|--delete -D -m|--move -M -c|--copy -C -f|--force',
    operands: 'text*',
    does: 'records=a_branch',
    when: {
      '-D -M -C -f --force': {operands: 'text*', does: 'discards=a_branch'},
      '-a --all -r --remotes -l --list --contains --no-contains --merged --no-merged --points-at --show-current':
        {operands: 'text*', does: ''},
      '': {does: ''},
    },
  },
  tag: {
    options:
      '-l|--list -n=?text --contains=?text --no-contains=?text --merged=?text --no-merged=?text --points-at=text --sort=text --format=text --column=?text --color=?text -i|--ignore-case -a|--annotate -m|--message=text -F|--file=reads -d|--delete -f|--force --no-sign --create-reflog --cleanup=text',
    operands: 'text*',
    does: 'records=a_tag',
    when: {
      '-d --delete -f --force': {operands: 'text*', does: 'discards=a_tag'},
      '-l --list -n --contains --no-contains --merged --no-merged --points-at': {
        operands: 'text*',
        does: '',
      },
      '': {does: ''},
    },
  },
  switch: {
    options:
      '-c|--create=text -C|--force-create=text -d|--detach --orphan=text --discard-changes -f|--force -q|--quiet --progress --no-progress -t|--track=?text --no-track --guess --no-guess -m|--merge',
    operands: 'text?',
    does: 'records=the_branch_that_is_checked_out',
    when: {
      '-C --force-create --discard-changes -f --force -m --merge --orphan': {
        operands: 'text?',
        does: unrecorded,
      },
    },
  },
  checkout: {
    options:
      '-b=text -B=text -f|--force -q|--quiet -d|--detach --orphan=text -t|--track=?text --no-track --guess --no-guess --progress --no-progress --ours --theirs -m|--merge -l',
    operands: 'text*',
    when: {'-B -f --force --ours --theirs -m --merge --orphan': {does: unrecorded}},
    refine: checksOut,
  },
  restore: {
    options:
      '-s|--source=text -S|--staged -W|--worktree -q|--quiet --progress --no-progress --ours --theirs -m|--merge --ignore-unmerged --overlay --no-overlay',
    operands: 'discards+',
    when: {
      '-W --worktree': {operands: 'discards+'},
      '-S --staged': {operands: 'lists+', does: 'records=the_index'},
    },
  },
  reset: {
    options:
      '--soft --mixed --hard --merge --keep -q|--quiet -N|--intent-to-add --refresh --no-refresh',
    operands: 'text*',
    does: 'records=the_index',
    when: {'--hard --merge --keep': {operands: 'text*', does: unrecorded}},
    refine: resets,
  },
  clean: {
    options: '-n|--dry-run -f|--force -d -x -X -q|--quiet -e|--exclude=text',
    operands: 'lists*',
    does: 'discards=what_git_does_not_know',
    when: {'-n --dry-run': {operands: 'lists*', does: ''}},
  },
  merge: {
    options:
      '-m|--message=text --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit --no-edit -q|--quiet -v|--verbose --stat --no-stat -n --log=?text --no-log -X|--strategy-option=text --allow-unrelated-histories --autostash --no-autostash --signoff --progress --no-progress --abort --continue --quit',
    operands: 'text*',
    does: 'records=a_merge',
    refine: keepsBothSides,
  },
  rebase: {
    options:
      '--continue --skip --abort --quit --show-current-patch --onto=text -i|--interactive -r|--rebase-merges=?text --root --autosquash --no-autosquash --autostash --no-autostash --fork-point --keep-base -x|--exec=shell -X|--strategy-option=text -q|--quiet -v|--verbose --stat -n --update-refs -f --force-rebase --no-ff --empty=text',
    operands: 'text*',
    does: history,
    when: {
      '--skip': {does: unrecorded},
      [`${proceeding} --show-current-patch`]: {does: 'records=a_rebase'},
    },
  },
  'cherry-pick revert': {
    options: `-n|--no-commit --edit --no-edit -x -m|--mainline=text -s|--signoff --ff --allow-empty --allow-empty-message --keep-redundant-commits -X|--strategy-option=text --continue --skip --abort --quit`,
    operands: 'text*',
    does: 'records=commits',
    when: {'--skip': {does: unrecorded}},
    refine: keepsBothSides,
  },
  apply: {
    options:
      '--check --stat --numstat --summary -p=text -R|--reverse -v|--verbose --index --cached -3|--3way --unidiff-zero --ignore-whitespace --whitespace=text --recount --directory=text --exclude|--include=text -C=text --allow-empty -q|--quiet',
    operands: 'reads*',
    refine: onlyWith('--check --stat --numstat --summary', 'what a patch changes is not looked at'),
  },
  am: {
    options: `${proceeding} --skip --show-current-patch=?text -r --resolved`,
    does: 'records=commits',
    when: {'--skip': {does: unrecorded}},
    refine: onlyWith(
      `${proceeding} --skip --show-current-patch`,
      'what a patch changes is not looked at',
    ),
  },
  stash: {
    options:
      '-u|--include-untracked -k|--keep-index --no-keep-index -q|--quiet -m|--message=text -S|--staged',
    subcommands: {
      '': {does: 'records=a_stash'},
      push: {
        options:
          '-u|--include-untracked -k|--keep-index --no-keep-index -q|--quiet -m|--message=text -S|--staged',
        operands: 'lists*',
        does: 'records=a_stash',
      },
      save: {options: '-u|--include-untracked -k -q', operands: 'text*', does: 'records=a_stash'},
      list: {
        options: '-NUM -n=text --oneline --stat -p --format|--pretty|--date=text --name-only',
        operands: 'text*',
      },
      show: {
        options:
          '-p|-u|--patch --stat=?text --name-only --name-status --numstat --shortstat --include-untracked --only-untracked --no-color',
        operands: 'text*',
      },
      'pop apply': {options: '--index -q|--quiet', operands: 'text?', does: 'records=a_stash'},
      branch: {operands: 'text text?', does: 'records=a_branch'},
      create: {operands: 'text*', does: 'records=a_stash'},
      'drop clear': {options: '-q|--quiet', operands: 'text?', does: 'discards=a_stash'},
    },
  },
  bisect: {
    subcommands: {
      start: {
        options: '--no-checkout --first-parent',
        operands: 'text*',
        does: 'records=a_bisection',
      },
      'good bad old new skip reset': {operands: 'text*', does: 'records=a_bisection'},
      log: {options: '--oneline --stat'},
      run: {operands: 'command', does: 'records=a_bisection'},
    },
  },
  notes: {
    options: '--ref=text',
    subcommands: {
      '': {},
      'list show': {operands: 'text*'},
      'add append': {options: '-m=text', operands: 'text?', does: 'records=a_note'},
      'remove prune': {options: '-n -v', operands: 'text*', does: 'discards=a_note'},
    },
  },
  worktree: {
    subcommands: {
      list: {options: '-v|--verbose --porcelain -z'},
      add: {
        options:
          '-b=text -d|--detach -q|--quiet --checkout --no-checkout --guess-remote --track --no-track --orphan',
        operands: 'writes-tree text?',
        does: 'records=a_worktree',
      },
      remove: {options: '-f|--force', operands: 'deletes-tree', does: 'discards=a_worktree'},
      prune: {options: '-n|--dry-run -v|--verbose', does: 'records=worktrees'},
    },
  },
  reflog: {
    options: '-NUM -n=text --oneline --all --date|--format|--pretty=text',
    subcommands: {
      '': {},
      'show list exists': {
        options: '-NUM -n=text --oneline --all --date|--format|--pretty=text --stat',
        operands: 'text*',
      },
      'expire delete': {options: '*', operands: 'text*', does: history},
    },
  },
  gc: {
    options: '--auto -q|--quiet --prune=?text --no-prune --aggressive --force',
    does: 'records=packs',
    when: {'--prune --force': {does: history}},
  },
  'update-index': {
    options: '--refresh --really-refresh -q --chmod=text --again',
    operands: 'lists*',
    does: 'records=the_index',
  },
  'prune filter-branch filter-repo update-ref replace fast-import': {
    options: '*',
    operands: 'text*',
    does: history,
  },
  rerere: {subcommands: {'': {}, 'status diff remaining': {operands: 'text*'}}},
  'sparse-checkout': {subcommands: {list: {}}},
};

/** Git looks for a wildcard of its own in every folder, also where the shell has found nothing. */
function bounded(read: Act): readonly (Act | Unknown)[] {
  const isPlace = read.role === 'deletes' || read.role === 'deletes-tree';
  if (!isPlace || !/^:|[*?[\\]/.test(read.word.text)) return [read];
  return [{word: read.word.text, why: 'is matched by git in every folder'}];
}

/** `checkout BRANCH`, `checkout FILE`, `checkout BRANCH -- FILE`: only looking tells the first two apart. */
function checksOut(reading: Reading, {args}: Invocation, given: Arguments): Reading {
  const [first, ...more] = given.operands;
  if (has(given, '-b --orphan -d --detach'))
    return more.length > 0
      ? withUnknown(reading, 'checkout', 'has more operands than are known')
      : withActs(reading, switched);
  const end = args.findIndex(({text, known}) => known && text === '--');
  const paths = end < 0 ? more : args.slice(end + 1);
  const acts = paths.map((word) => act('discards', word));
  if (!first || end === 0) return withActs(reading, ...acts);
  const target = end > 0 ? switched : branchOrPlace(first);
  const told = withActs(reading, target, ...acts);
  const isLikeFile = target.role === 'restores' && /\/$|\.[a-z]\w{0,5}$/i.test(first.text);
  return isLikeFile ? withUnknown(told, first.text, 'may be a file by then') : told;
}

const switched = act('records', 'the branch that is checked out');

function branchOrPlace(word: Word): Act {
  if (/^(?:-|@\{-\d+\}|@|HEAD(?:[~^]\d*)*)$/.test(word.text)) return switched;
  return act(/^:|[*?[\\]/.test(word.text) ? 'discards' : 'restores', word);
}

/** `reset HEAD FILE`, `reset FILE` change the index; `reset COMMIT` takes commits off the branch. */
function resets(reading: Reading, {args}: Invocation, given: Arguments): Reading {
  const end = args.findIndex(({text, known}) => known && text === '--');
  const [first] = given.operands;
  // The index, the files and, in the reflog, the commits stay as they are.
  if (has(given, '--soft') && !has(given, '--hard --merge --keep --mixed'))
    return {...reading, acts: [act('records', 'where the branch is')]};
  if (!first || end === 0 || /^(?:HEAD|@)$/.test(first.text)) return reading;
  if (/[~^]|@\{|^[\da-f]{7,40}$|^origin\//.test(first.text) || end > 0)
    return withActs(reading, act('discards', 'history'));
  return first.known && /(?:\/|\.[a-z]\w*|^\.)$/i.test(first.text)
    ? reading
    : withUnknown(reading, first.text, 'is a commit, or a place');
}
