/** The way in which skills write a file: what stands there is read first, so that nothing is replaced unseen. */

import {readListing} from './listing.ts';
import {type Answer, refusal, type Use, type Work} from './skill.ts';

const into =
  /\b(?:to|into|as|called|named)\s+(?:(?:the|a|an|new)\s+)*(?:file\s+)?(?:called\s+|named\s+)?[`"']?([\w@./-]+\.\w{1,8})\b/i;
/** `in FILE` may also mean where to look: only a document is taken for the target. */
const inDocument =
  /\bin\s+(?:(?:the|a|an|new)\s+)*(?:file\s+)?[`"']?([\w@./-]+\.(?:md|txt|rst|adoc))\b/i;
const writing = /\b(?:write|create|make|generate|produce|put|save|store)\b/i;

/** The file that a request wants something written to. */
export function targetOf(request: string): string | undefined {
  const found = into.exec(request) ?? (writing.test(request) ? inDocument.exec(request) : null);
  return found?.[1];
}

/** Looks whether a file exists: glob characters in its name are escaped by brackets. */
export function lookFor(path: string): Use {
  return {tool: 'glob_search', args: {pattern: path.replaceAll(/[*?[{]/g, '[$&]')}};
}

export function exists(path: string, answer: Answer | undefined): boolean {
  return readListing(answer?.text ?? '').files.some((file) => file.path === path);
}

/** Writes a whole file and reports, ending with `summary`. `isThere`: the file exists and has to be read before. */
export function* writeWhole(
  path: string,
  content: string,
  isThere: boolean,
  summary: string,
): Work {
  if (isThere) {
    const [old] = yield [{tool: 'read_file', args: {path}}];
    if (old?.isError) return refusal(`${path} exists and can't be read`, old);
    if (old?.text === content) return `${path} is up to date already. ${summary}`;
  }
  const [written] = yield [{tool: 'write_file', args: {path, content, create_dirs: true}}];
  if (!written || written.isError) return refusal(`${path} was not written`, written);
  return `Wrote ${path}. ${summary}`;
}
