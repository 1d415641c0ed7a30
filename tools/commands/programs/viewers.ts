/** Programs that show what files hold, or where they are. */

import type {Program} from '../program.ts';
import {wordOf} from '../word.ts';
import {fitting} from './given.ts';
import {act, withActs} from './refine.ts';

const about = '--help --version';

/** `+!CMD` */
const notCommand = {form: /^(?!\+)/, why: 'may be a command of the pager'};

export const viewers: readonly Program[] = [
  {
    name: 'cat',
    options: `-A|--show-all -b|--number-nonblank -e -E|--show-ends -n|--number -s|--squeeze-blank -t -T|--show-tabs -u -v|--show-nonprinting ${about}`,
    operands: 'reads*',
  },
  {name: 'tac', options: `-b|--before -r|--regex -s|--separator=text ${about}`, operands: 'reads*'},
  {
    name: ['bat', 'batcat'],
    options:
      '-A|--show-all -p|--plain -l|--language=text -n|--number --paging=text --color=text --style=text -r|--line-range=text --theme=text --decorations=text --wrap=text -f|--force-colorization --no-pager',
    operands: 'reads*',
  },
  {
    name: 'head',
    options: `-NUM -c|--bytes=text -n|--lines=text -q|--quiet|--silent -v|--verbose -z|--zero-terminated ${about}`,
    operands: 'reads*',
    bounded: '-c --bytes',
  },
  {
    name: 'tail',
    options: `-NUM -c|--bytes=text -f -F --follow=?text --pid=text -n|--lines=text -q|--quiet|--silent --retry -s|--sleep-interval=text -v|--verbose -z|--zero-terminated ${about}`,
    operands: 'reads*',
  },
  {
    name: 'more',
    options: '-NUM -d -f -l -p -c -s -u -n=text',
    operands: 'reads*',
    refine: (reading, _, {operands}) => fitting(reading, operands, notCommand),
  },
  {
    name: 'less',
    options:
      '-E|--QUIT-AT-EOF -e|--quit-at-eof -F|--quit-if-one-screen -i|--ignore-case -I -m -M -n|--line-numbers -N|--LINE-NUMBERS -r|--raw-control-chars -R|--RAW-CONTROL-CHARS -s -S|--chop-long-lines -X|--no-init',
    operands: 'reads*',
    refine: (reading, _, {operands}) => fitting(reading, operands, notCommand),
  },
  {
    name: 'man',
    options: '-k|--apropos -f|--whatis -a|--all -w|--where|--path',
    operands: 'text+',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {form: /^[\w.:+-]+$/, why: 'is no name of a page'}),
  },
  {
    name: 'wc',
    options: `-c|--bytes -m|--chars -l|--lines -L|--max-line-length -w|--words --total=text ${about}`,
    operands: 'reads*',
  },
  {
    name: ['ls', 'dir', 'vdir'],
    options: `-a|--all -A|--almost-all -b|--escape --author --block-size=text -B|--ignore-backups -c -C --color=?text -d|--directory -D|--dired -f -F --classify=?text --file-type --format=text --full-time -g -G|--no-group --group-directories-first -h|--human-readable --si -H --hide=text --hyperlink=?text -i|--inode --indicator-style=text -I|--ignore=text -k|--kibibytes -l -L|--dereference -m -n|--numeric-uid-gid -N|--literal -o -p -q|--hide-control-chars -Q|--quote-name --quoting-style=text -r|--reverse -R|--recursive -s|--size -S --sort=text -t --time=text --time-style=text -T|--tabsize=text -u -U -v -w|--width=text -x -X -Z --zero -1 ${about}`,
    operands: 'lists*',
    when: {'': {does: 'lists=.'}},
  },
  {
    name: ['eza', 'exa', 'lsd'],
    options:
      '-1|--oneline -a|--all -A -d -D -F -g|--group -G|--grid -h|--header -i|--inode -l|--long -m|--modified -r|--reverse -R|--recurse -S -t|--tree -T -L|--level=text -s|--sort=text --color=text --icons=?text --git --git-ignore --group-directories-first --no-permissions --no-user --no-time --time-style=text',
    operands: 'lists*',
    when: {'': {does: 'lists=.'}},
  },
  {
    name: 'hexyl',
    options: '-n=text -c=text -s=text --border=text --color=text',
    operands: 'reads?',
    bounded: '-n -c',
  },
  {
    name: 'tree',
    options:
      '-a -d -f -l -x -L=text -P=text -I=text --gitignore --ignore-case --matchdirs --prune --noreport --charset=text --filelimit=text -q -N -Q -p -u -g -s -h --si -D -F -v -t -c -U -r --dirsfirst --sort=text -i -A -S -n -C -J -X --version --help -o=writes',
    operands: 'lists*',
    when: {'': {does: 'lists=.'}},
  },
  {
    name: 'stat',
    options: `-L|--dereference -f|--file-system -c|--format=text --printf=text -t|--terse --cached=text ${about}`,
    operands: 'lists+',
  },
  {
    name: 'file',
    options:
      '-b|--brief -i|--mime --mime-type --mime-encoding -k|--keep-going -L|--dereference -h|--no-dereference -N|--no-pad -0|--print0 -p -r|--raw -F|--separator=text --extension --version',
    operands: 'reads*',
  },
  {
    name: 'du',
    options: `-0|--null -a|--all --apparent-size -B|--block-size=text -b|--bytes -c|--total -D -d|--max-depth=text -h|--human-readable -H -k -L|--dereference -l -m -P -s|--summarize -S|--separate-dirs -t|--threshold=text --si --inodes --time=?text --time-style=text --exclude=text -X=reads -x|--one-file-system ${about}`,
    operands: 'lists*',
    when: {'': {does: 'lists=.'}},
  },
  {
    name: 'df',
    options: `-a|--all -B|--block-size=text -h|--human-readable -H|--si -i|--inodes -k -l|--local --output=?text -P|--portability -t|--type=text --total -T|--print-type -x|--exclude-type=text ${about}`,
    operands: 'text*',
    // It opens what it is given, and tells no more than the disk that it lies on.
    refine: (reading, _, {operands}) =>
      withActs(
        reading,
        ...operands.filter(({text}) => !/^\/[^.]*$/.test(text)).map((word) => act('lists', word)),
      ),
  },
  {
    name: ['basename', 'dirname', 'readlink', 'realpath', 'grealpath'],
    options: '*',
    operands: 'text*',
  },
  {
    name: ['diff', 'colordiff'],
    options: `-NUM -q|--brief -s -c -C=text --context=?text -u -U=text --unified=?text -e -n -y|--side-by-side -W|--width=text --left-column --suppress-common-lines -p -F=text --label=text -t -T --tabsize=text -r|--recursive --no-dereference -N|--new-file --unidirectional-new-file -x|--exclude=text -X|--exclude-from=reads -S=text --from-file=reads --to-file=reads -i|--ignore-case -E -Z|--ignore-trailing-space -b|--ignore-space-change -w|--ignore-all-space -B|--ignore-blank-lines -I=text -a|--text --strip-trailing-cr -d|--minimal --speed-large-files --color=?text --palette=text ${about}`,
    operands: 'reads*',
    when: {'-r --recursive': {operands: 'reads-tree*'}},
  },
  {
    name: 'cmp',
    options: `-b -i=text -l -n=text -s|--quiet|--silent ${about}`,
    operands: 'reads reads? text? text?',
  },
  {
    name: 'diff3',
    options: `-A -e -E -m -T -x -X -3 -a -L=text ${about}`,
    operands: 'reads reads reads',
  },
  {
    name: 'comm',
    options: `-1 -2 -3 --check-order --nocheck-order --output-delimiter=text --total -z ${about}`,
    operands: 'reads reads',
  },
  {
    name: 'od',
    options: `-A=text -j=text -N=text -S=text -t=text -v -w=?text -a -b -c -d -f -i -l -o -s -x ${about}`,
    operands: 'reads*',
    bounded: '-N',
  },
  {
    name: ['hexdump', 'hd'],
    options: '-b -c -C -d -e=text -f=reads -n=text -o -s=text -v -x',
    operands: 'reads*',
  },
  {
    name: 'xxd',
    options:
      '-a -b|-bits -c|-cols=text -C -d -e -E -g|-groupsize=text -i|-include -l|-len=text -n|-name=text -o=text -p|-ps|-plain|-postscript -r|-revert -s|-seek=text -u -v',
    style: 'single',
    operands: 'reads? writes?',
    bounded: '-l -len',
  },
  {
    name: 'strings',
    options: '-NUM -a -d -f -n=text -o -t=text -e=text -w -s=text --version',
    operands: 'reads*',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {form: /^[^@]/, why: 'may be a file of options'}),
  },
  {
    name: 'look',
    options: '-a -d -f -t=text',
    operands: 'text reads?',
    refine: (reading, _, {operands}) =>
      operands.length > 1
        ? reading
        : {
            ...reading,
            acts: [...reading.acts, {role: 'reads', word: wordOf('/usr/share/dict/words')}],
          },
  },
];
