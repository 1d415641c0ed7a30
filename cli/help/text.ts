/** Builds the text of `quorate help` from the commands and the options. */

import {listed, type Message, t} from '../../machines/message.ts';
import {ruleForms} from '../../machines/panel/rule.ts';
import {loadAll} from '../commands/index.ts';
import {type Reader, say} from '../language.ts';
import type {Command, Option} from '../line/command.ts';
import {earlyOptions, globalOptions, obeyedOptions} from '../line/options.ts';
import {padTo, tokensOf, widthOfText} from '../render/text.ts';
import {type Terminal, widthOf, write} from '../terminal.ts';

/** The names of all help topics. */
export async function helpTopics(): Promise<readonly string[]> {
  const all = await loadAll();
  return ['all', ...new Set([...Object.keys(topics), ...all.map(([name]) => name)])];
}

/** Writes the text for a topic or a command, the overview without a topic, in lines that fit. */
export async function writeHelp(
  {stdout: output, language}: Pick<Terminal, 'stdout' | 'language'>,
  topic?: string,
): Promise<void> {
  const text = await helpText(topic, {language});
  await write(output, output.isTTY === true ? fold(text, widthOf(output)) : text);
}

/** The text for `all`, a topic, a command, or both if they share the name; the overview for none. */
export async function helpText(topic?: string, reader: Reader = {}): Promise<string> {
  const all = await loadAll();
  if (topic === 'all') return allText(all, reader);
  const named = all.find(([name]) => name === topic);
  const topicText = topic !== undefined && Object.hasOwn(topics, topic) ? topics[topic] : undefined;
  const parts = [
    ...(topicText ? [say(topicText, reader)] : []),
    ...(named ? [commandText(...named, reader)] : []),
  ];
  return parts.length === 0 ? say(overview, reader) : parts.join('\n');
}

/** At most 24 lines of 80 columns: it fits on every terminal. */
const overview: Message = t`Quorate: models plan and act, a panel votes on what is risky, you decide.

  quorate                      start a conversation
  quorate "TASK"               plan it, vote on it, do it
  quorate ask "QUESTION"       answer from files or a database; only reads
  quorate discuss "QUESTION"   several models answer, rank each other, conclude
  quorate review < DIFF        vote on a change: exit 0 approved, 1 rejected
  quorate interview FORM       fill a form by conversation
  quorate serve, quorate mcp   forms and runs for browsers, programs and agents

  quorate runs                 what ran in this folder
  quorate show, inspect        a run's votes and diffs, here or in a browser
  quorate resume, fork, undo   continue, continue otherwise, take files back

  quorate demo, doctor         ten seconds without a key; what is missing here
  quorate models, config       what can be reached; every setting and its source

  -m MODEL                     for every role; -m review=A,B seats two reviewers
  -C DIR, -q, -v               work in this folder; less progress, more progress
  --plan-only                  stop after the vote on the plan
  --hil MODE                   who decides if the panel can't: quorate help gate
  --output json, --max-cost USD, --timeout TIME, --continue

More: quorate help all · quorate help COMMAND · quorate help exit-codes
`;

const heading: Message = t`Usage: quorate [options] TASK…
       quorate COMMAND [options]
`;

const footing: Message = t`A task that begins with the name of a command goes after two dashes: quorate -- show me the tests
Exit codes: 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limit reached · 4 waiting · 130 interrupted
`;

const commandsTitle: Message = t`Commands:`;

const optionsTitle: Message = t`Options (before or after a command; a command refuses options that it does not use):`;

function allText(all: readonly (readonly [string, Command])[], reader: Reader): string {
  const list = Object.keys(topics).join(', ');
  const names = t`topics: all, ${list}, and each command`;
  const rows = all.map(([name, {operands, summary}]) => [
    [name, operands?.usage ?? ''].join(' ').trim(),
    say(name === 'help' ? names : summary, reader),
  ]);
  return [
    say(heading, reader),
    say(commandsTitle, reader),
    ...columns(rows.map(([left = '', right = '']) => [`  ${left}`, right])).map((row) =>
      fold(row, maxWidth),
    ),
    '',
    say(optionsTitle, reader),
    ...optionLines([...globalOptions, ...earlyOptions], reader),
    '',
    say(footing, reader),
  ].join('\n');
}

