/** A static HTML page: one file, no script, no external resources. */

import {hash} from 'node:crypto';

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:60rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.5rem}
article{border-top:1px solid #8885;padding:.75rem 0}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,monospace;font-size:.9em}
b{text-transform:uppercase}
pre{overflow-x:auto;padding:.75rem;border:1px solid #8885;border-radius:.4rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.5rem 0}dd{margin:0;min-width:0}
`;
const styleHash = hash('sha256', style, 'base64');

/** `main` is HTML. */
export function plainPage(title: string, main: string, status = 200): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)}</title>
<style>${style}</style></head><body><main><h1>${escapeHtml(title)}</h1>
${main}</main></body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
    },
  });
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
