/**
 * What a person reads, captured at 60, 80 and 110 columns in both languages: a run with its votes, its commands and its result,
 * and a gate. The captures are in `test/fixtures/screens`.
 */

import {cpSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {afterAll, beforeAll, expect, test} from 'vitest';

import {createRuntime} from '../../../actors/index.ts';
import {demoConfig, demoModels} from '../../../cli/demo/models.ts';
import {screenLines} from '../../../cli/gate/screen.ts';
import {createReporter} from '../../../cli/render/live/reporter.ts';
import {hintText} from '../../../cli/render/result/closing.ts';
import {resultLines} from '../../../cli/render/result/result.ts';
import {plainStyle, type Style} from '../../../cli/render/style.ts';
import {advance} from '../../../cli/render/view/fold.ts';
import {emptyView} from '../../../cli/render/view/run-view.ts';
import type {HumanQuestion} from '../../../machines/domain/human.ts';
import type {RunResult} from '../../../machines/domain/result.ts';
import type {ProgressEvent} from '../../../machines/facts/progress.ts';

const screens = join(import.meta.dirname, '../../fixtures/screens');

let workspace = '';
const events: ProgressEvent[] = [];
let result: RunResult;

beforeAll(async () => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'quorate-screen-')));
  cpSync('cli/demo/sample', workspace, {recursive: true});
  const runtime = createRuntime({
    config: {
      ...demoConfig,
      sandbox: {mode: 'off'},
      agent: {...demoConfig.agent, max_parallel_tasks: 1},
    },
    models: demoModels(),
  });
  const run = runtime.start({form: 'agent', request: 'Fix the failing test', workspace});
  for await (const event of run.events) if (event.type !== 'result') events.push(event);
  result = await run.result;
  await runtime.close();
}, 60_000);

afterAll(() => rmSync(workspace, {recursive: true}));

function runRows(style: Style, width: number): readonly string[] {
  const reporter = createReporter();
  let view = emptyView;
  const live = events.flatMap((event) => {
    const before = view;
    view = advance(before, event);
    return reporter.report(
      event,
      {before, after: view},
      {style, level: 'normal', width, isLive: true},
    );
  });
  const shown = {style, width, isBrief: true, hints: [hintText(result)]};
  return [...live, ...resultLines(result, shown)];
}

function gateRows(style: Style, width: number): readonly string[] {
  const round = events.find(
    (event) => event.type === 'quorum.decided' && event.verdict === 'rejected',
  );
  const created = events.find(({type}) => type === 'plan.created');
  if (round?.type !== 'quorum.decided' || created?.type !== 'plan.created')
    throw new Error('the demo has no rejected plan');
  const question: HumanQuestion = {
    kind: 'plan',
    request: 'Fix the failing test',
    reason: 'Revision limit (1) exceeded. The panel rejected it, 2 to 1.',
    plan: created.plan,
    proposalHash: round.proposalHash,
    history: [round],
    allowed: ['approve', 'reject', 'edit', 'revise'],
  };
  return screenLines(question, '/home/ann/shop', style, {width, height: 24});
}

/** Without parts that differ in each run. */
function lasting(rows: readonly string[]): string {
  return `${rows.join('\n')}\n`
    .replaceAll(result.interaction, 'RUN')
    .replaceAll(/\d+\.\d s\b/g, '0.1 s');
}

test.each(
  [60, 80, 110].flatMap((width) =>
    (['en', 'ja'] as const).map((language) => [width, language] as const),
  ),
)('at %i columns in %s', async (width, language) => {
  const style = {...plainStyle, ...(language === 'ja' ? {language} : {})};
  for (const [name, rowsOf] of Object.entries({run: runRows, gate: gateRows})) {
    const file = join(screens, `${name}-${width}-${language}.txt`);
    await expect(lasting(rowsOf(style, width))).toMatchFileSnapshot(file);
  }
});
