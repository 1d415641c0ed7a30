/** A run as one file: the page of the inspector with the trace, the prompts and the charts of the run. */

import type {InspectedRun} from '../../actors/inspect/inspection-api.ts';
import type {Entry} from '../../actors/journal/journal.ts';
import {asJson} from '../../machines/domain/json.ts';
import {Packer} from '../../machines/trace/packing.ts';
import type {Step, TraceHead} from '../../machines/trace/step.ts';
import {shippedChart} from './charts.ts';
import {pageFile} from './page/page.ts';
import type {Chart} from './replies.ts';
import {runHead} from './run-traces.ts';

export async function runFile(
  id: string,
  entries: readonly Entry[],
  {steps, gaps, calls}: InspectedRun,
): Promise<string> {
  const data = {
    head: headOf(id, entries),
    steps,
    gaps,
    calls,
    charts: await chartsOf(steps),
  };
  return await pageFile(new Packer().pack(asJson(data)));
}

function headOf(id: string, entries: readonly Entry[]): TraceHead {
  return runHead(id, entries, 'suspended');
}

async function chartsOf(steps: readonly Step[]): Promise<Readonly<Record<string, Chart>>> {
  const names = new Set(
    steps.flatMap(({changes}) =>
      changes.flatMap((each) => (each.change === 'started' ? (each.machine ?? []) : [])),
    ),
  );
  const charts = await Promise.all(
    [...names].map(async (name) => [name, await shippedChart(name)] as const),
  );
  return Object.fromEntries(charts.flatMap(([name, chart]) => (chart ? [[name, chart]] : [])));
}
