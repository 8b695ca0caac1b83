import { offline, rightBack } from '@handwise/contract/site/right-back';
import { site } from '@handwise/contract/site/site';

const colours = {
  light: {
    ink: '#0f2a2e',
    paper: '#fbfaf7',
    card: '#ffffff',
    muted: '#5c594f',
    accent: '#10b981',
    soft: '#e0f5ec',
    button: '#047857',
    on: '#ffffff',
  },
  dark: {
    ink: '#e9f0ee',
    paper: '#0e1a1c',
    card: '#162528',
    muted: '#a9b8b5',
    accent: '#34d399',
    soft: '#11352c',
    button: '#34d399',
    on: '#05271c',
  },
} as const;
const variables = (of: Record<string, string>) =>
  Object.entries(of)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

const style = `
:root{color-scheme:light dark;${variables(colours.light)}}
@media (prefers-color-scheme:dark){:root{${variables(colours.dark)}}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--ink);font:16px/1.6 "Figtree Variable",Figtree,system-ui,sans-serif}
main{max-width:34rem;padding:48px 16px;text-align:center}
p{margin:8px 0 0;color:var(--muted);text-wrap:balance}
.name{margin:0 0 20px;color:var(--ink);font-weight:700;font-size:1.2rem}
h1{margin:20px 0 0;font-size:1.44rem;line-height:1.25}
a{display:inline-block;margin-top:24px;padding:12px 24px;border-radius:10px;background:var(--button);color:var(--on);font-weight:600;text-decoration:none}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
`;

const drawing =
  '<svg viewBox="0 0 160 108" width="200" height="135" aria-hidden="true" focusable="false"><ellipse fill="var(--soft)" cx="80" cy="60" rx="72" ry="44"/>' +
  '<g fill="none" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><path stroke="var(--accent)" d="M18 92h124"/><path fill="var(--card)" d="M84 40h26v28H84z"/>' +
  '<path stroke="var(--ink)" d="M16 54h26M42 40h16c8 0 14 6 14 14s-6 14-14 14H42zM72 47h8M72 61h8M144 54h-34M110 40H98c-8 0-14 6-14 14s6 14 14 14h12z"/></g></svg>';

const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

type PageText = { title: string; text: string; action: string };

/**
 * A static page without build, database or scripts. Its link has an empty address, which reloads the requested URL without inserting untrusted text.
 */
const buildPage = ({ title, text, action }: PageText, icon: string) => `<!DOCTYPE html>
<html lang="en-NZ">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | ${escapeHtml(site.name)}</title>
<meta name="robots" content="noindex">
<link rel="icon" href="${icon}" type="image/svg+xml">
<style>${style}</style>
</head>
<body>
<main>
<p class="name">${escapeHtml(site.name)}</p>
${drawing}
<h1>${title}</h1>
<p>${text}</p>
<a href="">${action}</a>
</main>
</body>
</html>
`;

export const getUnavailablePage = () => buildPage(rightBack, '/favicon.svg');

/** Shown by the service worker while there is no connection, so it refers to no other file. */
export const getOfflinePage = () => buildPage(offline, 'data:,');
