/** Names of JavaScript that inline code may use: their values can't run, write, send or reach anything else. */

import {wordSet} from './tokens.ts';

export const keywords = wordSet(
  'const let var if else for of in while do break continue return new true false null undefined NaN Infinity typeof void function throw try catch finally instanceof',
);

/** Keywords after which a value begins. */
export const beginners = wordSet(
  'const let var if else for of in while do return new typeof void function throw try catch finally instanceof break continue',
);

/** Functions that may be called, and passed as arguments, by their bare names. */
export const callables = wordSet(
  'Number String Boolean BigInt parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI structuredClone',
);

export const classes = wordSet(
  'Array Date Map Set RegExp Error TypeError RangeError URL URLSearchParams',
);

/** The allowed members of each object; no others may be used. */
export const members: Readonly<Record<string, ReadonlySet<string>>> = {
  console: wordSet('log error info warn debug table group groupEnd time timeEnd assert count'),
  JSON: wordSet('parse stringify'),
  Math: wordSet(
    'abs acos asin atan atan2 cbrt ceil clz32 cos cosh exp expm1 floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt tan tanh trunc E PI LN2 LN10 LOG2E LOG10E SQRT2 SQRT1_2',
  ),
  Object: wordSet('keys values entries fromEntries hasOwn is isFrozen'),
  Array: wordSet('from isArray of'),
  Number: wordSet(
    'isInteger isFinite isNaN isSafeInteger parseInt parseFloat MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON MAX_VALUE MIN_VALUE',
  ),
  String: wordSet('fromCharCode fromCodePoint'),
  Date: wordSet('now parse UTC'),
  Intl: wordSet('DateTimeFormat NumberFormat Collator supportedValuesOf'),
  URL: wordSet('canParse'),
  performance: wordSet('now'),
  process: wordSet(
    'version versions platform arch argv pid uptime memoryUsage cwd hrtime exit exitCode release stdout.write stdout.columns stdout.isTTY stderr.write stdin.on stdin.setEncoding stdin.resume',
  ),
  path: wordSet(
    'join resolve basename dirname extname relative normalize parse isAbsolute sep delimiter',
  ),
  os: wordSet(
    'EOL cpus platform arch type release totalmem freemem tmpdir homedir endianness availableParallelism uptime loadavg',
  ),
  util: wordSet('inspect format isDeepStrictEqual'),
  url: wordSet('fileURLToPath pathToFileURL'),
  fs: wordSet('readFileSync existsSync'),
};

export const modules = wordSet('path os util url fs');

/** Methods of texts, lists, maps, dates and patterns. */
export const methods = wordSet(`
  at charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll normalize
  padEnd padStart repeat replace replaceAll search slice split startsWith substring substr toLowerCase toUpperCase
  toLocaleLowerCase toLocaleUpperCase toString trim trimEnd trimStart
  map filter forEach reduce reduceRight some every find findIndex findLast findLastIndex flat flatMap fill join keys
  values entries pop push shift unshift reverse sort splice toSorted toReversed toSpliced with
  get set has add delete clear union intersection difference
  toFixed toPrecision toExponential toLocaleString
  getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds getMilliseconds getTimezoneOffset
  toISOString toJSON toDateString toTimeString toLocaleDateString toLocaleTimeString getUTCFullYear getUTCMonth
  getUTCDate getUTCHours getUTCMinutes getUTCSeconds test exec on setEncoding format resolvedOptions getAll
`);

/** Members that lead from a value to its constructor, and from there to code in a text. */
export function isForbidden(name: string): boolean {
  return /^(?:constructor|prototype|caller|callee|arguments|mainModule|eval|Function|__\w*)$/.test(
    name,
  );
}

/** Names of the language, of Node and of its modules: code may not bind them, as they would be ambiguous. */
export const taken = wordSet(`
  Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError globalThis JSON Math Intl ArrayBuffer
  Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array Uint8ClampedArray
  Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect
  FinalizationRegistry WeakRef decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite
  isNaN console process global Buffer clearImmediate setImmediate URL URLSearchParams DOMException AbortController
  AbortSignal Event EventTarget CustomEvent TextEncoder TextDecoder TransformStream TransformStreamDefaultController
  WritableStream WritableStreamDefaultController WritableStreamDefaultWriter ReadableStream ReadableStreamDefaultReader
  ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableByteStreamController ReadableStreamDefaultController
  ByteLengthQueuingStrategy CountQueuingStrategy TextEncoderStream TextDecoderStream CompressionStream
  DecompressionStream clearInterval clearTimeout setInterval setTimeout queueMicrotask structuredClone atob btoa
  BroadcastChannel MessageChannel MessagePort Blob File Performance PerformanceEntry PerformanceMark PerformanceMeasure
  PerformanceObserver PerformanceObserverEntryList PerformanceResourceTiming performance URLPattern fetch FormData Headers
  Request Response MessageEvent CloseEvent ErrorEvent WebSocket EventSource Storage localStorage sessionStorage crypto
  Crypto CryptoKey SubtleCrypto SuppressedError DisposableStack AsyncDisposableStack SharedArrayBuffer WebAssembly
  Navigator navigator Temporal assert async_hooks buffer child_process cluster constants dgram diagnostics_channel dns
  domain events fs http http2 https inspector module net os path perf_hooks punycode querystring quic readline repl
  sqlite stream string_decoder sys test timers tls trace_events tty url util v8 vm wasi worker_threads zlib exports
  require __filename __dirname arguments async await yield class enum export extends import super this with debugger
  delete default switch case static get implements interface package private protected public
`);
