/** The agent's plan: tasks with dependencies, validated before the vote on them. */

import {z} from 'zod';

import {engineLine, type Quotation} from '../prompts/section-text.ts';
import {boundedText, objectOf, problemsOf, type Reading, someText} from '../questions/reading.ts';
import {hashOf} from './digest.ts';
import {type ContextMode, contextModes} from './interaction-form.ts';
import {asJson, type JsonObject} from './json.ts';
import type {ToolInfo} from './tool.ts';

/** Limits of one plan. */
const maxTasks = 50;
const maxIds = 1_000;
const maxTaskTimeoutMs = 3_600_000;

export const planSchema = z
  .lazy(() => {
    const drop = z.strictObject({
      task_id: idText(z.string().trim().max(200)).describe('The id of a task still to be done'),
      reason: someText.describe('Why the request does not need it'),
    });
    return objectOf({
      objective: someText.describe('What is true when the plan has succeeded, in a sentence'),
      reasoning: boundedText.describe('Why this plan reaches it'),
      asks_for_change: z
        .boolean()
        .describe(
          'Whether the request asks to change or run something; false: it asks for words only',
        )
        .exactOptional(),
      parameters: members
        .describe('Facts that several tasks need, by name; a fresh task does not receive them')
        .transform(asJson)
        .exactOptional(),
      tasks: z.array(taskSchema()).min(1).max(maxTasks).describe('The tasks of the plan'),
      drops: z
        .array(drop)
        .max(maxIds)
        .describe('Tasks that are no longer to be done')
        .exactOptional(),
    });
  })
  .describe('Propose the plan: the objective and the tasks that reach it.');

function taskSchema() {
  const ids = z
    .array(idText(z.string().trim().max(200)))
    .max(maxIds)
    .overwrite((each) => [...new Set(each)]);
  return objectOf({
    id: idText(z.string().trim().min(1).max(60)).describe('A short name, unique in the plan'),
    description: someText.describe('What to do, complete in itself'),
    tool: z
      .string()
      .max(200)
      .describe('The tool to use; left out: the agent chooses')
      .exactOptional(),
    args: members
      .describe('Its arguments: exactly this call is made; left out: the agent chooses them')
      .transform(asJson)
      .exactOptional(),
    depends_on: ids.describe('Ids of the tasks that must succeed first').exactOptional(),
    expected_outcome: boundedText
      .describe('How to recognize that the task has succeeded')
      .exactOptional(),
    timeout_ms: z
      .number()
      .int()
      .min(1)
      .max(maxTaskTimeoutMs)
      .describe('A time limit, if the task needs one')
      .exactOptional(),
    context_mode: z
      .enum(contextModes)
      .describe(
        'What the agent is given for the task besides its description: full, all that you know (default); projected, only context_brief; fresh, nothing',
      )
      .nullish()
      .transform((mode) => mode ?? 'full'),
    context_brief: boundedText
      .describe('For projected: what the task needs to know')
      .exactOptional(),
    redoes: ids.describe('Ids of tasks still to be done that this one redoes').exactOptional(),
  });
}

const members = z.record(z.string(), z.unknown());

/** Models number tasks, too. */
function idText(text: z.ZodString) {
  return z.preprocess((value) => (Number.isInteger(value) ? String(value) : value), text);
}

/** Arguments of `create_plan` that make sense only after a plan has run. */
export const replanArguments: readonly string[] = ['redoes', 'drops'];

/** Also the format for models, people and results: that of the arguments of `create_plan`. */
export interface Task {
  readonly id: string;
  readonly description: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  /** Ids of tasks that must succeed first. */
  readonly depends_on?: readonly string[];
  readonly expected_outcome?: string;
  readonly timeout_ms?: number;
  readonly context_mode: ContextMode;
  readonly context_brief?: string;
  /** Ids of tasks of earlier plans that this one redoes. */
  readonly redoes?: readonly string[];
}

