import { site } from '@handwise/contract/site/site';

const variants = {
  /** On white, for Apple's home screens. */
  apple: '-180.png',
  small: '-192.png',
  large: '-512.png',
  /** On white, with room for the mask of a phone. */
  mask: '-mask.png',
} as const;

/** The address of the logo as PNG; undefined without an uploaded one. */
export const getLogoPng = (variant: keyof typeof variants): string | undefined =>
  site.logo === '' ? undefined : site.logo.replace(/\.webp$/, variants[variant]);

/** The properties that put a logo in place of the built-in mark (`logo.module.css`). */
export const getLogoTokens = (logo: string): Record<string, string> => ({ '--site-logo': `url(${logo})`, '--built-in-mark': '0' });

/** A style sheet that puts the uploaded logo into the pages; empty without one. */
export const formatLogoStyle = (): string =>
  site.logo === ''
    ? ''
    : `html:root{${Object.entries(getLogoTokens(site.logo))
        .map(([name, value]) => `${name}:${value}`)
        .join(';')}}`;
