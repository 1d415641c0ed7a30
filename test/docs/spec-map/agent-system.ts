/** Agent system: autonomous tasks, votes on plans, actions and results, and decisions of a person. */

import type {SpecDocument} from './row.ts';

export const agentSystem: SpecDocument = {
  subject: 'Agent system',
  sections: [
    {
      title: 'Starting a task',
      rows: {
        '1.1.1': {
          says: 'One model does the routine work; several models vote at the points that matter',
          code: 'machines/forms/agent/agent.ts#reviewingPlan',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
        },
        '1.1.2': {
          says: 'A task on the command line starts an agent',
          code: 'cli/commands/task.ts#task',
          test: 'cli/launcher.test.ts#without a terminal a run that needs a person',
        },
        '1.1.3': {
          says: '`--ensemble` has several models plan',
          code: 'cli/line/options.ts#ensemble',
          test: 'cli/ensemble.test.ts#the reviewers draft and score',
        },
        '1.1.4': {
          says: '`--chat` starts a conversation, in which a line is a task',
          code: 'cli/commands/chat.ts#chat',
          test: 'cli/chat/terminal.test.ts#on a pseudo-terminal a task runs when it is typed',
          instead: '`quorate chat`, or `quorate` alone on a terminal',
        },
        '1.1.5': {
          says: '`/solo` and `/ens` switch in a conversation',
          code: 'cli/chat/commands/settings.ts#ens',
          test: 'cli/chat/terminal.test.ts#on a pseudo-terminal settings apply',
        },
      },
    },
    {
      title: 'Life of an agent',
      rows: {
        '1.2.1': {
          says: 'Gathering reads the project with tools that only read',
          code: 'machines/forms/agent/gathering/gathering.ts#gatheringMachine',
          test: 'machines/forms/agent/gathering/gathering.test.ts#high-risk tools are not offered',
        },
        '1.2.2': {
          says: '`exploration_model` gathers; `decision_model` plans',
          code: 'machines/forms/agent/gathering/background.ts#gatheringInput',
          test: 'actors/prompts-of-agent.test.ts#the exploration model gathers',
        },
        '1.2.3': {
          says: 'One model makes the plan of tasks',
          code: 'machines/forms/agent/planning/planning.ts#planningMachine',
          test: 'machines/forms/agent/planning/planning.test.ts#a draft with valid calls',
        },
        '1.2.4': {
          says: 'Every plan is voted on before it runs (quorum 1)',
          code: 'machines/forms/agent/proposals.ts#planReviewInput',
          test: 'machines/every-state-agent.test.ts#an agent $name obeys its laws',
        },
        '1.2.5': {
          says: 'A call of low risk runs directly',
          code: 'machines/loop/tool-call.ts#isLowRisk',
          test: 'machines/loop/tool-call.test.ts#a call of low risk runs at once',
        },
        '1.2.6': {
          says: 'A call of high risk runs only after a vote on it (quorum 2)',
          code: 'machines/loop/action-review.ts#actionReviewMachine',
          test: 'machines/loop/tool-call.test.ts#a call of high risk runs only when approved',
          instead: 'a call that a person allowed, with its plan or for good, needs no vote',
        },
        '1.2.7': {
          says: 'With `require_final_review`, the result is voted on (quorum 3)',
          code: 'machines/forms/agent/agent.ts#reviewingResult',
          test: 'machines/forms/agent/agent.test.ts#a result that needs a vote and is approved',
        },
        '1.2.8': {
          says: 'A `QuorumRule` decides each vote',
          code: 'machines/panel/rule.ts#QuorumRule',
          test: 'machines/panel/rule.test.ts#a decision equals exact arithmetic',
        },
      },
    },
    {
      title: 'Purposes of the reviews',
      rows: {
        '1.3.1': {
          says: 'Plan review: is the plan safe and right?',
          code: 'machines/panel/prompt.ts#plan',
          test: 'machines/panel/prompt.test.ts#reviewers of a plan',
        },
        '1.3.2': {
          says: 'Action review: is it needed, are its arguments right, is there a safer way?',
          code: 'machines/panel/prompt.ts#action',
          test: 'machines/panel/prompt.test.ts#reviewers of an action',
        },
        '1.3.3': {
          says: 'Final review: is the whole result good?',
          code: 'machines/panel/prompt.ts#result',
          test: 'machines/panel/prompt.test.ts#reviewers of a result',
        },
      },
    },
    {
      title: 'Risks of tools',
      rows: {
        '1.4.1': {
          says: '`read_file`, `glob_search` and `grep_search` are of low risk',
          code: 'tools/read/read-file.ts#read_file',
          test: 'tools/toolbox.test.ts#the built-in tools have the risks of the design',
          instead: 'reading a file that may hold credentials is of high risk',
        },
        '1.4.2': {
          says: '`write_file` is of high risk',
          code: 'tools/write/write-file.ts#write_file',
          test: 'tools/toolbox.test.ts#the built-in tools have the risks of the design',
        },
        '1.4.3': {
          says: '`run_command` is of high risk',
          code: 'tools/run/run-command.ts#run_command',
          test: 'tools/toolbox.test.ts#the built-in tools have the risks of the design',
        },
      },
    },
    {
      title: 'Plan and action review',
      rows: {
        '1.5.1': {
          says: '`require_plan_review` is always true',
          code: 'actors/config/sections/agent.ts#require_plan_review',
          test: 'cli/config/load.test.ts#mistakes in a file are named',
        },
        '1.5.2': {
          says: 'All review models are asked in parallel',
          code: 'machines/panel/poll.ts#pollMachine',
          test: 'machines/panel/poll.test.ts#all seats are asked at once',
        },
        '1.5.3': {
          says: 'Each one votes approve or reject',
          code: 'machines/questions/ballot.ts#ballotSchema',
          test: 'machines/questions/ballot.test.ts#a reply approves exactly if',
          instead: 'or abstains, which never helps to approve',
        },
        '1.5.4': {
          says: 'The default rule is a majority',
          code: 'actors/config/sections/quorum.ts#majority',
          test: 'actors/config/defaults.test.ts#by default plans are reviewed',
          instead: 'of all seats, and policy reviewers by rule screen each proposal first',
        },
        '1.5.5': {
          says: 'A rejected plan is revised with the feedback of all reviewers, and voted on again',
          code: 'machines/forms/agent/agent.ts#revising',
          test: 'actors/prompts-of-agent.test.ts#a planner reads every reason of every seat',
        },
        '1.5.6': {
          says: 'A rejected action is skipped; this is not an error',
          code: 'machines/loop/call-result.ts#rejectedResult',
          test: 'machines/forms/agent/execution/task.test.ts#a rejected call skips the task',
          instead: 'the third rejection in a row also asks a person',
        },
      },
    },
    {
      title: 'Decisions of a person',
      rows: {
        '1.6.1': {
          says: 'After `max_plan_revisions` rejections a person decides, instead of endless retries',
          code: 'machines/forms/agent/agent-guards.ts#mayRevise',
          test: 'machines/forms/agent/agent.test.ts#a rejected plan is put to a person after the third',
        },
        '1.6.2': {
          says: '`interactive`: a person is prompted',
          code: 'machines/human-gate.ts#awaitingPerson',
          test: 'machines/human-gate.test.ts#in interactive mode a person decides',
        },
        '1.6.3': {
          says: '`auto_reject`: the agent aborts',
          code: 'machines/human-gate.ts#isAutoRejected',
          test: 'machines/forms/agent/agent.test.ts#a rejected plan is not put to a person in auto_reject',
        },
        '1.6.4': {
          says: '`auto_approve`: the last plan is approved',
          code: 'machines/human-gate.ts#isAutoApproved',
          test: 'machines/human-gate.test.ts#auto_approve answers for a person',
          instead: 'never after a veto, nor where only a person may answer',
        },
        '1.6.5': {
          says: 'The screen shows the reason, the request, the objective, the tasks, each round with its votes and reasons, and the commands',
          code: 'cli/gate/screen.ts#screenLines',
          test: 'cli/gate/at-gate.test.ts#the screen shows reason',
        },
        '1.6.6': {
          says: '`/approve` runs the plan as it is',
          code: 'machines/forms/agent/at-gate.ts#isAllowed',
          test: 'machines/forms/agent/gates.test.ts#a plan that the panel rejected and a person allowed runs',
        },
        '1.6.7': {
          says: '`/reject` aborts the agent',
          code: 'machines/forms/agent/agent.ts#isRefused',
          test: 'machines/forms/agent/agent.test.ts#a rejected plan that a person rejects as well',
        },
        '1.6.8': {
          says: '`/edit` edits the plan (planned in the specification)',
          code: 'cli/gate/editor.ts#createPlanEditor',
          test: 'cli/gate/at-gate.test.ts#/edit the edited plan is the decision',
        },
      },
    },
    {
      title: 'AgentConfig',
      rows: {
        '1.7.1': {
          says: '`exploration_model`, `decision_model` and `review_models`, with their defaults',
          code: 'actors/config/sections/agent.ts#review_models',
          test: 'actors/config/defaults.test.ts#by default a small model explores',
        },
        '1.7.2': {
          says: '`decision_model` also decides on high-risk tools',
          code: 'machines/forms/agent/execution/task.ts#decisionModel',
          test: 'actors/prompts-of-agent.test.ts#the exploration model works on a task',
        },
        '1.7.3': {
          says: '`consensus_level`: `solo` (default) or `ensemble`',
          code: 'machines/domain/settings.ts#ConsensusLevel',
          test: 'machines/forms/agent/planning/ensemble.test.ts#the highest mean wins',
        },
        '1.7.4': {
          says: '`phase_scope`: `full` (default)',
          code: 'machines/domain/settings.ts#PhaseScope',
          test: 'actors/config/defaults.test.ts#by default an agent works solo, in full',
        },
        '1.7.5': {
          says: '`phase_scope`: `fast`',
          code: 'actors/config/resolve.ts#fast',
          test: 'actors/config/resolve.test.ts#seats seats only the policy reviewers in fast',
          instead: 'nothing skips review: the reviewers by rule vote alone',
        },
        '1.7.6': {
          says: '`phase_scope`: `plan-only`',
          code: 'machines/forms/agent/agent-state.ts#isPlanOnly',
          test: 'machines/forms/agent/agent.test.ts#a plan-only agent ends',
        },
        '1.7.7': {
          says: '`strategy`: `quorum` (default) or `debate`',
          code: 'machines/domain/settings.ts#OrchestrationStrategy',
          test: 'machines/forms/agent/planning/ensemble.test.ts#a plan is debated by its author',
          instead: '`debate` needs an ensemble',
        },
        '1.7.8': {
          says: '`require_final_review`, off by default',
          code: 'actors/config/sections/agent.ts#require_final_review',
          test: 'actors/config/defaults.test.ts#by default plans are reviewed',
        },
        '1.7.9': {
          says: '`max_iterations` limits the work',
          code: 'machines/forms/agent/execution/execution.ts#iterationsLeft',
          test: 'actors/engine/replay.test.ts#limits no task is started beyond max_iterations',
          instead: 'it counts tasks started',
        },
        '1.7.10': {
          says: '`working_dir`: the folder of the tools',
          code: 'actors/config/sections/agent.ts#working_dir',
          test: 'actors/config/refusals.test.ts#agent.working_dir is where',
        },
        '1.7.11': {
          says: '`max_tool_retries`: retries after refused arguments',
          code: 'machines/loop/turn-limits.ts#endOfTurns',
          test: 'machines/loop/turn-loop.test.ts#it ends after too many turns in a row whose calls are all refused',
          instead: 'also of calls that failed for a passing cause',
        },
        '1.7.12': {
          says: '`max_plan_revisions` is 3 by default',
          code: 'actors/config/sections/agent.ts#max_plan_revisions',
          test: 'machines/default-settings.test.ts#by default four tasks run at once',
        },
        '1.7.13': {
          says: '`hil_mode` is `interactive` by default',
          code: 'machines/domain/settings.ts#HilMode',
          test: 'actors/config/defaults.test.ts#by default an agent works solo',
        },
        '1.7.14': {
          says: 'A TOML file sets the keys of `[agent]`',
          code: 'cli/config/toml.ts#parseConfigText',
          test: 'cli/config/load.test.ts#layers win in the order user file',
        },
      },
    },
    {
      title: 'Types and ports',
      rows: {
        '1.8.1': {
          says: '`AgentState`, `AgentPhase`',
          code: 'machines/forms/agent/agent-state.ts#AgentState',
          test: 'machines/forms/agent/agent.test.ts#each phase is reported',
          instead: 'a phase is a state of the chart',
        },
        '1.8.2': {
          says: '`Plan`, `Task`',
          code: 'machines/domain/plan.ts#Plan',
          test: 'machines/domain/plan.test.ts#a plan as data reads back',
        },
        '1.8.3': {
          says: '`AgentId`',
          code: 'machines/tree/interaction-tree.ts#InteractionNode',
          test: 'machines/tree/interaction-tree.test.ts#the records of spawned interactions',
          instead: 'the id of its interaction',
        },
        '1.8.4': {
          says: '`AgentContext`: what gathering found',
          code: 'machines/forms/agent/gathering/gathering.ts#background',
          test: 'machines/forms/agent/gathering/gathering.test.ts#the background consists of',
        },
        '1.8.5': {
          says: '`TaskResult`',
          code: 'machines/domain/result.ts#TaskResult',
          test: 'machines/forms/agent/execution/task.test.ts#the result of a task is recorded',
        },
        '1.8.6': {
          says: '`ToolDefinition`, `RiskLevel`',
          code: 'tools/tool.ts#ToolDefinition',
          test: 'tools/toolbox.test.ts#a tool is high risk and never repeated',
        },
        '1.8.7': {
          says: '`ToolSpec`: all tools that an agent has',
          code: 'tools/toolbox.ts#Toolbox',
          test: 'tools/toolbox.test.ts#tools are listed in the order of their names',
        },
        '1.8.8': {
          says: '`ToolCall`, `ToolResult`, `ToolError`',
          code: 'machines/domain/tool.ts#ToolResult',
          test: 'machines/loop/tool-call.test.ts#a tool that refuses is a refusal',
        },
        '1.8.9': {
          says: '`ToolValidator` checks arguments',
          code: 'tools/toolbox.ts#validate',
          test: 'tools/toolbox.test.ts#arguments the arguments',
        },
        '1.8.10': {
          says: '`AgentPromptTemplate`',
          code: 'machines/forms/agent/planning/planner-prompt.ts#planMessage',
          test: 'machines/prompts/prompts.test.ts#%s has exactly the sections',
        },
        '1.8.11': {
          says: '`ToolExecutorPort`, `LocalToolExecutor`',
          code: 'machines/ports.ts#runTool',
          test: 'tools/toolbox.test.ts#running a tool that throws',
        },
        '1.8.12': {
          says: '`RunAgentUseCase`: input, run, output',
          code: 'actors/runtime-api.ts#agent',
          test: 'actors/agent-over-the-wire.test.ts#a panel over the wire a rejected plan',
        },
      },
    },
    {
      title: 'Progress',
      rows: {
        '1.9.1': {
          says: 'Reviews and tools return results; what is shown is separate from them',
          code: 'machines/facts/report.ts#report',
          test: 'machines/facts/record.test.ts#without a record, a reported fact is dropped',
        },
        '1.9.2': {
          says: '`ProgressNotifier`: the phases of a discussion',
          code: 'machines/forms/discuss/discuss.ts#peerReviewing',
          test: 'actors/discuss.test.ts#the phases of a discussion',
        },
        '1.9.3': {
          says: '`on_phase_change`',
          code: 'machines/facts/progress.ts#phase.changed',
          test: 'machines/forms/agent/agent.test.ts#each phase is reported',
        },
        '1.9.4': {
          says: '`on_thought`, with a `Thought`',
          code: 'machines/facts/progress.ts#thought',
          test: 'cli/session.test.ts#verbose shows thoughts',
        },
        '1.9.5': {
          says: '`on_task_start`',
          code: 'machines/facts/progress.ts#task.started',
          test: 'machines/forms/agent/execution/execution.test.ts#the start of a task is reported',
        },
        '1.9.6': {
          says: '`on_task_complete`, with its success',
          code: 'machines/facts/progress.ts#task.settled',
          test: 'machines/forms/agent/execution/task.test.ts#the result of a task is recorded',
        },
        '1.9.7': {
          says: '`on_tool_call`, `on_tool_result`',
          code: 'machines/facts/progress.ts#tool.called',
          test: 'machines/loop/tool-call.test.ts#its start and its end are reported',
        },
        '1.9.8': {
          says: '`on_quorum_start`, `on_quorum_model_complete`, `on_quorum_complete` with votes',
          code: 'machines/facts/progress.ts#ballot.cast',
          test: 'machines/panel/quorum.test.ts#start and ballots are reported',
        },
        '1.9.9': {
          says: 'Tool errors and retries',
          code: 'machines/facts/progress.ts#tool.retried',
          test: 'machines/loop/tool-call.test.ts#a passing fault is tried again',
        },
        '1.9.10': {
          says: 'Revisions of a plan',
          code: 'machines/facts/progress.ts#plan.revised',
          test: 'machines/forms/agent/agent.test.ts#a rejected plan goes back',
        },
        '1.9.11': {
          says: 'Retries of an action',
          code: 'machines/loop/call-result.ts#deniedOf',
          test: 'machines/loop/tool-call.test.ts#a rejected call does not run, says why',
          instead: '`tool.settled` reports the rejection; another call is a call of its own',
        },
        '1.9.12': {
          says: '`human_intervention_required`',
          code: 'machines/facts/progress.ts#human.requested',
          test: 'actors/runs.test.ts#decisions of the charts are in the journal',
        },
        '1.9.13': {
          says: 'An ensemble: its start',
          code: 'machines/facts/progress.ts#ensemble.started',
          test: 'machines/forms/agent/planning/ensemble.test.ts#the planners are reported',
        },
        '1.9.14': {
          says: 'An ensemble: each plan, the vote on plans, the choice',
          code: 'machines/facts/progress.ts#ensemble.chosen',
          test: 'cli/ensemble.test.ts#the reviewers draft and score',
          instead: 'planners score the plans of the others',
        },
      },
    },
    {
      title: 'Rounds, votes and decisions',
      rows: {
        '1.10.1': {
          says: '`ModelVote`: `model`, `approved`, `reasoning`',
          code: 'machines/domain/review.ts#ModelVote',
          test: 'machines/panel/quorum.test.ts#a round has its number',
        },
        '1.10.2': {
          says: '`ReviewRound`, `QuorumReviewResult`: `round` from 1, `approved`, `votes`, `timestamp`',
          code: 'machines/domain/review.ts#ReviewRound',
          test: 'machines/panel/quorum.test.ts#a round has its number',
        },
        '1.10.3': {
          says: '`vote_summary`: `[●●○]`',
          code: 'machines/domain/review.ts#seatSummary',
          test: 'machines/panel/quorum.test.ts#a majority decides',
        },
        '1.10.4': {
          says: '`request_intervention` passes the request, the plan and the review history',
          code: 'machines/domain/human.ts#HumanQuestion',
          test: 'machines/forms/agent/agent.test.ts#a rejected plan is put to a person after the third',
        },
        '1.10.5': {
          says: '`HumanDecision`: approve, reject, edit with a plan',
          code: 'machines/domain/human.ts#HumanDecision',
          test: 'machines/human-gate.test.ts#in interactive mode a person decides',
        },
        '1.10.6': {
          says: '`InteractiveHumanIntervention`: a dialogue on the terminal',
          code: 'cli/terminal/prompter.ts#createPrompter',
          test: 'cli/session.test.ts#on a terminal the person is asked',
        },
        '1.10.7': {
          says: '`AutoRejectIntervention`, `AutoApproveIntervention`',
          code: 'machines/human-gate.ts#automaticAnswer',
          test: 'machines/human-gate.test.ts#auto_reject rejects at once',
        },
      },
    },
  ],
};
