/** Converts key names between the configuration (`top_k`) and the settings of a run (`topK`). */

type Camel<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<Camel<Rest>>}`
  : Name;

export type CamelKeys<Table, Omitted extends keyof Table = never> = {
  [Key in keyof Table as Key extends Omitted ? never : Camel<Key & string>]: Exclude<
    Table[Key],
    undefined
  >;
};

/** Returns a table of the configuration with camel-case keys, without the keys in `omitted` and keys that are undefined. */
export function camelKeys<Table extends object, Omitted extends keyof Table & string = never>(
  table: Table,
  omitted?: readonly Omitted[],
): CamelKeys<Table, Omitted>;
export function camelKeys(table: object, omitted: readonly string[] = []): object {
  const kept = Object.entries(table).filter(
    ([key, value]) => value !== undefined && !omitted.includes(key),
  );
  return Object.fromEntries(kept.map(([key, value]) => [camelCase(key), value]));
}

function camelCase(name: string): string {
  return name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
