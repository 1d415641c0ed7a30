/** What a person does to runs from the inspector's page in Chromium. */

import {existsSync} from 'node:fs';
import {join} from 'node:path';

import {afterAll, afterEach, beforeEach, describe, expect, test} from 'vitest';

import type {Run} from '../../../../actors/index.ts';
import {requests, speak} from '../../../fixtures/journals/recorded-models.ts';
import {isPlanBallot} from '../../../support/agent-models.ts';
import {
  chromiumForTests,
  type Inspected,
  inspectRuns,
  type InspectorPage,
  openInspectorPage,
} from '../../../support/inspecting.ts';

const chromium = await chromiumForTests();
let inspected: Inspected;
/** Lets all seats of a panel but the first cast their ballots, once it is resolved. */
let ballots = Promise.withResolvers<void>();

beforeEach(async () => {
  ballots = Promise.withResolvers();
  inspected = await inspectRuns(async (received) => {
    if (isPlanBallot(received) && received.model !== 'a') await ballots.promise;
    return speak(received);
  });
});

afterEach(async () => await inspected[Symbol.asyncDispose]());

afterAll(async () => await chromium.close());

async function open(run: Run): Promise<InspectorPage> {
  return await openInspectorPage(chromium.browser(), inspected.address(run));
}

async function atGate(): Promise<Run> {
  ballots.resolve();
  return await inspected.atGate(requests.contested);
}

/** The events that a run received, without its times. */
async function receivedBy({id}: Run) {
  const entries = await inspected.runtime.entries(id);
  return entries.flatMap((entry) => (entry.type === 'received' ? [entry.event] : []));
}

const noteIn = () => join(inspected.workspace, 'note.txt');

