/** The rules of policy/safety about destroying files, data and infrastructure. */

import {codeOf} from '../../../machines/domain/tool-facts.ts';
import type {Effect} from '../../../tools/commands/effect.ts';
import type {SimpleCommand} from '../../../tools/commands/understanding.ts';
import {type Call} from '../call.ts';
import {gitWords, hasOption, line, operands} from '../command-words.ts';
import {mayOpen, mayUnmask, modesGiven} from '../modes.ts';
import {isDevice, isTemporary} from '../outside.ts';
import {
  commandOf,
  commandRule,
  effectRule,
  effectText,
  type PolicyInput,
  type Rule,
} from '../rule.ts';
import {changes, isDisposable, writtenIn} from './losses.ts';

export const destructionRules: readonly Rule[] = [
  effectRule({
    id: 'mass-delete',
    refuses:
      'deleting folders, trees, paths that a pattern or another command names (`rm -r src`, `rm *`, `find -delete`), or anything outside the workspace; build output that git ignored before the run, and files that this run made, may be deleted; other ignored data may not',
    safer: 'delete single files by their names, or leave the cleaning up to a person',
    inScripts: true,
    when: deletesMuch,
  }),
  effectRule({
    id: 'git-discard',
    refuses:
      'git commands that discard work: `push --force`, `reset --hard`, `clean -f`, `branch -D`, `checkout FILE`, `restore FILE`, `stash drop`, `tag -d`, `reflog expire`',
    safer: 'commit or stash first, use a new branch, and leave discarding to a person',
    inScripts: true,
    when: (effect, call) => effect.kind === 'discards' && !isHistory(effect, call),
  }),
  commandRule({
    id: 'git-history',
    refuses:
      'rewriting history: `filter-branch`, `filter-repo`, `rebase`, `commit --amend` of a commit that was pushed, `update-ref`, `replace`',
    safer: 'add a new commit that corrects the old one',
    inScripts: true,
    when: rewritesHistory,
  }),
  {
    id: 'device-write',
    refuses:
      'writing to devices and file systems: `dd of=/dev/sda`, `mkfs`, `fdisk`, `wipefs`, `> /dev/sda`',
    safer: 'write a plain file inside the workspace with write_file',
    find: deviceWrites,
  },
  {
    id: 'fork-bomb',
    refuses: 'functions that start themselves in a pipe or in the background, as a fork bomb does',
    safer: 'start each process once, by its name',
    find: ({calls}) =>
      calls.flatMap(({code = '', puts}) => [code, ...puts].filter((text) => forkBomb.test(text))),
  },
  commandRule({
    id: 'open-permissions',
    refuses:
      'opening files to everybody or to another user: `chmod 777`, `chmod a+w`, `chmod +s`, `mkdir -m 777`, `chown -R`, `umask 000`',
    safer: 'give the one permission that is needed to the one file, such as `chmod u+x FILE`',
    inScripts: true,
    when: opensUp,
  }),
  {
    id: 'empty-overwrite',
    refuses:
      'emptying a file that has content: `> FILE`, `: > FILE`, `truncate`, `cp /dev/null FILE`, `write_file` with no content',
    safer: 'change the part that has to change with edit_file; for a new file use `touch`',
    find: emptied,
  },
  {
    id: 'drop-data',
    refuses:
      'DROP, TRUNCATE and DELETE without WHERE through database clients; `dropdb`, `FLUSHALL`, resetting migrations',
    safer: 'read with SELECT, and leave the removal of data to a person',
    find: droppedData,
  },
  commandRule({
    id: 'destroy-infrastructure',
    refuses:
      'removing infrastructure and remote resources: `terraform destroy`, `kubectl delete`, `helm uninstall`, `docker system prune`, `aws … delete-…`, `gh repo delete`',
    safer:
      'show what would be removed (`terraform plan -destroy`, `kubectl get`) and let a person remove it',
    inScripts: true,
    when: destroysInfrastructure,
  }),
];