/** A task of an earlier plan that did not succeed and that is no longer needed. */
export interface Drop {
  readonly task_id: string;
  readonly reason: string;
}

/** {@link readPlan} of a plan that it returned results in the same plan. */
export interface Plan {
  readonly objective: string;
  readonly reasoning: string;
  /** False: the request asks for information or a text. Absent: the words of the request decide. */
  readonly asks_for_change?: boolean;
  readonly parameters?: JsonObject;
  readonly tasks: readonly Task[];
  readonly drops?: readonly Drop[];
}

export type PlanReading =
  | {readonly ok: true; readonly plan: Plan}
  | {readonly ok: false; readonly problems: readonly string[]};

/** The state of the tasks of earlier plans of the run. */
export interface PlanGround {
  /** Ids of tasks that succeeded: new tasks may depend on them. */
  readonly settled: readonly string[];
  /** Ids of tasks that did not succeed and are still to be done: new tasks may redo them, or the plan may drop them. */
  readonly open: readonly string[];
  /** Ids of all tasks of earlier plans: a new task must not have one of them. Absent: the same as `settled`. */
  readonly used?: readonly string[];
}

const newGround: PlanGround = {settled: [], open: []};

/** The state of earlier tasks that can be inferred from a proposed plan. */
export function inferredGround({tasks, drops = []}: Plan): PlanGround {
  const own = new Set(tasks.map(({id}) => id));
  const needed = tasks.flatMap(({depends_on: needs = []}) => needs);
  return {
    settled: [...new Set(needed)].filter((id) => !own.has(id)),
    open: [...tasks.flatMap(({redoes = []}) => redoes), ...drops.map((drop) => drop.task_id)],
  };
}

/** Reads a plan from untrusted data: a model's `create_plan` arguments, or a person's edited file. */
export function readPlan(
  value: unknown,
  tools: readonly ToolInfo[],
  ground: PlanGround = newGround,
): PlanReading {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) return {ok: false, problems: problemsOf(parsed.error)};
  const plan = withoutSettled(parsed.data, ground);
  const problems = planProblems(plan, tools, ground);
  return problems.length > 0 ? {ok: false, problems} : {ok: true, plan};
}

/** Reads the arguments of `create_plan`. */
export function readPlanArgs(
  args: unknown,
  {tools, ground}: {readonly tools: readonly ToolInfo[]; readonly ground: PlanGround},
): Reading<Plan> {
  const reading = readPlan(args, tools, ground);
  return reading.ok ? {ok: true, value: reading.plan} : reading;
}

/** A task that has succeeded can't be redone: a task that names it does further work. */
function withoutSettled(plan: Plan, {settled}: PlanGround): Plan {
  const tasks = plan.tasks.map(({redoes = [], ...task}) => {
    const open = redoes.filter((id) => !settled.includes(id));
    return open.length === 0 ? task : Object.assign(task, {redoes: open});
  });
  return {...plan, tasks};
}

function planProblems(plan: Plan, tools: readonly ToolInfo[], ground: PlanGround): string[] {
  const ids = plan.tasks.map(({id}) => id);
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  const settled = [...new Set(ids)].filter((id) => ground.settled.includes(id));
  const cycle = tasksInCycle(plan.tasks);
  return [
    ...[...repeated].map(
      (id) => `the task id ${id} is used twice; give each task an id of its own`,
    ),
    ...settled.map((id) => `the task id ${id} is used by a task that has ended; choose another id`),
    ...plan.tasks.flatMap((task) => taskProblems(task, [...ids, ...ground.settled], tools)),
    ...(cycle.length > 0 ? [`tasks depend on each other in a circle: ${cycle.join(', ')}`] : []),
    ...groundProblems(plan, ground),
  ];
}

function taskProblems(
  {id, depends_on: needs = [], tool, args}: Task,
  known: readonly string[],
  tools: readonly ToolInfo[],
): string[] {
  const names = tools.map(({name}) => name);
  return [
    ...needs
      .filter((each) => !known.includes(each))
      .map((each) => `task ${id} depends on ${each}, which is not in the plan`),
    ...(tool !== undefined && !names.includes(tool)
      ? [`task ${id} names the tool ${tool}; there is ${names.join(', ')}`]
      : []),
    ...(args && tool === undefined ? [`task ${id} has arguments but names no tool`] : []),
  ];
}

