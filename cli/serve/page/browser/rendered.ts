/** Draws again only when what is drawn has changed: focus, selection and what is typed stay. */

export function whenChanged<Data>(draw: (data: Data) => void): (data: Data) => void {
  let drawn: string | undefined;
  return (data) => {
    const key = JSON.stringify(data);
    if (key === drawn) return;
    drawn = key;
    draw(data);
  };
}
