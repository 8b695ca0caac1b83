/** The URL that the text is, or null. `URL.parse` does the same, but the oldest browsers of `site/browsers.ts` lack it. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
