/** The configuration: every key, its range and its default. The shape is that of the TOML files, snake_case included. */

import {z} from 'zod';

import {agentSection} from './sections/agent.ts';
import {
  contextSection,
  databaseSection,
  guardrailsSection,
  limitsSection,
  searchSection,
  webSection,
} from './sections/bounds.ts';
import {commandsSection, sandboxSection, secretsSection} from './sections/commands.ts';
import {
  askSection,
  debateSection,
  discussSection,
  interviewSection,
} from './sections/conversations.ts';
import {modelSections} from './sections/providers.ts';
import {quorumSection} from './sections/quorum.ts';
import {ruleTables} from './sections/tables.ts';

/** In the order of the documentation. Each section has a default for every key; an absent one is empty. */
export const configSchema = z.strictObject({
  agent: agentSection.prefault({}),
  quorum: quorumSection.prefault({}),
  ask: askSection.prefault({}),
  discuss: discussSection.prefault({}),
  debate: debateSection.prefault({}),
  interview: interviewSection.prefault({}),
  guardrails: guardrailsSection.prefault({}),
  search: searchSection.prefault({}),
  database: databaseSection.prefault({}),
  web: webSection.prefault({}),
  limits: limitsSection.prefault({}),
  context: contextSection.prefault({}),
  ...ruleTables,
  commands: commandsSection.prefault({}),
  sandbox: sandboxSection.prefault({}),
  secrets: secretsSection.prefault({}),
  ...modelSections,
});

export type Config = z.infer<typeof configSchema>;

/** What a library user may pass: any part of it. */
export type ConfigInput = z.input<typeof configSchema>;

export function defaultConfig(): Config {
  return configSchema.parse({}, {jitless: true});
}
