/** Look-ups in a recorded run that several laws share. */

import {isJsonObject, type Json, type JsonObject} from '../../machines/domain/json.ts';
import type {ToolInfo} from '../../machines/domain/tool.ts';
import type {RecordedRound} from '../../machines/panel/recorded-votes.ts';
import type {RecordedRun} from '../history/record.ts';
import type {Entry} from '../journal/journal.ts';
import {openedIn, type OpenedInput, versionsIn} from '../run/run-input.ts';
import {chartsVersion} from '../version.ts';

type Settled = Extract<Entry, {readonly type: 'settled'}>;

/** A note with its entry and the path of its actor. */
export interface PlacedNote {
  readonly entry: number;
  readonly actor: string;
  readonly note: JsonObject;
}

/** The decision of a panel as it is recorded. */
export interface PlacedRound extends PlacedNote {
  readonly round: RecordedRound & {readonly proposalHash: string};
}

export interface RecordIndex extends RecordedRun {
  readonly opened: OpenedInput | undefined;
  /** Of other charts than today's that have recorded a part of it. */
  readonly otherVersion: string | undefined;
  readonly tools: ReadonlyMap<string, ToolInfo>;
  readonly notes: readonly PlacedNote[];
  readonly rounds: readonly PlacedRound[];
  /** Decisions of persons, and of rules and modes in their place. */
  readonly personDecisions: readonly PlacedNote[];
  /** All decisions, of panels too, by the hash of their subject. */
  readonly decisions: ReadonlyMap<string, readonly PlacedNote[]>;
  /** Outcomes by the key of their effect, in order. */
  readonly outcomes: ReadonlyMap<string, readonly Settled[]>;
  /** Outcomes by the path of their actor without its last id, in order. */
  readonly outcomesBelow: (path: string) => readonly Settled[];
  /** The last entry, if it closes the run. */
  readonly closed: Extract<Entry, {readonly type: 'closed'}> | undefined;
}

export function indexRecord(run: RecordedRun): RecordIndex {
  const {entries} = run;
  const opened = openedIn(entries);
  const notes = entries.flatMap((entry): PlacedNote[] =>
    entry.type === 'noted'
      ? [{entry: entry.seq, actor: textOf(entry.note['actor']), note: entry.note}]
      : [],
  );
  const settled = entries.filter((entry) => entry.type === 'settled');
  const last = entries.at(-1);
  return {
    ...run,
    opened,
    otherVersion: versionsIn(entries).find((version) => version !== chartsVersion()),
    tools: new Map((opened?.settings.tools ?? []).map((tool) => [tool.name, tool])),
    notes,
    rounds: notes.flatMap((placed) =>
      isRound(placed.note) ? [{...placed, round: placed.note}] : [],
    ),
    personDecisions: notes.filter(({note}) => note['type'] === 'human.decided'),
    decisions: Map.groupBy(notes, ({note}) => textOf(note['proposalHash'])),
    outcomes: Map.groupBy(settled, ({key}) => key),
    outcomesBelow: outcomesByPath(settled),
    closed: last?.type === 'closed' ? last : undefined,
  };
}

/** Every path above an effect, so that the outcomes below an actor are found without a search of the whole record. */
function outcomesByPath(settled: readonly Settled[]): RecordIndex['outcomesBelow'] {
  const byPath = new Map<string, Settled[]>();
  for (const entry of settled) {
    for (let end = entry.key.lastIndexOf('/'); end > 0; end = entry.key.lastIndexOf('/', end - 1)) {
      const path = entry.key.slice(0, end);
      const known = byPath.get(path);
      if (known) known.push(entry);
      else byPath.set(path, [entry]);
    }
  }
  return (path) => byPath.get(path) ?? [];
}

function isRound(note: JsonObject): note is JsonObject & PlacedRound['round'] {
  return (
    note['type'] === 'quorum.decided' &&
    Array.isArray(note['seats']) &&
    Array.isArray(note['votes']) &&
    typeof note['rule'] === 'string'
  );
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** The outcome of an effect as an object. */
export function outcomeIn({outcome}: Settled): JsonObject {
  return isJsonObject(outcome) ? outcome : {};
}

/** The events that the run has received, with their entries. */
export function receivedIn(
  {entries}: RecordedRun,
  type: string,
): {readonly entry: number; readonly event: JsonObject}[] {
  return entries.flatMap((entry) =>
    entry.type === 'received' && entry.event['type'] === type
      ? [{entry: entry.seq, event: entry.event}]
      : [],
  );
}

// A law of verify.md as a reader of records.

/** A statement that the record contradicts. */
export interface Violation {
  /** Its number in the list of laws. */
  readonly law: number;
  /** The `seq` of the entry that shows it. */
  readonly entry: number;
  readonly message: string;
}

/** A statement that the record does not show either way. */
export interface Unchecked {
  readonly law: number;
  readonly because: string;
  /** The record contradicts it, by the charts of this version. */
  readonly isContradicted?: true;
}

export interface LawReading {
  /** In the order of their entries. */
  readonly violations: readonly Violation[];
  readonly unchecked: readonly Unchecked[];
}

/** Called with what one law finds. */
export interface Findings {
  readonly violated: (law: number, entry: number, message: string) => void;
  /** As `violated`, for what other charts may have recorded in another way: in their records it is unchecked. */
  readonly unproven: (law: number, entry: number, message: string) => void;
  readonly unchecked: (law: number, because: string) => void;
}

export type Law = (record: RecordIndex, findings: Findings) => void;
