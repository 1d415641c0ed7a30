/** The rules of policy/safety about code that nobody can review: downloads, hidden and smuggled code. */

import type {SimpleCommand, Understanding} from '../../../tools/commands/understanding.ts';
import {
  isInterpreter,
  isSubstituted,
  type LineTable,
  looksLike,
  readsCode,
  settings,
  shells,
} from '../command-words.ts';
import {commandRule, type PolicyInput, type Rule} from '../rule.ts';

export const codeRules: readonly Rule[] = [
  {
    id: 'run-download',
    refuses:
      'running downloaded code: `curl … | sh`, `sh -c "$(curl …)"`, `bash <(curl …)`, `curl -o FILE … && sh FILE`',
    safer: 'download to a file, read it, and have it reviewed before it is run',
    find: ({calls}) =>
      calls.flatMap(({command, scripts}) => [command, ...scripts].flatMap(downloadsRun)),
  },
  {
    id: 'hidden-command',
    refuses:
      'commands that nobody can read before they run: code that another command prints into a shell or an interpreter, and text with invisible characters',
    safer: 'write the command out, one plain command at a time',
    find: hiddenCommands,
  },
  commandRule({
    id: 'smuggled-command',
    refuses:
      'options and variables that run other code: `git -c core.pager=…`, `--upload-pack`, `tar --checkpoint-action`, `rg --pre`, `LD_PRELOAD`, `awk system()`',
    safer: 'run that code as a command of its own, where it can be seen',
    inScripts: true,
    when: smuggles,
  }),
  commandRule({
    id: 'inline-code',
    refuses:
      'inline code of another language that deletes files, opens connections or reads the whole environment: `python -c`, `node -e`, `perl -e`',
    safer: 'use a command, or write the code to a file that can be reviewed',
    when: (command) =>
      !shells.has(command.name) &&
      isInterpreter(command.name) &&
      dangerousCode.test(inlineCode(command)),
  }),
];

const fetchers = /^(?:curl|wget2?|aria2c|http|https|xh|fetch|lynx|nc|ncat)$/;

function downloadsRun(understood: Understanding | undefined): readonly string[] {
  const commands = understood?.commands ?? [];
  const fetches = commands.filter(({name}) => fetchers.test(name));
  if (fetches.length === 0) return [];
  const saved = new Set(fetches.flatMap(savedNames).map(baseName));
  return commands.filter((command) => runsFetched(command, saved)).map(({text}) => text);
}

function runsFetched(command: SimpleCommand, saved: ReadonlySet<string>): boolean {
  const {name, args, piped} = command;
  const runsSaved = args.some(({text}) => saved.has(baseName(text)));
  if (saved.has(name) || (name === 'chmod' && runsSaved)) return true;
  if (!isInterpreter(name) && !/^(?:eval|source|\.|busybox|xargs)$/.test(name)) return false;
  const fetched = args.some((word) => isSubstituted(word) && /\b(?:curl|wget)/.test(word.text));
  const shell = args.findIndex(({text}) => shells.has(text));
  const isFed = piped && (readsCode(command) || shell >= 0);
  return isFed || fetched || runsSaved;
}

/** Names of files to which a download is saved. */
function savedNames({args, redirects}: SimpleCommand): readonly string[] {
  const texts = args.map(({text}) => text);
  const named = texts.filter((_text, at) =>
    /^(?:-[a-zA-Z]*[oO]|--output(?:-document)?)$/.test(texts[at - 1] ?? ''),
  );
  const attached = texts
    .map((text) => /^(?:-o|--output(?:-document)?=)(.+)$/.exec(text)?.[1])
    .filter((text) => text !== undefined);
  const remote = texts.filter((text) => /^\w+:\/\/.*\/[^/]+$/.test(text));
  return [...named, ...attached, ...remote, ...redirects.map(({target}) => target.text)].filter(
    (name) => name !== '-',
  );
}

