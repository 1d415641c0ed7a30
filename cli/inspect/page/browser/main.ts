/** Shows the trace that the page holds, or those of the server that it came from. */

import {language} from './language.ts';
import {reloadForToken, takeToken} from './shell/address.ts';
import {showLoading, showNoRuns, showRefusal} from './shell/no-trace.ts';
import {parsePlace} from './shell/place.ts';
import {createShell} from './shell/shell.ts';
import {embeddedSource} from './sources/embedded-source.ts';
import {liveSource} from './sources/live-source.ts';
import {type Source, SourceError} from './sources/source.ts';

document.documentElement.lang = language;

async function start(): Promise<void> {
  showLoading();
  const source = embeddedSource() ?? liveSource(takeToken());
  const place = parsePlace(location.hash);
  const run = place.run ?? (await newestRun(source));
  createShell(source).open({...place, run});
}

const againMs = 2000;

/** Waits for the first one. */
async function newestRun(source: Source): Promise<string> {
  const [newest] = await source.list();
  if (newest) return newest.id;
  showNoRuns();
  await new Promise((resolve) => setTimeout(resolve, againMs));
  return await newestRun(source);
}

addEventListener('hashchange', reloadForToken);
start().catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  showRefusal(error instanceof SourceError ? error : new SourceError('unknown', message));
});
