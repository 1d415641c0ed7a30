/** Inline PHP of a command (`php -r`): detects code that only computes and prints. No objects, no functions by their names. */

import type {Act} from '../program.ts';
import {act} from '../refinements/refine.ts';
import {firstStep, matchAt, type Source, sourceOf, type Step, tokensOf, wordSet} from './tokens.ts';

const keywords = wordSet(
  'echo print if else elseif foreach as for while return array isset empty true false null fn break continue and or xor',
);
const functions = wordSet(`
  strlen count implode explode join str_repeat strtoupper strtolower ucfirst ucwords lcfirst trim ltrim rtrim substr strpos
  strrpos str_contains str_starts_with str_ends_with str_replace str_pad str_split strrev sprintf printf number_format
  var_dump print_r var_export json_encode json_decode array_sum array_product array_keys array_values array_merge
  array_slice array_unique array_reverse array_flip array_combine array_column array_chunk in_array range sort rsort ksort
  asort max min abs floor ceil round sqrt pow intdiv intval floatval strval boolval is_int is_string is_array is_numeric
  is_null md5 sha1 crc32 base64_encode base64_decode bin2hex dechex hexdec decbin bindec date time microtime mktime
  strtotime phpversion php_sapi_name php_uname memory_get_usage memory_get_peak_usage getcwd extension_loaded
  function_exists class_exists random_int rand mt_rand uniqid version_compare mb_strlen mb_substr mb_strtoupper
  mb_strtolower nl2br htmlspecialchars urlencode rawurlencode urldecode ord chr gettype PHP_VERSION
`);
const constants =
  /^(?:PHP_(?:VERSION(?:_ID)?|MAJOR_VERSION|MINOR_VERSION|OS(?:_FAMILY)?|EOL|INT_MAX|INT_MIN|INT_SIZE|FLOAT_EPSILON|SAPI|BINARY)|M_PI|M_E|JSON_[A-Z_]+|true|false|null|TRUE|FALSE|NULL|DATE_ATOM|E_ALL)$/;

/** Undefined: the code may have other effects. */
export function readPhp(code: string): readonly Act[] | undefined {
  if (/<\?|\?>|<<<|`|#\[/.test(code)) return undefined;
  const tokens = tokensOf(code, lexer);
  const source = tokens && sourceOf(tokens);
  if (!source) return undefined;
  const acts: Act[] = [];
  for (const [at, {kind, text}] of source.tokens.entries()) {
    const found =
      kind === 'name' ? readName(source, at, text) : isSafe(source, at) ? [] : undefined;
    if (!found) return undefined;
    acts.push(...found);
  }
  return acts;
}

const marks =
  /\?\?=|===|!==|<=>|\.\.\.|\*\*|\?\?|==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|\/=|\.=|%=|=>|[{}()[\];,<>+*/%!?:=.-]/;

function lexer(code: string, at: number): Step | undefined {
  const double = matchAt(code, at, /"(?:[^"\\]|\\.)*"/s);
  if (double !== undefined) {
    const bare = double.replaceAll(/\\./gs, '  ');
    const isPlain = !/\{\$|\$\{|\$\w+(?:\[|->|\?->)|\$(?:GLOBALS|_[A-Z]+)/.test(bare);
    return isPlain
      ? {tokens: [{kind: 'template', text: double}], end: at + double.length}
      : undefined;
  }
  const single = matchAt(code, at, /'[^'\\]*'|'(?:[^'\\]|\\.)*'/s);
  if (single !== undefined) {
    const kind = single.includes('\\') ? 'template' : 'string';
    return {tokens: [{kind, text: single.slice(1, -1)}], end: at + single.length};
  }
  return firstStep(code, at, [
    ['none', /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*/],
    ['variable', /\$(?!GLOBALS\b|_[A-Z]|this\b)[A-Za-z_]\w*/],
    ['number', /(?:0[xX][\dA-Fa-f]+|\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)/],
    ['name', /[A-Za-z_]\w*(?!\w|\\)/],
    ['mark', marks],
  ]);
}

/** A call needs a literal name; `[` after a name or a text is an index. */
function isSafe({is, kindAt}: Source, at: number): boolean {
  if (is(at, '-') && is(at + 1, '>')) return false;
  if (is(at, ':') && is(at + 1, ':')) return false;
  if (!is(at, '(')) return true;
  const before = kindAt(at - 1);
  return (
    before === undefined ||
    (before !== 'variable' &&
      before !== 'string' &&
      before !== 'template' &&
      !is(at - 1, ')', ']', '}'))
  );
}

function readName(source: Source, at: number, name: string): readonly Act[] | undefined {
  const lower = name.toLowerCase();
  const isCalled = source.is(at + 1, '(');
  if (!isCalled) return keywords.has(lower) || constants.test(name) ? [] : undefined;
  if (lower === 'file_get_contents') return readFile(source, at + 1);
  const isKnown = keywords.has(lower) || functions.has(lower) || isByFunction(source, at);
  return isKnown ? [] : undefined;
}

function readFile({fits, textAt}: Source, at: number): readonly Act[] | undefined {
  const path = textAt(at + 1);
  return fits(at, '( STRING )') && /^[\w./-]+$/.test(path) ? [act('reads', path)] : undefined;
}

/** `array_map(fn ($x) => …, $list)` */
function isByFunction({fits}: Source, at: number): boolean {
  return fits(at, 'array_map ( fn (');
}
