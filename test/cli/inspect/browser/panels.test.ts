/** The panels of the inspector's page in Chromium, on a run that has ended: a plan is rejected twice, then a person approves it. */

import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';

import type {Run} from '../../../../actors/index.ts';
import {silentLogger} from '../../../../actors/logger.ts';
import {addressOf, startInspector} from '../../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../../cli/inspect/run-traces.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {isPlanBallot} from '../../../support/agent-models.ts';
import {isDeep} from '../../../support/depth.ts';
import {
  type Inspected,
  type InspectorPage,
  chromiumForTests,
  framesWhileDragging,
  inspectRuns,
  openInspectorPage,
  countOf,
  textOf,
  textsOf,
} from '../../../support/inspecting.ts';
import {longRun} from '../../../support/long-run.ts';

const chromium = await chromiumForTests();

let inspected: Inspected;

let run: Run;

/** The entries of the first and the last vote, and of the last entry. */
let firstVote = 0;

let lastVote = 0;

let end = 0;

beforeAll(async () => {
  inspected = await inspectRuns((received) =>
    isPlanBallot(received) && received.model === 'c' ? 'hang' : speak(received),
  );
  run = await inspected.ended(requests.contested, {decision: 'approve', reason: 'no date needed'});
  const entries = await inspected.runtime.entries(run.id);
  const votes = entries.filter(
    (entry) => entry.type === 'noted' && entry.note['type'] === 'quorum.decided',
  );
  [firstVote, lastVote, end] = [votes[0]?.seq ?? 0, votes[1]?.seq ?? 0, entries.length - 1];
});

afterAll(async () => {
  await chromium.close();
  await inspected[Symbol.asyncDispose]();
});

