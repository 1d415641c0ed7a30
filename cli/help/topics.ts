/** Help topics that are not commands, as plain text. */

import {listed, type Message, t} from '../../machines/message.ts';
import {ruleForms} from '../../machines/panel/rule.ts';

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

const rows = ruleForms.map(
  ({spelling, meaning}) => t`  ${spelling.padEnd(15)}${{text: meaning, values: []}}`,
);
const rules = t`${rulesHead}

${listed(rows, (before, row) => t`${before}\n${row}`)}

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
