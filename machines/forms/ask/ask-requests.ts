/** What the loop and the model of a question are given. */

import {attachedEvidence, attachedText} from '../../domain/attachment.ts';
import {cap} from '../../domain/buffer.ts';
import type {ModelRequest} from '../../domain/model.ts';
import {openTranscript} from '../../domain/transcript.ts';
import {panelRules} from '../../loop/action.ts';
import type {TurnLoopInput} from '../../loop/loop-input.ts';
import {type AskState, failedTool} from './ask-state.ts';
import {askMessage, askSystem, directMessage} from './prompt.ts';

/** The loop of an ask knows the read-only tools; no other exists for it. */
export function askLoopInput(state: AskState): TurnLoopInput {
  const {request, workspace, settings, attachments} = state;
  const {ask, guardrails} = settings;
  const tools = settings.tools.filter(({risk}) => risk === 'low');
  return {
    purpose: 'ask',
    model: ask.model,
    system: askSystem,
    message: askMessage(request, attachments),
    offered: tools.map(({name}) => name),
    tools,
    panel: panelRules(settings),
    maxOutputTokens: guardrails.maxOutputTokens,
    maxTurns: ask.maxSteps,
    maxRefusedTurns: ask.maxRetries,
    maxMessages: ask.maxHistory,
    retries: {maxRetries: ask.maxRetries, isForAnyFailure: true},
    isDegradable: true,
    isWithheld: hasPatterns(state),
    brief: {
      request,
      workspace,
      evidence: attachedEvidence(attachments),
      purpose: request,
      quoted: attachedText(attachments),
    },
    background: '',
  };
}

export function directRequest(state: AskState): ModelRequest {
  const {request, settings, steps, attachments} = state;
  const message = directMessage({
    question: request,
    attachments,
    steps,
    because: becauseOf(state),
    maxChars: settings.context.maxEntryBytes,
  });
  return {
    purpose: 'ask',
    model: settings.ask.model,
    system: askSystem,
    transcript: openTranscript(cap(message, settings.context.maxTotalBytes)),
    tools: [],
    toolChoice: 'none',
    maxOutputTokens: settings.guardrails.maxOutputTokens,
    ...(hasPatterns(state) ? {isWithheld: true} : {}),
  };
}

/** With patterns configured, an answer may turn out to be one that nobody may see. */
function hasPatterns({settings}: AskState): boolean {
  return settings.guardrails.blockedPatterns.length > 0;
}

function becauseOf({stopped, settings, steps}: AskState): string {
  if (stopped === 'tool_failure_degraded') return `${failedTool(steps)} failed for good.`;
  if (stopped === 'repeated_call') return 'The same call was made again and again.';
  if (stopped === 'max_steps_reached') return `All ${settings.ask.maxSteps} steps are used up.`;
  return 'There was no answer.';
}
