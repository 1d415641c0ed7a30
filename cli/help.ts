/** What `quorate help` prints. Plain text without imports: it must show at once. */

const general = `Quorate: models plan and act, a panel of models votes before anything risky happens, a person decides
where the panel can't.

Usage: quorate [options] TASK…
       quorate ask [options] QUESTION…
       quorate COMMAND [options]

  quorate "Write an overview of this repository to OVERVIEW.md"
  quorate --scope plan-only "Rename the function load to read"
  quorate -m anthropic/claude-sonnet-4.5 -m review=gpt-5.2 "Fix the failing test"
  git log -5 --stat | quorate -

Commands:
  ask QUESTION         answer a question with tools that only read; --db FILE: a SQLite file, --docs GLOB: documents
  resume [ID]          continue a run that was suspended or waits for a person (no ID: the newest)
  cancel ID            end a run, wherever it is
  sessions             list the runs
  show ID              show a run: its plan, its votes with their reasons, its tasks
  config               show every setting and where it comes from; --trust: trust ./quorate.toml as it is
  doctor               say what is configured, reachable and missing; --online: ask the providers too
  demo                 a run in a sample folder, without a network and without keys
  help [TOPIC]         topics: models, offline, config, rules, gate, exit-codes, and each command

Options (before or after a command):
  -m, --model [ROLE=]NAME    the model for a role: exploration, decision, review, participants, moderator, ask;
                             without a role: for all. Repeat review= for a panel of several
      --scope SCOPE          full | fast (the policy reviewers vote) | plan-only (ends with the reviewed plan)
      --rule RULE            when the panel has decided: majority | unanimous | at_least:N | N%
      --hil MODE             who decides when the panel can't: interactive | auto_reject | auto_approve
      --final-review         have the panel vote on the result, too
  -C, --cwd DIR              work in this folder
      --max-cost USD         stop before the models cost more
      --max-calls N          stop before more model calls than this
      --timeout TIME         stop after this running time: 90s, 10m, 2h, or milliseconds
      --output FORMAT        text | json (the result) | jsonl (every event, one a line), on stdout
  -q, --quiet                no progress
  -v, --verbose              thoughts and reasons, too
  -h, --help                 this text
  -V, --version              the version

A task that begins with the name of a command goes after two dashes: quorate -- show me the tests
Exit codes: 0 done · 1 failed, rejected or cancelled · 2 could not run · 3 limit reached · 4 waiting · 130 interrupted
`;

const models = `Models are named PROVIDER/MODEL, such as anthropic/claude-sonnet-4.5 or openai/gpt-5.2-codex. Names that begin with
claude-, gpt- or o3, o4 … need no provider.

  ANTHROPIC_API_KEY    the key for anthropic/…
  OPENAI_API_KEY       the key for openai/…

Any server that speaks OpenAI's Chat Completions (Ollama, vLLM, llama.cpp, LM Studio) goes into the user file,
~/.config/quorate/config.toml:

  [providers.local]
  base_url = "http://127.0.0.1:11434/v1"
  api_key_env = ""             # the variable that holds the key, if the server wants one

and is used as: quorate -m local/qwen3 "Explain this repository"

A model that you name must have its key. A default that has none gives way, with a warning. quorate doctor says which.
`;

const offline = `With no model configured, a built-in rule-based model works and the three policy reviewers vote. It understands requests
such as:

  quorate "Write an overview of this repository to OVERVIEW.md"
  quorate "Collect all TODO and FIXME comments into TODO.md"
  quorate "Replace colour with color in all .md files"
  quorate "Create notes.txt with the text: hello"
  quorate "Run npm test and report"
  quorate ask "What is (17 ** 3 - 1) // 7 % 100?"
  quorate ask --db sales.sqlite "SELECT count(*) FROM orders"
  quorate ask "Where is the retry limit defined?"

For others it says that it can't and how to configure a model (quorate help models).
`;

