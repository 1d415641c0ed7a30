/**
 * A long run in the inspector's page in Chromium; in a deep search, one of 10,000 entries. Prints how long a frame takes while the
 * slider is dragged.
 */

import {afterAll, describe, expect, onTestFinished, test} from 'vitest';

import {silentLogger} from '../../../../actors/logger.ts';
import {addressOf, startInspector} from '../../../../cli/inspect/inspector.ts';
import {createRunTraces} from '../../../../cli/inspect/run-traces.ts';
import {isDeep} from '../../../support/depth.ts';
import {
  chromiumForTests,
  framesWhileDragging,
  openInspectorPage,
} from '../../../support/inspecting.ts';
import {longRun} from '../../../support/long-run.ts';

const tasks = isDeep ? 50 : 8;

const chromium = await chromiumForTests();

afterAll(async () => await chromium.close());

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
      const chosen = page.getByRole('option', {selected: true});
      await expect
        .poll(async () => await chosen.innerText())
        .toMatch(new RegExp(String.raw`^${at}\s`));
      await expect.poll(async () => await page.getByRole('option').count()).toBeLessThan(60);
      await shown.actor('task:t0').waitFor();
      const later = 170 * tasks;
      await shown.scrubTo(later);
      await shown.actor(`task:t${Math.floor(later / 202)}`).waitFor();
      await expect
        .poll(async () => await chosen.innerText())
        .toMatch(new RegExp(String.raw`^${later}\s`));
    },
  );
});

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? NaN;
}
