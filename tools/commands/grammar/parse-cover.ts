/**
 * Checks that a tree accounts for every character of its source text: between its words are only blanks, operators, the
 * shell's own words and comments.
 */

import {forEachChild, type ParsedScript, type SyntaxNode} from 'unbash';

const between =
  /^(?:[ \t\n;&|(){}!<>]|\\\n|\b(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|time|function|select|coproc)\b|(?<![^\s;&|()<>])#[^\n]*(?=\n|$))*$/;

/** Checks one script; its substitutions are checked separately. */
export function isCovered(script: ParsedScript, source: string): boolean {
  const ranges: (readonly [number, number])[] = [];
  collect(script, ranges);
  ranges.sort(([a], [b]) => a - b);
  let at = script.pos;
  for (const [start, end] of ranges) {
    if (start < at || !between.test(source.slice(at, start))) return false;
    at = end;
  }
  return between.test(source.slice(at, script.end));
}

const leaves: ReadonlySet<SyntaxNode['type']> = new Set([
  'Word',
  'Assignment',
  'FileDescriptor',
  'FileDescriptorVariable',
  'HereDocDelimiter',
  'HereDocBody',
  'TestCommand',
  'ArithmeticCommand',
  'ArithmeticFor',
]);

function collect(node: SyntaxNode, ranges: (readonly [number, number])[]): void {
  if (node.type === 'HereDoc') {
    const {delimiter, body, closing} = node;
    for (const part of [delimiter, body, closing]) if (part) ranges.push([part.pos, part.end]);
    if (node.descriptor) ranges.push([node.descriptor.pos, node.descriptor.end]);
    return;
  }
  if (leaves.has(node.type)) ranges.push([node.pos, node.end]);
  else forEachChild(node, (child) => collect(child, ranges));
}
