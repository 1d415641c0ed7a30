/** The requests of an ask to its turn loop, its model and the claim check. */

import {evidenceOf} from '../../domain/evidence.ts';
import type {ModelRequest} from '../../domain/model.ts';
import {type ActionBrief, panelRules, requestOf} from '../../loop/action.ts';
import type {TurnLoopInput} from '../../loop/turn.ts';
import type {PortRequest} from '../../ports.ts';
import {
  attachedEvidence,
  attachedText,
  contextFilesText,
  withRules,
} from '../../prompts/sections.ts';
import {openTranscript} from '../../prompts/transcript.ts';
import {messageSections, type PendingMessage} from '../../tree/messages.ts';
import type {ClaimCheckInput} from '../claim-check.ts';
import {type AskState, failedTool} from './ask-state.ts';
import {type AskBrief, askMessage, askSystem, directMessage, directSystem} from './prompt.ts';

/** The loop of an ask has only read-only tools and spawning tools. */
export function askLoopInput(state: AskState): TurnLoopInput {
  const {settings} = state;
  const {ask} = settings;
  const tools = settings.tools.filter(({risk, spawns}) => risk === 'low' || spawns !== undefined);
  const system = askSystem(tools.some(({spawns}) => spawns !== undefined));
  const message = askMessage(briefOf(state));
  return {
    purpose: 'ask',
    model: ask.model,
    system: withRules(system, message),
    message,
    offered: tools.map(({name}) => name),
    tools,
    panel: panelRules(settings),
    maxOutputTokens: settings.maxOutputTokens,
    maxTurns: ask.maxSteps,
    maxRefusedTurns: ask.maxRetries,
    maxMessages: ask.maxHistory,
    maxMessageBytes: settings.context.maxEntryBytes,
    retries: {maxRetries: ask.maxRetries, isForAnyFailure: true},
    isDegradable: true,
    isWithheld: hasPatterns(state),
    brief: actionBrief(state),
    background: [],
  };
}

/** For the listing, in bytes. */
const maxListing = 400;

export function askSurveyRequest({workspace}: AskState): PortRequest<'surveyWorkspace'> {
  return {workspace, maxBytes: maxListing, scope: 'question'};
}

/** The answer may draw on all given texts and observations. */
export function claimsOf(state: AskState): ClaimCheckInput {
  const {request, answer, workspace, steps, attachments, inherited = '', settings} = state;
  return {
    purpose: 'ask',
    question: request,
    answer,
    workspace,
    evidence: [...attachedEvidence(attachments), ...evidenceOf(steps, settings.tools)],
    sources: [request, inherited, quotedTo(state), ...steps.map(({text}) => text)],
    model: settings.ask.model,
    maxOutputTokens: settings.maxOutputTokens,
  };
}

function actionBrief(state: AskState): ActionBrief {
  const {request, workspace, attachments, inherited} = state;
  return {
    ...requestOf(state),
    workspace,
    evidence: attachedEvidence(attachments),
    purpose: request,
    quoted: quotedTo(state),
    ...(inherited === undefined ? {} : {hasRetoldText: true}),
  };
}

/** The texts of others in the first prompt. */
function quotedTo({attachments, contextFiles}: AskState): string {
  return [attachedText(attachments), contextFilesText(contextFiles)].join('\n').trim();
}

function briefOf({request, inherited, attachments, contextFiles, survey}: AskState): AskBrief {
  return {question: request, inherited, attachments, contextFiles, survey};
}

/** `messages`: all messages received during the run, including messages that the loop has read. */
export function directRequest(state: AskState, messages: readonly PendingMessage[]): ModelRequest {
  const {settings, steps} = state;
  const {maxEntryBytes, maxTotalBytes} = settings.context;
  const message = directMessage({
    ...briefOf(state),
    pendingMessages: messageSections(messages, maxEntryBytes),
    steps,
    because: becauseOf(state),
    maxChars: maxEntryBytes,
    maxBytes: maxTotalBytes,
  });
  return {
    purpose: 'ask',
    model: settings.ask.model,
    system: withRules(directSystem, message),
    transcript: openTranscript(message),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens: settings.maxOutputTokens,
    ...(hasPatterns(state) ? {isWithheld: true} : {}),
  };
}

/** With blocked patterns, the answer is not streamed before it is checked. */
function hasPatterns({settings}: AskState): boolean {
  return settings.guardrails.blockedPatterns.length > 0;
}

function becauseOf({stopped, settings, steps}: AskState): string {
  if (stopped === 'tool_failure') return `${failedTool(steps)} failed and is not called again.`;
  if (stopped === 'repeated_call') return 'The same call was repeated.';
  if (stopped === 'max_turns') return `All ${settings.ask.maxSteps} steps are used up.`;
  return 'The model gave no answer.';
}
