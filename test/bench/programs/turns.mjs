/** CPU a turn. Order: `side`, `turns`, `warmUps`, `rounds`, `url` (absent: no network). */

import {cpuUsATurn, order, tell} from './measure.mjs';

const {createWorld} = await import(`./${order.side}.mjs`);
tell({
  cpuUs: await cpuUsATurn(async (turns) => await createWorld({turns, url: order.url}).run()),
});
