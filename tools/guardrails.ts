/** Checks a text against the guardrails: its length in tokens, blocked patterns, invisible characters. */

import {createRequire} from 'node:module';

import type * as Re2 from 're2js';

import {once} from '../machines/domain/once.ts';
import type {
  GuardrailResult,
  GuardrailSettings,
  GuardrailStage,
} from '../machines/domain/settings.ts';
import {estimateTokens} from '../machines/domain/text-limits.ts';

/** From this fraction of a limit on, a text passes with a warning. */
const warnFrom = 0.8;

/** Format characters (zero-width, bidi, tags), variation selectors, and invisible fillers. */
const invisible =
  /[\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]/gu;

/**
 * Patterns are matched against the text as a reader sees it (in Unicode's form NFKC, without invisible characters) and as written.
 * Never throws for a pattern that {@link patternProblem} accepts. Linear in the text: RE2 does not backtrack.
 */
export function checkText(
  stage: GuardrailStage,
  text: string,
  rules: GuardrailSettings,
): GuardrailResult {
  const pattern = blockedPattern(text, rules.blockedPatterns);
  if (pattern !== undefined) {
    return {
      action: 'block',
      reason: `the ${stage} matches a blocked pattern: ${pattern}`,
      details: {stage, pattern},
    };
  }
  return checkLength(stage, text, rules) ?? checkVisibility(stage, text);
}

function blockedPattern(text: string, patterns: readonly string[]): string | undefined {
  if (patterns.length === 0) return undefined;
  const normal = text.normalize('NFKC');
  const forms = new Set([text, normal, normal.replaceAll(invisible, '').normalize('NFKC')]);
  return patterns.find((pattern) => {
    const compiled = compile(pattern);
    return [...forms].some((form) => compiled.test(form));
  });
}

function checkLength(
  stage: GuardrailStage,
  text: string,
  {maxInputTokens, maxOutputTokens}: GuardrailSettings,
): GuardrailResult | undefined {
  const [limit, setting] =
    stage === 'input'
      ? [maxInputTokens, 'guardrails.max_input_tokens']
      : [maxOutputTokens, 'guardrails.max_output_tokens'];
  const tokens = estimateTokens(text);
  if (tokens < limit * warnFrom) return undefined;
  const isOver = tokens > limit;
  const how = isOver ? 'more than' : 'close to';
  return {
    action: isOver ? 'block' : 'warn',
    reason: `the ${stage} has about ${tokens} tokens, ${how} the limit of ${limit} (${setting})`,
    details: {stage, tokens, limit},
  };
}

function checkVisibility(stage: GuardrailStage, text: string): GuardrailResult {
  const found = new Set(
    text.search(invisible) < 0 ? [] : text.replaceAll(innocent(), '').match(invisible),
  );
  if (found.size === 0) return {action: 'allow', reason: '', details: {stage}};
  const characters = [...found].map((char) => `U+${hex(char)}`);
  return {
    action: 'warn',
    reason: `the ${stage} has invisible characters: ${characters.slice(0, 5).join(', ')}`,
    details: {stage, characters},
  };
}

/**
 * Characters that are part of emoji and of Persian and Indic words. Not a literal: a literal is compiled when the file is loaded, even
 * in a function, and the table of all emoji adds about 20 ms to the start of the program.
 */
const innocent = once(
  () => new RegExp(String.raw`\p{RGI_Emoji}|(?<=\p{L}\p{M}*)[\u200c\u200d](?=\p{L})`, 'gv'),
);

function hex(char: string): string {
  return (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

const load = createRequire(import.meta.url);

/** Loaded with the first pattern: its Unicode tables take longer than the rest of the library together. */
function re2(): typeof Re2.RE2JS {
  const {RE2JS}: typeof Re2 = load('re2js');
  return RE2JS;
}

const compiled = new Map<string, Re2.RE2JS>();

function compile(pattern: string): Re2.RE2JS {
  const known = compiled.get(pattern) ?? re2().compile(pattern);
  compiled.set(pattern, known);
  return known;
}

/** The fault of a pattern; undefined for a valid one. RE2 has no lookaround and no back-references. */
export function patternProblem(pattern: string): string | undefined {
  try {
    re2().compile(pattern);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return message.replace(/^error parsing regexp: /, '');
  }
}

/** True if the pattern matches the whole text. Throws for a pattern with a fault. */
export function matchesWhole(pattern: string, text: string): boolean {
  return compile(pattern).matches(text);
}
