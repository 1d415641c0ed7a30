/** What each setting means, in a line: for `quorate config`, the help and README. */

import {ruleSpellings} from '../../machines/panel/rule.ts';

/** By key; `NAME`, `MODEL` and `SEAT` stand for what the user chooses. */
export const descriptions: Readonly<Record<string, string>> = {
  'agent.consensus_level':
    'ensemble: the models of the panel each draft the first plan, and score those of the others',
  'agent.min_plan_score':
    'of an ensemble: below this mean score (1 … 10) the best plan is drafted once more',
  'agent.phase_scope':
    'full; fast: the policy reviewers alone vote; plan-only: ends with the reviewed plan',
  'agent.strategy':
    'of an ensemble: quorum, or debate, in which its plan is debated before the panel votes',
  'agent.hil_mode': "who decides when the panel can't: a person, or nobody (reject or approve)",
  'agent.max_plan_revisions':
    'rejections of a plan until a person is asked; sooner, when the planner has no other plan',
  'agent.max_replans': 'new plans for what is left, after problems in a result',
  'agent.max_iterations': 'tasks started in a run, those of new plans included',
  'agent.max_tool_turns': 'model calls of one task',
  'agent.max_tool_retries': 'repetitions of a tool that failed for a passing reason',
  'agent.max_parallel_tasks': 'tasks at work at the same time',
  'agent.require_plan_review': 'nothing is done without a vote: this can’t be switched off',
  'agent.require_final_review': 'whether the panel votes on the result, too',
  'agent.working_dir': 'the folder to work in; empty: the current one',
  'agent.confirm_execution': 'whether a person is asked before an approved plan runs',
  'agent.exploration_model': 'the model that reads the workspace and does what is harmless',
  'agent.decision_model': 'the model that plans, acts and judges',
  'agent.review_models':
    'the seats of the panel: models, or policy/safety, policy/scope, policy/evidence',
  'quorum.rule': `when the panel has decided: ${ruleSpellings}`,
  'quorum.min_participation': 'votes without which nothing is decided',
  'quorum.deadline_ms': 'the time that a reviewer has',
  'quorum.feedback_grace_ms': 'after a rejection, the time for more reasons',
  'quorum.weights.SEAT': 'what a seat counts; 1 unless it is set',
  'quorum.veto':
    'seats without whose approval nothing is approved; policy/* means every policy reviewer',
  'quorum.screen': 'policy reviewers that are heard before any model; what one refuses is vetoed',
  'ask.model': 'the model that answers questions',
  'ask.max_steps': 'model calls for one question',
  'ask.max_retries': 'repetitions of a tool that failed',
  'ask.max_history': 'messages kept of a conversation',
  'discuss.participants': 'the models that discuss; empty: those of agent.review_models',
  'discuss.moderator': 'the model that draws the conclusion; empty: agent.decision_model',
  'discuss.strategy':
    'quorum: all answer and rank each other; debate: one holds a position against the objections of another',
  'discuss.deadline_ms':
    'the time for one answer, one review, one conclusion, one turn of a debate',
  'debate.models': 'proponent and opponent; empty: the first two participants of a discussion',
  'debate.max_rounds': 'rounds of objections, until grave ones that are open go to a person',
  'debate.intensity': 'how hard the opponent is to try',
  'interview.model': 'the model that leads interviews; empty: agent.decision_model',
  'interview.reviewer':
    'the model that judges whether an answer suffices, where rules can’t; empty: interview.model',
  'interview.max_loops':
    'model calls of one agent of an interview until it asks something; then a prepared question is asked',
  'interview.max_follow_ups':
    'questions about one field after the first; then it is left as it is, or skipped',
  'guardrails.max_input_tokens': 'the longest question, without what is attached to it',
  'guardrails.max_output_tokens': 'the longest answer',
  'guardrails.blocked_patterns': 'RE2 patterns that no question and no answer may match',
  'search.top_k': 'passages that a search returns',
  'search.paths': 'globs of the documents that are searched',
  'database.path': 'a SQLite file that may be asked; empty: none',
  'database.max_rows': 'rows that a query returns',
  'web.enabled': 'whether pages of the web may be read',
  'web.allow_private': 'whether these may be on private addresses',
  'limits.max_cost_usd': 'what a run may cost, by known prices and the costs that models report',
  'limits.max_model_calls': 'model calls of a run',
  'limits.timeout_ms': 'running time of a run; waiting for a person does not count',
  'context.max_entry_bytes': 'of one earlier result, as later tasks see it',
  'context.max_total_bytes': 'of all earlier results together',
  'context.recent_full_count': 'latest results that are shown whole',
  'context.max_attached_bytes': 'of all that is piped in and named with @, together',
  'spawn.when':
    'of a rule, each headed [[spawn]]: EVENT or EVENT:N, met once, at the N-th plan.rejected, action.rejected, task.failed or quorum.noQuorum of an agent or a question',
  'spawn.form': 'what is spawned below it then; what a rule has spawned meets no rule itself',
  'spawn.request': 'what is to be done, asked or discussed; the result is told to the one above',
  'spawn.context_mode':
    'what it is told of the one above: all, a summary, nothing; projected for ask, else full',
  'allow.folder':
    'of what a person has allowed for good (/always at a gate), each headed [[allow]]: where the command starts',
  'allow.command': 'the whole command, or its first words',
  'allow.match': 'whether it is the whole command, or any words may follow',
  'allow.based_on':
    'SHA-256 of the scripts and code that it stood for: others are asked about again',
  'commands.env':
    'names of variables that commands get beside the usual ones, such as JAVA_HOME; those that hold secrets are left out',
  'commands.max_memory_percent':
    'of the machine’s memory, what a command and all that it starts may take, where the kernel can bound that',
  'commands.max_processes': 'processes of a command at once, their threads included',
  'sandbox.mode': 'commands are confined: where that works, always (else refused), never',
  'sandbox.container': 'a container runtime that confines commands, in place of bubblewrap',
  'sandbox.image': 'what its containers are made from: they see its programs, not this machine’s',
  'sandbox.network':
    'what commands in bubblewrap may reach, through a proxy: example.com:443, *.example.com:443; an address that is not public only by itself',
  'secrets.patterns':
    'regular expressions; what they match is replaced wherever it would be stored or shown',
  'providers.NAME.kind': 'how it is spoken to; openai-compatible unless the name is known',
  'providers.NAME.base_url': 'its address, for most ending in /v1',
  'providers.NAME.api_key_env': 'the variable that holds its key; empty: it wants none',
  'providers.NAME.timeout_ms': 'of a whole reply; 600000, on this machine 3600000',
  'providers.NAME.first_byte_ms': 'until a reply begins; 30000, on this machine 600000',
  'providers.NAME.max_output_tokens': 'the longest reply asked for; 8192',
  'prices.MODEL.input': 'US dollars per million tokens; well-known models have their list price',
  'prices.MODEL.cached_input': 'of input that the provider had in its cache; as other input',
  'prices.MODEL.output': 'of output',
};

/** Of lists of tables, as wholes. */
export const listDescriptions: Readonly<Record<string, string>> = {
  spawn: 'rules by which an interaction spawns another, each headed [[spawn]]',
  allow:
    'commands that a person has allowed for good (/always at a gate), each headed [[allow]]; quorate config --forget COMMAND takes one back',
};
