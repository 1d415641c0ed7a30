/** policy/safety: refuses what no run needs: leaks, changes outside the workspace, and the lines of a table. */

import type {Proposal} from '../../machines/domain/review.ts';
import {codeOf, passagesAt, reachesNetwork, textsAt} from '../../machines/domain/tool-facts.ts';
import {addressesIn, isThisMachine} from '../../machines/places/address.ts';
import {isCredentialPlace} from '../../machines/places/places.ts';
import {namesSecretValue, secretIn} from '../../machines/places/secrets.ts';
import type {Ballot} from '../../machines/questions/ballot.ts';
import {fetchers, isInterpreter, senders, shells} from '../../tools/commands/known.ts';
import {
  changes,
  type Effect,
  ignoredByGit,
  type SimpleCommand,
  type Unknown,
  type Word,
} from '../../tools/commands/understanding.ts';
import type {CommandAnalysis} from './analysis/analysis.ts';
import type {Call} from './call.ts';
import {voteOnDiff, safetyDiffRules} from './diff.ts';
import {destructiveSql, isSubstituted, line, refusedLines} from './refused-lines.ts';
import {
  callRule,
  changesProtected,
  commandRule,
  effectRule,
  effectText,
  isLocal,
  isOutside,
  isTemporary,
  type PolicyInput,
  type Rule,
  vote,
} from './rule.ts';

export const safetyRules: readonly Rule[] = [
  effectRule({
    id: 'mass-delete',
    refuses: 'deleting anything outside the workspace, the workspace itself, or git’s data',
    safer: 'delete single files of the workspace by their names',
    when: (effect, call, {proposal: {facts}}) => {
      const {kind, place, wide} = effect;
      if (kind !== 'deletes' || !place) return false;
      if (!place.inside)
        return isOutside(effect) && (wide === true || !isTemporary(effect, facts.workspace));
      return /^\.git(?:\/|$)/.test(place.path) || (place.path === '' && isWhole(effect, call));
    },
  }),
  {
    id: 'empty-overwrite',
    refuses: 'emptying a file that has content: `write_file` with no content',
    safer: 'change the part that has to change with edit_file',
    find: emptied,
  },
  commandRule({
    id: 'send-out',
    refuses:
      'sending files, output or environment to another machine: `curl -d`, `curl -T`, `wget --post-file`, `scp`, `rsync` to a host, `nc`, `ssh`, `/dev/tcp`, `ping $(…)`',
    safer:
      'keep the data in the workspace and let a person send it; requests to this machine (localhost) are allowed',
    when: sendsOut,
  }),
  {
    id: 'read-credentials',
    refuses:
      'reading credentials: `~/.ssh`, private keys, `.env`, `.netrc`, `.aws/credentials`, `/etc/shadow`, `/proc/*/environ`, the environment (`env`, `printenv`, `echo $API_KEY`)',
    safer:
      'name the one setting that is needed and let a person provide it; read `.env.example` for the names',
    find: ({calls}) => calls.flatMap(credentialsRead),
  },
  callRule({
    id: 'secret-content',
    refuses:
      'writing text that looks like a secret: private keys, `AKIA…`, `sk-…`, `ghp_…`, `xox…`, `AIza…`, tokens in a URL',
    safer: 'read the secret from an environment variable at run time',
    of: writtenSecret,
  }),
  {
    id: 'drop-data',
    refuses: 'DROP, TRUNCATE and DELETE without WHERE through a tool that runs SQL',
    safer: 'read with SELECT, and leave the removal of data to a person',
    find: ({calls}) =>
      calls.flatMap(({facts, args}) => {
        const sql = codeOf(facts, args, 'sql') ?? '';
        return destructiveSql.test(sql) ? [sql] : [];
      }),
  },
  {
    id: 'hidden-command',
    refuses:
      'commands that nobody can read before they run: code that another command prints into a shell or an interpreter, and text with invisible characters',
    safer: 'write the command out, one plain command at a time',
    find: ({calls}) =>
      calls.flatMap(({code = '', command}) => [
        ...unseenIn(code),
        ...(command?.commands ?? []).filter(isFed).map(({text}) => text),
      ]),
  },
  ...refusedLines.map(({when, ...rule}) =>
    commandRule({...rule, when: (one, {command}) => when(one, command?.commands ?? [])}),
  ),
  {
    id: 'run-download',
    refuses:
      'running downloaded code: `curl … | sh`, `sh -c "$(curl …)"`, `bash <(curl …)`, `curl -o FILE … && sh FILE`',
    safer: 'download to a file, read it, and have it reviewed before it is run',
    find: ({calls}) => calls.flatMap(({command}) => downloadsRun(command?.commands ?? [])),
  },
  callRule({
    id: 'unknown-effect',
    refuses:
      'tools that may reach beyond the workspace and whose name says that they delete, send, publish or pay',
    safer: 'let a person make this call, or use a tool that declares what it reaches',
    of: ({tool, facts}) => (reachesNetwork(facts) && drasticName.test(tool) ? tool : undefined),
  }),
];

