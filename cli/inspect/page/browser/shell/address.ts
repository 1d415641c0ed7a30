/** The address of the page: it names the shown moment, so that this can be linked and opened again. */

import {parsePlace, type Place, placeText} from './place.ts';

const tokenName = 'quorate-inspect-token';

/** The token of the address, which is removed from it at once; else the one of this tab. */
export function takeToken(hash = location.hash): string {
  const token = new URLSearchParams(hash.slice(1)).get('token');
  if (token === null) return sessionStorage.getItem(tokenName) ?? '';
  sessionStorage.setItem(tokenName, token);
  history.replaceState(null, '', placeText(parsePlace(hash)));
  return token;
}

/** For an address that was opened in the tab of another one: that changes its fragment only. */
export function reloadForToken(event: HashChangeEvent): void {
  const {hash} = new URL(event.newURL);
  if (!new URLSearchParams(hash.slice(1)).has('token')) return;
  event.stopImmediatePropagation();
  takeToken(hash);
  location.reload();
}

/** Browsers limit how often an address may be replaced. */
const restMs = 250;

/** Keeps the address current. */
export function createAddress(): (place: Place) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (place) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = placeText(place);
      if (text !== location.hash) history.replaceState(null, '', text);
    }, restMs);
  };
}
