/** policy/scope: refuses actions that the request does not ask for, and actions outside the workspace. */

import {
  asksForPackages,
  asksForPush,
  isForAbsentOnly,
  isOrderToWrite,
  isReadOnly,
} from '../../machines/claims/requests.ts';
import {plain} from '../../machines/domain/plain-text.ts';
import type {Proposal} from '../../machines/domain/review.ts';
import {passagesAt} from '../../machines/domain/tool-facts.ts';
import {protectedKind} from '../../machines/places/places.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {changes, type Effect} from '../../tools/commands/understanding.ts';
import {packageHooks} from '../../tools/containment/package-files.ts';
import {compileGlob} from '../../tools/read/glob.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import {argText, insidePath} from './call.ts';
import {type DiffLook, type DiffRule, type Finding, voteOnDiff} from './diff.ts';
import {
  callRule,
  changesProtected,
  effectRule,
  effectText,
  isNewPackage,
  isOutside,
  isPush,
  isTemporary,
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

// Bounds that a request sets on changes, recognized by fixed phrases.

export interface Bounds {
  /** Only these may change. Empty: no such bound. */
  readonly only: readonly string[];
  /** These must stay as they are. */
  readonly never: readonly string[];
}

const sentence = /[^.\n;!?]*(?:\.(?=\S)[^.\n;!?]*)*/g;

/** The first group names all that may change. Several phrases may match one sentence. */
const onlyPhrases: readonly RegExp[] = [
  /\bonly\s+(?:chang|modif|edit|touch|updat|writ|fix|work)\w*(?:\s+(?:in|to|on|inside|within))?\s+(.+)/i,
  /\b(?:chang|modif|edit|touch|updat|writ)\w*\s+(?:only|nothing (?:but|except|other than|outside))\s+(.+)/i,
  /\bnothing but\s+(.+)/i,
  /\bonly\s+(?:in|to|on|inside|within|under)\s+(.+)/i,
  /\b(?:in|to|on|of|inside|within|under)\s+(?:only\s+)?([^,]+?),?\s+(?:only\b|(?:and|but) nothing else\b)/i,
  /\b(?:in|to|on|inside|within|under)\s+only\s+(.+)/i,
  /^(.*?)(?:だけ|のみ)(?:[でにを]|の中|内)?/,
  /^([^「」]+?)(?:の中|内)?[でのに].*(?:置き?換|リネーム)/,
];

/** An order to replace or rename something in a place: other places were not requested. */
const replacedIn =
  /\b(?:replac|renam|substitut|swap)\w*\s.*?\s((?:in|inside|within|under|throughout)\s+.+)/i;

const exception = /,?\s*\b(?:but not|except|excluding|apart from|other than)\b.*/i;

const neverPhrase =
  /\b(?:(?:don't|do not|never|must not|without)\s+(?:chang|modif|edit|touch|updat|writ|overwrit|delet|remov|renam|alter)\w*(?:\s+(?:to|in))?|leave|keep)\s+(.+)/i;
const neverAfter =
  /^(.*?)(?:は|を|に)(?:触らない|触らず|触れない|変更しない|変更せず|編集しない|いじらない)/;

function boundsOf(request: string): Bounds {
  const sentences = [...plain(request).matchAll(sentence)].map(([text]) => text);
  const scopes = sentences.map((text) => replacedIn.exec(text)?.[1] ?? '');
  const excluded = sentences
    .filter(isExcluding)
    .map((text) => neverPhrase.exec(text)?.[1] ?? neverAfter.exec(text)?.[1] ?? '');
  return {
    only: [
      ...sentences.flatMap((text) =>
        onlyPhrases.flatMap((phrase) => placesIn(phrase.exec(text)?.[1] ?? '')),
      ),
      ...scopes.flatMap((text) => placesIn(text.replace(exception, ''))),
    ],
    never: [...excluded, ...scopes.map((text) => exception.exec(text)?.[0] ?? '')].flatMap(pathsIn),
  };
}

/** `leave` and `keep` exclude a path only together with `alone`, `unchanged` and the like. */
function isExcluding(text: string): boolean {
  return (
    !/\b(?:leave|keep)\b/i.test(text) ||
    /\b(?:alone|unchanged|untouched|as (?:it|they|is))\b/i.test(text)
  );
}

const ofEnding = /(?<![\w*/])\.(\w{1,8})[\s-]+files?\b/gi;
const ofLanguage = /([A-Z][\w+#]*)[\s-]+(?:files?|code|sources?)\b/g;
const folderPhrase =
  /\b(?!(?:the|this|that|a|an|each|every|whole|entire|current|same|root|working|sub)\b)([\w.-]+)\s+(?:folder|directory)\b/gi;

/** One word of a list, as in `in docs and README.md`. */
const listed = /^(?:(?:in|inside|within|under|throughout)\s+)?(?:the\s+)?([\w.-]+)$/i;

/** File endings by language. */
const endings = new Map(
  `typescript: ts tsx mts cts; javascript: js jsx mjs cjs; python: py pyi; c: c h; c++: cc cpp cxx hpp hh; c#: cs
  kotlin: kt kts; rust: rs; ruby: rb; elixir: ex exs; haskell: hs; shell: sh bash zsh; markdown: md mdx; yaml: yml yaml
  css: css scss sass less; html: html htm; go: go; java: java; php: php; swift: swift; scala: scala; lua: lua; sql: sql
  vue: vue; json: json; toml: toml; xml: xml`
    .split(/[;\n]\s*/)
    .map((row) => row.split(': '))
    .map(([name = '', list = '']) => [name, list.split(' ')]),
);

/**
 * Paths, and files and folders that prose names by their kind: `all .md files`, `Python files`, `the docs folder`. In a
 * list that contains a place, a bare word is a place as well.
 */
function placesIn(text: string): string[] {
  const places = surelyIn(text);
  if (places.length === 0) return [];
  const words = text.split(/\s*(?:,|\band\b|\bor\b|と|、)\s*/);
  return [...places, ...words.flatMap((word) => listed.exec(word.trim())?.[1] ?? [])];
}

function surelyIn(text: string): string[] {
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name ?? '');
  return [
    ...pathsIn(text.replaceAll(ofEnding, '')).filter((path) => !/^v?\d[\d.]*$/.test(path)),
    ...named(ofEnding).map((ending) => `*.${ending}`),
    ...named(ofLanguage).flatMap((name) =>
      (endings.get(name.toLowerCase()) ?? []).map((ending) => `*.${ending}`),
    ),
    ...named(folderPhrase),
  ];
}

/** Words that look like paths: with a dot or a slash, or in backticks or quotes. */
function pathsIn(text: string): string[] {
  const quoted = [...text.matchAll(/[`"“「]([^`"”」\s]+)[`"”」]/g)].map(([, path]) => path ?? '');
  const bare = [
    ...text.matchAll(/(?<![\w`"“./-])[\w@*-]*(?:[./][\w@*-]+)+\/?|(?<![\w`"./-])[\w-]+\/(?![\w])/g),
  ].map(([path]) => path);
  return [...new Set([...quoted, ...bare])].map((path) =>
    path.replace(/^\.\//, '').replace(/[.,:]+$/, ''),
  );
}

/** True if a bound names the path: directly, by a folder above it, by its bare name or by a wildcard. */
function isNamed(path: string, names: readonly string[]): boolean {
  return names.some((name) => {
    const bare = name.replace(/\/(?:\*\*?)?$/, '');
    if (bare.includes('*')) return matches(bare, path);
    return (
      path === bare ||
      path.startsWith(`${bare}/`) ||
      (!bare.includes('/') && path.split('/').includes(bare))
    );
  });
}

/** A wildcard matches at any depth, and includes all paths below a match. */
function matches(pattern: string, path: string): boolean {
  return [`**/${pattern}`, `**/${pattern}/**`].some((each) => {
    const glob = compileGlob(each, {hidden: true});
    return glob.ok && glob.value.matches(path);
  });
}

// The rules of policy/scope for diffs: paths outside the repository, protected files, and install scripts.

export const scopeDiffRules: readonly DiffRule[] = [
  {
    id: 'outside-repository',
    refuses: 'paths that leave the repository: absolute paths, and `..`',
    safer: 'use a path inside the repository, relative to it',
    severity: 'critical',
    find: ({file: {path}}) =>
      /^(?:\/|[A-Za-z]:)|(?:^|\/)\.\.(?:\/|$)/.test(path) ? [{value: path}] : [],
  },
  {
    id: 'protected-file',
    refuses:
      'changing hooks, CI, editor, MCP and rc files, rules about required reviewers, and this program’s configuration, unless the focus names the file',
    safer: 'let a person review it, or name the file in the focus',
    severity: 'major',
    find: ({file, focus}) =>
      protectedKind(file.path) !== undefined && !isInFocus(file.path, focus)
        ? [{value: file.path}]
        : [],
  },
  {
    id: 'install-script',
    refuses:
      'scripts that package managers run automatically (`preinstall`, `install`, `postinstall`, `prepare`), unless the focus names them',
    safer: 'use a script that is started explicitly by its name',
    severity: 'major',
    find: addedInstallScripts,
  },
];

function isInFocus(path: string, focus: string): boolean {
  return isNamed(path, pathsIn(plain(focus)));
}

/** At the start of a line, or within an object on one line. */
const runsByItself =
  /(?:^|[{,])\s*"(preinstall|install|postinstall|prepare|prepack|prepublish)"\s*:\s*"/g;

/** Added lines that set an automatic script of a `package.json`, unless the focus names the script. */
function addedInstallScripts({file, added, focus}: DiffLook): Finding[] {
  if (!/(?:^|\/)package\.json$/.test(file.path)) return [];
  return added.flatMap(({line, text}) => {
    const names = [...text.matchAll(runsByItself)].map(([, name = '']) => name);
    return names.some((name) => !focus.includes(name)) ? [{line, value: text.trim()}] : [];
  });
}
