/** The schema of the configuration: every key, its range and its default, in the shape of the TOML files (snake_case). */

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
import {mcpSections, toolSections} from './sections/mcp.ts';
import {modelSections} from './sections/providers.ts';
import {quorumSection} from './sections/quorum.ts';
import {ruleTables} from './sections/tables.ts';

/** In the order of the documentation. Every key has a default, so a section may be absent. */
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
  ...toolSections,
  commands: commandsSection.prefault({}),
  sandbox: sandboxSection.prefault({}),
  secrets: secretsSection.prefault({}),
  ...mcpSections,
  ...modelSections,
});

export type Config = z.infer<typeof configSchema>;

/** The configuration that a program passes: every section and key is optional. */
export type ConfigInput = z.input<typeof configSchema>;

export function defaultConfig(): Config {
  return configSchema.parse({}, {jitless: true});
}
