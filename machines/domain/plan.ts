/** What the agent intends: tasks with dependencies, validated before anybody votes on them. */

import {z} from 'zod';

import {hashOf} from './digest.ts';
import {isJsonObject, type JsonObject} from './json.ts';
import type {Reading} from './reading.ts';
import type {ToolInfo} from './tool.ts';

export type ContextMode = 'full' | 'projected' | 'fresh';

/** Limits of one plan. */
const maxTasks = 50;
const maxTaskTimeoutMs = 3_600_000;

const taskSchema = z.strictObject({
  id: z.union([z.string().trim().min(1).max(60), z.number().int().transform(String)]),
  description: z.string().trim().min(1),
  tool: z.string().nullish(),
  args: z.record(z.string(), z.unknown()).nullish(),
  depends_on: z.array(z.union([z.string().trim(), z.number().int().transform(String)])).nullish(),
  expected_outcome: z.string().nullish(),
  timeout_ms: z.number().int().min(1).max(maxTaskTimeoutMs).nullish(),
  context_mode: z.enum(['full', 'projected', 'fresh']).nullish(),
  context_brief: z.string().nullish(),
});

export const planSchema = z
  .strictObject({
    objective: z.string().trim().min(1),
    reasoning: z.string(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    tasks: z.array(taskSchema).min(1).max(maxTasks),
  })
  .describe('Propose the plan: the objective and the tasks that reach it.');

export interface Task {
  readonly id: string;
  readonly description: string;
  readonly tool?: string;
  readonly args?: JsonObject;
  readonly dependsOn: readonly string[];
  readonly expectedOutcome?: string;
  readonly timeoutMs?: number;
  readonly contextMode: ContextMode;
  readonly contextBrief?: string;
}

export interface Plan {
  readonly objective: string;
  readonly reasoning: string;
  readonly parameters?: JsonObject;
  readonly tasks: readonly Task[];
}

export type PlanReading =
  | {readonly ok: true; readonly plan: Plan}
  | {readonly ok: false; readonly problems: readonly string[]};

/**
 * Reads a plan from untrusted data: a model's `create_plan` arguments, or a person's edited file.
 * `settled` are ids of tasks of an earlier plan that succeeded, which a replanned task may depend on.
 */
export function readPlan(
  value: unknown,
  tools: readonly ToolInfo[],
  settled: readonly string[] = [],
): PlanReading {
  const parsed = planSchema.safeParse(value);
  if (!parsed.success) return {ok: false, problems: [z.prettifyError(parsed.error)]};
  const plan = toPlan(parsed.data);
  const problems = planProblems(plan, tools, settled);
  return problems.length > 0 ? {ok: false, problems} : {ok: true, plan};
}

/** What a drafted plan must agree with. */
export interface PlanGround {
  readonly tools: readonly ToolInfo[];
  /** Ids of tasks of an earlier plan that succeeded. */
  readonly settled: readonly string[];
}

/** Reads the arguments of `create_plan`. */
export function readPlanArgs(args: unknown, {tools, settled}: PlanGround): Reading<Plan> {
  const reading = readPlan(args, tools, settled);
  return reading.ok ? {ok: true, value: reading.plan} : reading;
}

function toPlan(data: z.infer<typeof planSchema>): Plan {
  return {
    objective: data.objective,
    reasoning: data.reasoning,
    ...(isJsonObject(data.parameters) ? {parameters: data.parameters} : {}),
    tasks: data.tasks.map(toTask),
  };
}

function toTask(data: z.infer<typeof taskSchema>): Task {
  return {
    id: data.id,
    description: data.description,
    ...(data.tool ? {tool: data.tool} : {}),
    ...(isJsonObject(data.args) ? {args: data.args} : {}),
    dependsOn: [...new Set(data.depends_on ?? [])],
    ...(data.expected_outcome ? {expectedOutcome: data.expected_outcome} : {}),
    ...(data.timeout_ms ? {timeoutMs: data.timeout_ms} : {}),
    contextMode: data.context_mode ?? 'full',
    ...(data.context_brief ? {contextBrief: data.context_brief} : {}),
  };
}

function planProblems(
  plan: Plan,
  tools: readonly ToolInfo[],
  settled: readonly string[],
): string[] {
  const ids = plan.tasks.map(({id}) => id);
  const known = new Set([...ids, ...settled]);
  const toolNames = new Set(tools.map(({name}) => name));
  const perTask = plan.tasks.flatMap((task) => [
    ...task.dependsOn
      .filter((id) => !known.has(id))
      .map((id) => `task ${task.id} depends on ${id}, which is not in the plan`),
    ...(task.tool !== undefined && !toolNames.has(task.tool)
      ? [`task ${task.id} names the tool ${task.tool}; there is ${[...toolNames].join(', ')}`]
      : []),
    ...(task.args && task.tool === undefined
      ? [`task ${task.id} has arguments but names no tool`]
      : []),
  ]);
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index || settled.includes(id));
  const cycle = tasksInCycle(plan.tasks);
  return [
    ...repeated.map((id) => `the task id ${id} is used twice`),
    ...perTask,
    ...(cycle.length > 0 ? [`tasks depend on each other in a circle: ${cycle.join(', ')}`] : []),
  ];
}

/** The ids that are left when every task without an open dependency has been taken away, again and again. */
function tasksInCycle(tasks: readonly Task[]): string[] {
  let left = tasks;
  for (;;) {
    const open = new Set(left.map(({id}) => id));
    const next = left.filter((task) => task.dependsOn.some((id) => open.has(id)));
    if (next.length === left.length) return next.map(({id}) => id);
    left = next;
  }
}

export function planHash(plan: Plan): string {
  return hashOf(plan);
}

/** The plan as models and people give it (`create_plan`'s arguments): what `/edit` opens and `readPlan` accepts. */
export function planToData(plan: Plan): JsonObject {
  return {
    objective: plan.objective,
    reasoning: plan.reasoning,
    ...(plan.parameters ? {parameters: plan.parameters} : {}),
    tasks: plan.tasks.map((task) => ({
      id: task.id,
      description: task.description,
      ...(task.tool ? {tool: task.tool} : {}),
      ...(task.args ? {args: task.args} : {}),
      ...(task.dependsOn.length > 0 ? {depends_on: task.dependsOn} : {}),
      ...(task.expectedOutcome ? {expected_outcome: task.expectedOutcome} : {}),
      ...(task.timeoutMs ? {timeout_ms: task.timeoutMs} : {}),
      context_mode: task.contextMode,
      ...(task.contextBrief ? {context_brief: task.contextBrief} : {}),
    })),
  };
}
