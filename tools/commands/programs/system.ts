/** Programs that change the system: processes, services, accounts, disks, packages. What of them only looks is understood. */

import type {Invocation, Program, Reading} from '../program.ts';
import type {Word} from '../word.ts';
import {fitting} from './given.ts';
import {act, onlyWith} from './refine.ts';

/** `kill -9 12`, `kill -s TERM %1`, `kill $!`, `kill -0 12`, `kill -l`. */
function readKill(reading: Reading, {args}: Invocation): Reading {
  const {signal, targets} = toldBy(args);
  const asks = signal === '0' || signal === 'l' || signal === 'L';
  const others = targets.filter((word) => !asks && word.text !== '--' && !isOwn(word));
  return {...reading, acts: others.map((word) => act('signals', word))};
}

function toldBy([first, ...rest]: readonly Word[]): {
  readonly signal: string;
  readonly targets: readonly Word[];
} {
  if (!first) return {signal: '', targets: []};
  const signal = first.known ? (/^-(\w+)$/.exec(first.text)?.[1] ?? '') : '';
  if (signal === '') return {signal, targets: [first, ...rest]};
  if (signal !== 's' && signal !== 'n') return {signal, targets: rest};
  return {signal: rest[0]?.text ?? '', targets: rest.slice(1)};
}

/** What the command itself has started in the background. */
function isOwn({known, text}: Word): boolean {
  return known ? /^%[\d+%-]?$/.test(text) : text === '$!';
}

const look = {operands: 'text*'};
const changes =
  'add-apt-repository adduser addgroup chpasswd chroot chsh delgroup deluser gpasswd groupadd groupdel groupmod halt insmod kexec mkfs mkswap modprobe parted passwd pkexec poweroff reboot renice rmmod runuser setcap setenforce sfdisk shutdown su swapoff swapon telinit umount update-alternatives update-rc.d useradd userdel usermod visudo wipefs';

/** Packages of the system: some subcommands look, the others install and remove. */
function manager(names: string | readonly string[], looks: string, options = ''): Program {
  return {
    name: names,
    options: `${options} --version -v -V`.trim(),
    subcommands: {
      '': {},
      [looks]: {
        options: '-a|--all -q|--quiet -l --installed --json -v --verbose',
        operands: 'text*',
        // A file of theirs may be code.
        refine: (reading, _, {operands}) =>
          fitting(reading, operands, {form: /^[\w@+-]+$/, why: 'is no plain name of a package'}),
      },
      'install add reinstall upgrade update remove uninstall purge autoremove delete dist-upgrade full-upgrade':
        {
          options: '*',
          operands: 'text*',
          refine: (reading, _, {operands}) => ({
            ...reading,
            acts: [
              ...operands.map((word) => act('installs', word)),
              act('alters', 'packages of the system'),
            ],
          }),
        },
    },
  };
}

export const system: readonly Program[] = [
  {name: 'kill', options: '*', operands: 'text*', refine: readKill},
  {
    name: ['pkill', 'killall', 'skill', 'xkill'],
    options: '*',
    operands: 'text*',
    does: 'signals=other_processes',
  },
  {
    name: 'systemctl',
    options:
      '--user --system -q|--quiet --no-pager -a|--all -l|--full -t|--type=text --state=text -n|--lines=text -o|--output=text --plain --no-legend --failed --version',
    subcommands: {
      '': {},
      'status is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers list-sockets list-jobs list-dependencies show cat get-default':
        {
          options:
            '--user --no-pager -q|--quiet -a|--all -l|--full -t|--type=text --state=text -p|--property=text -n|--lines=text --value --failed --plain',
          ...look,
        },
      'start stop restart reload try-restart reload-or-restart enable disable reenable mask unmask kill daemon-reload daemon-reexec isolate set-property edit link revert reset-failed reboot poweroff halt suspend hibernate rescue emergency set-default set-environment unset-environment import-environment':
        {options: '*', operands: 'text*', does: 'alters=services'},
    },
  },
  {
    name: 'service',
    options: '--status-all --version',
    operands: 'text*',
    refine: (reading, {args}, {operands: [, verb, more]}) => {
      const looks =
        args[0]?.text === '--status-all' ||
        (verb?.known === true && verb.text === 'status' && !more);
      return looks ? reading : {...reading, acts: [act('alters', 'services')]};
    },
  },
  {
    name: 'crontab',
    options: '-l -e -i -r -u=text',
    operands: 'text*',
    does: 'alters=what_runs_at_set_times',
    when: {'-e -i -r': {}, '-l': {operands: '', does: ''}},
  },
  {
    name: 'mount',
    options: '-l|--show-labels -t|--types=text',
    operands: 'text*',
    does: 'alters=what_is_mounted',
    when: {'': {does: ''}},
  },
  {
    name: 'ufw',
    options: '--force --dry-run',
    subcommands: {
      'status version': {operands: 'text*'},
      'enable disable allow deny reject limit delete reset reload default logging insert route': {
        options: '*',
        operands: 'text*',
        does: 'alters=the_firewall',
      },
    },
  },
  {
    name: 'tmux',
    options: '-V -L=text',
    style: 'posix',
    subcommands: {
      'ls list-sessions list-windows list-panes list-clients has-session has': {
        options: '-a -s -t=text',
      },
      'kill-server kill-session kill-window kill-pane': {
        options: '*',
        operands: 'text*',
        does: 'signals=what_runs_in_tmux',
      },
    },
  },
  {
    name: 'screen',
    options: '-ls -list -v',
    style: 'single',
    refine: onlyWith('-ls -list -v', 'opens a shell'),
  },
  {name: changes.split(' '), options: '*', operands: 'text*', does: 'alters=the_system'},
  manager(
    ['apt', 'apt-get', 'apt-cache', 'aptitude'],
    'list show search policy depends rdepends madison showpkg',
    '-y|--yes|--assume-yes -q|--quiet --no-install-recommends',
  ),
  manager(['dnf', 'yum', 'zypper'], 'list info search repolist', '-y|--assumeyes -q'),
  manager('apk', 'info search list', '-q|--quiet --no-cache'),
  {
    name: 'getent',
    options: '-i -s=text',
    operands: 'local fetches*',
    refine: (reading, _, {operands: [base]}) =>
      base?.known && /^(?:passwd|group|services|protocols|shells)$/.test(base.text)
        ? {...reading, acts: []}
        : reading,
  },
  manager('brew', 'list ls info search outdated deps uses leaves config', '-q|--quiet'),
  {
    name: 'dpkg',
    options: '-l -L -s -S --list --status --listfiles --search --version',
    operands: 'text*',
  },
  {
    name: 'rpm',
    options: '-q -a -i -l -f --version',
    operands: 'text*',
    refine: onlyWith('-q --version', 'changes packages of the system'),
  },
];