describe.runIf(chromium.isThere)('the page of the inspector', () => {
  test('sends any event of a run, such as other settings', async () => {
    const run = await atGate();
    await using shown = await open(run);
    const control = await shown.tab('Control');
    await control.getByText('Any event').click();
    await control.getByRole('button', {name: 'settings.changed'}).click();
    const members = control.getByRole('textbox', {name: /^Further members/});
    const form = control.locator('form').filter({hasText: 'Further members'});
    const send = form.getByRole('button', {name: 'Send'});
    await members.fill('{"settings": {"limits": {"max_model_calls": -1}}}');
    await send.click();
    await control.getByRole('alert').getByText('max_model_calls').waitFor();
    await members.fill('{"settings": {"limits": {"max_model_calls": 77}}}');
    await send.click();
    await shown.told('The event was sent.');
    expect(await receivedBy(run)).toMatchObject([
      {type: 'settings.changed', limits: {maxModelCalls: 77}},
    ]);
    await run.suspend('interrupted');
  });

  test('follows a running run, stays at a chosen moment, and follows again', async () => {
    const run = inspected.agent(requests.contested);
    await run.opened;
    await using shown = await open(run);
    const {page, actor, slider} = shown;
    const follow = page.getByRole('button', {name: 'Follow'});
    await actor('quorum/poll').waitFor();
    await shown.state('running');
    await expect.poll(async () => await follow.getAttribute('aria-pressed')).toBe('true');
    const before = Number(await slider.inputValue());
    await page.keyboard.press('ArrowLeft');
    await page
      .locator('.scrub-place')
      .getByText(`entry ${before - 1} of`)
      .waitFor();
    await expect.poll(async () => await follow.getAttribute('aria-pressed')).toBe('false');

    ballots.resolve();
    await shown.state('waits for a person');
    await expect.poll(async () => Number(await slider.getAttribute('max'))).toBeGreaterThan(before);
    await expect.poll(async () => await slider.inputValue()).toBe(String(before - 1));
    await shown.press('Follow');
    await actor('gate').waitFor();
    await expect.poll(async () => await slider.inputValue()).toBe(await slider.getAttribute('max'));
    run.send({type: 'human.decided', decision: 'approve'});
    await shown.state('completed');
    expect(shown.complaints).toEqual([]);
  });

  test('approves at the gate, holds the run at a breakpoint before its tool, and releases it', async () => {
    const run = await atGate();
    await using shown = await open(run);
    const control = await shown.tab('Control');
    await control.getByRole('heading', {name: 'A decision is needed'}).waitFor();
    await expect
      .poll(async () => await control.getByRole('list', {name: 'Plan'}).innerText())
      .toContain('Write the note');
    await control.getByRole('checkbox', {name: 'tool'}).check();
    await shown.press('Set');
    await shown.told('The breakpoints were set.');
    await control.getByRole('textbox', {name: 'Reason (optional)'}).fill('no date needed');
    await shown.press('Approve');
    await shown.state('held at a breakpoint');
    const held = control.locator('.held');
    await expect
      .poll(async () => await held.innerText())
      .toMatch(/The run is held before tool · write_file/);
    expect(await control.getByRole('heading', {name: 'A decision is needed'}).count()).toBe(0);
    expect(existsSync(noteIn())).toBe(false);

    await shown.press('Continue');
    await shown.state('completed');
    await control.getByText('This trace has ended').waitFor();
    expect(existsSync(noteIn())).toBe(true);
    expect(await receivedBy(run)).toMatchObject([
      {type: 'breakpoints.changed', before: ['runTool']},
      {type: 'human.decided', decision: 'approve', reason: 'no date needed', by: 'person'},
      {type: 'run.held'},
      {type: 'run.released'},
    ]);
    const votes = await shown.tab('Votes');
    await expect
      .poll(async () => await votes.locator('.gate').innerText())
      .toMatch(/Decision: approve[^]*no date needed/);
    expect(shown.complaints).toEqual([]);
  });

  test('sends an edited plan, but not a text that is no JSON object', async () => {
    const run = await atGate();
    await using shown = await open(run);
    const control = await shown.tab('Control');
    await shown.press('Edit the plan …');
    const plan = control.getByRole('textbox', {name: 'The edited plan as JSON'});
    const before = await plan.inputValue();
    await plan.fill('[]');
    await shown.press('Run the edited plan');
    await control.getByText('This is not a JSON object.').waitFor();
    await plan.fill(before.replaceAll('note.txt', 'dated.txt'));
    await shown.press('Run the edited plan');
    await shown.told('The decision was sent.');
    expect(await receivedBy(run)).toMatchObject([
      {type: 'human.decided', decision: 'edit', plan: {tasks: [{args: {path: 'dated.txt'}}]}},
    ]);
  });

  test('sends a message to an interaction, and cancels only after confirmation', async () => {
    const run = inspected.agent(requests.contested);
    await run.opened;
    await using shown = await open(run);
    await shown.actor('quorum/poll').waitFor();
    const control = await shown.tab('Control');
    await control.getByRole('textbox', {name: 'Message', exact: true}).fill('The date is 1 May.');
    await shown.press('Send');
    await shown.told('The message was sent.');
    expect(await receivedBy(run)).toMatchObject([
      {type: 'user.said', text: 'The date is 1 May.', interaction: run.id},
    ]);

    const dialog = shown.page.getByRole('dialog', {name: 'Cancel this run?'});
    await shown.press('Cancel the run …');
    await dialog.getByRole('button', {name: 'Keep it'}).click();
    await dialog.waitFor({state: 'detached'});
    expect(await receivedBy(run)).toHaveLength(1);
    await shown.press('Cancel the run …');
    await dialog.getByRole('button', {name: 'Cancel the run'}).click();
    await shown.state('cancelled');
    expect(await run.result).toMatchObject({status: 'cancelled'});
  });

  test('rewinds the run at the shown moment after confirmation, and forks it with a message', async () => {
    ballots.resolve();
    const run = await inspected.ended(requests.contested, {decision: 'approve'});
    const entries = await inspected.runtime.entries(run.id);
    const asked = entries.findIndex(
      (entry) => entry.type === 'noted' && entry.note['type'] === 'human.requested',
    );
    await using shown = await open(run);
    await shown.scrubTo(asked);
    const control = await shown.tab('Control');
    await control.getByRole('heading', {name: `From entry ${asked} on`}).waitFor();
    await shown.press('Fork here');
    await control
      .getByRole('alert')
      .getByText(/folder/)
      .waitFor();

    await shown.press('Rewind to here …');
    await control.getByRole('listitem').getByText('note.txt').waitFor();
    await expect
      .poll(async () => await control.locator('.rewind-plan').innerText())
      .toMatch(/note\.txt removed/);
    expect(existsSync(noteIn())).toBe(true);
    await shown.press('Rewind');
    const dialog = shown.page.getByRole('dialog', {name: 'Rewind the run?'});
    await dialog.getByRole('button', {name: 'Leave it'}).click();
    await dialog.waitFor({state: 'detached'});
    expect(existsSync(noteIn())).toBe(true);
    await shown.press('Rewind');
    await dialog.getByRole('button', {name: 'Rewind'}).click();
    await shown.page.getByText(`Fork of ${run.id} after ${asked}`).waitFor();
    expect(existsSync(noteIn())).toBe(false);

    await shown.state('waits for a person');
    await shown.scrubTo(asked);
    const shownId = async () => await shown.page.getByRole('banner').getByRole('code').innerText();
    const rewound = await shownId();
    const say = control.getByRole('textbox', {name: /^Message to the new run/});
    await say.fill('Write it in lower case.');
    await shown.press('Fork here');
    await shown.told('The new run is shown.');
    await expect.poll(shownId).not.toBe(rewound);
    const forked = await inspected.runtime.entries(await shownId());
    expect(forked.slice(asked + 1)).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({type: 'user.said', text: 'Write it in lower case.'}),
      }),
    );
    await shown.page.getByRole('combobox', {name: 'Other runs'}).selectOption(run.id);
    await shown.state('completed');
  });
});
