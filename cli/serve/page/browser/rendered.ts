/** Draws again only when the data have changed: focus, selection and typed text stay. */

export function whenChanged<Data>(draw: (data: Data) => void): (data: Data) => void {
  let drawn: string | undefined;
  return (data) => {
    const key = JSON.stringify(data);
    if (key === drawn) return;
    drawn = key;
    draw(data);
  };
}
