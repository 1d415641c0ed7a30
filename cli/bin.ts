#!/usr/bin/env node
/**
 * The program `quorate`. Every import waits for the check of Node's version, so that an old Node says what is needed
 * instead of failing on syntax that it doesn't know.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [first = ''] = process.argv.slice(2);
const isAlone = process.argv.length === 3;

if (major < 24 || (major === 24 && minor < 15)) {
  process.stderr.write(`quorate: Node 24.15 or newer is needed, this is ${process.version}\n`);
  process.exitCode = 2;
} else if (isAlone && (first === '--version' || first === '-V')) {
  const {version} = await import('./version.ts');
  process.stdout.write(`${version()}\n`);
} else if (isAlone && (first === '--help' || first === '-h')) {
  const {helpText} = await import('./help.ts');
  process.stdout.write(helpText() ?? '');
} else {
  const {launch} = await import('./main.ts');
  await launch(process.argv.slice(2));
}