function deletesMuch(effect: Effect, _call: Call, {proposal, analysis}: PolicyInput): boolean {
  const {kind, wide, place} = effect;
  if (kind !== 'deletes' || !place) return false;
  if (!place.inside) {
    const isOwn = wide !== true && isTemporary(effect, proposal.facts.workspace);
    return !isDevice(place.path) && !isOwn;
  }
  if (place.path === '') return true;
  // The current content of a place does not show what a result deleted. The deletion was judged before it ran.
  if (proposal.kind === 'result') return false;
  return wide === true && !isDisposable(effect, writtenIn(proposal, analysis));
}

function isHistory(effect: Effect, call: Call): boolean {
  const command = commandOf(effect, call);
  return command !== undefined && rewritesHistory(command, call);
}

/** The analysis of the command has looked up if the amended commit was pushed: then it lists an effect on the history. */
function rewritesHistory(command: SimpleCommand, {command: understood, scripts}: Call): boolean {
  if (command.name === 'bfg' || command.name.startsWith('git-filter')) return true;
  const [verb = '', ...rest] = gitWords(command);
  if (verb === 'rebase') {
    return !/^--(?:continue|skip|abort|quit|show-current-patch)$/.test(rest[0] ?? '');
  }
  if (verb === 'commit' && rest.includes('--amend')) {
    const effects = [understood, ...scripts].flatMap((one) => one?.effects ?? []);
    return effects.some(
      ({kind, target, by}) =>
        kind === 'discards' && target === 'history' && command.text.startsWith(by),
    );
  }
  if (verb === 'commit') return rest.some((word) => word.length > 3 && '--amend'.startsWith(word));
  return /^(?:filter-branch|filter-repo|update-ref|replace|fast-import)$/.test(verb);
}

const diskTools =
  /^(?:mkfs.*|mke2fs|mkswap|fdisk|sfdisk|cfdisk|gdisk|parted|wipefs|blkdiscard|diskutil|hdparm|format|diskpart)$/;
const looksOnly = /^(?:fdisk|sfdisk|parted|diskutil)\s+(?:-l|--list|list)\b/;

function deviceWrites({calls}: PolicyInput): readonly string[] {
  return calls.flatMap(({effects, command, scripts}) => {
    const commands = [command, ...scripts].flatMap((one) => one?.commands ?? []);
    const disks = commands.filter((one) => diskTools.test(one.name) && !looksOnly.test(line(one)));
    const devices = effects.filter(
      ({kind, place}) =>
        changes.has(kind) &&
        place?.path.startsWith('/dev/') === true &&
        !isDevice(place?.path ?? ''),
    );
    const given = commands.filter(({args, redirects}) =>
      [...args.map(({text}) => text.replace(/^of=/, '')), ...redirects.flatMap(outputOf)].some(
        (text) => /^\/dev\/(?:sd|hd|vd|nvme|disk|mapper|mem|kmem|port)/.test(text),
      ),
    );
    return [...[...disks, ...given].map(({text}) => text), ...devices.map(effectText)];
  });
}

function outputOf({operator, target}: SimpleCommand['redirects'][number]): string[] {
  return operator.includes('>') ? [target.text] : [];
}

/** `f() { f | f & }`, with any name. */
const forkBomb = /([\w:.]{1,40})\s{0,9}\(\)\s{0,9}\{[^}]{0,200}\1\s{0,9}(?:\|\s{0,9}\1|&)/;

function opensUp(command: SimpleCommand): boolean {
  const {name} = command;
  if (modesGiven(command).some(mayOpen)) return true;
  if (name === 'umask') return operands(command).some(mayUnmask);
  if (name === 'setfacl') return true;
  return /^(?:chown|chgrp)$/.test(name) && hasOption(command, 'R', '--recursive');
}

function emptied(input: PolicyInput): readonly string[] {
  const written = writtenIn(input.proposal, input.analysis);
  return input.calls.flatMap((call) => {
    const effects = input.proposal.kind === 'result' ? [] : (call.command?.effects ?? []);
    const byCommand = effects.filter(
      (effect) =>
        (effect.kind === 'empties' || copiesNothing(effect, call)) &&
        isKept(effect) &&
        !isDisposable(effect, written),
    );
    const {tool, facts, writes, puts} = call;
    const isBlank = puts.length > 0 && puts.every((text) => text.trim() === '');
    const isEmpty = facts.replaces === undefined && isBlank;
    const path = isEmpty ? writes.find((one) => hadContent(one, input)) : undefined;
    return [
      ...byCommand.map(effectText),
      ...(path === undefined ? [] : [`${tool} ${path} with no content`]),
    ];
  });
}

