/** policy/scope: refuses actions that the request does not ask for, and actions outside the workspace. */

import {
  asksForPackages,
  asksForPush,
  isForAbsentOnly,
  isOrderToWrite,
  isReadOnly,
} from '../../machines/claims/requests.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {passagesAt} from '../../machines/domain/tool.ts';
import {protectedKind} from '../../machines/places/places.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {changes, type Effect} from '../../tools/commands/understanding.ts';
import {packageHooks} from '../../tools/containment/package-files.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {boundsOf, isNamed} from './bounds.ts';
import {argText} from './call.ts';
import {changesProtected, isNewPackage, isOutside, isPush, isTemporary} from './command-doubts.ts';
import {voteOnDiff} from './diff/diff-rule.ts';
import {scopeDiffRules} from './diff/diff-scope.ts';
import {insidePath} from './inside.ts';
import {
  callRule,
  effectRule,
  effectText,
  type PolicyInput,
  replacesFile,
  type Rule,
  vote,
} from './rule.ts';

export const scopeRules: readonly Rule[] = [
  effectRule({
    id: 'outside-workspace',
    refuses:
      'reading, writing and deleting outside the workspace by a tool, and changing paths outside by a command, except its own files in `/tmp`; a command that only reads outside can’t be judged',
    safer: 'use a path inside the workspace, relative to it',
    when: (effect, _call, {proposal: {facts}}) =>
      (effect.at === undefined || changes.has(effect.kind)) &&
      isOutside(effect) &&
      !isTemporary(effect, facts.workspace),
  }),
  callRule({
    id: 'working-dir',
    refuses: 'a working folder outside the workspace',
    safer: 'leave working_dir out, or name a folder of the workspace',
    of: ({folder}, {proposal}) =>
      insidePath(folder, proposal.facts.workspace) === undefined ? folder : undefined,
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
    refuses:
      'replacing an existing file when the request asks to write it only if it does not exist',
    safer: 'leave the file as it is, and report that it exists',
    find: (input) =>
      input.proposal.kind !== 'result' && isForAbsentOnly(input.proposal.facts.request)
        ? replaced(input)
        : [],
  },
  effectRule({
    id: 'protected-config',
    refuses:
      'changing `.git/`, hooks, CI, editor, MCP and rc files, files that builds start from, agents’ instructions and this program’s configuration, unless the request names them',
    safer: 'leave configuration alone, or have the person name the file in the request',
    when: (effect, _call, input) =>
      changesProtected(effect) && !requestNames(input, effect.place?.path ?? ''),
  }),
  {
    id: 'install-scripts',
    refuses:
      'adding entries to package files that package managers and builds run automatically (`postinstall`, `prepare`, build scripts, hooks, registries), unless the request names them',
    safer: 'use a script that is started explicitly by its name',
    find: installScripts,
  },
  effectRule({
    id: 'package-install',
    refuses:
      'installing packages by their names (`npm install left-pad`, `pip install requests`, `apt-get install …`), unless the request asks for packages; packages that the manifest declares may be installed',
    safer: 'use what is installed, or ask for the package in the request',
    when: (effect, _call, {proposal: {facts}}) =>
      isNewPackage(effect) && !asksForPackages(facts.request),
  }),
  effectRule({
    id: 'push-unasked',
    refuses: '`git push`, unless the request asks for a push, a release or a pull request',
    safer: 'commit locally and let the person push',
    when: (effect, _call, {proposal: {facts}}) => isPush(effect) && !asksForPush(facts.request),
  }),
  {
    id: 'read-only-request',
    refuses: 'writing, or ordering an agent to write, when the request only asks for information',
    safer: 'answer in the report and write nothing',
    find: (input) =>
      isReadOnly(input.proposal.facts.request)
        ? [...changesIn(input), ...ordersToWrite(input)]
        : [],
  },
];

export function scope(proposal: Proposal, analysis: CommandAnalysis): Ballot {
  return proposal.kind === 'diff'
    ? voteOnDiff('scope', scopeDiffRules, proposal)
    : vote({name: 'scope', rules: scopeRules, doubts: () => []}, proposal, analysis);
}

/** Effects that change the workspace, except build output that git ignores. */
function changed({calls}: PolicyInput): readonly Effect[] {
  return calls
    .flatMap(({effects}) => effects)
    .filter(
      ({kind, place}) => changes.has(kind) && place?.inside === true && place.state !== 'ignored',
    );
}

function replaced(input: PolicyInput): readonly string[] {
  const named = replacesFile(input) ? input.calls.flatMap(({writes}) => writes) : [];
  const lost = input.calls
    .flatMap(({command}) => command?.effects ?? [])
    .filter(
      ({kind, place}) =>
        (kind === 'writes' || kind === 'empties') &&
        place?.inside === true &&
        place.state !== 'absent',
    );
  return [...named, ...lost.map(effectText)];
}

const deeds: ReadonlySet<Effect['kind']> = new Set([
  'installs',
  'publishes',
  'records',
  'discards',
  'alters',
]);

/** All changes, inside and outside the workspace. */
function changesIn(input: PolicyInput): readonly string[] {
  const done = input.calls.flatMap(({effects}) => effects).filter(({kind}) => deeds.has(kind));
  return [...changed(input), ...done].map(effectText);
}

/** Requests to agents that the calls would start, if they order a change. */
function ordersToWrite({calls}: PolicyInput): readonly string[] {
  return calls
    .filter(({facts}) => facts.spawns === 'agent')
    .map((call) => argText(call, 'request'))
    .filter(isOrderToWrite);
}

function outOfBounds(input: PolicyInput): readonly string[] {
  const {only, never} = boundsOf(input.proposal.facts.request);
  return changed(input)
    .filter(({place, wide}) => {
      const path = place?.path ?? '';
      if (isNamed(path, never) || (wide && never.some((name) => lies(name, path)))) return true;
      return only.length > 0 && !isNamed(path, only);
    })
    .map(effectText);
}

/** True if a bound names a path below the folder. */
function lies(name: string, folder: string): boolean {
  return folder === '' || name.startsWith(`${folder}/`);
}

function requestNames({proposal}: PolicyInput, path: string): boolean {
  const request = proposal.facts.request.toLowerCase();
  const parts = path
    .toLowerCase()
    .split('/')
    .filter((part) => /^\.|\.|file$|owners$/.test(part) || protectedKind(part) !== undefined);
  if (parts.some((part) => part !== '.git' && request.includes(part))) return true;
  if (protectedKind(path)?.id === 'ci') return /\bCI\b|workflow|pipeline/i.test(request);
  return request.includes('.git/');
}

/** Automatic scripts that writes add. Empty for a result: its writes were voted on before they ran. */
function installScripts({calls, proposal}: PolicyInput): readonly string[] {
  if (proposal.kind === 'result') return [];
  return calls.flatMap((call) => {
    const old = passagesAt(call.args, call.facts.replaces).join('\n');
    return call.writes
      .flatMap((path) => call.puts.flatMap((text) => hooksIn(path, text)))
      .filter(
        (name) =>
          !old.includes(`"${name}"`) &&
          isAdded(name, proposal.text) &&
          !proposal.facts.request.includes(name),
      );
  });
}

/** The last key of each setting that runs automatically; in a passage of a `package.json`, every key that could be one. */
function hooksIn(path: string, text: string): readonly string[] {
  const names = [...packageHooks(path, text).keys()];
  if (names.length > 0) return names.map((name) => name.slice(name.lastIndexOf('.') + 1));
  if (!/(?:^|\/)package\.json$/i.test(path)) return [];
  const hook = /"((?:pre|post)?(?:install|prepare|pack|publish))"\s*:/g;
  return [...text.matchAll(hook)].map(([, name]) => name ?? '');
}

/** True if the diff of the proposal adds the name, or if it has no diff. An unchanged or reworded line adds nothing. */
function isAdded(name: string, text: string): boolean {
  if (!/^@@ /m.test(text)) return true;
  const lines = text.split('\n').filter((line) => line.includes(name));
  return lines.some((line) => line.startsWith('+')) && !lines.some((line) => line.startsWith('-'));
}
