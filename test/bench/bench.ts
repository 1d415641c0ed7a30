/**
 * `npm run bench`: compares the CPU of the parts of a run with the recorded ratios; exit code 1 when one is slower. `--record`
 * records the ratios. `--peers [PART…]` prints figures beside other libraries instead, `--growth [PART…]` curves, and `--journals`
 * those of appends; they assert nothing.
 */

import {checkRatios} from './check.ts';
import {printGrowth} from './growth.ts';
import {printJournals} from './journals.ts';
import {printPeers} from './peers.ts';
import {preparePlace} from './place.ts';

/** Processes of each side in a comparison. */
const times = 5;

const args = process.argv.slice(2);
if (args.includes('--journals')) await printJournals();
else await measureRuns();

async function measureRuns(): Promise<void> {
  const place = preparePlace(args.includes('--peers'));
  const parts = args.filter((arg) => !arg.startsWith('--'));
  try {
    if (args.includes('--peers')) await printPeers(place, times, parts);
    else if (args.includes('--growth')) await printGrowth(place, parts);
    else process.exitCode = (await checkRatios(place, args.includes('--record'))) ? 0 : 1;
  } finally {
    place.remove();
  }
}
