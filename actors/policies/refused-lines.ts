/** Commands that no run needs, by their words: refused in any position of a line. */

import {publishing} from '../../tools/commands/known.ts';
import type {SimpleCommand, Word} from '../../tools/commands/understanding.ts';

export interface RefusedLine {
  readonly id: string;
  /** For the documentation. */
  readonly refuses: string;
  readonly safer: string;
  /** `all`: the commands of the whole line. */
  readonly when: (command: SimpleCommand, all: readonly SimpleCommand[]) => boolean;
}

/** True for a line that one of the patterns matches. */
const like =
  (...patterns: readonly RegExp[]) =>
  (command: SimpleCommand): boolean =>
    patterns.some((pattern) => pattern.test(line(command)));

export const refusedLines: readonly RefusedLine[] = [
  {
    id: 'git-history',
    refuses:
      'rewriting or removing published history: `git push --force`, `--delete`, `--mirror`, `+main`',
    safer: 'add a new commit that corrects the old one, and push it',
    when: forcesPush,
  },
  {
    id: 'device-write',
    refuses:
      'writing to devices and file systems: `dd of=/dev/sda`, `mkfs`, `fdisk`, `wipefs`, `> /dev/sda`',
    safer: 'write a plain file inside the workspace with write_file',
    when: writesDevice,
  },
  {
    id: 'drop-data',
    refuses:
      'DROP, TRUNCATE and DELETE without WHERE through database clients; `dropdb`, `FLUSHALL`, resetting migrations',
    safer: 'read with SELECT, and leave the removal of data to a person',
    when: dropsData,
  },
  {
    id: 'destroy-infrastructure',
    refuses:
      'removing infrastructure and remote resources: `terraform destroy`, `kubectl delete`, `helm uninstall`, `docker system prune`, `aws … delete-…`, `gh repo delete`',
    safer:
      'show what would be removed (`terraform plan -destroy`, `kubectl get`) and let a person remove it',
    when: like(
      /^(?:terraform|tofu|terragrunt|pulumi|cdk|sst|serverless|eksctl) (?:.* )?(?:destroy|remove|delete|apply .*-destroy)\b/,
      /^(?:kubectl|oc) (?:.* )?(?:delete|drain)\b/,
      /^helm (?:.* )?(?:uninstall|delete)\b/,
      /^(?:docker|podman) (?:(?:system|volume|image|container|network|builder) (?:prune|rm)|rmi)\b/,
      /^(?:docker|podman)(?:-compose| compose) (?:.* )?down .*(?:-v\b|--volumes|--rmi)/,
      /^aws (?:.* )?(?:delete|terminate|remove|deregister|rb\b|rm\b)/,
      /^(?:gcloud|az|doctl|fly|flyctl|heroku|vercel|netlify|wrangler) (?:.* )?(?:delete|destroy|remove|rm)\b|^heroku \S+:destroy/,
      /^(?:gsutil|gcloud storage) (?:.* )?r[mb]\b/,
      /^gh (?:repo|release|issue|secret|variable|run|gist) delete\b/,
    ),
  },
  {
    id: 'privilege',
    refuses:
      'becoming another user or leaving confinement: `sudo`, `su`, `doas`, `pkexec`, `chroot`, `nsenter`, `mount`, `docker run --privileged`',
    safer: 'use the rights that you have, or report which command needs more',
    when: like(
      /^(?:sudo|sudoedit|su|doas|pkexec|runuser|gosu|chroot|nsenter|unshare|setpriv|umount|visudo|passwd|useradd|usermod|insmod|modprobe)(?: (?!--(?:version|help)$)|$)/,
      /^mount ./,
      /^(?:docker|podman) .*(?:--privileged|--pid[= ]host|(?:-v|--volume|--mount)[= ]?\S*(?:^|[ =])\/(?::|var\/run|etc|root|home))/,
      /^(?:setfacl|chown -R|chgrp -R|chattr)\b/,
      /^chmod (?:-\S+ )*(?:[ugoa,+=rwxXt-]*[+=][rwxXt]*s|0*[2467]\d{3} )/,
    ),
  },
  {
    id: 'system-control',
    refuses:
      'shutting down, and changing services or scheduled jobs: `shutdown`, `reboot`, `systemctl stop`, `crontab`, `launchctl`',
    safer: 'leave the machine and its services to a person',
    when: like(
      /^(?:shutdown|reboot|halt|poweroff|telinit|batch|launchctl|pmset)\b/,
      /^(?:crontab|at)(?! -[lV]$)(?: |$)/,
      /^sysctl .*(?:-[wp]\b|=)/,
      /^init [06]$|^(?:systemctl|service|rc-service) .*(?:stop|start|restart|enable|disable|mask|poweroff|reboot|halt|kill|edit)\b|^tmux kill-server\b/,
    ),
  },
  {
    id: 'kill-all',
    refuses:
      'ending processes by a broad name, all at once, or by a number that the command did not get: `kill -1`, `killall`, `pkill`, `kill 4711`',
    safer: 'leave processes that this run did not start to a person',
    when: like(
      /^(?:killall5?|pkill|skill|slay|taskkill)(?! (?:-l|-V|--list|--version|--help)$)(?: |$)/,
      /^fuser .*-k/,
      /^kill (?:-\S+ )?(?:-?\d+\b|\$\$|\$PPID)/,
    ),
  },
  {
    id: 'publish',
    refuses:
      'publishing and releasing: `npm publish`, `cargo publish`, `twine upload`, `gem push`, `docker push`, `gh release create`, deployments',
    safer: 'prepare the release (`npm pack --dry-run`) and let a person publish it',
    when: (command) =>
      publishing.test(line(command)) &&
      !hasOption(command, command.name === 'cargo' ? 'n' : '', '--dry-run'),
  },
  {
    id: 'disable-safeguards',
    refuses:
      'disabling checks: `--no-verify`, `core.hooksPath`, `HUSKY=0`, `curl -k`, `NODE_TLS_REJECT_UNAUTHORIZED=0`, `strict-ssl false`, firewalls',
    safer: 'keep the check and fix the problem that it reports',
    when: disablesSafeguards,
  },
];

