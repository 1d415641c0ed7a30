#!/usr/bin/env node
/**
 * The program `quorate`. All imports come after the check of Node's version, so that an old Node prints the required
 * version instead of a syntax error.
 */

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 23) || major === 23 || (major === 24 && minor < 15)) {
  process.stderr.write(
    `quorate: Node 24.15 or newer (or 22.23 of the line 22) is needed, this is ${process.version}; nvm install 24 installs it, or see nodejs.org\n`,
  );
  process.exitCode = 2;
} else {
  hideExperimentalWarnings();
  const {keepCompiledCode} = await import('./compiled-code.ts');
  const {processTerminal} = await import('./terminal.ts');
  keepCompiledCode(processTerminal().env);
  // When a file may not grow (RLIMIT_FSIZE), Node lets the write fail. Without a listener here, a library that starts
  // processes would end this one.
  process.on('SIGXFSZ', () => {});
  const {launch} = await import('./main.ts');
  await launch(process.argv.slice(2));
}

/** Node 22 calls its SQLite experimental. Every other warning is printed as before. */
function hideExperimentalWarnings(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') for (const print of printers) print(warning);
  });
}
