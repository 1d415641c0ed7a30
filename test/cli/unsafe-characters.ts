/** The control and invisible characters of a text except line ends: none of them may reach a terminal. */
export function unsafeCharacters(text: string): string[] {
  return (text.match(/[\p{Cc}\p{Cf}]/gu) ?? []).filter((character) => character !== '\n');
}
