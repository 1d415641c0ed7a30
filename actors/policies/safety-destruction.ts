/** What policy/safety refuses because it destroys files, data or infrastructure. */

import {codeOf} from '../../machines/domain/tool-facts.ts';
import {gitLine, hasOption, line, operands} from './command-facts.ts';
import {callRule, commandRule, type Look, type Rule} from './rule.ts';
import type {Command} from './shell-commands.ts';

export const destructionRules: readonly Rule[] = [
  commandRule({
    id: 'mass-delete',
    refuses:
      'recursive or wildcard deletion, and deletion of whatever another command finds: `rm -r`, `rm *`, `find -delete`, `find -exec rm`, `xargs rm`, `rsync --delete`, `shred`, `rimraf`',
    safer: 'delete single files by their names, or leave the cleaning up to a person',
    when: deletesMany,
  }),
  commandRule({
    id: 'git-discard',
    refuses:
      'git commands that discard work: `push --force`, `reset --hard`, `clean -f`, `branch -D`, `checkout -- FILE`, `restore FILE`, `stash drop`, `tag -d`, `reflog expire`',
    safer: 'commit or stash first, use a new branch, and leave discarding to a person',
    when: (command) => discards.some((pattern) => pattern.test(gitLine(command))),
  }),
  commandRule({
    id: 'git-history',
    refuses:
      'rewriting history: `filter-branch`, `filter-repo`, `rebase`, `commit --amend`, `update-ref`, `replace`',
    safer: 'add a new commit that corrects the old one',
    when: (command) =>
      /^(?:filter-branch|filter-repo|rebase|update-ref|replace|fast-import)\b|^commit\b.*\s--amend\b/.test(
        gitLine(command),
      ) ||
      command.name === 'bfg' ||
      command.name.startsWith('git-filter'),
  }),
  commandRule({
    id: 'device-write',
    refuses:
      'writing to devices and file systems: `dd of=`, `mkfs`, `fdisk`, `wipefs`, `> /dev/sda`',
    safer: 'write a plain file inside the workspace with write_file',
    when: (command) =>
      /^(?:mkfs.*|mke2fs|mkswap|fdisk|sfdisk|cfdisk|gdisk|parted|wipefs|blkdiscard|diskutil|hdparm|format|diskpart)$/.test(
        command.name,
      ) ||
      (command.name === 'dd' && /\sof=/.test(line(command))) ||
      outputs(command).some((target) =>
        /^\/dev\/(?!null$|std(?:out|err)$|fd\/|tty$|tcp\/|udp\/)/.test(target),
      ),
  }),
  {
    id: 'fork-bomb',
    refuses: 'functions that are started in a pipe or in the background, as a fork bomb does',
    safer: 'start each process once, by its name',
    find: forkBombs,
  },
  commandRule({
    id: 'open-permissions',
    refuses:
      'opening files to everybody or to another user: `chmod 777`, `chmod a+w`, `chmod +s`, `chown -R`',
    safer: 'give the one permission that is needed to the one file, such as `chmod u+x FILE`',
    when: (command) =>
      (command.name === 'chmod' && operands(command).some((mode) => opensUp(mode))) ||
      (/^(?:chown|chgrp)$/.test(command.name) && hasOption(command, 'R', '--recursive')) ||
      command.name === 'setfacl',
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
      'removing what runs elsewhere: `terraform destroy`, `kubectl delete`, `helm uninstall`, `docker system prune`, `aws … delete-…`, `gh repo delete`',
    safer:
      'show what would be removed (`terraform plan -destroy`, `kubectl get`) and let a person remove it',
    when: (command) => infrastructure.test(line(command)),
  }),
];

const feeders = /^(?:xargs|parallel|find|gfind|fd|fdfind)$/;

function deletesMany(command: Command): boolean {
  const {name, via, args} = command;
  const texts = args.map(({text}) => text);
  if (/^(?:rm|unlink)$/.test(name)) {
    return via.some((starter) => feeders.test(starter)) || isRecursive(command) || isWide(command);
  }
  if (/^(?:find|gfind)$/.test(name)) return texts.includes('-delete');
  if (name === 'rsync') return texts.some((text) => /^--(?:del|remove-source)/.test(text));
  if (name === 'mv') return texts.at(-1) === '/dev/null';
  if (/^(?:del|erase|rd|remove-item|ri)$/.test(name))
    return /\s(?:\/s|-r\w*)\b/i.test(line(command));
  return /^(?:shred|wipe|srm|rimraf|del-cli|trash-empty)$/.test(name);
}

function isRecursive(command: Command): boolean {
  return hasOption(command, 'rR', '--recursive', '--no-preserve-root');
}

/** Deletes what a wildcard or another command names, or a whole folder of importance. */
function isWide({args}: Command): boolean {
  return args.some(
    ({text, pattern, substituted}) =>
      pattern || substituted || /^(?:\/|~|\.{1,2}|\$\w+)\/?$/.test(text),
  );
}

const discards = [
  /^push\b.*\s(?:-[a-z]*f[a-z]*|--force\S*|--mirror|--delete|-d|--prune|\+\S+|:\S+)(?:\s|$)/,
  /^reset\b.*\s--(?:hard|merge|keep)\b/,
  /^clean\b.*\s(?:-[a-zA-Z]*f|--force)/,
  /^branch\b.*\s(?:-[a-z]*D|-d\b|--delete|-[a-z]*M|-f\b|--force)/,
  /^(?:checkout|switch)\b.*\s(?:-f|--force|--discard-changes|-C|-B|--|\.)(?:\s|$)/,
  /^restore\b(?!.*\s--staged\b(?!.*--worktree))/,
  /^stash\s+(?:drop|clear)\b/,
  /^tag\b.*\s(?:-d|--delete|-f|--force)\b/,
  /^reflog\s+(?:expire|delete)\b/,
  /^(?:gc|prune)\b.*(?:--prune=|--expire)/,
  /^worktree\s+(?:remove|prune)\b/,
  /^rm\b.*\s-[a-z]*[rf]/,
  /^submodule\s+deinit\b/,
];

