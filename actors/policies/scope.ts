/** policy/scope: refuses what the request did not ask for, and what leaves the workspace. */

import type {Ballot} from '../../machines/domain/ballot.ts';
import {protectedKind} from '../../machines/domain/places.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {isStated} from '../../machines/domain/tool-facts.ts';
import {boundsOf, isNamed} from './bounds.ts';
import {gitLine, line} from './command-facts.ts';
import {voteOnDiff} from './diff/diff-rule.ts';
import {scopeDiffRules} from './diff/diff-scope.ts';
import {insidePath, outsideWords, writtenBy} from './paths.ts';
import {
  asksForPackages,
  asksForPush,
  isForAbsentOnly,
  isOrderToWrite,
  isReadOnly,
} from './request.ts';
import {argText, type Call, callRule, type Look, replacesFile, type Rule, vote} from './rule.ts';
import type {Command} from './shell-commands.ts';

export const scopeRules: readonly Rule[] = [
  {
    id: 'outside-workspace',
    refuses:
      'paths that leave the workspace: absolute ones, `..`, `~`, `$HOME`, and targets that are computed',
    safer: 'use a path inside the workspace, relative to it',
    find: outside,
  },
  callRule({
    id: 'working-dir',
    refuses: 'a working folder outside the workspace',
    safer: 'leave working_dir out, or name a folder of the workspace',
    of: ({folder}, {facts}) =>
      insidePath(folder, facts.workspace) === undefined ? folder : undefined,
  }),
  {
    id: 'bounds',
    refuses:
      'writing what the request excludes: “only change X”, “X only”, “replace A with B in X”, “don’t touch Y”',
    safer: 'stay with the files that the request allows, or ask for the bound to be lifted',
    find: outOfBounds,
  },
  {
    id: 'exists-already',
    refuses: 'replacing a file that exists when the request is to write it only if it does not',
    safer: 'leave the file as it is, and report that it exists',
    find: (look) =>
      replacesFile(look) && isForAbsentOnly(look.proposal.facts.request) ? writes(look) : [],
  },
  {
    id: 'protected-config',
    refuses:
      'writing `.git/`, hooks, CI, editor, MCP and rc files and this program’s configuration, unless the request names them',
    safer: 'leave configuration alone, or have the person name the file in the request',
    find: (look) => writes(look).filter((path) => protectedKind(path) && !requestNames(look, path)),
  },
  {
    id: 'install-scripts',
    refuses:
      'adding scripts that package managers run by themselves (`preinstall`, `postinstall`, `prepare`), unless the request names them',
    safer: 'use a script that somebody has to start by its name',
    find: installScripts,
  },
  {
    id: 'package-install',
    refuses:
      'installing packages from the network (`npm install`, `pip install`, `npx -y`, `apt-get install` …), unless the request asks for packages',
    safer: 'use what is installed, or ask for the package in the request',
    find: (look) =>
      asksForPackages(look.proposal.facts.request) ? [] : commandTexts(look, installs),
  },
  {
    id: 'push-unasked',
    refuses: '`git push`, unless the request asks for a push, a release or a pull request',
    safer: 'commit locally and let the person push',
    find: (look) =>
      asksForPush(look.proposal.facts.request)
        ? []
        : commandTexts(look, (command) => gitLine(command).startsWith('push')),
  },
  {
    id: 'read-only-request',
    refuses:
      'writing, or ordering an agent to write, when the request only asks to be told something',
    safer: 'answer in the report and write nothing',
    find: (look) =>
      isReadOnly(look.proposal.facts.request) ? [...writes(look), ...ordersToWrite(look)] : [],
  },
];

/** Abstains on tools that don't say what they touch: their reach can't be told from their arguments. */
export function scope(proposal: Proposal): Ballot {
  if (proposal.kind === 'diff') return voteOnDiff('scope', scopeDiffRules, proposal);
  const ballot = vote('scope', scopeRules, proposal);
  const unknown = proposal.facts.calls.find(({facts}) => !isStated(facts));
  if (ballot.verdict === 'reject' || !unknown) return ballot;
  const reason = `the tool ${unknown.tool} does not say what it reaches, so rules can't tell; add a model to the panel`;
  return {verdict: 'abstain', reasons: [reason], confidence: 0};
}

function commandTexts({calls}: Look, test: (command: Command) => boolean): readonly string[] {
  return calls
    .filter(({isWritten}) => !isWritten)
    .flatMap(({script}) => (script?.commands ?? []).filter(test).map(({text}) => text));
}

