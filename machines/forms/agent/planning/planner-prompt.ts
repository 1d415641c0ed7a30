/** The prompt of the planner, for the first plan, revisions and replanning. */

import type {Plan} from '../../../domain/plan.ts';
import {isOpposed, type ReviewRound} from '../../../domain/review.ts';
import type {ToolInfo} from '../../../domain/tool.ts';
import {historyText} from '../../../panel/round.ts';
import {
  engineLine,
  jsonLines,
  personWords,
  quotedText,
  type SectionText,
} from '../../../prompts/section-text.ts';
import {type Section, writeSections} from '../../../prompts/sections.ts';
import {feedbackText, openText, resultsText} from '../evaluation/results-text.ts';
import type {PlanRun} from '../execution/open-work.ts';

const systemText = `You plan work for an agent. Propose the plan by calling create_plan exactly once.
For each task name the tool and its exact arguments when you know them, or only the tool, or neither when the agent is to choose.
A panel votes on the plan before anything runs. Plan only what the request asks for, read before you change, and prefer \
the smallest plan that does the job. Keep work that belongs together in one task: its worker has many turns, and tasks do not share \
what they read.`;

/** Spawning tools are named in one line, as few plans need them. */
export function plannerSystem(tools: readonly ToolInfo[]): string {
  const spawning = tools.filter(({spawns}) => spawns !== undefined).map(({name}) => name);
  return spawning.length === 0
    ? systemText
    : `${systemText}\nOther interactions ({request, context_mode?}), for separate work: ${spawning.join(', ')}.`;
}

export interface PlanningBrief {
  readonly request: string;
  /** Messages received during the run. */
  readonly pendingMessages?: readonly Section[];
  /** The sections gathered about the workspace. */
  readonly background: readonly Section[];
  /** The plan to revise. */
  readonly previous?: Plan;
  /** A person asks for the revision, by a message. */
  readonly isByPerson?: boolean;
  /** The scores of the previous plan by other planners. */
  readonly advice?: SectionText;
  /** All rounds of votes on the previous plan and its predecessors. */
  readonly rounds: readonly ReviewRound[];
  /** Earlier plans and their results, when the open work is planned again. */
  readonly runs: readonly PlanRun[];
  /** Limit for all results, in bytes. */
  readonly maxResults: number;
}

export function planMessage(brief: PlanningBrief): string {
  const sections: Section[] = [
    ['Request', personWords(brief.request)],
    ...(brief.pendingMessages ?? []),
    ...brief.background,
    ['Done so far', resultsText(brief.runs, brief.maxResults)],
    ['Still to be done', openText(brief.runs)],
    ['Problems found in the results', feedbackText(brief.runs)],
    ['Previous plan', brief.previous && quotedText(jsonLines(brief.previous))],
    ['Votes on the earlier plans', historyText(brief.rounds)],
    ['Scores of the previous plan', brief.advice],
    ['What to do', task(brief)],
  ];
  return writeSections(sections);
}

function task(brief: PlanningBrief): SectionText {
  if (brief.advice !== undefined) return scored;
  if (brief.isByPerson) return askedAnew;
  if (brief.previous) return revisionTask(brief.rounds);
  if (brief.runs.length === 0) return engineLine`Plan the work.`;
  return engineLine`Plan only what is left to do. Give new tasks new ids; they may depend on tasks that have succeeded. Each task \
that is still to be done must be redone by a task that names its id in redoes, or be named in drops with the reason why the \
request does not need it. If a task is in neither, the run fails.`;
}

/** The task of a revision. Without a reason against the previous plan, the planner can't know what to change. */
function revisionTask(rounds: readonly ReviewRound[]): SectionText {
  const last = rounds.at(-1);
  return last && !isOpposed(last) ? unopposed : opposed;
}

const scored = engineLine`The previous plan is the best of several drafts, but its score is too low. Draft it once more so that the \
reasons for its scores are met.`;

const askedAnew = engineLine`The person who asks saw the previous plan and wants another: revise it so that it does what their last \
message says, which is part of the request.`;

const opposed = engineLine`Revise the previous plan so that every reason given against it is met. A plan that was rejected is not \
voted on again.`;

const unopposed = engineLine`Nobody gave a reason against the previous plan: it was not approved because seats did not vote, which is not \
a fault of the plan. Propose it again, or one that is easier to judge.`;