/** Only open tasks can be redone or dropped, and not both; a task that redoes another has an id of its own. */
function groundProblems(
  {tasks, drops = []}: Plan,
  {open, settled, used = []}: PlanGround,
): string[] {
  const redone = tasks.flatMap(({redoes = []}) => redoes);
  const dropped = drops.map((drop) => drop.task_id);
  const notOpen = [...new Set([...redone, ...dropped])].filter((id) => !open.includes(id));
  const reused = used.filter((id) => !settled.includes(id) && tasks.some((task) => task.id === id));
  return [
    ...[...new Set(reused)].map(
      (id) =>
        `the task id ${id} is used by a task of an earlier plan; choose another id${open.includes(id) ? `, and name ${id} in redoes if the task redoes that one` : ''}`,
    ),
    ...notOpen.map(
      (id) => `${id} is not a task that is still to be done: leave it out of redoes and drops`,
    ),
    ...dropped
      .filter((id) => redone.includes(id))
      .map((id) => `task ${id} is both dropped and redone`),
  ];
}

/** The ids that remain after repeatedly removing every task without a dependency among the remaining ones. */
function tasksInCycle(tasks: readonly Task[]): string[] {
  let left = tasks;
  for (;;) {
    const open = new Set(left.map(({id}) => id));
    const next = left.filter((task) => task.depends_on?.some((id) => open.has(id)));
    if (next.length === left.length) return next.map(({id}) => id);
    left = next;
  }
}

export function planHash(plan: Plan): string {
  return hashOf(plan);
}

export interface PlannedCall {
  readonly task: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/** The calls of a plan: its tasks with a tool and arguments. */
export function callsIn({tasks}: Plan): PlannedCall[] {
  return tasks.flatMap(({id, tool, args}) =>
    tool !== undefined && args ? [{task: id, tool, args}] : [],
  );
}

/** A hash of the work of a plan without its ids and objective: the same for a plan proposed again under new names. */
export function workHash({tasks}: Plan): string {
  return hashOf(tasks.map(({description, tool, args}) => ({description, tool, args})));
}

// Changes to files that the calls of a plan would make: part of the decision on the plan.

export interface PlannedChange {
  /** Id of the task with the call. */
  readonly task: string;
  /** The diff against the current file, or why there is none. */
  readonly preview: string;
  /** `basedOn` of the call's preview. Absent: the decision does not depend on the file. */
  readonly basedOn?: string;
}

export interface ProposedPlan {
  readonly plan: Plan;
  /** Changes to the files that its calls write. Absent: none. */
  readonly changes?: readonly PlannedChange[];
  /** A model, or `person`. */
  readonly by: string;
}

/** A plan that a person edited, after it is parsed and its calls are checked. */
export interface EditedPlan {
  readonly reading: PlanReading;
  readonly problems: readonly string[];
}

/** The result of checking the calls of a plan. */
export interface CheckedCalls {
  /** One a line. */
  readonly problems: readonly string[];
  readonly changes?: readonly PlannedChange[];
}

/** SHA-256 of the subject of a vote or a gate: the plan, and its changes to files. */
export function planDigest(plan: Plan, changes: readonly PlannedChange[]): string {
  return changes.length === 0 ? planHash(plan) : hashOf({plan, changes});
}

/** For people. Undefined when the plan contains no write. */
export function changesText(changes: readonly PlannedChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  return changes.map(({task, preview}) => `Task ${task}:\n${preview}`).join('\n\n');
}

/** For models. */
export function changeQuotations(changes: readonly PlannedChange[]): Quotation[] {
  return changes.map(({task, preview}) => ({source: engineLine`Task ${task}`, text: preview}));
}
