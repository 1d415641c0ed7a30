/** The person of a simulated world: answers every question, sometimes late, never, or wrongly. */

import type {Run, RunEvent} from '../../actors/runtime-api.ts';
import {AppError} from '../../machines/domain/app-error.ts';
import type {HumanQuestion} from '../../machines/domain/human.ts';
import {asJson} from '../../machines/domain/json.ts';
import {saidTo} from './cast.ts';
import type {World} from './world.ts';

/** Ms after a question. */
const promptMs = 45_000;
const lateMs = 36_000_000;

interface Due {
  readonly at: number;
  readonly act: () => void;
}

/** The answers of the person to the questions of one run in one process. */
export class Person {
  readonly #world: World;
  readonly #run: Run;
  readonly #asked = new Set<string>();
  #agenda: Due[] = [];

  constructor(world: World, run: Run) {
    this.#world = world;
    this.#run = run;
  }

  /** When the person acts next; Infinity if nothing is asked. */
  get next(): number {
    return Math.min(...this.#agenda.map(({at}) => at));
  }

  /** Reads a new question, one at a time. */
  read(): void {
    if (this.#agenda.length > 0) return;
    const gate = this.#run.gates().find((open) => !this.#asked.has(open.gate));
    if (gate) {
      this.#asked.add(gate.gate);
      this.#answer((how) => decisionOn(gate.question, how, gate.gate), gate.gate);
      return;
    }
    const ask = this.#run.asks().find((open) => !this.#asked.has(open.ask));
    if (!ask) return;
    this.#asked.add(ask.ask);
    this.#answer((how) => {
      const to = {type: 'person.replied', ask: ask.ask} as const;
      const isMistaken = how === 'mistaken';
      return ask.state === 'confirming' && !isMistaken
        ? {...to, confirms: true}
        : {...to, text: saidTo(ask, isMistaken)};
    });
  }

  /** Does what is due. */
  act(): void {
    const {now} = this.#world.clock;
    const due = this.#agenda.filter(({at}) => at <= now);
    this.#agenda = this.#agenda.filter(({at}) => at > now);
    for (const {act} of due) act();
  }

  /** A refused event changes nothing. */
  send(event: RunEvent): void {
    this.#world.clock.note();
    try {
      this.#run.send(event);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  #answer(eventFor: (how: string | undefined) => RunEvent, gate?: string): void {
    const {clock} = this.#world;
    const [how] = this.#world.faults('person');
    const act = (): void => {
      clock.note();
      if (how === 'never') void this.#run.suspend('waiting');
      else if (how === 'mistaken' && gate !== undefined) {
        this.send({type: 'human.decided', gate, digest: 'abcdef12', decision: 'approve'});
        this.#asked.delete(gate);
      } else this.send(eventFor(how));
    };
    this.#agenda.push({at: clock.now + (how === 'late' ? lateMs : promptMs), act});
  }
}

function decisionOn(
  {kind, plan, allowed}: HumanQuestion,
  how: string | undefined,
  gate: string,
): RunEvent {
  const to = {type: 'human.decided', gate} as const;
  if (kind === 'in-doubt') {
    if (how === 'retries') return {...to, decision: 'retry'};
    return {...to, decision: how === 'fails' ? 'fail' : 'done'};
  }
  if (how === 'rejects') return {...to, decision: 'reject', reason: 'not now'};
  if (how !== 'edits' || !plan || !allowed.includes('edit')) return {...to, decision: 'approve'};
  const tasks = plan.tasks.map((task) =>
    Object.assign({}, task, {description: `${task.description}, slowly`}),
  );
  return {...to, decision: 'edit', plan: asJson({...plan, tasks})};
}