/** Files that the command's output replaces or extends. */
function outputs({redirects, name, args}: Command): readonly string[] {
  const written = redirects
    .filter(({operator}) => operator.includes('>'))
    .map(({target}) => target.text);
  const copied = /^(?:cp|tee|mv|install|ln)$/.test(name) ? args.map(({text}) => text) : [];
  return [...written, ...copied];
}

function forkBombs({calls}: Look): readonly string[] {
  return calls.flatMap(({script}) => {
    if (!script) return [];
    const own = new Set(script.functions.map((name) => name.toLowerCase()));
    return script.commands
      .filter(({name, piped, background}) => own.has(name) && (piped || background))
      .map(({text}) => text);
  });
}

function opensUp(mode: string): boolean {
  if (/^[0-7]{3,4}$/.test(mode)) return /[2367]$/.test(mode) || /^[2-7][0-7]{3}$/.test(mode);
  return (
    /^[ugoa]*[oa][ugoa]*[+=][rwxXst]*w/.test(mode) ||
    /^[ugoa]*[+=][rwxX]*s/.test(mode) ||
    /^\+[rx]*w/.test(mode)
  );
}

function emptied(look: Look): readonly string[] {
  const byCommand = commandRule({id: '', refuses: '', safer: '', when: emptiesFile}).find(look);
  const byTool = callRule({
    id: '',
    refuses: '',
    safer: '',
    of: ({tool, facts, writes, puts}) => {
      const isBlank = puts.length > 0 && puts.every((text) => text.trim() === '');
      const isEmpty = facts.replaces === undefined && isBlank;
      const path = isEmpty ? writes.find((one) => hadContent(one, look)) : undefined;
      return path === undefined ? undefined : `${tool} ${path} with no content`;
    },
  }).find(look);
  return [...byCommand, ...byTool];
}

/** The preview shows lines that would go, or the file was read: before the write, as far as it has not run. */
function hadContent(path: string, {proposal}: Look): boolean {
  if (proposal.kind === 'result') return false;
  const hunk = proposal.text.search(/^@@ -/m);
  if (hunk >= 0 && /^-/m.test(proposal.text.slice(hunk))) return true;
  return proposal.facts.evidence.some(
    ({did, target, ok}) => ok && did === 'read' && target === path,
  );
}

function emptiesFile(command: Command): boolean {
  const {name, args, redirects} = command;
  if (name === 'truncate') return true;
  if (/^(?:cp|install)$/.test(name) && args.some(({text}) => text === '/dev/null')) return true;
  const replaces = redirects.some(
    ({operator, target}) => /^(?:>|>\||&>)$/.test(operator) && !target.text.startsWith('/dev/'),
  );
  if (!replaces) return false;
  const printsNothing = /^(?::|true|false|)$/.test(name);
  const printsEmpty =
    /^(?:echo|printf)$/.test(name) && operands(command).every((text) => text === '');
  return (
    printsNothing ||
    printsEmpty ||
    (name === 'cat' && args.length > 0 && args.every(({text}) => text === '/dev/null'))
  );
}

const databaseClients =
  /^(?:psql|mysql|mariadb|sqlite3?|duckdb|mongo|mongosh|redis-cli|valkey-cli|sqlcmd|cqlsh|clickhouse(?:-client)?|usql|bq)$/;
const destructiveSql =
  /\b(?:drop\s+(?:table|database|schema|index|view|column|user|role)|truncate\b|alter\s+table\s+\S+\s+drop\b|flushall|flushdb|dropDatabase\s*\(|\.drop\s*\(|deleteMany\s*\(\s*(?:\{\s*\})?\s*\))|\bdelete\s+from\s+\S+\s*(?:;|$|["'])/i;
const resets =
  /^(?:dropdb|dropuser)$|^prisma (?:migrate reset|db push .*--force-reset)|^(?:rails|rake) db:(?:drop|reset)|^(?:npx )?sequelize db:drop|manage\.py (?:flush|reset_db)|^(?:artisan|php artisan) (?:migrate:fresh|db:wipe)/;

function droppedData({calls}: Look): readonly string[] {
  return calls.flatMap(({facts, args, script}) => {
    const sql = codeOf(facts, args, 'sql') ?? '';
    const commands = script?.commands ?? [];
    const feedsDatabase = commands.some(({name}) => databaseClients.test(name));
    return [
      ...(destructiveSql.test(sql) ? [sql] : []),
      ...commands
        .filter(
          (command) =>
            resets.test(line(command)) ||
            resets.test(command.name) ||
            (feedsDatabase && destructiveSql.test(`${line(command)}\n${command.input ?? ''}`)),
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
    '^(?:docker|podman) (?:system|volume|image|container|network|builder) (?:prune|rm)\\b',
    '^(?:docker|podman)(?:-compose| compose) (?:.* )?down .*(?:-v\\b|--volumes|--rmi)',
    '^aws (?:.* )?(?:delete|terminate|remove|deregister|rb\\b|rm\\b)',
    '^(?:gcloud|az|doctl|fly|flyctl|heroku|vercel|netlify|wrangler) (?:.* )?(?:delete|destroy|remove|rm)\\b|^heroku \\S+:destroy',
    '^(?:gsutil|gcloud storage) (?:.* )?r[mb]\\b',
    '^gh (?:repo|release|issue|secret|variable|run|gist) delete\\b',
  ].join('|'),
);
