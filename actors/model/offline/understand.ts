/** From a request to a plan: the skills in turn, and requests of several parts. */

import type {Job, PlannedTask, Skill, Work} from './skill.ts';

/** What was understood, with the work of each task that has to be worked out. */
export interface Understood {
  readonly objective: string;
  readonly reasoning: string;
  readonly tasks: readonly PlannedTask[];
  /** By the id of the task. */
  readonly works: ReadonlyMap<string, () => Work>;
}

export interface NotUnderstood {
  /** Parts of the request that are understood, when not all of them are. */
  readonly understood: readonly string[];
  readonly not: readonly string[];
}

export type Understanding = Understood | NotUnderstood;

export function isUnderstood(understanding: Understanding): understanding is Understood {
  return 'tasks' in understanding;
}

/** Every word counts: a part that is not understood leaves the whole request undone. */
export function understand(request: string, skills: readonly Skill[]): Understanding {
  const jobOf = (text: string): Job | undefined => firstJob(text, skills);
  const parts = partsOf(request);
  const jobs = parts.map((part) => jobOf(part));
  if (jobs.every((job) => job !== undefined)) return combined(jobs);
  const split = parts.length === 1 ? splitAtAnd(request, jobOf) : undefined;
  if (split) return combined(split);
  return {
    understood: parts.filter((_, index) => jobs[index] !== undefined),
    not: parts.filter((_, index) => jobs[index] === undefined),
  };
}

function firstJob(text: string, skills: readonly Skill[]): Job | undefined {
  for (const {understand: read} of skills) {
    const job = read(text);
    if (job) return job;
  }
  return undefined;
}

const quotedText = /```[^]*?```|`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」/g;

/** What divides a request into parts that follow each other. */
const connectors =
  /[,;.。、]?\s*\b(?:and\s+then|then|and\s+after\s+that|after\s+that|and\s+afterwards|afterwards)\b[,\s]+|\s*;\s+|(?<=て)から、?|[。、]?\s*(?:そして|その後|それから|次に)、?/gi;

/** Quoted text and content after a colon are left whole. */
function partsOf(request: string): readonly string[] {
  const colon = /:\s|:\n|：/.exec(masked(request))?.index ?? request.length;
  const cuts = [...masked(request).matchAll(connectors)].filter(({index}) => index < colon);
  const parts: string[] = [];
  let from = 0;
  for (const {index, 0: text} of cuts) {
    parts.push(request.slice(from, index));
    from = index + text.length;
  }
  return [...parts, request.slice(from)].map((part) => part.trim());
}

/** The same length, with nothing in quotes that could be mistaken for a word of the request. */
function masked(request: string): string {
  return request.replaceAll(quotedText, (text) => '_'.repeat(text.length));
}

const maxAnds = 8;

/** `Do this and do that`: where both sides are understood. */
function splitAtAnd(request: string, jobOf: (text: string) => Job | undefined): Job[] | undefined {
  const ands = [...masked(request).matchAll(/,?\s+and\s+/gi)].slice(0, maxAnds);
  for (const {index, 0: text} of ands) {
    const first = jobOf(request.slice(0, index));
    const second = first && jobOf(request.slice(index + text.length));
    if (first && second) return [first, second];
  }
  return undefined;
}

/** One plan of several jobs: each begins when the one before it has succeeded. */
function combined(jobs: readonly Job[]): Understood {
  const [only] = jobs;
  if (only && jobs.length === 1) {
    return {...only, works: worksOf(only, only.tasks)};
  }
  const tasks: PlannedTask[] = [];
  const works = new Map<string, () => Work>();
  for (const [index, job] of jobs.entries()) {
    const own = numbered(job.tasks, index + 1, tasks.at(-1)?.id);
    for (const [id, work] of worksOf(job, own)) works.set(id, work);
    tasks.push(...own);
  }
  return {
    objective: jobs.map(({objective}) => objective).join('; then: '),
    reasoning: jobs.map(({reasoning}) => reasoning).join(' '),
    tasks,
    works,
  };
}

function worksOf({work}: Job, tasks: readonly PlannedTask[]): Map<string, () => Work> {
  const open = tasks.filter(({args}) => args === undefined);
  return new Map(work ? open.map(({id}) => [id, work] as const) : []);
}

function numbered(
  tasks: readonly PlannedTask[],
  part: number,
  before: string | undefined,
): PlannedTask[] {
  return tasks.map(({id, depends_on: needs = [], ...task}) => {
    const after = [
      ...needs.map((need) => `${part}-${need}`),
      ...(before === undefined ? [] : [before]),
    ];
    return {...task, id: `${part}-${id}`, ...(after.length > 0 ? {depends_on: after} : {})};
  });
}
