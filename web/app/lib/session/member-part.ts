import { type ComponentType, lazy } from 'react';
import { readUser } from './stored-user.ts';

/** A lazy part for members only. If a user is signed in when the page opens, it loads together with the page's own files. */
export function memberPart<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  const begun = !import.meta.env.SSR && readUser() ? load() : undefined;
  // Rendering it reports the error.
  begun?.catch(() => {});
  return lazy(async () => ({ default: await (begun ?? load()) }));
}
