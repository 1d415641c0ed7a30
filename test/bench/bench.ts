/**
 * `npm run bench`: compares the CPU of the parts of a run with the recorded ratios; exit code 1 when one is slower. `--record`
 * records the ratios. `--peers` prints figures beside the AI SDK instead, and asserts nothing.
 */

import {checkRatios} from './check.ts';
import {printPeers} from './peers.ts';
import {preparePlace} from './place.ts';

const args = new Set(process.argv.slice(2));
const place = preparePlace(args.has('--peers'));
try {
  if (args.has('--peers')) await printPeers(place);
  else process.exitCode = (await checkRatios(place, args.has('--record'))) ? 0 : 1;
} finally {
  place.remove();
}
