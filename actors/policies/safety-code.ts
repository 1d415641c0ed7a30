/** What policy/safety refuses because nobody can see what would run: downloads, computed and smuggled code. */

import {hasOption, isInterpreter, type LineTable, looksLike, settings} from './command-facts.ts';
import {commandRule, type Look, type Rule} from './rule.ts';
import {type Command, readsInput, shells} from './shell-commands.ts';

export const codeRules: readonly Rule[] = [
  {
    id: 'run-download',
    refuses:
      'running downloaded code: `curl … | sh`, `sh -c "$(curl …)"`, `bash <(curl …)`, `curl -o FILE … && sh FILE`',
    safer: 'download to a file, read it, and have that reviewed before it is run',
    find: downloadsRun,
  },
  {
    id: 'hidden-command',
    refuses:
      'commands that can not be read before they run: a computed name, `eval` or `sh -c` of computed text, code piped into a shell, text with unclosed quotes or invisible characters',
    safer: 'write the command out, one plain command at a time',
    find: hiddenCommands,
  },
  commandRule({
    id: 'smuggled-command',
    refuses:
      'options and variables that run other code: `git -c core.pager=…`, `--upload-pack`, `tar --checkpoint-action`, `rg --pre`, `LD_PRELOAD`, `awk system()`',
    safer: 'run that code as a command of its own, where it can be seen',
    when: smuggles,
  }),
  commandRule({
    id: 'inline-code',
    refuses:
      'inline code of another language that deletes files, starts processes or opens connections: `python -c`, `node -e`, `perl -e`',
    safer: 'use a command, or write the code to a file that can be reviewed',
    when: (command) =>
      !shells.has(command.name) &&
      isInterpreter(command.name) &&
      dangerousCode.test(inlineCode(command)),
  }),
];

const fetchers = /^(?:curl|wget2?|aria2c|http|https|xh|fetch|lynx|nc|ncat)$/;

function downloadsRun({calls}: Look): readonly string[] {
  return calls.flatMap(({script}) => {
    const commands = script?.commands ?? [];
    const fetches = commands.filter(({name}) => fetchers.test(name));
    if (fetches.length === 0) return [];
    const saved = new Set(fetches.flatMap(savedNames).map(baseName));
    return commands
      .filter((command) => {
        const runsCode = isInterpreter(command.name) || /^(?:eval|source|\.)$/.test(command.name);
        const fed = command.piped && readsInput(command);
        const computed = command.args.some(
          ({text, substituted}) => substituted && /\b(?:curl|wget)/.test(text),
        );
        const runsSaved = command.args.some(({text}) => saved.has(baseName(text)));
        return (
          (runsCode && (fed || computed || runsSaved)) ||
          saved.has(command.name) ||
          (/^(?:chmod)$/.test(command.name) && runsSaved)
        );
      })
      .map(({text}) => text);
  });
}

