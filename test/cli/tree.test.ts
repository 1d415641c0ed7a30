/** Interactions below a run: their progress, questions, resumption and display, and cancelling them from another process. */

import {existsSync} from 'node:fs';

import {afterEach, describe, expect, test} from 'vitest';

import {type Journal, type Run, createSqliteJournal} from '../../actors/index.ts';
import type {ModelOutcome, ModelRequest} from '../../machines/domain/model.ts';
import {act, ballot, call, isBallot, isPlanBallot} from '../support/agent-models.ts';
import {type Asking, createAsking, lastText, say} from '../support/asking.ts';
import type {ReceivedRequest, Said} from '../support/mock-openai.ts';
import {setStage} from './stage.ts';

/** A question spawns an agent to write a note; all reviewers reject its plan. */
function speak(received: ReceivedRequest): Said {
  if (isPlanBallot(received)) return ballot('reject', 'not good enough');
  if (isBallot(received)) return ballot('approve');
  if (received.model !== 'asker') return act(received);
  if (received.turn > 0)
    return {text: `It was written: ${received.text.includes('[Agent Result (completed)]')}.`};
  return call('spawn_agent', {request: 'Write the note', context_mode: 'fresh'});
}

describe('a child of a model', () => {
  const {at, launch: here} = setStage({
    models: speak,
    agent: `max_plan_revisions = 1
[ask]
model = "mock/asker"
[prices]
"mock/asker" = {input = 1, output = 10}
"mock/worker" = {input = 1, output = 10}`,
  });

  test('a question about the plan of a child agent has its place, continues after a resume, and is shown', async () => {
    const asked = await here('ask', 'Write the note, and say whether it was written.');
    expect([asked.code, asked.stderr]).toEqual([4, expect.any(String)]);
    expect(asked.stderr).toContain(
      '[1 agent] Write the note (by the model, no context)\n[1] ▸ gathering\n',
    );
    expect(asked.stderr).toContain('[1]   a person must decide: ');
    expect(asked.stderr).toContain("for the interaction 1 below the run's own\n");
    const id = /quorate resume ([a-z0-9]+)/.exec(asked.stderr)?.[1] ?? '';
    const digest = /approve:([0-9a-f]+)/.exec(asked.stderr)?.[1] ?? '';

    const waiting = await here('show', id);
    expect(waiting.stdout).toContain(
      '    1 agent waits for a person · by the model, no context · ',
    );
    expect(JSON.parse((await here('show', id, '--output', 'json')).stdout)).toMatchObject({
      state: 'waiting',
      waiting: {interaction: `${id}.1`, question: {kind: 'plan'}},
      interactions: [{id: `${id}.1`, status: 'active', phase: 'awaitingHuman'}],
    });

    const resumed = await here('resume', id, '--decision', `approve:${digest}`);
    expect([resumed.code, resumed.stdout]).toEqual([0, 'It was written: true.\n']);
    expect(resumed.stderr).toContain('[1 agent] continues: Write the note\n');
    expect(resumed.stderr).toContain(
      '[1 agent] ✓ completed: A person allowed the plan "Write a note"',
    );
    expect(resumed.stderr).not.toContain('spawn_agent succeeded');
    expect(existsSync(at('work/note.txt'))).toBe(true);

    const shown = await here('show', id);
    expect(shown.stdout).toMatch(
      /^    1 agent completed · by the model, no context · \d+ model calls · \$/m,
    );
    expect(shown.stdout).toContain('  [1] plan "Write a note", round 1: REJECTED');
    expect(shown.stdout).toContain('  [1] person approved plan "Write a note" against the panel');
    expect(shown.stdout).toContain('      → A person allowed the plan "Write a note"');
  }, 60_000);

  test('the last line of JSONL has all interactions, and events name their own', async () => {
    const asked = await here(
      'ask',
      'Write the note, and say whether it was written.',
      '--output',
      'jsonl',
    );
    const events = asked.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const result = events.at(-1);
    const child = `${result.interaction}.1`;
    expect(result).toMatchObject({
      type: 'result',
      interactions: [
        {id: child, form: 'agent', by: 'model', contextMode: 'fresh', depth: 1, status: 'active'},
      ],
      waiting: {interaction: child},
    });
    const voted = result.reviews.map(
      ({kind, interaction}: {kind: string; interaction?: string}) => [kind, interaction],
    );
    expect(voted.slice(0, 2)).toEqual([
      ['action', undefined],
      ['plan', child],
    ]);
    const speakers = new Set(
      events
        .filter(({type}) => type === 'phase.changed' || type === 'usage')
        .map(({interaction}) => interaction),
    );
    expect(speakers).toEqual(new Set([result.interaction, child]));
  }, 60_000);
});