const drasticName =
  /(?:^|[._-]|(?<=[a-z])(?=[A-Z]))(?:delete|drop|remove|destroy|purge|wipe|erase|truncate|send|publish|upload|deploy|transfer|pay|refund|revoke|kill|exec)(?=$|[._-]|[A-Z])/i;

export function safety(proposal: Proposal, analysis: CommandAnalysis): Ballot {
  return proposal.kind === 'diff'
    ? voteOnDiff('safety', safetyDiffRules, proposal)
    : vote({name: 'safety', rules: safetyRules, doubts: toolDoubts}, proposal, analysis);
}

/** Effects of a call's arguments that no rule can judge. */
function toolDoubts({proposal, calls}: PolicyInput): Unknown[] {
  if (proposal.kind === 'result') return [];
  const isAsked = proposal.facts.request.trim() !== '';
  return calls.flatMap(({effects, facts, args}): Unknown[] => {
    const own = effects.filter(({at}) => at === undefined);
    const sql = codeOf(facts, args, 'sql');
    return [
      ...own.filter(isInPackages).map(({by, target}) => ({
        word: by,
        why: `it changes ${target}, which contains installed packages`,
      })),
      ...own.filter(isOutside).map(({by}) => ({word: by, why: 'it leaves the workspace'})),
      ...effects
        .filter((effect) => !isAsked && changesProtected(effect))
        .map(({by: word}) => ({word, why: 'no request asks for it', evenConfined: true as const})),
      ...(sql === undefined || (reading.test(sql) && !writing.test(sql))
        ? []
        : [{word: sql, why: 'it is not a read-only query'}]),
    ];
  });
}

/** Folders into which package managers put code, without the caches that tools keep there. */
const packages =
  /(?:^|\/)(?:node_modules\/(?!\.(?:cache|vite|vite-temp|vitest|tmp)(?:\/|$))|(?:\.venv|venv|site-packages)\/)/;

