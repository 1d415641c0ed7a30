/** Answers questions about attached text: summarizes a diff by file; counts or quotes the lines of other text. */

import {quotationsIn} from '../../../../machines/prompts/section-reading.ts';
import {labelsFor} from '../japanese.ts';
import {topicOf} from './keywords.ts';
import {answerOnFile} from './text-file.ts';

export function answerFromAttached(question: string, attached: string): string {
  return quotationsIn(attached)
    .map(({source, lines}) => {
      const path = source.replace(/^Attached /, '');
      const text = `${lines.join('\n')}\n`;
      const changed = changedFiles(text);
      const ofDiff =
        changed.length > 0 && /\b(?:chang|diff|patch|commit)|変更|変わ|差分/i.test(question);
      if (ofDiff || (changed.length > 0 && topicOf(question).length === 0)) {
        return [
          `${path}: ${labelsFor(question)('$1 file{|s} changed', changed.length)}`,
          ...changed,
        ].join('\n');
      }
      return answerOnFile(question, {path, text});
    })
    .join('\n\n');
}

/** `FILE +ADDED −REMOVED` for each file of a diff. */
function changedFiles(text: string): string[] {
  const parts = text.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git '));
  const files = parts.length > 0 ? parts : text.split(/^(?=--- .*\n\+\+\+ )/m);
  return files.flatMap((part) => {
    const [, from, to] = /^--- (?:a\/)?([^\t\n]+).*\n\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(part) ?? [];
    const path = to === '/dev/null' ? from : (to ?? /^diff --git .* b\/(.+)$/m.exec(part)?.[1]);
    const hunks = part.slice(part.search(/^@@ /m));
    const count = (mark: RegExp): number =>
      /^@@ /m.test(part) ? (hunks.match(mark) ?? []).length : 0;
    return path === undefined ? [] : [`${path} +${count(/^\+/gm)} −${count(/^-/gm)}`];
  });
}
