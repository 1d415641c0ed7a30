/**
 * Gathers the context for planning: by rule, then by a model with read-only tools.
 *
 * surveying → (exploring) → gathered / failed
 */

import {assign, setup} from 'xstate';

import {onCrash, otherwise, when} from '../../../actor-end.ts';
import {bytesOf} from '../../../domain/bytes.ts';
import type {Evidence} from '../../../domain/evidence.ts';
import type {Failure} from '../../../domain/failure.ts';
import type {AgentSettings} from '../../../domain/settings.ts';
import type {LoopStep, ToolInfo} from '../../../domain/tool.ts';
import {type PanelRules, requestOf} from '../../../loop/action.ts';
import {quotedIn} from '../../../loop/leak-guard.ts';
import type {TurnLoopInput, TurnLoopOutput} from '../../../loop/loop-input.ts';
import {turnLoopMachine} from '../../../loop/turn-loop.ts';
import {surveyWorkspace} from '../../../ports.ts';
import {type Attachment, attachedText} from '../../../prompts/attachment.ts';
import {type ContextFile, contextFilesText, withRules} from '../../../prompts/context-files.ts';
import {fittedText, type Quotation, spaced} from '../../../prompts/section-text.ts';
import {type Section, withText} from '../../../prompts/sections.ts';
import {
  type FileText,
  type Survey,
  surveyQuotations,
  type Surroundings,
} from '../../../prompts/survey-text.ts';
import {exploreMessage, explorerSystem} from './explorer-prompt.ts';

export interface GatheringInput {
  readonly request: string;
  /** The person's own request, if a model worded `request`. */
  readonly asked?: string | undefined;
  readonly attachments?: readonly Attachment[];
  readonly contextFiles?: readonly ContextFile[] | undefined;
  /** Context from the parent interaction. */
  readonly inherited?: string | undefined;
  readonly workspace: string;
  readonly mode?: AgentSettings['gathering'] | undefined;
  readonly model: string;
  readonly tools: readonly ToolInfo[];
  readonly panel: PanelRules;
  readonly maxTurns: number;
  readonly maxRetries: number;
  /** Limit for the survey, and for one message received during the run, in bytes. */
  readonly maxSurveyBytes: number;
  /** Limit for the whole background, in bytes. */
  readonly maxBytes: number;
}

export interface GatheringOutput {
  /** The survey and the explorer's report. */
  readonly background: readonly Section[];
  readonly surroundings: Surroundings;
  /** The reads. */
  readonly evidence: readonly Evidence[];
  /** The texts read that others wrote. */
  readonly quoted: string;
  /** Set when gathering crashed, which is a bug. */
  readonly failure?: Failure;
}

export interface GatheringContext extends GatheringInput {
  readonly survey: Survey;
  readonly report: string;
  readonly files: readonly FileText[];
  readonly evidence: readonly Evidence[];
  readonly quoted: string;
  readonly failure?: Failure;
}

