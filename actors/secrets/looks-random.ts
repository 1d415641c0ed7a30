/** Judges by its characters alone if a value of a file with credentials may be secret. */

/** Placeholders for secrets, and well-known settings: masking them would mask half a project. */
const placeholder =
  /^(?:change[-_ ]?(?:me|this|it)|pass(?:word|wd|phrase)|postgres(?:ql)?|rabbitmq|minioadmin|localhost|(?:super|top|my)[-_]?secret|secret[-_]?key|(?:your|my|some|insert|replace)[-_ ][a-z_ -]+|<[\w -]+>|\$\{?\w+\}?|(.)\1+|development|production|(?:un)?defined|disabled|required|optional|examples?|testtest|test[-_](?:key|secret|token|password))$/i;

const date = /^\d{4}-\d\d-\d\d(?:[T ][\d:.+Z-]*)?$/;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const address = /^[a-z][\w+.-]*:\/\//i;
const folders = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$/;

/** True for a placeholder, a well-known setting, a date, and a path or URL without a random part. */
export function isOrdinary(value: string): boolean {
  if (placeholder.test(value) || date.test(value)) return true;
  return (address.test(value) || folders.test(value)) && !looksRandom(value);
}

const separators = /[\s/:@.,;=?&|_-]+/;

/** True for a UUID, and for a value in which a part between separators looks neither like words nor like a number. */
export function looksRandom(value: string): boolean {
  if (placeholder.test(value) || date.test(value)) return false;
  if (uuid.test(value)) return true;
  return value.split(separators).some(isRandomPart);
}

const minMixed = 8;
const minLong = 16;

/** True for three of lower case, upper case, digits and symbols; for a long part also when letters and digits alternate. */
function isRandomPart(part: string): boolean {
  if (part.length < minMixed || isWords(part)) return false;
  const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((one) => one.test(part)).length;
  if (classes >= 3) return true;
  return (
    part.length >= minLong && classes >= 2 && countOf(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g, part) >= 3
  );
}

/** `MyProject2`, `Windows11` */
function isWords(part: string): boolean {
  const [, letters] = /^\d{0,4}([A-Za-z]+)\d{0,4}$/.exec(part) ?? [];
  return letters !== undefined && countOf(/[a-z](?=[A-Z])/g, letters) <= letters.length / 5;
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}
