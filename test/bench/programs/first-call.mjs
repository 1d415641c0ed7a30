/** How long after the start of the process the first model is called. Order: `side`. */

import {order, tell} from './measure.mjs';

const {createWorld} = await import(`./${order.side}.mjs`);
let isTold = false;
const onCall = () => {
  if (isTold) return;
  isTold = true;
  const {user, system} = process.cpuUsage();
  tell({ms: performance.now(), cpuMs: (user + system) / 1_000});
};
await createWorld({turns: 1, onCall}).run();
