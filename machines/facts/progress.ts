/** Progress: what a run reports while it works. Charts report through `report`; a replay shows nothing. */

import type {AllowRule} from '../domain/allow-rule.ts';
import type {Failure} from '../domain/failure.ts';
import type {HumanDecision, HumanQuestion} from '../domain/human.ts';
import type {ContextMode, InteractionForm} from '../domain/interaction-form.ts';
import type {JsonObject} from '../domain/json.ts';
import type {Objection} from '../domain/ledger.ts';
import type {Change} from '../domain/patch.ts';
import type {Plan, ProposedPlan} from '../domain/plan.ts';
import type {FinalStatus, RunResult, TaskStatus, UsageTotals} from '../domain/result.ts';
import type {ModelVote, ProposalKind, ReviewRound} from '../domain/review.ts';
import type {Confinement} from '../domain/tool.ts';
import type {Answers, FieldStatus, Section, SpeakingAgent} from '../questionnaire/answers.ts';
import type {Evaluation, ScoredDraft} from '../questions/evaluation.ts';

/** Every report, by `type`. The runtime adds the members of {@link Stamped}. */
export type Report =
  | {readonly type: 'interaction.started'; readonly form: InteractionForm; readonly request: string}
  | {
      /** An interaction has spawned a child. */
      readonly type: 'interaction.spawned';
      readonly child: string;
      readonly form: InteractionForm;
      readonly parent: string;
      readonly depth: number;
      readonly contextMode: ContextMode;
      readonly by: 'person' | 'model' | 'rule';
      readonly request: string;
    }
  | {
      /** A spawn below `parent` was refused. */
      readonly type: 'interaction.refused';
      readonly parent: string;
      readonly form: InteractionForm;
      readonly error: Failure;
    }
  /** A person's message to an interaction, which reads it at its next turn. */
  | {readonly type: 'user.said'; readonly text: string}
  | {
      readonly type: 'interaction.settled';
      readonly status: FinalStatus;
      readonly summary: string;
      /** The interaction that has ended, if it is not the run's own. */
      readonly child?: string;
      /** For a child: its result as its parent reads it. */
      readonly text?: string;
    }
  /** `alias`: the name of the phase in earlier versions, where it was renamed. */
  | {readonly type: 'phase.changed'; readonly phase: string; readonly alias?: string}
  | {readonly type: 'thought'; readonly text: string; readonly task?: string | undefined}
  | ({readonly type: 'plan.created'} & ProposedPlan)
  | ({
      readonly type: 'plan.revised';
      readonly revision: number;
      /** The plan is the same as the rejected one. */
      readonly isUnchanged?: true;
    } & ProposedPlan)
  | ({
      /** The evaluation of a plan that ran; an unsuccessful plan is replanned while replans are left. */
      readonly type: 'result.judged';
      readonly isReplanned: boolean;
    } & Evaluation)
  | {readonly type: 'task.started'; readonly task: string; readonly description: string}
  | {
      readonly type: 'task.settled';
      readonly task: string;
      readonly status: TaskStatus;
      readonly message: string;
    }
  | {
      readonly type: 'tool.called';
      readonly tool: string;
      readonly summary: string;
      /** The call as a sentence for people, if its tool has one. */
      readonly words?: string;
      readonly task?: string | undefined;
      /** Only for a command. */
      readonly confinement?: Confinement;
    }
  | {
      readonly type: 'tool.settled';
      readonly tool: string;
      readonly status: string;
      readonly message: string;
      readonly task?: string | undefined;
      readonly changes?: readonly Change[];
      readonly exitCode?: number;
      /** The beginning and the end of its output. */
      readonly output?: string;
      /** Only for a command. */
      readonly confinement?: Confinement;
    }
  | {
      /** Output of a running tool: only the new part. */
      readonly type: 'tool.output';
      readonly tool: string;
      readonly text: string;
      readonly task?: string | undefined;
    }
  | {
      readonly type: 'tool.retried';
      readonly tool: string;
      readonly attempt: number;
      readonly message: string;
    }
  | {
      readonly type: 'quorum.started';
      readonly round: number;
      readonly kind: ProposalKind;
      readonly title: string;
      readonly rule: string;
      readonly seats: readonly string[];
    }
  | {
      readonly type: 'ballot.cast';
      readonly round: number;
      readonly kind: ProposalKind;
      readonly vote: ModelVote;
    }
  | ({readonly type: 'quorum.decided'} & ReviewRound)
  | {readonly type: 'human.requested'; readonly gate: string; readonly question: HumanQuestion}
  | {
      readonly type: 'human.decided';
      /** As in `human.requested`; for a gate at which nobody was asked, the path of its actor. */
      readonly gate: string;
      readonly decision: HumanDecision['decision'];
      readonly reason?: string;
      /** The edited plan: in the shape of {@link Plan}, if it is valid. */
      readonly plan?: JsonObject;
      /** That of the question. */
      readonly proposalHash: string;
      /** The subject of the decision, in a line, where no question names it. */
      readonly title?: string;
      /** The mode or the rule, if not a person. */
      readonly by: 'person' | 'rule' | 'auto_reject' | 'auto_approve';
    }
  /** The last decision on this proposal took no effect: the gate is open again. */
  | {readonly type: 'decision.refused'; readonly proposalHash: string; readonly because: string}
  /** A person has allowed a command permanently. */
  | {readonly type: 'rule.made'; readonly rule: AllowRule}
  | {
      /** A participant of a discussion has answered or failed. */
      readonly type: 'discuss.answered';
      readonly participant: string;
      readonly answer?: string;
      readonly because?: string;
    }
  | {
      /** A participant has reviewed the answers of others or failed. */
      readonly type: 'discuss.reviewed';
      readonly participant: string;
      /** The best first. `of`: the author of the answer. */
      readonly reviews?: readonly {
        readonly of: string;
        readonly score: number;
        readonly assessment: string;
      }[];
      readonly because?: string;
    }
  | {readonly type: 'ensemble.started'; readonly planners: readonly string[]}
  | {
      /** A planner has drafted a plan or failed. */
      readonly type: 'ensemble.drafted';
      readonly by: string;
      readonly plan?: Plan;
      readonly because?: string;
    }
  | {
      readonly type: 'ensemble.scored';
      /** The scorer, and the author of the draft (`of`). */
      readonly by: string;
      readonly of: string;
      readonly score: number;
      readonly reasons: readonly string[];
    }
  | {
      readonly type: 'ensemble.chosen';
      /** The author of the best draft. */
      readonly by: string;
      /** The draft is made once more, because its mean score is below the minimum. */
      readonly isLow: boolean;
      /** In the order of the configuration. */
      readonly drafts: readonly (ScoredDraft & {readonly plan: Plan})[];
    }
  | {
      /** A participant of a debate has finished a turn or failed. */
      readonly type: 'debate.turn';
      /** 0: the opening. */
      readonly round: number;
      readonly role: 'proponent' | 'opponent' | 'moderator';
      readonly participant: string;
      /** The current position. */
      readonly position: string;
      /** All objections raised before, in their current state. */
      readonly objections: readonly Objection[];
      readonly because?: string;
    }
  | {
      /** An interview has sent a message, and waits for a reply. */
      readonly type: 'interview.asked';
      /** The key that a reply must name. */
      readonly ask: string;
      readonly agent: SpeakingAgent;
      readonly section?: Section;
      readonly field?: string;
      /** Sensitive answers in it are masked. */
      readonly message: string;
    }
  | {
      readonly type: 'interview.replied';
      /** Masked if the field is sensitive. */
      readonly text: string;
      readonly field?: string;
    }
  | {
      readonly type: 'interview.reviewed';
      readonly field: string;
      readonly passed: boolean;
      /** Keys of facts, or descriptions of missing information. */
      readonly missing_facts: readonly string[];
      readonly feedback?: string;
    }
  | {
      /** The interview has finished with a field. */
      readonly type: 'interview.changed';
      readonly field: string;
      readonly status: FieldStatus;
      /** The number of applicable fields with an answer; `of`: the number of applicable fields. */
      readonly done: number;
      readonly of: number;
    }
  | {readonly type: 'interview.submitted'; readonly answers: Answers}
  | {
      readonly type: 'model.retried';
      readonly model: string;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | {readonly type: 'model.delta'; readonly model: string; readonly text: string}
  | {
      readonly type: 'usage';
      readonly model: string;
      /** Usage of this call. */
      readonly spent: UsageTotals;
      /** Usage of the whole run up to now. */
      readonly totals: UsageTotals;
    }
  | {
      readonly type: 'warning';
      readonly message: string;
      /** `unread`: of messages that arrived after the last turn. */
      readonly code?: 'workspaceBusy' | 'outage' | 'unread';
    }
  | {readonly type: 'limit.reached'; readonly limit: string; readonly message: string}
  | RunResult;

/** Decisions of charts and questions to persons: durable before they are shown. */
const noted: ReadonlySet<Report['type']> = new Set([
  'interaction.spawned',
  'interaction.refused',
  'ensemble.chosen',
  'quorum.decided',
  'human.requested',
  'human.decided',
  'rule.made',
  'interview.asked',
  'interview.reviewed',
  'interview.submitted',
]);

/** True if the journal contains the report, for audits without a replay. */
export function isNoted(report: Report): boolean {
  return noted.has(report.type) || isEndBelow(report);
}

/** The end of a child. The end of the root is in the last entry of the journal. */
function isEndBelow(report: Report): boolean {
  return report.type === 'interaction.settled' && report.child !== undefined;
}

/** True for a part of a stream that a later report contains as a whole: it may be dropped. */
export function isStreamed({type}: Report): boolean {
  return type === 'model.delta' || type === 'tool.output';
}

export interface Stamped {
  /** Counts up from 1 within one process. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The interaction of the reporting actor; for reports of the run itself, the root. */
  readonly interaction: string;
  /** The reporting actor: ids from below the root, joined by `/`; empty for the root and for the run itself. */
  readonly actor: string;
}

export type ProgressEvent = Report & Stamped;
