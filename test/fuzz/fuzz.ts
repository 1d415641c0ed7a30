/**
 * `npm run fuzz -- commands COUNT SEED`: random commands of known programs, 10,000 and a new seed without. What the policies
 * approve is run in a scratch folder, in bubblewrap and without a network, under strace. Prints what came of a command and was
 * not among the effects that it was judged by. Exit code 1 when there is any.
 */

import {fuzzCommands} from './commands/fuzz-commands.ts';

const [what, count = '10000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
if (what !== 'commands') throw new Error('what to fuzz? commands');
process.stdout.write(`${count} commands, seed ${seed}\n`);
const figures = await fuzzCommands({count: Number(count), seed: Number(seed)}, (line) => {
  process.stdout.write(`${line}\n`);
});
const {judged, approved, ran, programs, wrong} = figures;
process.stdout.write(
  `${judged} judged, ${approved} approved, ${ran} of these run (${programs} programs), ${wrong} with effects that were not listed\n`,
);
process.exitCode = wrong > 0 ? 1 : 0;