async function open(place = ''): Promise<InspectorPage> {
  return await openInspectorPage(chromium.browser(), inspected.address(run) + place);
}

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('leads from a rejected ballot to its reason, and to the prompt exactly as it was sent', async () => {
    await using shown = await open();
    const {page, press} = shown;
    await page.keyboard.press('Home');
    for (const _ of ['plan', 'vote']) await page.keyboard.press(']');
    const votes = await shown.tab('Votes');
    const round = votes.locator('.round').first();
    await round.getByText('rejected', {exact: false}).first().waitFor();
    await expect.poll(textsOf(votes.locator('.round'))).toHaveLength(1);
    await expect
      .poll(textsOf(round.locator('.round-head')))
      .toEqual([`plan ${requests.contested} round 1 rejected [○○·] Entry ${firstVote - 1}`]);
    await expect
      .poll(textsOf(round.locator('.ballots').first().locator('> li')))
      .toEqual([
        expect.stringMatching(/^○ a rejects 90% sure · \d+ ms Entry \d+ Prompt it needs a date$/),
        expect.stringMatching(/^○ b rejects 90% sure · \d+ ms Entry \d+ Prompt it needs a date$/),
        '· c not needed any more',
      ]);

    await press('Prompt: a');
    const prompts = page.getByRole('tabpanel', {name: 'Prompts'});
    const chosen = prompts.getByRole('option', {selected: true});
    await chosen.waitFor();
    await expect
      .poll(textsOf(chosen))
      .toEqual([
        expect.stringMatching(
          /^review-plan mock\/a ok ballot of a 10 in · 5 out · \$0\.00 · \d+ ms$/,
        ),
      ]);
    await prompts.getByText('5 calls · 30 in · 15 out · $0.00', {exact: true}).waitFor();
    await shown.showAll(prompts);
    const parts = prompts.locator('.prompt-part:is(.system, .user) .text-block');
    const sent = inspected.models.received.find(
      (received) => isPlanBallot(received) && received.model === 'a',
    );
    expect((await parts.allTextContents()).join('\n')).toBe(sent?.text);
    await expect
      .poll(textOf(prompts.locator('.tool-call')))
      .toMatch(/cast_ballot[^]*it needs a date/);
    expect(shown.complaints).toEqual([]);
  });

  test('opens on the request, its votes, changes and answer, each row a link to its moment', async () => {
    await using shown = await open();
    const {page} = shown;
    const overview = page.getByRole('listbox', {name: 'Overview'});
    await expect
      .poll(textsOf(overview.getByRole('option')))
      .toEqual([
        expect.stringMatching(new RegExp(`^Request ${requests.contested} completed .* tokens$`)),
        expect.stringMatching(/^Plan .* \d task/),
        expect.stringMatching(/^Vote on the plan .* rejected .* tokens$/),
        expect.stringMatching(/^Plan /),
        expect.stringMatching(/^Vote on the plan .* rejected/),
        expect.stringMatching(/^Question to a person .* approve/),
        expect.stringMatching(/^Task /),
        expect.stringMatching(/^Change \S+ \+1 −0/),
        expect.stringMatching(/^Evaluation succeeded/),
        expect.stringMatching(/^Answer .* completed/),
      ]);
    await overview
      .getByRole('option', {name: /^Vote on the plan/})
      .first()
      .click();
    await page
      .locator('.scrub-place')
      .getByText(`entry ${firstVote - 1} of ${end} ·`)
      .waitFor();
    const votes = page.getByRole('tabpanel', {name: 'Votes'});
    await expect.poll(textsOf(votes.locator('.round'))).toHaveLength(1);
    await overview.getByRole('option', {name: /^Question to a person/}).click();
    await expect
      .poll(textsOf(votes.locator('.gate')))
      .toEqual([expect.stringMatching(/Decision: approve .* by: person no date needed$/)]);
    await overview.press('ArrowDown');
    await expect
      .poll(textsOf(overview.getByRole('option', {selected: true})))
      .toEqual([expect.stringMatching(/^Task /)]);
  });

  test('has a waterfall, in which ballots stand below each other and a withdrawn one is marked', async () => {
    await using shown = await open();
    const panel = await shown.tab('Waterfall');
    const row = (name: RegExp) => panel.getByRole('option', {name}).first();
    await expect.poll(textsOf(row(/^ballot of c/))).toEqual([expect.stringContaining('cancelled')]);
    const [a, b] = await Promise.all(
      [/^ballot of a/, /^ballot of b/].map(
        async (name) => await row(name).locator('.span-bar').boundingBox(),
      ),
    );
    expect(a?.x).toBeCloseTo(b?.x ?? 0, 0);
    await row(/^ballot of a/).click();
    const prompts = shown.page.getByRole('tabpanel', {name: 'Prompts'});
    await expect
      .poll(textsOf(prompts.getByRole('option', {selected: true})))
      .toEqual([expect.stringMatching(/^review-plan mock\/a/)]);
    expect(shown.complaints).toEqual([]);
  });

  test('has a tree of actors with their states, and who waits for whom', async () => {
    await using shown = await open(`&at=${firstVote - 3}`);
    const {page, actor} = shown;
    const tree = page.getByRole('tree', {name: 'Actors'});
    await actor('seat:b').waitFor();
    await expect
      .poll(textsOf(tree.getByRole('treeitem').filter({hasText: /waits for/})))
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^the run .*active waits for the interaction$/),
          expect.stringMatching(/^the agent .*reviewingPlan waits for vote on the plan$/),
          expect.stringMatching(/^the ballots .*polling waits for ballot of b, ballot of c$/),
          'model call callingModel waits for the model mock/b (review-plan)',
        ]),
      );
    await page.keyboard.press('End');
    await actor('i').getByText('done').first().waitFor();
  });

  test('has the chart of the selected actor: its active states, its last transition, its enabled events', async () => {
    await using shown = await open(`&at=${firstVote - 3}`);
    const {page, actor} = shown;
    const chart = page.getByRole('img');
    await page.getByRole('img', {name: /Statechart of agent\. Active: reviewingPlan/}).waitFor();
    await actor('quorum').click();
    await page.getByRole('img', {name: /^Statechart of quorum\. Active: polling/}).waitFor();
    await expect.poll(countOf(chart.locator('.is-now'))).toBeGreaterThan(0);
    const facts = page.locator('.chart-facts');
    await expect.poll(textOf(facts)).toMatch(/Enabled events[^]*seat\.settled/);

    await shown.scrubTo(firstVote);
    const panel = page.getByRole('tabpanel', {name: 'Chart'});
    await panel.getByText('This actor does not exist at this moment.').waitFor();
    await actor('form').click();
    await page
      .getByRole('img', {name: /^Statechart of agent\. Active: drafting › revising/})
      .waitFor();
    await expect.poll(countOf(chart.locator('.is-last'))).toBeGreaterThan(0);
    await expect.poll(textOf(facts)).toMatch(/Last transition\s+done\.actor\.quorum/);
  });

  test('has the journal with a slider in both directions, and every panel shows the chosen moment', async () => {
    await using shown = await open();
    const {page, slider} = shown;
    const entries = page.getByRole('listbox', {name: 'Entries'});
    const chosen = entries.getByRole('option', {selected: true});
    const place = page.locator('.scrub-place');
    const isAt = async (entry: number) => {
      await place.getByText(`entry ${entry} of ${end} ·`).waitFor();
      await expect.poll(async () => await slider.inputValue()).toBe(String(entry));
      await expect.poll(textsOf(chosen)).toEqual([expect.stringMatching(new RegExp(`^${entry} `))]);
    };
    await isAt(end);
    for (const [key, entry] of [
      ['ArrowLeft', end - 1],
      ['Home', 0],
      ['ArrowRight', 1],
      ['End', end],
    ] as const) {
      await page.keyboard.press(key);
      await isAt(entry);
    }
    await shown.scrubTo(firstVote);
    await isAt(firstVote);
    await expect
      .poll(textsOf(chosen))
      .toEqual([expect.stringContaining('quorum.decided rejected [○○·]')]);
    await entries.getByRole('option').filter({hasText: 'fired'}).first().click();
    await isAt(firstVote - 1);
    const round = (await shown.tab('Votes')).locator('.round-head');
    await expect.poll(textsOf(round)).toEqual([expect.stringContaining('round 1 rejected')]);
    await (await shown.tab('Prompts')).getByText(/^5 calls ·/).waitFor();
    await shown.scrubTo(1);
    const noVotes = await shown.tab('Votes');
    await expect.poll(textOf(noVotes)).toContain('There is no vote');
    const values = await shown.tab('Context');
    await expect.poll(textOf(values)).toMatch(/state\s+drafting › planning/);
    await page.getByText('Entry 1 as JSON').click();
    await page.locator('.whole-body').getByText('"settled"').waitFor();
    expect(page.url()).toMatch(new RegExp(`#run=${run.id}`));
  });

  test('has the context at the moment, and its difference between any two', async () => {
    await using shown = await open();
    const context = await shown.tab('Context');
    await shown.scrubTo(0);
    await context.getByText('gathering').first().waitFor();
    await shown.scrubTo(lastVote);
    await expect.poll(textOf(context)).toMatch(/state\s+deciding/);
    await context.locator('summary', {hasText: 'draft'}).click();
    await context.locator('summary', {hasText: /^plan/}).click();
    await context.getByText('as said 1 times').waitFor();

    await shown.press('Compare with this moment');
    await context.getByText('This is the moment to compare with.').waitFor();
    await shown.scrubTo(3);
    await context.getByText(`Changes from entry 3 to entry ${lastVote}`).waitFor();
    const form = context.locator('.difference', {hasText: 'the agent'}).first();
    await form.waitFor();
    await expect
      .poll(textsOf(context.locator('.difference .row')))
      .toContainEqual(expect.stringMatching(/^changed .*the agent .*→ deciding/));
    await shown.press('End the comparison');
    await context.getByText('Changes from').waitFor({state: 'hidden'});
  });

  test('has a nested list as the second view of the chart', async () => {
    await using shown = await open(`&at=${lastVote + 1}`);
    const {page} = shown;
    const states = await shown.tab('States');
    await states.getByText('awaitingHuman').first().waitFor();
    const active = states.locator('li.is-now > p');
    await expect
      .poll(textsOf(active))
      .toEqual([
        expect.stringMatching(/^agent active/),
        expect.stringMatching(/^deciding active .*runs humanGate as gate/),
        expect.stringMatching(/^awaitingHuman active/),
      ]);
    await expect.poll(countOf(states.locator('li.is-last'))).toBeGreaterThan(0);
    await shown.press('Active states only');
    await expect.poll(countOf(states.locator('li:has(> p)'))).toBe(3);

    const tree = page.getByRole('tree', {name: 'Actors'});
    await tree.focus();
    await page.keyboard.press('ArrowDown');
    await shown.selected('gate');
    await page.keyboard.press('ArrowLeft');
    expect(await shown.actor('modeWatch').count()).toBe(0);
  });
});