/** `cp /dev/null FILE`, `cat </dev/null >FILE`. */
function copiesNothing(effect: Effect, call: Call): boolean {
  const command = effect.kind === 'writes' ? commandOf(effect, call) : undefined;
  if (!command || !/^(?:cat|cp|dd|install|tee)$/.test(command.name)) return false;
  const words = [...command.args, ...command.redirects.map(({target}) => target)];
  return words.some(({text}) => /^(?:if=)?\/dev\/null$/.test(text));
}

function isKept({place}: Effect): boolean {
  return !isDevice(place?.path ?? '');
}

/** True if the preview removes lines, or the file was read before. False for a result, whose writes have run. */
function hadContent(path: string, {proposal}: PolicyInput): boolean {
  if (proposal.kind === 'result') return false;
  const hunk = proposal.text.search(/^@@ -/m);
  if (hunk >= 0 && /^-/m.test(proposal.text.slice(hunk))) return true;
  return proposal.facts.evidence.some(
    ({did, target, ok}) => ok && did === 'read' && target === path,
  );
}

const databaseClients =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|mongo|mongosh|redis-cli|valkey-cli|sqlcmd|cqlsh|clickhouse(?:-client)?|usql|bq)$/;
const destructiveSql =
  /\b(?:drop\s+(?:table|database|schema|index|view|column|user|role)|truncate\b|alter\s+table\s+\S+\s+drop\b|flushall|flushdb|dropDatabase\s*\(|\.drop\s*\(|deleteMany\s*\(\s*(?:\{\s*\})?\s*\))|\bdelete\s+from\s+\S+\s*(?:;|$|["']|where\s+(?:true\b|1\s*=\s*1|1\b))/i;
const resets =
  /^(?:dropdb|dropuser)\b|^mysqladmin .*\bdrop\b|^prisma (?:migrate reset|db push .*--force-reset)|^(?:rails|rake) db:(?:drop|reset)|^(?:npx )?sequelize db:drop|manage\.py (?:flush|reset_db)|^(?:artisan|php artisan) (?:migrate:fresh|db:wipe)/;

function droppedData({calls}: PolicyInput): readonly string[] {
  return calls.flatMap(({facts, args, command, scripts}) => {
    const sql = codeOf(facts, args, 'sql') ?? '';
    const commands = [command, ...scripts].flatMap((one) => one?.commands ?? []);
    const feedsDatabase = commands.some(({name}) => databaseClients.test(name));
    return [
      ...(destructiveSql.test(sql) ? [sql] : []),
      ...commands
        .filter(
          (one) =>
            resets.test(line(one)) ||
            (feedsDatabase && destructiveSql.test(`${line(one)}\n${one.input ?? ''}`)),
        )
        .map(({text}) => text),
    ];
  });
}

const infrastructure = new RegExp(
  [
    '^(?:terraform|tofu|terragrunt|pulumi|cdk|sst|serverless|eksctl) (?:.* )?(?:destroy|remove|delete|apply .*-destroy)\\b',
    '^(?:kubectl|oc) (?:.* )?(?:delete|drain)\\b',
    '^helm (?:.* )?(?:uninstall|delete)\\b',
    '^(?:docker|podman) (?:(?:system|volume|image|container|network|builder) (?:prune|rm)|rmi)\\b',
    '^(?:docker|podman)(?:-compose| compose) (?:.* )?down .*(?:-v\\b|--volumes|--rmi)',
    '^aws (?:.* )?(?:delete|terminate|remove|deregister|rb\\b|rm\\b)',
    '^(?:gcloud|az|doctl|fly|flyctl|heroku|vercel|netlify|wrangler) (?:.* )?(?:delete|destroy|remove|rm)\\b|^heroku \\S+:destroy',
    '^(?:gsutil|gcloud storage) (?:.* )?r[mb]\\b',
    '^gh (?:repo|release|issue|secret|variable|run|gist) delete\\b',
  ].join('|'),
);

/** Matches words, because each service has its own. Other changes of services are refused by `outside-change`. */
export function destroysInfrastructure(command: SimpleCommand): boolean {
  return infrastructure.test(line(command));
}
