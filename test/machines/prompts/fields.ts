/** Sections shared by several messages, with a test text in every field that others may fill. */

import type {CallFact} from '../../../machines/domain/result.ts';
import {surroundingSections} from '../../../machines/forms/agent/gathering/background.ts';
import {messageSections} from '../../../machines/loop/message-sections.ts';
import {type ContextFile, contextFilesSection} from '../../../machines/prompts/context-files.ts';
import {quotedText} from '../../../machines/prompts/section-text.ts';
import {
  attachedSection,
  inheritedSection,
  type Section,
} from '../../../machines/prompts/sections.ts';
import {surveyText} from '../../../machines/prompts/survey-text.ts';

/** The next text: hostile, or harmless. */
export type Next = () => string;

export interface Builder {
  /** The function that builds the message. */
  readonly name: string;
  readonly build: (next: Next) => string;
  /** The calls that the message lists as made, in order. */
  readonly calls?: readonly Pick<CallFact, 'status' | 'exitCode' | 'confined'>[];
  /** True when there is no room for all lines, and the message states how many are missing. */
  readonly isCut?: true;
}

export function attachmentsOf(next: Next) {
  return [
    {name: next(), text: next()},
    {name: 'standard input', text: next()},
  ];
}

export function pendingOf(next: Next): Section[] {
  return messageSections(
    [
      {from: 'person', text: next()},
      {from: 'interaction', text: next()},
      {from: 'person', text: next()},
    ],
    2_000,
  );
}

export function backgroundOf(next: Next): Section[] {
  return [
    attachedSection(attachmentsOf(next)),
    ['Survey', surveyText(surveyOf(next))],
    ['Report of the explorer', quotedText(next())],
    ...surroundingSections({files: [{path: next(), text: next()}]}, [], 4_000),
    contextFilesSection(contextFilesOf(next)),
    inheritedSection(next()),
    ...pendingOf(next),
  ];
}

export function contextFilesOf(next: Next): ContextFile[] {
  return ['../AGENTS.md', next(), '.quorate/context.md'].map((path) => ({path, text: next()}));
}

export function surveyOf(next: Next) {
  const files = ['README.md', 'CONTRIBUTING.md', 'package.json'];
  const texts = files.map((name) => `\n\n## ${name}\n${next()}`);
  const machine = {
    facts: [`System: ${next()}`],
    git: {status: next(), subjects: next()},
  };
  return {text: `${next()}${texts.join('')}`, read: files, machine};
}
