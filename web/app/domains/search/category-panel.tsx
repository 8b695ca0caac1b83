import { type KeyboardEvent, useRef, useState } from 'react';
import { isComposing } from '../../lib/forms/composing.ts';
import { mainNames, mainOrder } from '../../lib/format.ts';
import type { RootData } from '../../lib/root-data.ts';
import { CategoryIcon } from '../../ui/pictures/category-icon.tsx';
import styles from './category-panel.module.css';

type CategoryPanelProps = {
  id: string;
  categories: RootData['categories'];
  chosen: string;
  onChoose: (slug: string) => void;
};

/** The dropdown of the search bar. A native popover: Escape and a press outside close it, and the focus goes back. */
export function CategoryPanel({ id, categories, chosen, onChoose }: CategoryPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const matching = categories.filter(({ name }) => name.toLowerCase().includes(wanted));

  function choose(slug: string) {
    panel.current?.hidePopover();
    onChoose(slug);
  }

  // Arrow keys walk from the input through the choices; Enter in the input takes the first that is left.
  function onKeyDown(event: KeyboardEvent) {
    const first = matching[0];
    if (event.key === 'Enter' && !isComposing(event) && event.target === input.current && first && wanted) choose(first.slug);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [...(panel.current?.querySelectorAll<HTMLElement>('input, ul button') ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[(at + step + stops.length) % stops.length]?.focus();
  }

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="dialog"
      aria-label="Search Categories"
      className={`floating ${styles.panel}`}
      onToggle={(event) => event.newState === 'closed' && setFilter('')}
    >
      <h2 className={styles.title}>Search Categories</h2>
      <input
        // The popover gives it the focus as it opens, so that one can type at once. Not on a phone: the keyboard would cover the choices.
        ref={(element) => {
          input.current = element;
          element?.toggleAttribute('autofocus', matchMedia('(hover: hover)').matches);
        }}
        // Not a search input: there the first Escape would only empty it.
        type="text"
        className={styles.filter}
        placeholder="Filter categories..."
        aria-label="Filter categories"
        autoComplete="off"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.groups}>
        {mainOrder.map((main) => {
          const ofMain = matching.filter((category) => category.mainCategory === main);
          return ofMain.length === 0 ? null : (
            <section key={main} className={styles.group} aria-labelledby={`${id}-${main}`}>
              <h3 id={`${id}-${main}`} className={styles.main}>
                {mainNames[main]}
              </h3>
              <ul className={styles.list}>
                {ofMain.map(({ name, slug }) => (
                  <li key={slug}>
                    <button
                      type="button"
                      className={styles.choice}
                      aria-pressed={slug === chosen}
                      onClick={() => choose(slug)}
                      onKeyDown={onKeyDown}
                    >
                      <CategoryIcon slug={slug} size={36} />
                      {name}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          );
        })}
      </div>
      <p className={styles.nothing} role="status">
        {matching.length === 0 && `No categories found matching "${filter.trim()}"`}
      </p>
    </div>
  );
}
