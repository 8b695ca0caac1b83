import { useSearchParams } from 'react-router';
import { FilterLinks as Links } from '../../../ui/page/page-links.tsx';

type Options<Value extends string = string> = readonly { value: Value; name: string }[];

/** The selected option; undefined for the first, which means all. */
export const chosenOf = <Value extends string>(options: Options<Value>, asked: string | null) =>
  options.find((one): one is { value: Exclude<Value, ''>; name: string } => one.value !== '' && one.value === asked)?.value;

/** A filter as links. Choosing one resets the page and the open case. */
export function FilterLinks({ label, name, options }: { label: string; name: string; options: Options }) {
  const [search] = useSearchParams();
  const chosen = search.get(name) ?? '';
  const addressOf = (value: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    next.delete('case');
    if (value === '') next.delete(name);
    else next.set(name, value);
    return `?${next}`;
  };
  return (
    <Links label={label} links={options.map((one) => ({ to: addressOf(one.value), name: one.name, isCurrent: one.value === chosen }))} />
  );
}
