/** An overview of a workspace: its documents and manifests, and its top-level entries. */

import {isCredentialPlace} from '../../machines/places/places.ts';
import {escapeLine} from '../escape.ts';
import {clip} from './clip.ts';
import {topLevel, type TopLevel} from './list.ts';
import {readInside, decodedText} from './read.ts';

const maxFileShareBytes = 16_000;
const maxNames = 200;
const maxSurveyedBytes = 2 * 1024 * 1024;

/** In reading order; names are compared without case. */
const known: readonly RegExp[] = [
  /^readme(\.(md|markdown|rst|txt|adoc|org))?$/i,
  /^contributing\.md$/i,
  /^(package\.json|pyproject\.toml|cargo\.toml|go\.mod|deno\.jsonc?|composer\.json|gemfile)$/i,
  /^(pom\.xml|build\.gradle(\.kts)?|setup\.(py|cfg)|mix\.exs|cmakelists\.txt|makefile|justfile)$/i,
];

export interface Survey {
  readonly text: string;
  /** The files read, relative to the workspace. */
  readonly read: readonly string[];
}

/** At most `maxBytes` of text, with notes about cuts. Rejects when aborted; an unreadable file is reported in the text. */
export async function surveyWorkspace(
  workspace: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Survey> {
  signal.throwIfAborted();
  const top = await topLevel(workspace, signal);
  signal.throwIfAborted();
  if (!top.ok) return {text: clip(top.denial.message, maxBytes), read: []};
  const files = known.flatMap((pattern) => top.value.names.filter((name) => pattern.test(name)));
  const parts = [listing(withoutGit(top.value), Math.min(maxBytes, maxFileShareBytes))];
  const read: string[] = [];
  let left = maxBytes - Buffer.byteLength(parts[0] ?? '');
  for (const name of files) {
    signal.throwIfAborted();
    const head = `\n\n## ${name}\n`;
    const room = Math.min(left - Buffer.byteLength(head), maxFileShareBytes);
    if (room < 100) break;
    const found = describe(workspace, name);
    if (found.isRead) read.push(name);
    const part = head + clip(found.text, room);
    parts.push(part);
    left -= Buffer.byteLength(part);
  }
  return {text: parts.join(''), read};
}

function describe(workspace: string, name: string): {text: string; isRead: boolean} {
  const file = readInside(workspace, name, {maxBytes: maxSurveyedBytes});
  if (file.ok && isCredentialPlace(file.value.path)) {
    return {text: '[not read: it leads to a file that may hold credentials]', isRead: false};
  }
  const text = file.ok ? decodedText(file.value) : file;
  return text.ok
    ? {text: text.value.trimEnd(), isRead: true}
    : {text: `[not read: ${text.denial.message}]`, isRead: false};
}

/** Git's own data is not useful to a planner. */
function withoutGit(top: TopLevel): TopLevel {
  return {...top, names: top.names.filter((name) => name !== '.git/' && name !== '.git')};
}

function listing({names, cut, opaque}: TopLevel, maxBytes: number): string {
  const shown = names.slice(0, maxNames).map(escapeLine);
  if (names.length === 0 && opaque === 0) return clip('The workspace is empty.', maxBytes);
  const count = cut ? `more than ${names.length}` : String(names.length);
  const more = names.length > maxNames ? [`… ${count} entries in all`] : [];
  const unnamed = opaque > 0 ? [`… ${opaque} more, whose names are not UTF-8`] : [];
  return clip([...shown, ...more, ...unnamed].join('\n'), maxBytes);
}
