/** Turns a request into a plan: tries the skills in order, for each part of the request. */

import {isJapanese} from '../../../machines/domain/language.ts';
import type {Job, PlannedTask, Skill, Work} from './skills/skill.ts';

export interface Understood {
  readonly objective: string;
  readonly reasoning: string;
  readonly tasks: readonly PlannedTask[];
  readonly works: ReadonlyMap<string, () => Work>;
}

export interface NotUnderstood {
  readonly understood: readonly string[];
  readonly not: readonly string[];
}

/** Every word must be understood: if one part is not, nothing is done. */
export function understand(request: string, skills: readonly Skill[]): Understood | NotUnderstood {
  const parts = partsOf(request).map(placeLast);
  const jobs = parts.map((part) => jobsIn(part, skills));
  if (jobs.every((job) => job !== undefined)) return combined(jobs.flat(), request);
  return {
    understood: parts.filter((_, index) => jobs[index] !== undefined),
    not: parts.filter((_, index) => jobs[index] === undefined),
  };
}

/** Turns `In a.txt, delete line 2` into `delete line 2 in a.txt`. */
function placeLast(part: string): string {
  const found = /^(?:please\s+)?in\s+([^\s,"]+\.\w+),?\s+(.*[^.!?])[.!?]*$/is.exec(part);
  return found ? `${found[2]} in ${found[1]}` : part;
}

function firstJob(text: string, skills: readonly Skill[]): Job | undefined {
  for (const {understand: read} of skills) {
    const job = read(text);
    if (job) return isJapanese(text) ? inOwnWords(job, text) : job;
  }
  return undefined;
}

/** For a Japanese request, the plan repeats the words of the request, as all of them were understood. */
function inOwnWords(job: Job, text: string): Job {
  const objective = text.replace(/[。\s]+$/, '');
  return {...job, objective, task: {...job.task, description: objective}};
}

const quotedText = /```[^]*?```|`[^`]*`|"[^"]*"|“[^”]*”|「[^」]*」|\{[^{}]*\}/g;

const connectors =
  /[,;.。、]?\s*\b(?:and\s+then|then|and\s+after\s+that|after\s+that|and\s+afterwards|afterwards)\b[,\s]+|\s*;\s+|(?<=て)から、?|(?<=[てし])、(?!お願い|ください)|[。、]?\s*(?:そして|その後|それから|次に)、?/gi;

/** Splits a request at connectors, but not within quoted text or after a colon. */
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

/** Replaces quoted texts by placeholders of the same length, so that they cannot be mistaken for words of the request. */
function masked(request: string): string {
  return request.replaceAll(quotedText, (text) => '_'.repeat(text.length));
}

const maxAnds = 8;

/** One job, or several jobs joined by `and` if each of them is understood. */
function jobsIn(text: string, skills: readonly Skill[], depth = 0): readonly Job[] | undefined {
  const whole = firstJob(text, skills);
  if (whole) return [whole];
  const ands = depth > 2 ? [] : [...masked(text).matchAll(/,?\s+and\s+/gi)].slice(0, maxAnds);
  for (const {index, 0: and} of ands) {
    const first = firstJob(text.slice(0, index), skills);
    const others = first && jobsIn(text.slice(index + and.length), skills, depth + 1);
    if (first && others) return [first, ...others];
  }
  return undefined;
}

/** One plan for several jobs: each starts after the previous one has succeeded. */
function combined(jobs: readonly Job[], request: string): Understood {
  const ids = jobs.map(({task: {id}}, index) => (jobs.length === 1 ? id : `${index + 1}-${id}`));
  return {
    objective: jobs.map(({objective}) => objective).join('; then: '),
    reasoning: isJapanese(request)
      ? '依頼のすべての語を規則で理解しました。'
      : 'Every word of the request is understood by rule.',
    tasks: jobs.map(({task}, index) => ({
      ...task,
      id: ids[index] ?? task.id,
      ...(index === 0 ? {} : {depends_on: ids.slice(index - 1, index)}),
    })),
    works: new Map(jobs.flatMap(({work}, index) => (work ? [[ids[index] ?? '', work]] : []))),
  };
}