function forcesPush(command: SimpleCommand): boolean {
  const [verb, ...words] = gitWords(command);
  return (
    verb === 'push' &&
    words.some((word) => /^(?:-[a-zA-Z]*[fd]|--(?:force|delete|mirror|prune).*|[+:].+)$/.test(word))
  );
}

const diskTools =
  /^(?:mkfs.*|mke2fs|mkswap|fdisk|sfdisk|cfdisk|gdisk|parted|wipefs|blkdiscard|diskutil|hdparm|format|diskpart)$/;
const looksOnly = /^(?:fdisk|sfdisk|parted|diskutil)\s+(?:-l|--list|list)\b/;

function writesDevice(command: SimpleCommand): boolean {
  if (diskTools.test(command.name) && !looksOnly.test(line(command))) return true;
  const outputs = command.redirects.filter(({operator}) => operator.includes('>'));
  const words = [...command.args, ...outputs.map(({target}) => target)];
  return words.some(({text}) =>
    /^(?:of=)?\/dev\/(?:sd|hd|vd|nvme|disk|mapper|mem|kmem|port)/.test(text),
  );
}

const databaseClients =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|mongo|mongosh|redis-cli|valkey-cli|sqlcmd|cqlsh|clickhouse(?:-client)?|usql|bq)$/;
export const destructiveSql =
  /\b(?:drop\s+(?:table|database|schema|index|view|column|user|role)|truncate\b|alter\s+table\s+\S+\s+drop\b|flushall|flushdb|dropDatabase\s*\(|\.drop\s*\(|deleteMany\s*\(\s*(?:\{\s*\})?\s*\))|\bdelete\s+from\s+\S+\s*(?:;|$|["']|where\s+(?:true\b|1\s*=\s*1|1\b))/i;
const resets =
  /^(?:dropdb|dropuser)\b|^mysqladmin .*\bdrop\b|^prisma (?:migrate reset|db push .*--force-reset)|^(?:rails|rake) db:(?:drop|reset)|^(?:npx )?sequelize db:drop|manage\.py (?:flush|reset_db)|^(?:artisan|php artisan) (?:migrate:fresh|db:wipe)/;

function dropsData(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  const text = line(command);
  if (resets.test(text)) return true;
  const isFed = all.some(({name}) => databaseClients.test(name));
  return isFed && destructiveSql.test(`${text}\n${command.input ?? ''}`);
}

const unsafeVariables =
  /^(?:NODE_TLS_REJECT_UNAUTHORIZED=['"]?0|PYTHONHTTPSVERIFY=['"]?0|GIT_SSL_NO_VERIFY=|HUSKY=['"]?0|HUSKY_SKIP_HOOKS=|SKIP=|LEFTHOOK=['"]?0|npm_config_strict_ssl=['"]?(?:false|0|$))/i;

const isUnsafe = like(
  /^git .*(?:sslverify[= ]+(?:false|0)|core\.hookspath)/i,
  /^wget2? .*--no-(?:check-certificate|hsts)/,
  /^(?:npm|pnpm|yarn) .*(?:strict-ssl[= ]+['"]?false|config set (?:registry|ignore-scripts false))/,
  /^(?:pip3?|uv) .*--trusted-host/,
  /^(?:ssh|scp) .*StrictHostKeyChecking=(?:no|accept)/i,
  /^(?:setenforce 0|ufw .*(?:disable|reset)|iptables .*-F|nft flush|csrutil disable|spctl --master-disable|aa-teardown)/,
);

/** True for reading a setting: `git config core.hooksPath`, `git config --get NAME`. */
function asksForSetting(command: SimpleCommand): boolean {
  const [verb, ...words] = gitWords(command);
  if (verb !== 'config') return false;
  const [first, ...more] = words.filter(
    (word) => !/^--(?:global|local|system|worktree)$/.test(word),
  );
  if (first === undefined) return false;
  if (/^(?:-l|--list|--get|--get-all|--get-regexp|get|list)$/.test(first)) return true;
  return more.length === 0 && !first.startsWith('-');
}

function disablesSafeguards(command: SimpleCommand): boolean {
  if (asksForSetting(command)) return false;
  if (settings(command).some((value) => unsafeVariables.test(value))) return true;
  if (skipsHooks(gitWords(command))) return true;
  if (command.name === 'curl' && hasOption(command, 'k', '--insecure', '--proxy-insecure'))
    return true;
  return isUnsafe(command);
}

/** True for `--no-verify` or a prefix of it, and for `-n` of a commit, alone or in a cluster; not for text of a message. */
function skipsHooks([verb = '', ...words]: readonly string[]): boolean {
  const plain = words.filter((_, at) => !/^-[a-zA-Z]*[mFCct]$/.test(words[at - 1] ?? ''));
  if (plain.some((word) => word.length > 6 && '--no-verify'.startsWith(word))) return true;
  return verb === 'commit' && plain.some((word) => /^-[^-mFCctu]*n/.test(word));
}

/** True for a short option by its letter, alone or in a cluster (`-rf`), and a long option by its name or a prefix of it. */
function hasOption({args}: SimpleCommand, letters: string, ...long: string[]): boolean {
  const texts = args.map(({text}) => text);
  const end = texts.indexOf('--');
  return texts.slice(0, end < 0 ? undefined : end).some((text) => {
    if (text.startsWith('--')) return isBeginning(text.replace(/=.*/s, ''), long);
    return (
      text.startsWith('-') && letters.split('').some((letter) => text.slice(1).includes(letter))
    );
  });
}

/** GNU programs accept any prefix of a long option. */
function isBeginning(option: string, long: readonly string[]): boolean {
  return option.length > 3 && long.some((name) => name.startsWith(option));
}

/** The command and its arguments with single spaces. */
export function line({name, args}: SimpleCommand): string {
  return [name, ...args.map(({text}) => text)].join(' ');
}

/** The words of a `git` command, starting with its subcommand. Empty for other commands. */
function gitWords({name, args}: SimpleCommand): readonly string[] {
  if (name !== 'git') return [];
  const texts = args.map(({text}) => text);
  let at = 0;
  while ((texts[at] ?? '').startsWith('-'))
    at += /^(?:-c|-C|--git-dir|--work-tree|--namespace)$/.test(texts[at] ?? '') ? 2 : 1;
  return texts.slice(at);
}

/** Variables that an assignment or `export` sets: `NAME=value`. */
function settings({assignments, name, args}: SimpleCommand): readonly string[] {
  const given = Object.entries(assignments).map(([key, {text}]) => `${key}=${text}`);
  const isSetting = /^(?:export|declare|typeset|readonly|setenv)$/.test(name);
  return isSetting ? [...given, ...args.map(({text}) => text)] : given;
}

/** True if a part of the word is the output of another command. */
export function isSubstituted({known, text}: Word): boolean {
  return !known && /\$\(|`|<\(/.test(text);
}
