import { invalid } from './errors.ts';
import { list, type Params } from './form.ts';
import type { Store } from '../state/store.ts';

/** Puts objects in place of their ids, for each of `expand[]`: `latest_charge`, `data.customer`. */
export function expand(store: Store, document: object, params: Params) {
  for (const path of list(params, 'expand')) {
    if (path.split('.').length > 4) throw invalid('You cannot expand more than 4 levels.', { param: 'expand' });
    expandPath(store, document, path.split('.'), path);
  }
  return document;
}

function expandPath(store: Store, value: unknown, [name, ...rest]: string[], path: string) {
  if (name === undefined || value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const one of value) expandPath(store, one, [name, ...rest], path);
    return;
  }
  if (!Object.hasOwn(value, name)) throw notExpandable(path);
  const fields = value as Record<string, unknown>;
  const field = fields[name];
  if (typeof field === 'string') {
    const found = store.any(field);
    if (found === null) throw notExpandable(path);
    fields[name] = found;
  }
  expandPath(store, fields[name], rest, path);
}

const notExpandable = (path: string) => invalid(`This property cannot be expanded (${path}).`, { param: 'expand' });
