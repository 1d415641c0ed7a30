/** The context that an agent shares with its children, from its state and the recorded facts. */

import type {TaskResult} from '../../domain/result.ts';
import type {ReviewRound} from '../../domain/review.ts';
import type {LoopStep} from '../../domain/tool.ts';
import {type Recorded, resultsIn, roundsIn, stepsIn, tasksAtWork} from '../../facts/fact.ts';
import {hideNames} from '../../panel/names.ts';
import {historyText} from '../../panel/round.ts';
import {briefLine, type SharedPart, stepsShared} from '../../prompts/inherited.ts';
import {attachedText, bullets, type Section, writeSections} from '../../prompts/sections.ts';
import type {FormNow} from '../../tree/form-event.ts';
import {type AgentState, planOf} from './agent-state.ts';
import {feedbackText, resultsText} from './evaluation/results-text.ts';
import {taskIn} from './execution/execution.ts';
import {type PlanRun, resultsOf} from './execution/open-work.ts';

export function agentShared({state, facts}: FormNow<AgentState>): SharedPart[] {
  const {request, settings, attachments, background} = state.work;
  const {maxTotalBytes, maxEntryBytes} = settings.context;
  const runs = runsUntilNow(state, facts);
  const feedback = feedbackText(runs);
  return [
    {title: 'Request', text: request, brief: briefLine(request)},
    ...planShared(state, facts),
    votesShared(facts, state),
    {title: 'Problems found in the results', text: feedback, brief: briefLine(feedback)},
    {title: 'Attached', text: background.length === 0 ? attachedText(attachments) : ''},
    {title: 'Background', text: writeSections(background.filter((each) => !isSurvey(each)))},
    {title: 'Survey', text: writeSections(background.filter(isSurvey)), isSurvey: true},
    {
      title: 'Results so far',
      text: resultsText(runs, maxTotalBytes),
      brief: bullets(resultsOf(runs).map(resultLine)),
    },
    stepsShared(stepsAtWork(state, facts), maxEntryBytes),
  ];
}

function isSurvey([title]: Section): boolean {
  return title === 'Survey';
}

/** The plans that ran, and the current plan with its results up to now. */
function runsUntilNow(state: AgentState, facts: readonly Recorded[]): readonly PlanRun[] {
  const {runs} = state;
  const results = resultsIn(facts).slice(resultsOf(runs).length);
  return results.length === 0 ? runs : [...runs, {plan: planOf(state), results}];
}

function planShared({draft: {plan}}: AgentState, facts: readonly Recorded[]): SharedPart[] {
  if (!plan) return [];
  const atWork = tasksAtWork(facts);
  const tasks = plan.tasks.map(({id, description}) => `${id}: ${description}`);
  const working = plan.tasks.filter(({id}) => atWork.includes(id));
  return [
    {
      title: 'Objective',
      text: [plan.objective, plan.reasoning].join('\n').trim(),
      brief: briefLine(plan.objective),
    },
    {title: 'Tasks of the plan', text: bullets(tasks)},
    {
      title: 'Tasks at work',
      text: bullets(working.map(({id}) => id)),
      brief: bullets(working.map(({id, description}) => briefLine(`${id}: ${description}`))),
    },
  ];
}

/**
 * From the facts, so that the round that has just ended is included before the agent receives it. Summaries leave votes
 * out. Seats are not named, as the reader may be on a panel or in a discussion.
 */
function votesShared(facts: readonly Recorded[], {work}: AgentState): SharedPart {
  const rounds = roundsIn(facts).filter(({kind}) => kind !== 'action');
  const text = historyText(rounds.map(withoutSeats));
  return {title: 'Votes', text: hideNames(text, work.settings.panel, '')};
}

function withoutSeats(round: ReviewRound): ReviewRound {
  return {...round, votes: round.votes.map((vote) => ({...vote, model: 'a reviewer'}))};
}

function resultLine({id, status, description, output}: TaskResult): string {
  return briefLine(`${id} (${status}): ${description}: ${output}`);
}

/** Steps of active loops. The steps of ended loops are in a result, or in the background. */
function stepsAtWork({work}: AgentState, facts: readonly Recorded[]): readonly LoopStep[] {
  const atWork = tasksAtWork(facts);
  return stepsIn(
    facts.filter(({path}) => {
      const task = taskIn(path);
      return task === undefined ? work.background.length === 0 : atWork.includes(task);
    }),
  );
}
