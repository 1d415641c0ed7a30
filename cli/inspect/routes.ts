/** The HTTP interface of the inspector. Everything is the owner's. */

import {AppError} from '../../machines/domain/app-error.ts';
import {asJson} from '../../machines/domain/json.ts';
import {Packer} from '../../machines/trace/packing.ts';
import {eventStream, type Streaming} from '../serve/event-stream.ts';
import {type Route, route} from '../serve/routes/route.ts';
import {framesOf} from './trace-frames.ts';
import type {Traces} from './traces.ts';

const access = 'owner';
const path = '/v1/traces/{id}';

export function inspectorRoutes(traces: Traces, streaming: Streaming): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/traces',
      summary: 'Lists the traces, the newest first.',
      access,
      replies: {200: {text: 'Without their steps.'}},
      answer: async () => Response.json({traces: await traces.list()}),
    }),
    route({
      method: 'get',
      path,
      summary: 'The head of a trace.',
      access,
      replies: {200: {text: 'What it is, and in which state.'}},
      answer: async ({params: {id = ''}}) => Response.json(await (await traces.find(id)).head()),
    }),
    route({
      method: 'get',
      path: `${path}/steps`,
      summary: 'Follows a trace: its steps, packed, and its head whenever that changes.',
      access,
      headers: {'Last-Event-ID': 'Continues after this step.'},
      replies: {200: {text: 'Events: head, steps, ready.', type: 'text/event-stream'}},
      answer: async ({params: {id = ''}, request, bindings}) => {
        const subject = await traces.find(id);
        const last = request.headers.get('last-event-id');
        const after = last !== null && /^\d+$/.test(last) ? Number(last) : -1;
        return eventStream(bindings, (signal) => framesOf(subject, after, signal), streaming);
      },
    }),
    route({
      method: 'get',
      path: `${path}/calls`,
      summary: 'The model calls of a run, with their prompts, packed.',
      access,
      replies: {200: {text: 'In the order of the requests.'}},
      answer: async ({params: {id = ''}}) => {
        const calls = await (await traces.find(id)).calls();
        return Response.json(new Packer().pack({calls: calls.map(asJson)}));
      },
    }),
    route({
      method: 'get',
      path: `${path}/charts/{machine}`,
      summary: 'The chart of a machine of a trace.',
      access,
      replies: {200: {text: 'Its drawing and its states.'}},
      answer: async ({params: {id = '', machine = ''}}) => {
        const chart = await (await traces.find(id)).chart(machine);
        if (!chart) throw new AppError('not_found', `there is no chart of ${machine}`);
        return Response.json(chart);
      },
    }),
  ];
}