function isInPackages({kind, place, wide}: Effect): boolean {
  if (!changes.has(kind) || !place?.inside) return false;
  const path = wide ? `${place.path}/` : place.path;
  return packages.test(path) || (ignoredByGit.has(place.state) && /(?:^|\/)vendor\//.test(path));
}

const reading =
  /^\s*(?:\(?\s*select|explain|show|describe|desc|values|with|pragma\s+\w+\s*;?\s*$)\b/i;
const writing = /\b(?:insert|update|delete|drop|alter|create|truncate|grant|into|attach)\b/i;

/** True for a folder by its name, not for names in it that a pattern matches. */
function isWhole({at = -1}: Effect, {command}: Call): boolean {
  const args = command?.commands[at]?.args ?? [];
  return !args.some(({pattern, text}) => pattern || /^-i?(?:name|path|regex)$/.test(text));
}

/** True if the preview removes lines, or the file was read before. None for a result, whose writes have run. */
function emptied({calls, proposal}: PolicyInput): readonly string[] {
  if (proposal.kind === 'result') return [];
  const hunk = proposal.text.search(/^@@ -/m);
  const removes = hunk >= 0 && /^-/m.test(proposal.text.slice(hunk));
  const hadContent = (path: string): boolean =>
    removes ||
    proposal.facts.evidence.some(({did, target, ok}) => ok && did === 'read' && target === path);
  return calls.flatMap(({tool, facts, writes, puts}) => {
    const isBlank = puts.length > 0 && puts.every((text) => text.trim() === '');
    const path = facts.replaces === undefined && isBlank ? writes.find(hadContent) : undefined;
    return path === undefined ? [] : [`${tool} ${path} with no content`];
  });
}

const uploads =
  /^(?:curl|xh|https?)\b.*(?: -[a-zA-Z]*[dFT]| --(?:data|form|upload|json)| -X ?(?:POST|PUT|PATCH|DELETE)| --request[ =](?:POST|PUT|PATCH|DELETE))|^wget2?\b.*--(?:post|body|method)|^rsync .*\S+:\S*$/;

function sendsOut(command: SimpleCommand): boolean {
  const {name, args, redirects} = command;
  if (redirects.some(({target}) => /^\/dev\/(?:tcp|udp)\//.test(target.text))) return true;
  const isHere =
    args.some(({text}) => isLocal(text)) &&
    args.every(({text}) => addressesIn(text).every(isThisMachine));
  if (senders.test(name)) return !asksForHelp(command) && !isHere;
  if (uploads.test(line(command))) return !isHere;
  const isFetching = fetchers.test(name) || name === 'openssl';
  return isFetching && args.some((word) => isSubstituted(word) || showsSecret(word));
}

function asksForHelp({args}: SimpleCommand): boolean {
  return args.length > 0 && args.every(({text}) => /^(?:-V|-h|--version|--help)$/.test(text));
}

/** True for a variable such as `$API_KEY` whose value is not known. */
function showsSecret({known, text}: Word): boolean {
  return (
    !known && [...text.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => namesSecretValue(name))
  );
}

/** Addresses from which a cloud machine gets its own credentials. */
const metadata = /(?:^|\/)(?:169\.254\.169\.254|metadata\.google\.internal|\[?fd00:ec2::254)/i;

/** Excludes files that the call names in `credentials`: these cannot be judged by rule. */
function credentialsRead({effects, looksAt, command, args, facts}: Call): readonly string[] {
  const opened = new Set(textsAt(args, facts.opens).map((path) => path.replace(/^\.\//, '')));
  return [
    ...looksAt.filter(isCredentialPlace),
    ...(command?.effects ?? [])
      .filter(readsCredentials)
      .filter(({place}) => !opened.has(place?.path ?? ''))
      .map(effectText),
    ...effects
      .filter(({kind, target}) => kind === 'fetches' && metadata.test(target))
      .map(effectText),
    ...(command?.commands ?? []).filter(printsSecrets).map(({text}) => text),
  ];
}

function readsCredentials({kind, place}: Effect): boolean {
  if (kind === 'reveals') return true;
  if (!place || place.holdsNoSecret) return false;
  // Running such a file counts as well: a program prints the line of code that it cannot parse.
  return /^(?:reads|moves|runs)$/.test(kind) && isCredentialPlace(place.path);
}

const secretStores =
  /^security find-|^gh auth token|^(?:aws|gcloud) .*(?:get-secret|export-credentials|print-access-token|get-session-token)|^(?:op|pass|vault) /;

function printsSecrets(command: SimpleCommand): boolean {
  const {name, args, redirects} = command;
  if (secretStores.test(line(command))) return true;
  const words = args.map(({text}) => text);
  if (name === 'printenv' && (words.length === 0 || words.some(namesSecretValue))) return true;
  if (/^(?:echo|printf|cat|tee|print)$/.test(name) && args.some(showsSecret)) return true;
  const inputs = redirects.filter(({operator}) => operator.startsWith('<'));
  return inputs.some(({target}) => isCredentialPlace(target.text));
}

function writtenSecret(call: Call): string | undefined {
  const {puts = [], replaces = []} = call.facts;
  const passages = new Set([puts, replaces].flat().map((name) => name.split('.')[0] ?? ''));
  const others = Object.entries(call.args)
    .filter(([name]) => !passages.has(name))
    .map(([, value]) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
  const texts = [...passagesAt(call.args, puts), ...others];
  const match = texts.map(secretIn).find((found) => found !== undefined);
  if (match === undefined) return undefined;
  return `${match.slice(0, 6)}… (${match.length} characters) in ${[call.tool, ...call.writes].join(' ')}`;
}

const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/u;
/** A joiner between two emoji is visible: it combines them into one. */
const joinedEmoji =
  /(?<=\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\uFE0F)?)\u200D(?=\p{Extended_Pictographic})/gu;

function unseenIn(text: string): readonly string[] {
  const [found] = unseen.exec(text.replaceAll(joinedEmoji, '')) ?? [];
  if (found === undefined) return [];
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return [`the invisible character U+${code} in ${text}`];
}

function downloadsRun(commands: readonly SimpleCommand[]): readonly string[] {
  const fetches = commands.filter(
    ({name}) => fetchers.test(name) || /^(?:fetch|nc|ncat)$/.test(name),
  );
  if (fetches.length === 0) return [];
  const words = fetches.flatMap(({args, redirects}) =>
    args.concat(redirects.map(({target}) => target)),
  );
  const saved = new Set(words.map(({text}) => baseName(text)).filter((name) => /^[^-]/.test(name)));
  return commands.filter((command) => runsFetched(command, saved)).map(({text}) => text);
}

function runsFetched(command: SimpleCommand, saved: ReadonlySet<string>): boolean {
  const {name, args} = command;
  const runsSaved = args.some(({text}) => saved.has(baseName(text)));
  if (saved.has(name) || (name === 'chmod' && runsSaved)) return true;
  if (
    !isInterpreter(name) &&
    !shells.test(name) &&
    !/^(?:eval|source|\.|busybox|xargs)$/.test(name)
  )
    return false;
  const fetched = args.some((word) => isSubstituted(word) && /\b(?:curl|wget)/.test(word.text));
  return isFed(command) || fetched || runsSaved;
}

/** A shell or an interpreter that runs what another command prints. */
function isFed({name, args, piped}: SimpleCommand): boolean {
  const isShell = shells.test(name);
  if (!piped || !(isInterpreter(name) || isShell)) return false;
  const given = isShell
    ? /^-[a-z]*[cn]|^--(?:version|help)/
    : /^-[a-z]*[cnmpeEr]|^--(?:version|help|eval|print|check|test)/;
  const texts = args.map(({text}) => text);
  if (texts.some((text) => given.test(text))) return false;
  const first = texts.find((text) => !text.startsWith('-'));
  return first === undefined || texts[0] === '-s' || /^\/dev\/(?:stdin|fd\/0)$/.test(first);
}

/** The name of the file to which an address, or the value of an option, may be saved. */
function baseName(word: string): string {
  const path = word.replace(/^(?:-o|--output(?:-document)?=)/, '').replace(/[?#].*$/, '');
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}