const tasks = isDeep ? 50 : 8;

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test(
    'shows each entry of a long run while the slider is dragged, with few of them in the document',
    {timeout: 180_000},
    async () => {
      const {runtime, id} = await longRun(tasks);
      onTestFinished(async () => await runtime.close());
      const traces = createRunTraces(runtime);
      const inspector = await startInspector({traces, port: 0, logger: silentLogger});
      onTestFinished(inspector.close);
      await using shown = await openInspectorPage(chromium.browser(), addressOf(inspector, id));
      const {page} = shown;
      const {length} = await runtime.entries(id);
      expect(length).toBeGreaterThanOrEqual(200 * tasks);
      await expect.poll(async () => await shown.slider.inputValue()).toBe(String(length - 1));
      const frames = await framesWhileDragging(shown);
      const [median, p95] = [0.5, 0.95].map((part) => quantile(frames, part).toFixed(1));
      process.stderr.write(
        `${length} entries, a frame while dragging: ${median} ms, p95 ${p95} ms\n`,
      );

      const at = Number(await shown.slider.inputValue());
      expect(at).toBeLessThan(200);
      const entries = page.getByRole('listbox', {name: 'Entries'});
      const chosen = entries.getByRole('option', {selected: true});
      await expect.poll(textOf(chosen)).toMatch(new RegExp(String.raw`^${at}\s`));
      await expect.poll(countOf(page.getByRole('option'))).toBeLessThan(90);
      await shown.actor('task:t0').waitFor();
      const later = 170 * tasks;
      await shown.scrubTo(later);
      await shown.actor(`task:t${Math.floor(later / 202)}`).waitFor();
      await expect.poll(textOf(chosen)).toMatch(new RegExp(String.raw`^${later}\s`));
    },
  );
});

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? NaN;
}
