/** The gathering before the first plan, and the background that it adds to all prompts. */

import {panelRules} from '../../../loop/action.ts';
import {attachedText} from '../../../prompts/attachment.ts';
import {contextFilesSection, contextFilesText} from '../../../prompts/context-files.ts';
import {
  attachedSection,
  inheritedSection,
  type Section,
  withText,
} from '../../../prompts/sections.ts';
import type {AgentState} from '../agent-state.ts';
import type {GatheringInput, GatheringOutput} from './gathering.ts';

const maxExplorerTurns = 10;

export function gatheringInput({
  request,
  asked,
  inherited,
  workspace,
  settings,
  attachments,
  contextFiles,
}: AgentState): GatheringInput {
  const {agent, context, tools} = settings;
  return {
    request,
    asked,
    inherited,
    attachments,
    contextFiles,
    workspace,
    model: agent.explorationModel,
    tools,
    panel: panelRules(settings),
    maxTurns: Math.min(agent.maxToolTurns, maxExplorerTurns),
    maxRetries: agent.maxToolRetries,
    maxSurveyBytes: context.maxEntryBytes,
    maxBytes: context.maxTotalBytes,
  };
}

/** Attachments come first: the request is about them. */
export function withGathering(
  {attachments, contextFiles, evidence}: AgentState,
  gathered: GatheringOutput,
): Partial<AgentState> {
  return {
    background: withText([attachedSection(attachments), ...gathered.background]),
    quoted: [attachedText(attachments), contextFilesText(contextFiles), gathered.quoted]
      .join('\n')
      .trim(),
    evidence: [...evidence, ...gathered.evidence],
    ...(gathered.failure ? {failure: gathered.failure} : {}),
  };
}

/** The gathered background, the context files and the inherited context, for planners, reviewers and workers. */
export function knownTo({background, contextFiles, inherited}: AgentState): readonly Section[] {
  return [...background, contextFilesSection(contextFiles), inheritedSection(inherited)];
}
