/** Checks each run of a cluster after its end. */

import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

import {roundsIn} from '../../actors/history/recorded-facts.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {isJsonObject, type Json} from '../../machines/domain/json.ts';
import {recountAll} from '../../machines/panel/recorded-votes.ts';
import type {Site} from './site.ts';

export interface Begun {
  readonly id: string;
  readonly site: Site;
  /** The run appends one line to each of these files. */
  readonly marks: readonly string[];
  /** Of an interview: what its person and its reader report, once it is submitted. */
  readonly filled?: Promise<Filled>;
}

export interface Filled {
  readonly answers: readonly string[];
  /** Of the messages that the reader has received. */
  readonly positions: readonly number[];
}

/** Each as a sentence. */
export async function problemsOf(begun: Begun): Promise<readonly string[]> {
  const {id, site, marks, filled} = begun;
  const state = await site.runtime.stateOf(id);
  if (state !== 'ended') {
    const why = await filled?.then(() => 'it was filled', String);
    return [[`${id} has not ended: ${state}`, why ?? []].flat().join('; ')];
  }
  const entries = await site.runtime.entries(id);
  const {checks} = await site.runtime.verify(id);
  return [
    ...statusProblems(entries),
    ...marks.flatMap((file) => markProblems(join(site.folder, file))),
    ...checks.flatMap(({check, state: each}) => (each === 'fails' ? [`${check} fails`] : [])),
    ...voteProblems(entries),
    ...(filled ? talkProblems(entries, await filled) : []),
  ].map((problem) => `${id}: ${problem}`);
}

function statusProblems(entries: readonly Entry[]): readonly string[] {
  const last = entries.at(-1);
  const result = last?.type === 'closed' && isJsonObject(last.result) ? last.result : {};
  if (result['status'] === 'completed') return [];
  return [`it ended as ${JSON.stringify(result['status'])}: ${JSON.stringify(result['summary'])}`];
}

/** How often a command ran. */
export function linesOf(file: string): number {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0;
}

function markProblems(file: string): readonly string[] {
  const lines = linesOf(file);
  return lines === 1 ? [] : [`the command for ${file} ran ${lines} times`];
}

/** Each round has the ballots that were cast for it, and its verdict follows from them. */
function voteProblems(entries: readonly Entry[]): readonly string[] {
  const cast = entries.flatMap((entry) => {
    const outcome = entry.type === 'settled' && isJsonObject(entry.outcome) ? entry.outcome : {};
    return Array.isArray(outcome['calls']) ? outcome['calls'].filter(isBallot) : [];
  });
  const rounds = roundsIn(entries);
  const votes = rounds.flatMap((round) => round.votes);
  const {differsFrom, mayDifferFrom: differs = differsFrom} = recountAll(rounds, {
    without: new Set(),
  });
  return [
    ...(votes.length === cast.length ? [] : [`${votes.length} of ${cast.length} votes counted`]),
    ...(differs === undefined
      ? []
      : [`round ${differs} was decided in another way than its votes`]),
  ];
}

function isBallot(call: Json): boolean {
  return isJsonObject(call) && call['name'] === 'cast_ballot';
}

function talkProblems(entries: readonly Entry[], {answers, positions}: Filled): readonly string[] {
  const said = entries.flatMap((entry) => {
    const event = entry.type === 'received' && isJsonObject(entry.event) ? entry.event : {};
    return event['type'] === 'person.replied' ? [event['text']] : [];
  });
  const wanted = [...answers, 'submit'];
  // A question before each, the confirmation and its question. A server that has just lost the run can send messages again.
  const last = 2 * answers.length + 2;
  const isWhole = positions.every(
    (position, index) => position <= 1 + Math.max(0, ...positions.slice(0, index)),
  );
  return [
    ...(JSON.stringify(said) === JSON.stringify(wanted)
      ? []
      : [`${JSON.stringify(said)} is recorded, ${JSON.stringify(wanted)} was said`]),
    ...(isWhole && positions.includes(last)
      ? []
      : [`the reader has received the messages ${positions.join(', ')}`]),
  ];
}