function baseName(path: string): string {
  return path
    .replace(/[?#].*$/, '')
    .slice(path.lastIndexOf('/') + 1)
    .toLowerCase();
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

function hiddenCommands({calls}: PolicyInput): readonly string[] {
  return calls.flatMap(({code = '', command, scripts, puts}) => {
    const fed = (command?.commands ?? []).filter(
      (one) => one.piped && isInterpreter(one.name) && readsCode(one),
    );
    const written = scripts.length > 0 ? puts : [];
    return [...[code, ...written].flatMap(unseenIn), ...fed.map(({text}) => text)];
  });
}

const smugglingVariables =
  /^(?:LD_PRELOAD|LD_AUDIT|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|GIT_SSH(?:_COMMAND)?|GIT_(?:EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG\w*|EXEC_PATH|TEMPLATE_DIR)|PERL5OPT|PERL5DB|PYTHONSTARTUP|RUBYOPT|IFS)=/;
/** Variables that may only be set to programs that change nothing. */
const chosenPrograms =
  /^(?:GIT_PAGER|GIT_EDITOR|GIT_SEQUENCE_EDITOR|PAGER|EDITOR|VISUAL)=(?!["']?(?:cat|less|more|true|:|false|)["']?$)/;
const smugglingGit =
  /(?:^|\s)(?:-c\s*(?:core\.(?:pager|sshcommand|fsmonitor|editor|askpass|hookspath|gitproxy)|alias\.\S+|diff\.(?:external|\S+\.\S+)|credential\S*|filter\.\S+|uploadpack\S*)|--upload-pack|--receive-pack|--exec=|--config-env|--ext-diff|--open-files-in-pager\S|config\s.*(?:core\.(?:pager|sshcommand|fsmonitor|editor|hookspath)\s+\S|filter\.\S+\s+\S|alias\.\S+\s+['"]?!)|bisect\s+run|difftool|mergetool)/i;

const smugglingLines: LineTable = [
  [/^git$/, smugglingGit],
  [
    /^(?:tar|bsdtar|gtar)$/,
    /--(?:checkpoint-ac\S*|to-com\S*|use-com\S*|rsh-com\S*)[= ](?!(?:gzip|zstd|xz|bzip2|pigz|lz4)\b)/,
  ],
  [/^[gmn]?awk$/, /\bsystem\s*\(|\|\s*getline|print[^|]*\|\s*"/],
  [/^rg$/, /\s--(?:pre|hostname-bin)\b/],
  [/^(?:vim?|nvim|ex|ed|emacs|less|more|man)$/, /\s\+?(?:-c\s|:)?!|--eval|--batch/],
  [/^zip$/, /\s-TT\b/],
  [/^sort$/, /--compress-p/],
];

function smuggles(command: SimpleCommand): boolean {
  // `IFS` of `read` splits an input line into fields, not a command into words.
  const given = settings(command).filter(
    (value) => command.name !== 'read' || !value.startsWith('IFS='),
  );
  if (given.some((value) => smugglingVariables.test(value) || chosenPrograms.test(value)))
    return true;
  return looksLike(command, smugglingLines);
}

const dangerousCode =
  /\brmtree\b|\b(?:rm|rmdir|unlink|truncate|removeSync|remove(?:dirs)?|removeAll)(?:Sync)?\s*\(|\bunlink\b|\bdel(?:ete)?Tree\b|\brm\s+-\w*[rf]|\bFileUtils\.rm|\bsocket\b(?=[\s\S]*\b(?:connect|create_connection|send\w*|TCPSocket)\b)|\bTCPSocket\b|\bWebSocket\b|\bhttps?\.(?:request|get)\b|\bfetch\s*\(|\brequests\.\w+\s*\(|\burlopen\b|\bNet::|\b(?:print|log|dumps|stringify)\s*\(\s*(?:dict\()?(?:os\.environ|process\.env)\b(?![.[])|%ENV\b|\bexec\s*\(\s*base64|\batob\s*\(/;

function inlineCode({args, input}: SimpleCommand): string {
  const texts = args.map(({text}) => text);
  const given = texts.filter(
    (text, at) =>
      /^-[a-zA-Z]*[ceEpr]$|^--(?:eval|print|code)$|^eval$/.test(texts[at - 1] ?? '') &&
      !text.startsWith('-'),
  );
  const attached = texts
    .map((text) => /^(?:--(?:eval|print)=|-[ceE](?=\S))(.*)$/s.exec(text)?.[1])
    .filter((text) => text !== undefined);
  return [...given, ...attached, input ?? ''].join('\n');
}