function commandText(name: string, command: Command, reader: Reader): string {
  const {operands, summary, detail, options = [], examples = []} = command;
  const shown = options.filter(({text}) => text);
  const flags = shown.map(({name: flag, takes}) => `[--${flag}${takes ? ` ${takes}` : ''}]`);
  const line = ['quorate', name, ...flags, '[options]', operands?.usage ?? ''].join(' ').trim();
  return [
    fold(`${say(t`Usage`, reader)}: ${line}`, maxWidth),
    '',
    fold(detail ? say(detail, reader).trimEnd() : sentence(say(summary, reader)), maxWidth),
    ...(shown.length > 0 ? ['', ...optionLines(shown, reader)] : []),
    ...(examples.length > 0 ? ['', ...examples.map((example) => `  ${example}`)] : []),
    '',
    ...say(alsoText(obeyed(command)), reader)
      .split('\n')
      .map((row) => fold(row)),
    '',
  ].join('\n');
}

const maxWidth = 125;

function sentence(summary: string): string {
  return `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
}

function alsoText(flags: readonly string[]): Message {
  const list = flags.join(' ');
  return t`Also: ${list};
see quorate help all.`;
}

/** The global options of a command, as they are written. */
function obeyed({obeys}: Command): readonly string[] {
  return obeyedOptions(obeys).map(({name, short}) =>
    short === undefined ? `--${name}` : `-${short}`,
  );
}

function optionLines(options: readonly Option[], reader: Reader): string[] {
  return columns(
    options.flatMap(({name, short, takes, text}) => {
      const left = `  ${short ? `-${short},` : '   '} --${name}${takes ? ` ${takes}` : ''}`;
      return text ? [[left, say(text, reader)]] : [];
    }),
  );
}

/** Two columns. A text of several lines continues below its beginning. */
function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => widthOfText(left))) + 3;
  return rows.map(
    ([left, right]) => padTo(left, width) + right.replaceAll('\n', `\n${' '.repeat(width)}`),
  );
}

// Breaks text to fit a screen.

const usualWidth = 120;

/** Breaks long lines at blanks; continuation rows are indented to the last column, or as their line. */
function fold(text: string, width = usualWidth): string {
  return text
    .split('\n')
    .flatMap((line) => foldLine(line, width))
    .join('\n');
}

/** Two columns: the right one continues below itself if it has half of the screen. */
const columnsPattern = /^ {2,}\S.*? {3,}(?=\S)/;

const narrowIndent = ' '.repeat(8);

function foldLine(line: string, width: number): string[] {
  if (widthOfText(line) <= width) return [line];
  const own = /^ */.exec(line)?.[0].length ?? 0;
  // On a narrow terminal a column that begins in its right half would leave no room for words.
  if (own * 2 > width) return foldLine(narrowIndent + line.trimStart(), width);
  const right = widthOfText(columnsPattern.exec(line)?.[0] ?? ' '.repeat(own));
  const indent = right * 2 <= width ? right : own + 4;
  const head = beginningOf(line, width);
  if (widthOfText(head) <= indent) return [line];
  const rest = line.slice(head.length).trimStart();
  return [head.trimEnd(), ...foldLine(' '.repeat(indent) + rest, width)];
}

/** As many words as fit, or wide characters: lines break between these, too. */
function beginningOf(line: string, width: number): string {
  let [head, used] = ['', 0];
  for (const word of tokensOf(line)) {
    used += widthOfText(word);
    if (used > width && word.trim() !== '') return head;
    head += word;
  }
  return head;
}

// Help topics that are not commands, as plain text.

const models = t`Models are named PROVIDER/MODEL, such as anthropic/claude-sonnet-4.5 or openai/gpt-5.2-codex. Names that begin with
claude-, gpt- or o3, o4 … need no provider.

  ANTHROPIC_API_KEY    the key for anthropic/…
  OPENAI_API_KEY       the key for openai/…

Others work by their name alone. On this machine, at their usual addresses:

  ollama/…  lmstudio/…  llamacpp/…  vllm/…        quorate -m ollama/qwen3 "Explain this repository"

Elsewhere, with their key:

  openrouter/…   OPENROUTER_API_KEY          groq/…       GROQ_API_KEY
  gemini/…       GEMINI_API_KEY              mistral/…    MISTRAL_API_KEY
  azure/…        AZURE_OPENAI_API_KEY        deepseek/…   DEEPSEEK_API_KEY

azure also needs the address of your resource. Any other server with OpenAI's Chat Completions API is configured in the
user file, ~/.config/quorate/config.toml, and so are different settings of a known provider:

  [providers.mine]
  base_url = "http://192.168.1.5:8000/v1"
  api_key_env = ""             # the variable that holds the key, if the server needs one
  first_byte_ms = 600000       # how long a reply may take to begin: ten minutes is usual on this machine, 30 s elsewhere
  timeout_ms = 3600000         # how long a whole reply may take
  max_output_tokens = 8192     # the longest reply asked for
  context_window = 32000       # of its models, in tokens; for Ollama, the context length that the server is set to

  [providers.azure]
  base_url = "https://RESOURCE.openai.azure.com/openai/v1"

quorate models says which providers can be reached and which models they have. Models must support tool calls.

A model that you name must have its key. A default model without a key is replaced by another
one, with a warning; quorate doctor shows the models in use.
`;

const input = t`  quorate "TASK"                    the words are the task
  echo "TASK" | quorate             without words, standard input is the task
  npm test | quorate "Fix this"     with words, standard input is their subject
  slow-one | quorate "Sum it up" -  … however long it takes to begin; without the dash a pipe that is silent for a second
                                    is ignored, with a warning
  quorate "Follow @docs/style.md"   @FILE attaches a file of the working folder; with blanks: @"my notes.txt".
                                    A word that names no file stays as it is

Attachments are quoted to the models as data, not as instructions. They must be UTF-8 text. If they are together longer
than context.max_attached_bytes, the middle is cut, with a warning. guardrails.max_input_tokens limits the question alone.

AGENTS.md, CLAUDE.md and .quorate/context.md of the working folder and of the folders above it, up to the root of its git
repository, are quoted to the models as words of the repository's author. Models that plan, act and answer follow their
conventions where the request and the rules do not say otherwise; to reviewers they are only data. The nearer file takes
precedence; in one folder .quorate/context.md, then AGENTS.md. Files in folders below are not read: work there with -C.
context.max_files_bytes limits them together; 0 switches them off. quorate init writes AGENTS.md.
`;

const rulesHead = t`The panel has decided (--rule, quorum.rule) when:`;

const rulesFoot = t`All seats count: a reviewer that is silent, late or confused never helps to approve. A tie fails.`;

const gate = t`A person decides when the panel has rejected a plan too often, when a vote finds no quorum, and when nobody knows whether
an effect happened. --hil sets what happens then:

  interactive     ask on the terminal; without a terminal the run waits (exit 4) and can be resumed:
                  quorate resume ID --decision approve|reject:REASON|edit:FILE|revise:WORDS
                  (--gate DIGEST selects one of several questions)
  auto_reject     reject
  auto_approve    approve, with a warning; never after a veto, for a proposal that no reviewer could judge, for protected
                  files, or for an effect in doubt
`;

const exitCodes = t`  0    done, approved
  1    finished, but failed, rejected or cancelled
  2    could not run: usage, configuration, credentials, provider
  3    stopped by a limit
  4    waits for a person: quorate resume ID
  130  interrupted: quorate resume ID
`;

const ruleRows = ruleForms.map(
  ({spelling, meaning}) => t`  ${spelling.padEnd(15)}${{text: meaning, values: []}}`,
);
const rules = t`${rulesHead}

${listed(ruleRows, (before, row) => t`${before}\n${row}`)}

${rulesFoot}
`;

/** In the order of the help. */
export const topics: Readonly<Record<string, Message>> = {
  models,
  input,
  rules,
  gate,
  'exit-codes': exitCodes,
};