const journals: Journal[] = [];

function never(): Promise<ModelOutcome> {
  return new Promise(() => {});
}

type AskingAnswer = (request: ModelRequest) => ModelOutcome | Promise<ModelOutcome>;

async function untilSettled(run: Run, child: string): Promise<void> {
  for await (const event of run.events) {
    if (event.type === 'interaction.settled' && event.child === child) return;
  }
}

function standing(run: Run) {
  return run.interactions().map(({id, result}) => [id.slice(run.id.length), result?.status]);
}

describe('a cancel from another process', () => {
  const {at, launcher} = setStage();

  afterEach(async () => {
    for (const journal of journals.splice(0)) await journal.close();
  });

  /** Runs over the journal of the launcher. */
  function createProcess(answer: AskingAnswer = never): Asking {
    const journal = createSqliteJournal(at('data/journal.db'));
    journals.push(journal);
    return createAsking({answer, journal, workspace: launcher.folder});
  }

  /** A question that is never answered, with `.1`, `.1.1` and `.2` below it. */
  async function startTree({runtime}: Asking): Promise<Run> {
    const run = runtime.ask('root', {workspace: launcher.folder});
    await run.opened;
    const wanted = ['', '.1', ''];
    const spawnNext = (): void => {
      const above = wanted.shift() ?? '';
      const parent = `${run.id}${above}`;
      run.send({type: 'interaction.spawn', form: 'ask', request: `below ${above}`, parent});
    };
    spawnNext();
    for await (const event of run.events) {
      if (event.type !== 'interaction.spawned') continue;
      if (wanted.length === 0) break;
      spawnNext();
    }
    return run;
  }

  test('an interaction of a live run ends with its children, but not its siblings', async () => {
    const run = await startTree(createProcess());
    const cancelled = await launcher.perform(['cancel', `${run.id}.1`]);

    expect(cancelled).toMatchObject({
      code: 0,
      stdout: `interaction ${run.id}.1: the process of its run was asked to cancel it\n`,
    });
    await untilSettled(run, `${run.id}.1`);
    expect(standing(run)).toEqual([
      ['', undefined],
      ['.1', 'cancelled'],
      ['.1.1', 'cancelled'],
      ['.2', undefined],
    ]);
    const again = await launcher.perform(['cancel', `${run.id.slice(0, 6)}.1`]);
    expect([again.code, again.stderr]).toEqual([
      2,
      `quorate: the interaction ${run.id}.1 has ended; see: quorate show ${run.id}\n`,
    ]);
    await run.suspend('interrupted');
  });

  test('an interaction of a run without a process is cancelled when the run continues', async () => {
    const first = await startTree(createProcess());
    await first.suspend('interrupted');
    const {code, stdout} = await launcher.perform(['cancel', `${first.id}.1`]);

    expect([code, stdout]).toEqual([
      0,
      `interaction ${first.id}.1: will be cancelled when its run continues: quorate resume ${first.id}\n`,
    ]);
    const asked: string[] = [];
    const {runtime} = createProcess(async (request) => {
      asked.push(lastText(request));
      if (!lastText(request).includes('below .1')) await untilSettled(run, `${first.id}.1`);
      return say('so it is');
    });
    const run = await runtime.resume(first.id);
    expect(await run.result).toMatchObject({
      status: 'completed',
      interactions: [{status: 'cancelled'}, {}, {status: 'completed'}],
    });
  });

  test('an unknown interaction of a run is an error', async () => {
    const run = await startTree(createProcess());
    const {code, stderr} = await launcher.perform(['cancel', `${run.id}.7`]);

    expect([code, stderr]).toEqual([
      2,
      `quorate: there is no interaction ${run.id}.7; see: quorate show ${run.id}\n`,
    ]);
    await run.suspend('interrupted');
  });
});
