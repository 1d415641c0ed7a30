/** The past of the owner's interactions over HTTP: points, moments, forks and rewinds. */

import type {Interactions} from '../interactions.ts';
import {type Route, route, routeWithBody} from './route.ts';
import {interaction, moment, newFork, newRewind, pointList, rewound} from './schemas.ts';

const access = 'owner';
const path = '/v1/interactions/{id}';
const notNow = {409: 'The run is at work, or another run is changing its folder.'};

export function historyRoutes(interactions: Interactions): Route[] {
  return [
    pointsRoute(interactions),
    momentRoute(interactions),
    forkRoute(interactions),
    rewindRoute(interactions),
  ];
}

function pointsRoute({points}: Interactions): Route {
  return route({
    method: 'get',
    path: `${path}/points`,
    summary: 'Replays a run: its named points, and the entries at which the replay differs.',
    access,
    replies: {200: {text: 'In the order in which they begin.', schema: pointList}},
    answer: async ({params: {id = ''}}) => Response.json(await points(id)),
  });
}

function momentRoute({momentAt}: Interactions): Route {
  return route({
    method: 'get',
    path: `${path}/moments/{point}`,
    summary: 'A run as it was after an entry or a named point: its actors and open calls.',
    detail: 'Private answers of an interview are masked.',
    access,
    replies: {200: {text: 'Each actor after its parent.', schema: moment}},
    answer: async ({params: {id = '', point = ''}}) => Response.json(await momentAt(id, point)),
  });
}

function forkRoute({fork}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/fork`,
    summary: 'Continues a run that this server began from an earlier point, as a new run.',
    detail: 'A named point means the moment before it. The folder must be as it was then.',
    access,
    body: newFork,
    replies: {201: {text: 'The new run has begun.', schema: interaction}},
    errors: notNow,
    answer: async ({params: {id = ''}}, given) =>
      Response.json(await fork(id, given), {status: 201}),
  });
}

function rewindRoute({rewind}: Interactions): Route {
  return routeWithBody({
    method: 'post',
    path: `${path}/rewind`,
    summary: 'As fork, and takes back the later file changes of the run.',
    detail: 'With `dryRun`, and when a file can’t be taken back, nothing is changed.',
    access,
    body: newRewind,
    replies: {200: {text: 'The files, and the new run if it has begun.', schema: rewound}},
    errors: notNow,
    answer: async ({params: {id = ''}}, given) => Response.json(await rewind(id, given)),
  });
}