/** Files in which a download ends up. */
function savedNames({args, redirects}: Command): readonly string[] {
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

function hiddenCommands({calls}: Look): readonly string[] {
  return calls.flatMap(({script, code = '', tool, writes, isWritten}) => {
    if (!script) return [];
    const text = isWritten ? [tool, ...writes].join(' ') : code;
    const unread = script.problem === undefined ? [] : [`${text} ${script.problem}`];
    // A script of its own has variables for commands; what it does with them was not asked for yet.
    if (isWritten) return unread;
    const computed = script.commands.filter(isHidden).map((command) => command.text);
    return [...unread, ...(unseen.test(text) ? [text] : []), ...computed];
  });
}

function isHidden(command: Command): boolean {
  const {name, args, computed} = command;
  if (computed) return true;
  if (name === 'eval') return args.some((word) => word.computed);
  if (name === 'source' || name === '.') return args[0]?.computed === true;
  return isInterpreter(name) && (runsComputed(command) || runsUnseen(command));
}

function runsComputed({name, args}: Command): boolean {
  const option = args.findIndex(({text}) => /^-[a-z]*[ce]$/i.test(text));
  const code = option < 0 ? undefined : args[option + 1];
  return code?.computed === true && (!shells.has(name) || isWholeComputed(code.text));
}

/** Code that comes from another command, or from nowhere that can be seen. */
function runsUnseen(command: Command): boolean {
  if (!readsInput(command) || hasOption(command, 'vVh', '--version', '--help')) return false;
  return command.piped || (command.input === undefined && shells.has(command.name));
}

/** `sh -c "$1"`: nothing of the text can be read; in `sh -c "cat $f"` the command can. */
function isWholeComputed(text: string): boolean {
  return /^\s*[$`]/.test(text);
}

const smugglingVariables =
  /^(?:LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|BASH_ENV|ENV|PROMPT_COMMAND|GIT_SSH(?:_COMMAND)?|GIT_(?:EXTERNAL_DIFF|PAGER|EDITOR|ASKPASS|PROXY_COMMAND|CONFIG\w*)|PAGER|EDITOR|VISUAL|PERL5OPT|PYTHONSTARTUP|RUBYOPT|IFS)=/;
const smugglingGit =
  /(?:^|\s)(?:-c\s*(?:core\.(?:pager|sshcommand|fsmonitor|editor|askpass|hookspath|gitproxy)|alias\.\S+|diff\.\S+|protocol\.\S+|credential\S*|filter\.\S+|uploadpack\S*)|--upload-pack|--receive-pack|--exec=|--config-env|--ext-diff|config\s.*(?:core\.(?:pager|sshcommand|fsmonitor|editor|hookspath)|alias\.\S+\s+['"]?!)|bisect\s+run|submodule\s+foreach|difftool|mergetool)/i;

const smugglingLines: LineTable = [
  [/^git$/, smugglingGit],
  [
    /^(?:tar|bsdtar|gtar)$/,
    /--(?:checkpoint-action|to-command|use-compress-program|rsh-command)|\s-I\s/,
  ],
  [/^[gmn]?awk$/, /\bsystem\s*\(|\|\s*getline|print[^|]*\|\s*"/],
  [/^rg$/, /\s--(?:pre|hostname-bin)\b/],
  [/^(?:vim?|nvim|ex|ed|emacs|less|more|man)$/, /\s\+?(?:-c\s|:)?!|--eval|--batch/],
  [/^zip$/, /\s-TT\b/],
  [/^(?:gdb|expect)$/, /./],
  [/^g?find$/, /\s-f(?:printf?|ls)\b/],
];

const loader = /^NODE_OPTIONS=.*(?:-r|--require|--import|--loader)/;

function smuggles(command: Command): boolean {
  const variables = settings(command);
  if (variables.some((value) => smugglingVariables.test(value) || loader.test(value))) return true;
  return looksLike(command, smugglingLines);
}

const dangerousCode =
  /\brmtree\b|\b(?:rm|rmdir|unlink|truncate|remove(?:dirs)?)(?:Sync)?\s*\(|\bunlink\b|\bdel(?:ete)?Tree\b|\bsystem\s*\(?|\bexec[lv]?[pe]*(?:File)?(?:Sync)?\s*\(|\bspawn(?:Sync)?\s*\(|\bpopen\b|\bsubprocess\b|\bchild_process\b|\bshutil\b|\bsocket\b|\bhttps?\b|\bfetch\s*\(|\brequests?\b|\burllib\b|\burlopen\b|\bos\.environ\b|\bprocess\.env\b(?!\.(?:NODE_ENV|CI)\b)|\beval\s*\(|\b__import__\b|\bFileUtils\b|\bNet::|\bENV\b|`[^`]*`|%ENV|\bbase64\b|\batob\b|fromCharCode/;

function inlineCode({args, input}: Command): string {
  const texts = args.map(({text}) => text);
  const given = texts.filter(
    (_text, at) =>
      /^-[a-z]*[ceEpr]$/.test(texts[at - 1] ?? '') ||
      /^--(?:eval|print|code)$/.test(texts[at - 1] ?? ''),
  );
  const attached = texts
    .map((text) => /^(?:--(?:eval|print)=|-[ceE](?=\S))(.*)$/s.exec(text)?.[1])
    .filter((text) => text !== undefined);
  return [...given, ...attached, input ?? ''].join('\n');
}
