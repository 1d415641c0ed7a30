/**
 * The forms of interaction, as equal peers, a row each. A new form is a row here, a row in each table that the compiler then
 * reports, and a command in `cli/commands/index.ts`.
 */

interface FormRow {
  /** An interaction of any form may spawn it. */
  readonly isSpawnable?: true;
  /** The owner of a server can start it over HTTP. */
  readonly isServed?: true;
  /** The input of a run of the form: its request, or an addition to it. Sentences name it by this word. */
  readonly input: FormInputKind;
  /** Another name. */
  readonly alias?: string;
  /** It depends on consensus level, strategy, models. */
  readonly sessionMode?: true;
  /** It depends on reviews, revisions, who answers at gates. */
  readonly agentPolicy?: true;
  /** It depends on turns and retries of tools. */
  readonly executionParams?: true;
  /** It can run shell commands by itself. */
  readonly runsCommands?: true;
  /** It reads or changes files of a folder. */
  readonly worksInFolder?: true;
  /** Its models receive AGENTS.md and the like. */
  readonly readsContextFiles?: true;
  /** It surveys the workspace itself, and needs no survey from its parent. */
  readonly surveys?: true;
  /** Rules of the configuration spawn interactions below it: it uses their results. */
  readonly obeysRules?: true;
  /** It talks with the person, whose answers may be private. */
  readonly converses?: true;
  /** Its result is a document of its own, not a report of a run. */
  readonly endsWithDocument?: true;
  /** How much it receives from its parent, unless something else is said. */
  readonly contextMode: ContextMode;
}

type FormInputKind = 'task' | 'question' | 'form' | 'diff' | 'command';

/** In the order of listings. */
const rows = {
  agent: {
    isSpawnable: true,
    isServed: true,
    input: 'task',
    sessionMode: true,
    agentPolicy: true,
    executionParams: true,
    runsCommands: true,
    worksInFolder: true,
    readsContextFiles: true,
    surveys: true,
    obeysRules: true,
    contextMode: 'full',
  },
  ask: {
    isSpawnable: true,
    isServed: true,
    input: 'question',
    sessionMode: true,
    executionParams: true,
    worksInFolder: true,
    readsContextFiles: true,
    obeysRules: true,
    endsWithDocument: true,
    contextMode: 'projected',
  },
  discuss: {
    isSpawnable: true,
    isServed: true,
    input: 'question',
    alias: 'council',
    sessionMode: true,
    readsContextFiles: true,
    surveys: true,
    obeysRules: true,
    endsWithDocument: true,
    contextMode: 'full',
  },
  interview: {
    isSpawnable: true,
    input: 'form',
    sessionMode: true,
    obeysRules: true,
    converses: true,
    endsWithDocument: true,
    contextMode: 'full',
  },
  review: {input: 'diff', sessionMode: true, contextMode: 'full'},
  command: {input: 'command', runsCommands: true, worksInFolder: true, contextMode: 'fresh'},
} as const satisfies Readonly<Record<string, FormRow>>;

type Rows = typeof rows;

export type InteractionForm = keyof Rows;

/** Forms whose row has the flag. */
type FormWith<Flag extends keyof FormRow> = {
  [Form in InteractionForm]: Rows[Form] extends Readonly<Record<Flag, true>> ? Form : never;
}[InteractionForm];

/** Forms that an interaction of any form may spawn. */
export type SpawnableForm = FormWith<'isSpawnable'>;

/** Forms that the owner of a server can start over HTTP. */
export type ServedForm = FormWith<'isServed'>;

export const formTraits: Readonly<Record<InteractionForm, FormRow>> = rows;

export const interactionForms: readonly InteractionForm[] = Object.keys(rows).filter(isForm);

export const spawnableForms: readonly SpawnableForm[] = interactionForms.filter(isSpawnable);

export const servedForms: readonly ServedForm[] = interactionForms.filter(isServed);

/** The form of a run that specifies none. */
export const defaultForm: InteractionForm = 'agent';

/** The form of this name, in any letter case; undefined when there is none. */
export function parseInteractionForm(text: string): InteractionForm | undefined {
  const name = text.trim().toLowerCase();
  return interactionForms.find((form) => form === name || formTraits[form].alias === name);
}

export function isSpawnable(form: string): form is SpawnableForm {
  return isForm(form) && formTraits[form].isSpawnable === true;
}

function isServed(form: InteractionForm): form is ServedForm {
  return formTraits[form].isServed === true;
}

/** True if the form depends on the mode of the session: consensus level, strategy, models. */
export function usesSessionMode(form: InteractionForm): boolean {
  return formTraits[form].sessionMode === true;
}

/** True if the form depends on the policy of agents: reviews, revisions, human gates. */
export function usesAgentPolicy(form: InteractionForm): boolean {
  return formTraits[form].agentPolicy === true;
}

/** True if the form depends on how tools are executed: turns, retries. */
export function usesExecutionParams(form: InteractionForm): boolean {
  return formTraits[form].executionParams === true;
}

/** True if the form talks with the person; false for an unknown name. */
export function converses(form: unknown): boolean {
  return typeof form === 'string' && isForm(form) && formTraits[form].converses === true;
}

/** How much the form receives from its parent, unless the spawn specifies it. */
export function defaultContextMode(form: InteractionForm): ContextMode {
  return formTraits[form].contextMode;
}

function isForm(name: string): name is InteractionForm {
  return Object.hasOwn(rows, name);
}

export const contextModes = ['full', 'projected', 'fresh'] as const;

/** How much of its context a parent passes to its child: all, a summary, nothing. */
export type ContextMode = (typeof contextModes)[number];
