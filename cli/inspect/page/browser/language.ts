/** The language of the page: `?lang=en` or `?lang=ja`, else the browser's. */

export const language: 'en' | 'ja' = chosen();

/** The texts in the language of the page. */
export function localized<T>(texts: {readonly en: T; readonly ja: T}): T {
  return texts[language];
}

function chosen(): 'en' | 'ja' {
  const wanted = new URLSearchParams(location.search).get('lang') ?? navigator.language;
  return wanted.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}
