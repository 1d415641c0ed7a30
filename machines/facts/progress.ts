/** Progress: what a run reports while it works. Charts report through `report`; a replay shows nothing. */

import type {AllowRule} from '../domain/allow-rule.ts';
import type {Change} from '../domain/change.ts';
import type {Failure} from '../domain/failure.ts';
import type {HumanDecision, HumanQuestion} from '../domain/human.ts';
import type {InteractionForm} from '../domain/interaction-form.ts';
import type {ContextMode} from '../domain/interaction-form.ts';
import type {JsonObject} from '../domain/json.ts';
import type {Objection} from '../domain/ledger.ts';
import type {ProposedPlan} from '../domain/plan-changes.ts';
import type {Plan} from '../domain/plan.ts';
import type {FinalStatus, RunResult, TaskStatus, UsageTotals} from '../domain/result.ts';
import type {ModelVote, ProposalKind, ReviewRound} from '../domain/review.ts';
import type {Confinement} from '../domain/tool.ts';
import type {Answers, FieldStatus, Section, SpeakingAgent} from '../questionnaire/answers.ts';
import type {Evaluation} from '../questions/evaluation.ts';
import type {ScoredDraft} from '../questions/plan-score.ts';

/** Every report, by `type`. The runtime adds the members of {@link Stamped}. */
export type Report =
  | {readonly type: 'interaction.started'; readonly form: InteractionForm; readonly request: string}
  | {
      /** An interaction has begun another below it. */
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
      /** No interaction was begun below `parent`. */
      readonly type: 'interaction.refused';
      readonly parent: string;
      readonly form: InteractionForm;
      readonly error: Failure;
    }
  | {
      /** A person's words to an interaction, told at its next turn. */
      readonly type: 'user.said';
      readonly text: string;
    }
  | {
      readonly type: 'interaction.settled';
      readonly status: FinalStatus;
      readonly summary: string;
      /** The interaction that has ended, if it is not the run's own. */
      readonly child?: string;
      /** Of a child: what it came to, as the one above reads it. */
      readonly text?: string;
    }
  | {readonly type: 'phase.changed'; readonly phase: string}
  | {readonly type: 'thought'; readonly text: string; readonly task?: string | undefined}
  | ({readonly type: 'plan.created'} & ProposedPlan)
  | ({
      readonly type: 'plan.revised';
      readonly revision: number;
      /** The very plan that was rejected. */
      readonly isUnchanged?: true;
    } & ProposedPlan)
  | ({
      /** What a plan that ran came to; one that was no success is planned anew as long as replans are left. */
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
      /** What it does, where its tool says so. */
      readonly words?: string;
      readonly task?: string | undefined;
      /** Of a command. */
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
      /** Head and tail of what it printed. */
      readonly output?: string;
      /** Whether something kept a command in the workspace and off the network. */
      readonly confined?: boolean;
    }
  | {
      /** What a tool prints while it runs. Of a stream, only what is new. */
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
      /** As in `human.requested`; of a gate at which nobody was asked, the path of its actor. */
      readonly gate: string;
      readonly decision: HumanDecision['decision'];
      readonly reason?: string;
      /** As edited: in the shape of {@link Plan}, if nothing is wrong with it. */
      readonly plan?: JsonObject;
      /** What was decided on: the question's. */
      readonly proposalHash: string;
      /** What was decided on, in a line, where no question names it. */
      readonly title?: string;
      /** The mode or the rule, when it was not a person that answered. */
      readonly by: 'person' | 'rule' | 'auto_reject' | 'auto_approve';
    }
  /** The last decision on this took no effect: the gate is open again. */
  | {readonly type: 'decision.refused'; readonly proposalHash: string; readonly because: string}
  /** A person has allowed a command for good. */
  | {readonly type: 'rule.made'; readonly rule: AllowRule}
  | {
      /** A participant of a discussion has answered, or has not. */
      readonly type: 'discuss.answered';
      readonly participant: string;
      readonly answer?: string;
      readonly because?: string;
    }
  | {
      /** A participant has reviewed the answers of others, or has not. */
      readonly type: 'discuss.reviewed';
      readonly participant: string;
      /** The best first. `of`: who gave the answer. */
      readonly reviews?: readonly {
        readonly of: string;
        readonly score: number;
        readonly assessment: string;
      }[];
      readonly because?: string;
    }
  | {readonly type: 'ensemble.started'; readonly planners: readonly string[]}
  | {
      /** One planner has drafted a plan, or has not. */
      readonly type: 'ensemble.drafted';
      readonly by: string;
      readonly plan?: Plan;
      readonly because?: string;
    }
  | {
      readonly type: 'ensemble.scored';
      /** Who scores, and whose draft. */
      readonly by: string;
      readonly of: string;
      readonly score: number;
      readonly reasons: readonly string[];
    }
  | {
      readonly type: 'ensemble.chosen';
      /** The author of the best draft. */
      readonly by: string;
      /** It is drafted once more, as its mean score is below the least. */
      readonly isLow: boolean;
      /** All of them, in the order of the configuration. */
      readonly drafts: readonly (ScoredDraft & {readonly plan: Plan})[];
    }
  | {
      /** Somebody in a debate has spoken, or has not. */
      readonly type: 'debate.turn';
      /** 0: the opening. */
      readonly round: number;
      readonly role: 'proponent' | 'opponent' | 'moderator';
      readonly participant: string;
      /** As it is now held. */
      readonly position: string;
      /** All that were raised so far, as they stand now. */
      readonly objections: readonly Objection[];
      readonly because?: string;
    }
  | {
      /** An interview has said something, and waits for a reply. */
      readonly type: 'interview.asked';
      /** The key by which a reply names it. */
      readonly ask: string;
      readonly agent: SpeakingAgent;
      readonly section?: Section;
      readonly field?: string;
      /** Sensitive answers in it are masked. */
      readonly message: string;
    }
  | {
      readonly type: 'interview.replied';
      /** Masked where it is about a sensitive field. */
      readonly text: string;
      readonly field?: string;
    }
  | {
      readonly type: 'interview.reviewed';
      readonly field: string;
      readonly passed: boolean;
      /** Keys of facts, or what is missing in words. */
      readonly missing_facts: readonly string[];
      readonly feedback?: string;
    }
  | {
      /** A field has had its turn. */
      readonly type: 'interview.changed';
      readonly field: string;
      readonly status: FieldStatus;
      /** How many fields have an answer, of those that apply. */
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
      /** By this call. */
      readonly spent: UsageTotals;
      /** By the whole run so far. */
      readonly totals: UsageTotals;
    }
  | {readonly type: 'warning'; readonly message: string; readonly code?: 'workspaceBusy' | 'outage'}
  | {readonly type: 'limit.reached'; readonly limit: string; readonly message: string}
  | RunResult;

/** What the charts decide, and what a person is asked: durable before anyone is told. */
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

/** Whether the journal holds a report, for an audit that needs no replay. */
export function isNoted(report: Report): boolean {
  return noted.has(report.type) || isEndBelow(report);
}

/** What the root came to stands in the last entry. */
function isEndBelow(report: Report): boolean {
  return report.type === 'interaction.settled' && report.child !== undefined;
}

/** Whether a report is a piece of a stream, which a later report tells as a whole: it may be missed. */
export function isStreamed({type}: Report): boolean {
  return type === 'model.delta' || type === 'tool.output';
}

export interface Stamped {
  /** Counts up from 1 within one process. */
  readonly seq: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The one whose actor speaks; of what the run itself tells, the root. */
  readonly interaction: string;
  /** The actor that speaks: ids from below the root, joined by `/`; empty for the root and for the run itself. */
  readonly actor: string;
}

export type ProgressEvent = Report & Stamped;