export const gatheringMachine = setup({
  types: {} as {context: GatheringContext; input: GatheringInput; output: GatheringOutput},
  actors: {surveyWorkspace, turnLoop: turnLoopMachine},
  actions: {
    takeSurvey: assign((_, survey: Survey) => surveyed(survey)),
    takeReport: assign(({context}, {answer, steps, evidence}: TurnLoopOutput) => ({
      report: answer,
      files: [...context.files, ...steps.flatMap(filesRead)],
      quoted: [context.quoted, ...quotedIn(steps, context.tools)].join('\n'),
      evidence: [...context.evidence, ...evidence],
    })),
    takeFailure: assign((_, failure: Failure) => ({failure})),
  },
  guards: {
    isSurveyEnough: ({context: {mode}}, {files = fewFiles}: Survey) =>
      mode === 'rules' || (mode === 'auto' && files < fewFiles),
  },
}).createMachine({
  id: 'gathering',
  context: ({input}) => ({
    ...input,
    survey: {text: '', read: []},
    report: '',
    files: [],
    evidence: [],
    quoted: '',
  }),
  initial: 'surveying',
  states: {
    surveying: {
      invoke: {
        src: 'surveyWorkspace',
        id: 'survey',
        input: ({context}) => ({
          workspace: context.workspace,
          maxBytes: context.maxSurveyBytes,
          ...(context.mode === undefined ? {} : {scope: 'work'}),
        }),
        onDone: [
          when('isSurveyEnough', 'gathered', 'takeSurvey'),
          otherwise('exploring', 'takeSurvey'),
        ],
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    exploring: {
      invoke: {
        src: 'turnLoop',
        id: 'turns',
        input: ({context}) => loopInput(context),
        onDone: otherwise('gathered', 'takeReport'),
        onError: onCrash('failed', 'takeFailure'),
      },
    },
    gathered: {type: 'final'},
    failed: {type: 'final'},
  },
  output: ({context}) => outputOf(context),
});

function loopInput(context: GatheringContext): TurnLoopInput {
  const {request, attachments = [], workspace, model, tools, panel} = context;
  const {maxTurns, maxRetries, maxSurveyBytes, survey, evidence, inherited, contextFiles} = context;
  const quoted = [attachedText(attachments), contextFilesText(contextFiles), survey.text]
    .join('\n')
    .trim();
  const known = {attachments, contextFiles, inherited};
  const message = exploreMessage(request, survey, known);
  return {
    purpose: 'explore',
    model,
    system: withRules(explorerSystem, message),
    message,
    offered: tools.filter(({risk}) => risk === 'low').map(({name}) => name),
    tools,
    panel,
    maxOutputTokens: panel.maxOutputTokens,
    maxTurns,
    maxRefusedTurns: maxRetries,
    maxMessageBytes: maxSurveyBytes,
    retries: {maxRetries, isForAnyFailure: false},
    isDegradable: false,
    isWithheld: false,
    brief: {
      ...requestOf(context),
      workspace,
      evidence,
      purpose: 'gathering context',
      quoted,
      ...(inherited === undefined ? {} : {hasRetoldText: true}),
    },
    background: [],
  };
}

/** A workspace with fewer files is known from the survey. */
const fewFiles = 10;

function surveyed(survey: Survey): Partial<GatheringContext> {
  const {text, read, sources = []} = survey;
  return {
    survey,
    files: sources,
    quoted: [text, ...sources.map((source) => source.text)].join('\n'),
    evidence: [...read, ...sources.map(({path}) => path)].map(evidenceOfRead),
  };
}

/** The part of a file that a call has read. */
function filesRead({tool, args, status, text}: LoopStep): FileText[] {
  const {path} = args;
  const isRead = tool === 'read_file' && status === 'succeeded' && typeof path === 'string';
  return isRead ? [{path, text}] : [];
}

function evidenceOfRead(path: string): Evidence {
  return {tool: 'read_file', did: 'read', target: path, ok: true};
}

function outputOf({
  survey,
  report,
  files,
  evidence,
  quoted,
  maxBytes,
  failure,
}: GatheringContext): GatheringOutput {
  const background = backgroundOf(surveyQuotations(survey), report, maxBytes);
  const machine = survey.machine ? {machine: survey.machine} : {};
  return {
    background,
    surroundings: {files, ...machine},
    evidence,
    quoted,
    ...(failure ? {failure} : {}),
  };
}

/** The fraction of `maxBytes` that the report may use with a survey of any length. */
const reportShare = 0.3;

function backgroundOf(files: readonly Quotation[], report: string, maxBytes: number): Section[] {
  const quotation: Quotation = {source: '', text: report};
  const whole = fittedText(files, Infinity, spaced);
  const room = Math.max(Math.floor(maxBytes * reportShare), maxBytes - bytesOf(whole));
  const text = fittedText([quotation], room);
  return withText([
    ['Survey', fittedText(files, maxBytes - bytesOf(text), spaced)],
    ['Report of the explorer', text],
  ]);
}
