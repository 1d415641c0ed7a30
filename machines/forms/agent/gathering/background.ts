/** The gathering before the first plan, and the background that it adds to all prompts. */

import type {TaskResult} from '../../../domain/result.ts';
import {
  attachedSection,
  attachedText,
  contextFilesSection,
  contextFilesText,
  filesText,
  inheritedSection,
  machineSection,
  type Section,
  type Surroundings,
  withText,
} from '../../../prompts/sections.ts';
import type {AgentState, Work} from '../agent-state.ts';
import type {GatheringOutput} from './gathering.ts';

/** Attachments come first: the request is about them. */
export function withGathering(
  {attachments, contextFiles, evidence}: AgentState,
  gathered: GatheringOutput,
): Partial<AgentState> {
  const {files, ...machine} = gathered.surroundings;
  const known = new Set([
    ...attachments.map(({file}) => file),
    ...(contextFiles ?? []).map(({path}) => path),
  ]);
  return {
    background: withText([attachedSection(attachments), ...gathered.background]),
    quoted: [attachedText(attachments), contextFilesText(contextFiles), gathered.quoted]
      .join('\n')
      .trim(),
    surroundings: {files: files.filter(({path}) => !known.has(path)), ...machine},
    evidence: [...evidence, ...gathered.evidence],
    ...(gathered.failure ? {failure: gathered.failure} : {}),
  };
}

/**
 * The machine, and the files read before the plan, for planners and workers. Files that were written since are left out.
 * `maxBytes`: for the files.
 */
export function surroundingSections(
  {files, machine}: Surroundings = {files: []},
  results: readonly TaskResult[],
  maxBytes: number,
): readonly Section[] {
  const written = new Set(results.flatMap((result) => result.written));
  const unchanged = files.filter(({path}) => !written.has(path));
  return [
    machineSection(machine),
    ['Files (as they were before the plan)', filesText(unchanged, maxBytes)],
  ];
}

/** The gathered background, the context files and the inherited context, for planners, reviewers and workers. */
export function knownTo({background, contextFiles, inherited}: Work): readonly Section[] {
  return [...background, contextFilesSection(contextFiles), inheritedSection(inherited)];
}