function outside({calls, proposal}: Look): readonly string[] {
  const {workspace} = proposal.facts;
  return calls.flatMap((call) => {
    const paths = [...call.looksAt, ...call.writes].filter(
      (path) => insidePath(path, workspace) === undefined,
    );
    return [...paths, ...(call.isWritten ? [] : outsideCommands(call, workspace))];
  });
}

/** Follows `cd` from command to command. */
function outsideCommands(call: Call, workspace: string): readonly string[] {
  let folder = insidePath(call.folder, workspace) ?? '';
  return (call.script?.commands ?? []).flatMap((command) => {
    if (!/^(?:cd|pushd)$/.test(command.name)) return outsideWords(command, workspace, folder);
    const target = command.args.find(({text}) => !/^-[LPe@]+$/.test(text));
    const next =
      target && !target.computed && target.text !== '-'
        ? insidePath(target.text, workspace, folder)
        : undefined;
    if (next === undefined) return [command.text];
    folder = next;
    return [];
  });
}

/** Files that the proposal would write, relative to the workspace. */
function writes({calls, proposal}: Look): readonly string[] {
  const {workspace} = proposal.facts;
  const relative = (path: string, from = '') => insidePath(path, workspace, from) ?? path;
  return calls.flatMap((call) => {
    const from = relative(call.folder);
    const commands = call.isWritten ? [] : (call.script?.commands ?? []);
    const files = commands.flatMap(writtenBy).map(({text}) => relative(text, from));
    const changes = commands.filter(changesRepository).map(({text}) => text);
    return [...call.writes.map((path) => relative(path)), ...files, ...changes];
  });
}

/** What an agent would be begun for, where that is to change something. */
function ordersToWrite({calls}: Look): readonly string[] {
  return calls
    .filter(({facts}) => facts.spawns === 'agent')
    .map((call) => argText(call, 'request'))
    .filter(isOrderToWrite);
}

function changesRepository(command: Command): boolean {
  return (
    /^(?:commit|push|merge|rebase|cherry-pick|revert|reset|checkout|switch|restore|stash|am|apply|rm|mv|add|pull)\b/.test(
      gitLine(command),
    ) || installs(command)
  );
}

function outOfBounds(look: Look): readonly string[] {
  const {only, never} = boundsOf(look.proposal.facts.request);
  return writes(look).filter(
    (path) => isNamed(path, never) || (only.length > 0 && !isNamed(path, only)),
  );
}

function requestNames({proposal}: Look, path: string): boolean {
  const request = proposal.facts.request.toLowerCase();
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => /^\.|\.|file$|owners$/.test(part));
  if (parts.some((part) => part !== '.git' && request.includes(part))) return true;
  if (protectedKind(path)?.id === 'ci') return /\bCI\b|workflow|pipeline/i.test(request);
  return request.includes('.git/');
}

/** Those that a result's writes have found are not known: they were voted on before they ran. */
function installScripts({calls, proposal}: Look): readonly string[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call) => {
    if (!call.writes.some((path) => /(?:^|\/)package\.json$/.test(path))) return [];
    const hook = /"((?:pre|post)?(?:install|prepare|pack|publish))"\s*:/g;
    const names = [...call.puts.join('').matchAll(hook)].map(([, name]) => name ?? '');
    const before = argText(call, call.facts.replaces ?? '');
    return names.filter(
      (name) =>
        !before.includes(`"${name}"`) &&
        !proposal.text.includes(`\n-    "${name}"`) &&
        !proposal.facts.request.includes(name),
    );
  });
}

function installs(command: Command): boolean {
  const text = line(command);
  return (
    installing.test(text) ||
    /^(?:npx|bunx|pnpx|npm exec|npm x) (?:\S+ )*(?:-y|--yes)\b/.test(command.text)
  );
}

const installing =
  /^(?:npm|pnpm|yarn|bun) (?:-\S+ )*(?:install|i|ci|add|up|update|upgrade|isntall|it|install-test)\b|^yarn$|^(?:pnpm|yarn) dlx\b|^(?:pip[\d.]*|python[\d.]* -m pip|uv pip) (?:install|download)\b|^(?:uvx|pipx)\b|^(?:uv|poetry|pdm|rye) (?:add|sync|install)\b|^cargo (?:install|add|update)\b|^gem (?:install|update)\b|^bundle (?:install|update|add)\b|^go (?:get|install|mod download)\b|^composer (?:install|require|update)\b|^(?:apt|apt-get|aptitude|yum|dnf|apk|pacman|zypper|brew|port|snap|flatpak|choco|winget|scoop|nix-env|conda|mamba|micromamba|corepack) (?:-\S+ )*(?:install|add|update|upgrade|-S\w*|create|enable)\b|^deno (?:add|install)\b|^git clone\b/i;
