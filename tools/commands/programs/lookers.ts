/** Programs that tell of the system, of time, and of who is there. */

import {namesSecretValue} from '../../../machines/places/secrets.ts';
import type {Arguments, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {fitting, valuesOf} from './given.ts';
import {act, has, onlyWith, withUnknown} from './refine.ts';

const about = '--help --version';
const asks = 'fetches=the_name_of_this_machine';

/** `ps aux`; an e among letters without a dash shows what other programs have in their environment. */
function readProcesses(reading: Reading, given: Arguments): Reading {
  const letters = given.operands.find(({text}) => /e/i.test(text));
  const columns = valuesOf(given, '-o -O --format').find(({text}) => /env/i.test(text));
  const shown = letters ?? columns;
  return shown
    ? {...reading, acts: [...reading.acts, act('reveals', 'variables of other processes')]}
    : reading;
}

/** `printenv NAME`: only what holds no secret. */
function readVariables(reading: Reading, names: readonly Word[]): Reading {
  if (names.length === 0) return {...reading, acts: [act('reveals', 'all variables')]};
  const telling = names.filter(({known, text}) => !known || namesSecretValue(text));
  return {...reading, acts: telling.map((word) => act('reveals', word))};
}

/** `date +%F`: anything else than a format sets the clock. */
const format = {form: /^\+/, why: 'sets the clock'};

export const lookers: readonly Program[] = [
  {
    name: 'ps',
    options:
      '-A -a -d -e -f -F -H -j -l -L -M -N -T -x -w -y -C=text -g=text -G=text -o|--format=text -O=text -p|--pid=text --ppid=text -q=text -s=text -t=text -u|--user=text -U=text --sort=text --no-headers --headers --forest --cols=text --width=text --version',
    operands: 'text*',
    refine: (reading, _, given) => readProcesses(reading, given),
  },
  {
    name: 'pgrep',
    options:
      '-a|--list-full -c|--count -d|--delimiter=text -f|--full -g=text -i|--ignore-case -l|--list-name -n|--newest -o|--oldest -P|--parent=text -s=text -t=text -u|--euid=text -U=text -v|--inverse -x|--exact -w',
    operands: 'text*',
  },
  {name: 'pidof', options: '-s -x -o=text -w -q', operands: 'text+'},
  {name: 'pstree', options: '-a -A -c -g -h -l -n -p -s -u -U', operands: 'text?'},
  {
    name: 'top',
    options:
      '-b -c -d=text -e=text -E=text -H -i -l=text -n=text -o=text -p=text -s -S -u=text -w=?text',
    operands: '',
  },
  {
    name: 'free',
    options: '-b -k -m -g -h|--human --si -l|--lohi -t|--total -w|--wide -s=text -c=text',
  },
  {name: 'uptime', options: '-p|--pretty -s|--since'},
  {
    name: ['vmstat', 'iostat', 'mpstat'],
    options: '-a -c -d -h -k -m -n -s -S=text -t -w -x -y',
    operands: 'text*',
  },
  {
    name: 'uname',
    options: `-a|--all -s -n -r -v -m -p -i -o --kernel-name --kernel-release --machine --operating-system ${about}`,
  },
  {
    name: ['arch', 'logname', 'hostid', 'tty', 'groups', 'users', 'sync', 'sw_vers', 'vm_stat'],
    options: `-s ${about}`,
  },
  {
    name: ['vim', 'vi', 'nvim', 'nano', 'emacs', 'gdb', 'lldb', 'code'],
    options: '--version --help',
    refine: onlyWith('--version --help', 'opens an editor, or runs a program'),
  },
  {
    name: ['fnm', 'volta', 'asdf', 'mise', 'rbenv', 'nodenv', 'sdkman', 'corepack'],
    options: '-V|--version -h|--help',
    subcommands: {
      '': {},
      'list ls current versions version which where doctor': {options: '--help', operands: 'text*'},
      'enable disable prepare install use global local': {
        options: '--help',
        operands: 'text*',
        refine: onlyWith('--help', 'changes which programs are installed'),
      },
    },
  },
  {
    name: 'ssh-keygen',
    options: '-l -v -E=text -f=reads',
    refine: onlyWith('-l', 'makes or changes keys'),
  },
  {name: 'whoami', options: about},
  {name: 'nproc', options: `--all --ignore=text ${about}`},
  {
    name: 'hostname',
    options: '-a|--alias -A -d|--domain -f|--fqdn|--long -i|--ip-address -I -s|--short',
    when: {'-a --alias -A -d --domain -f --fqdn --long -i --ip-address': {does: asks}},
  },
  {
    name: 'id',
    options: `-a -g|--group -G|--groups -n|--name -r|--real -u|--user -z ${about}`,
    operands: 'text*',
  },
  {
    name: ['who', 'w', 'last', 'lastlog'],
    options: '-a -b -H -q -r -u -s -h -n=text -NUM',
    operands: 'reads*',
  },
  {
    name: ['date', 'gdate'],
    options: `-d|--date=text -u|--utc|--universal -R|--rfc-email -I=?text --iso-8601=?text --rfc-3339=text -r|--reference=lists -f|--file=reads -j -v=text ${about}`,
    operands: 'text*',
    refine: (reading, _, {operands}) => fitting(reading, operands, format),
  },
  {name: ['cal', 'ncal'], options: '-1 -3 -y -m -s -j -A=text -B=text -h', operands: 'text*'},
  {name: 'sleep', options: about, operands: 'text+'},
  {name: ['clear', 'reset'], options: '-x'},
  {
    name: 'tput',
    options: '-T=text -V',
    operands: 'text+',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {form: /^[\w-]+$/, why: 'is no capability of a terminal'}),
  },
  {
    name: 'stty',
    options: '-a|--all -g|--save',
    operands: 'text?',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {
        form: /^(?:size|speed|sane|-?echo)$/,
        why: 'changes the terminal',
      }),
  },
  {
    name: 'printenv',
    options: `-0|--null ${about}`,
    operands: 'text*',
    refine: (reading, _, given) =>
      has(given, about) ? reading : readVariables(reading, given.operands),
  },
  {name: 'locale', options: '-a|--all-locales -m|--charmaps -k -c', operands: 'text*'},
  {name: 'getconf', options: '-a', operands: 'text*'},
  {name: 'lscpu', options: '-a -b -e=?text -J|--json -p=?text'},
  {
    name: ['lsblk', 'findmnt'],
    options: '-a -b -f -J -l -n -o=text -p -t=text -T=text',
    operands: 'text*',
  },
  {name: ['lsmod', 'lspci', 'lsusb'], options: '-k -n -t -v'},
  {
    name: 'dmesg',
    options: '-H|--human -T|--ctime -k|--kernel -l|--level=text -x|--decode -w|--follow',
  },
  {
    name: 'journalctl',
    options:
      '-u|--unit=text -n|--lines=?text -f|--follow -e|--pager-end -x|--catalog -b|--boot=?text -k|--dmesg -p|--priority=text -o|--output=text -r|--reverse -S|--since=text -U|--until=text -g|--grep=text -t|--identifier=text -q|--quiet --no-pager --list-boots --disk-usage --user --system -a|--all',
    operands: 'text*',
    refine: (reading, _, {operands}) =>
      fitting(reading, operands, {
        form: /^[^/]*(?:=.*)?$/,
        why: 'may be a file that it looks into',
      }),
  },
  {
    name: 'sysctl',
    options: '-a|--all -n|--values -N|--names -e|--ignore',
    operands: 'text*',
    refine: (reading, _, {operands}) => {
      const set = operands.find(({known, text}) => !known || text.includes('='));
      return set ? withUnknown(reading, set.text, 'may set what it names') : reading;
    },
  },
  {
    name: 'timedatectl',
    operands: '',
    subcommands: {'': {}, 'status show list-timezones': {operands: ''}},
  },
];
