/** Autonomous loop: plan, carry out, evaluate, and replan until the task is done or cancelled. */

import type {SpecDocument} from './row.ts';

export const autonomousLoop: SpecDocument = {
  subject: 'Autonomous loop',
  sections: [
    {
      title: 'Parts',
      rows: {
        '2.1.1': {
          says: 'A request is planned, carried out and replanned until it is completed or cancelled',
          code: 'machines/forms/agent/agent.ts#agentMachine',
          test: 'machines/every-state-agent.test.ts#an agent $name obeys its laws',
          instead: 'or failed, rejected, limited or waiting, and the result says which',
        },
        '2.1.2': {
          says: 'The loop follows the pattern ReAct',
          code: 'machines/loop/turn-loop.ts#turnLoopMachine',
          test: 'machines/loop/turn-loop.test.ts#the result of a call is read by the model',
        },
        '2.1.3': {
          says: '`Agent Orchestrator` controls the whole loop',
          code: 'machines/forms/agent/agent.ts#agentMachine',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
        },
        '2.1.4': {
          says: '`Task Planner`: a model makes and corrects plans',
          code: 'machines/forms/agent/planning/planning.ts#planningMachine',
          test: 'machines/forms/agent/planning/planning.test.ts#an invalid draft goes back',
        },
        '2.1.5': {
          says: '`Execution Monitor` watches tasks and judges results',
          code: 'machines/forms/agent/evaluation/evaluation.ts#evaluationMachine',
          test: 'machines/forms/agent/evaluation/evaluation.test.ts#a result that its judge approves',
        },
        '2.1.6': {
          says: '`State Manager` keeps the state and the history',
          code: 'actors/engine/engine.ts#Engine',
          test: 'actors/engine/replay.test.ts#resuming after a crash at any entry reaches the same end',
          instead: 'the state is replayed from the journal',
        },
      },
    },
    {
      title: 'Effects that are intended',
      rows: {
        '2.2.1': {
          says: 'Complex tasks run with few decisions of a person',
          code: 'machines/forms/agent/agent-guards.ts#isApproved',
          test: 'actors/agent-over-the-wire.test.ts#a panel over the wire a rejected plan',
        },
        '2.2.2': {
          says: 'Problems during a run change the plan',
          code: 'machines/forms/agent/judgement.ts#mayReplan',
          test: 'machines/forms/agent/agent.test.ts#an insufficient result leads to a new plan',
          instead: 'at most `max_replans` times',
        },
        '2.2.3': {
          says: 'The run continues reliably until it is completed or cancelled',
          code: 'cli/commands/resume.ts#resume',
          test: 'cli/kill.test.ts#kill -9 after',
        },
        '2.2.4': {
          says: 'New tools are integrated without changes of the loop',
          code: 'actors/runtime-options.ts#tools',
          test: 'actors/own-parts.test.ts#a write that a tool declares',
        },
      },
    },
    {
      title: 'States of the loop',
      rows: {
        '2.3.1': {
          says: 'Input of a user → Planning',
          code: 'machines/forms/agent/agent.ts#drafting',
          test: 'machines/forms/agent/agent.test.ts#each phase is reported',
          instead: 'gathering comes first',
        },
        '2.3.2': {
          says: 'Planning → Execution, when there is a plan',
          code: 'machines/forms/agent/agent.ts#executing',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
          instead: 'after the vote on it',
        },
        '2.3.3': {
          says: 'Planning is done by a model',
          code: 'machines/forms/agent/drafting.ts#draftingInput',
          test: 'actors/prompts-of-agent.test.ts#the exploration model gathers',
        },
        '2.3.4': {
          says: 'Execution calls MCP tools',
          code: 'tools/mcp/servers.ts#createMcpServers',
          test: 'tools/mcp/calls.test.ts#a server of the old protocol is started by the first call',
          instead: 'also built-in tools, and tools that a program passes',
        },
        '2.3.5': {
          says: 'Execution → Monitoring, while tasks run',
          code: 'machines/forms/agent/execution/execution.ts#running',
          test: 'machines/forms/agent/execution/execution.test.ts#tasks run in parallel',
        },
        '2.3.6': {
          says: 'Monitoring → Evaluation, when they have ended',
          code: 'machines/forms/agent/agent.ts#evaluating',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
        },
        '2.3.7': {
          says: 'Evaluation → Planning, with problems',
          code: 'machines/forms/agent/agent.ts#judged',
          test: 'machines/forms/agent/agent.test.ts#an insufficient result leads to a new plan',
        },
        '2.3.8': {
          says: 'Evaluation → end, with success',
          code: 'machines/forms/agent/agent.ts#isSuccess',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
          instead: 'after a closing answer, and a final review if it is configured',
        },
        '2.3.9': {
          says: 'Evaluation → Cancellation, on a condition for it',
          code: 'machines/forms/agent/agent.ts#isHopeless',
          test: 'machines/forms/agent/agent.test.ts#an insufficient result cancels the agent',
        },
      },
    },
    {
      title: 'Classes',
      rows: {
        '2.4.1': {
          says: '`ExecuteTaskAsync` returns an `ExecutionResult`',
          code: 'machines/domain/result.ts#RunResult',
          test: 'cli/launcher.test.ts#without a terminal the last line of JSONL',
        },
        '2.4.2': {
          says: '`ShouldRetry`: the feedback is kept, and the next plan follows from it',
          code: 'machines/forms/agent/execution/open-work.ts#PlanRun',
          test: 'machines/forms/agent/replanning.test.ts#the planner and the judge read all results',
        },
        '2.4.3': {
          says: 'A result that is neither a success nor worth a retry cancels, with the reason',
          code: 'machines/questions/evaluation.ts#cancelReason',
          test: 'machines/forms/agent/agent.test.ts#an insufficient result cancels the agent',
          instead: 'when no replan is left, the run has failed',
        },
        '2.4.4': {
          says: '`GeneratePlanAsync` builds a prompt from the context, and parses the reply',
          code: 'machines/domain/plan.ts#readPlanArgs',
          test: 'machines/domain/plan.test.ts#a plan from a model is refused with problems',
        },
        '2.4.5': {
          says: '`EvaluateResultAsync` checks results; issues become feedback',
          code: 'machines/forms/agent/evaluation/verdict.ts#withChecks',
          test: 'machines/forms/agent/evaluation/evaluation.test.ts#a claim that the record contradicts',
          instead: 'code checks first, then a model judges',
        },
        '2.4.6': {
          says: 'Without issues the result is a success',
          code: 'machines/questions/evaluation.ts#successful',
          test: 'machines/forms/agent/evaluation/evaluation.test.ts#a result that its judge approves',
        },
      },
    },
    {
      title: 'ExecutionPlan and ExecutionStep',
      rows: {
        '2.5.1': {
          says: '`Description`, `Steps`',
          code: 'machines/domain/plan.ts#objective',
          test: 'machines/domain/plan.test.ts#a plan as data reads back',
          instead: '`objective`, `tasks`',
        },
        '2.5.2': {
          says: '`Parameters`',
          code: 'machines/domain/plan.ts#parameters',
          test: 'cli/plan-changes.test.ts#parameters, context modes',
        },
        '2.5.3': {
          says: '`ToolName`, `Arguments`',
          code: 'machines/domain/plan.ts#args',
          test: 'machines/forms/agent/execution/task.test.ts#a task with a tool and its arguments',
        },
        '2.5.4': {
          says: '`ExpectedOutcome`',
          code: 'machines/domain/plan.ts#expected_outcome',
          test: 'machines/forms/agent/evaluation/results-text.test.ts#each call is listed',
        },
        '2.5.5': {
          says: '`Timeout`',
          code: 'machines/domain/plan.ts#timeout_ms',
          test: 'machines/forms/agent/execution/task.test.ts#a task fails when its time limit passes',
        },
      },
    },
    {
      title: 'AgentContext',
      rows: {
        '2.6.1': {
          says: '`UserInput`, `CurrentPlan`',
          code: 'machines/forms/agent/agent-state.ts#plan',
          test: 'actors/outage.test.ts#the result of a suspended run has its plan',
        },
        '2.6.2': {
          says: '`ExecutionHistory`',
          code: 'machines/forms/agent/agent-state.ts#runs',
          test: 'machines/forms/agent/replanning.test.ts#the planner and the judge read all results',
        },
        '2.6.3': {
          says: '`FeedbackHistory`, `AddFeedback`',
          code: 'machines/forms/agent/execution/open-work.ts#evaluation',
          test: 'machines/forms/agent/replanning.test.ts#the reason for a replan is reported',
        },
        '2.6.4': {
          says: '`IsCompleted`, `MarkCompleted`',
          code: 'machines/forms/agent/agent.ts#completed',
          test: 'machines/forms/agent/agent.test.ts#an approved plan runs',
          instead: 'a final state',
        },
        '2.6.5': {
          says: '`IsCancelled`, `MarkCancelled`, `CancellationReason`',
          code: 'machines/forms/agent/agent.ts#cancelled',
          test: 'machines/forms/agent/agent.test.ts#while it is %s $type ends it',
          instead: 'a final state, and the summary has the reason',
        },
      },
    },
    {
      title: 'Metrics',
      rows: {
        '2.7.1': {
          says: 'Rate of completed loops',
          code: 'actors/metrics/statistics.ts#statuses',
          test: 'cli/commands/stats.test.ts#every rate is shown with its denominator',
          instead: '`quorate stats` has all of these figures',
        },
        '2.7.2': {
          says: 'Frequency of changes of the plan',
          code: 'actors/metrics/run-metrics.ts#revisions',
          test: 'actors/metrics/stats.test.ts#over recorded runs of every form the figures equal numbers',
        },
        '2.7.3': {
          says: 'Number and cost of model calls',
          code: 'actors/metrics/run-metrics.ts#costUsd',
          test: 'actors/metrics/stats.test.ts#of a run in this process costs add up',
        },
        '2.7.4': {
          says: 'Rates of time-outs and errors',
          code: 'actors/metrics/run-metrics.ts#timeouts',
          test: 'actors/metrics/stats.test.ts#of a run in this process failures by kind',
        },
        '2.7.5': {
          says: 'Satisfaction of users',
          code: 'actors/metrics/rate.ts#rateRun',
          test: 'actors/metrics/rate.test.ts#the last rating counts',
          instead: '`quorate rate ID up|down`',
        },
      },
    },
  ],
};