const config = `Usage: quorate config [--trust] [--output json]

Prints every setting and where it comes from. Later ones win:

  1. defaults
  2. the user file      $XDG_CONFIG_HOME/quorate/config.toml (~/.config/quorate/config.toml)
  3. the project file   quorate.toml in the working folder
  4. the environment    QUORATE_SECTION_KEY, such as QUORATE_AGENT_HIL_MODE=auto_reject; lists with commas
  5. flags

A project file comes with somebody's code, so until you trust its content it may only tighten: lower limits, a stricter
rule, more reviews. Whatever loosens is ignored with a warning. quorate config --trust trusts ./quorate.toml exactly as
it is now; a change of the file ends the trust.
`;

const rules = `The panel has decided (--rule, quorum.rule) when:

  majority       more than half of the seats approve
  unanimous      all seats approve
  at_least:N     N seats or more approve
  N%             N percent of the seats or more approve

All seats count: a reviewer that is silent, late or confused never helps to approve. A tie fails.
`;

const gate = `A person decides when the panel has rejected a plan too often, when a vote finds no quorum, and when nobody knows whether
an effect happened. --hil says what happens then:

  interactive     ask on the terminal; without a terminal the run waits (exit 4) and can be resumed:
                  quorate resume ID --decision approve|reject|edit:FILE
  auto_reject     reject
  auto_approve    approve, and say so loudly; never for protected files or an effect in doubt
`;

const exitCodes = `  0    done, approved
  1    finished, but failed, rejected or cancelled
  2    could not run: usage, configuration, credentials, provider
  3    stopped by a limit
  4    waits for a person: quorate resume ID
  130  interrupted: quorate resume ID
`;

const ask = `Usage: quorate ask [--db FILE] [--docs GLOB]… [options] QUESTION…

Answers a question on stdout, with its sources; the steps go to stderr. Nothing can be changed: tools that write or run
commands do not exist here.

      --db FILE      a SQLite file that may be asked with SELECT (database.path)
      --docs GLOB    the documents that search looks into, such as "docs/**/*.md"; repeat it for several (search.paths)

Other tools: the workspace's files, a calculator, and, with [web] enabled = true, web pages. A tool that fails is tried
again; if it fails for good, the answer is given without it and says so. [guardrails] bounds and filters questions and
answers. Exit 0 answered, 1 blocked, 3 stopped by a limit.
`;

const resume = `Usage: quorate resume [ID] [--decision approve|reject|edit:FILE|retry|done|fail]

Continues a run where it stopped; without an ID the newest one that is open. --decision answers what it waits for:

  approve, reject     what was asked
  edit:FILE           run the plan in this file (JSON) instead
  retry, done, fail   for an effect of which nobody knows whether it happened: do it again, it has happened, give it up
`;

const doctor = `Usage: quorate doctor [--online]

Says what is configured, what can be reached and what is missing. Servers of yours are asked for their models;
Anthropic and OpenAI only with --online. Exit 0 if a run could start, 2 if not. Keys are never shown.
`;

const topics: Readonly<Record<string, string>> = {
  models,
  offline,
  config,
  rules,
  gate,
  'exit-codes': exitCodes,
  ask,
  resume,
  doctor,
  cancel:
    'Usage: quorate cancel ID\n\nEnds a run, wherever it is: nothing new starts, what is in flight is aborted.\n',
  sessions: 'Usage: quorate sessions [--output json]\n\nLists the runs, the newest first.\n',
  show: 'Usage: quorate show ID\n\nShows a run: what was asked, plan, votes with their reasons, tasks or steps, its result, and what it waits for.\n',
  demo: 'Usage: quorate demo\n\nA run in a copy of a sample folder with scripted models: no network, no keys.\n',
};

export const helpTopics: readonly string[] = Object.keys(topics);

/** The text for a topic or a command; the general one for none. Undefined for a topic that does not exist. */
export function helpText(topic?: string): string | undefined {
  if (topic === undefined) return general;
  return Object.hasOwn(topics, topic) ? topics[topic] : undefined;
}
