import { type ComponentType, lazy } from 'react';
import { readUser } from './stored-user.ts';

/**
 * A part of a page that only members see. It comes for them alone: for those who are signed in as the page is opened together with the
 * page's own files, and not once these have begun to work.
 */
export function memberPart<Props extends object = object>(load: () => Promise<ComponentType<Props>>) {
  const begun = !import.meta.env.SSR && readUser() ? load() : undefined;
  // Whoever renders it is told.
  begun?.catch(() => {});
  return lazy(async () => ({ default: await (begun ?? load()) }));
}
