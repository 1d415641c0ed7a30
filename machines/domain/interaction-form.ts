/** The forms of a dialogue, as equal peers: which settings each uses, and what one tells another below it by default. */

export const interactionForms = [
  'agent',
  'ask',
  'discuss',
  'interview',
  'review',
  'command',
] as const;

export type InteractionForm = (typeof interactionForms)[number];

/** Those that an interaction of any form may spawn. */
export const spawnableForms = ['agent', 'ask', 'discuss', 'interview'] as const;

export type SpawnableForm = (typeof spawnableForms)[number];

interface Traits {
  /** Consensus level, strategy, models. */
  readonly sessionMode: boolean;
  /** Reviews, revisions, who answers at gates. */
  readonly agentPolicy: boolean;
  /** Turns and retries of tools. */
  readonly executionParams: boolean;
  readonly contextMode: ContextMode;
}

const traits: Readonly<Record<InteractionForm, Traits>> = {
  agent: {sessionMode: true, agentPolicy: true, executionParams: true, contextMode: 'full'},
  ask: {sessionMode: true, agentPolicy: false, executionParams: true, contextMode: 'projected'},
  discuss: {sessionMode: true, agentPolicy: false, executionParams: false, contextMode: 'full'},
  interview: {sessionMode: true, agentPolicy: false, executionParams: false, contextMode: 'full'},
  command: {
    sessionMode: false,
    agentPolicy: false,
    executionParams: false,
    contextMode: 'fresh',
  },
  review: {sessionMode: true, agentPolicy: false, executionParams: false, contextMode: 'full'},
};

const aliases: Readonly<Record<string, InteractionForm>> = {council: 'discuss'};

/** The form of this name, whatever its case; undefined when there is none. */
export function parseInteractionForm(text: string): InteractionForm | undefined {
  const name = text.trim().toLowerCase();
  return isForm(name) ? name : aliases[name];
}

export function isSpawnable(form: string): form is SpawnableForm {
  return spawnableForms.some((each) => each === form);
}

/** Whether it depends on the mode of the session: consensus level, strategy, models. */
export function usesSessionMode(form: InteractionForm): boolean {
  return traits[form].sessionMode;
}

/** Whether it depends on the policy of agents: reviews, revisions, human gates. */
export function usesAgentPolicy(form: InteractionForm): boolean {
  return traits[form].agentPolicy;
}

/** Whether it depends on how tools are executed: turns, retries. */
export function usesExecutionParams(form: InteractionForm): boolean {
  return traits[form].executionParams;
}

/** Whether it can run shell commands by itself. */
export function runsCommands(form: InteractionForm): boolean {
  return form === 'agent' || form === 'command';
}

/** How much it is told of the interaction above, unless something else is said. */
export function defaultContextMode(form: InteractionForm): ContextMode {
  return traits[form].contextMode;
}

function isForm(name: string): name is InteractionForm {
  return Object.hasOwn(traits, name);
}

export const contextModes = ['full', 'projected', 'fresh'] as const;

/** How much of what one knows another is told: all, a summary, nothing. */
export type ContextMode = (typeof contextModes)[number];
