import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { tabOfKey } from './tab-keys.ts';
import styles from './tab-links.module.css';

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; name: string; disabled?: boolean }[];
  chosen: Id;
  onChoose: (id: Id) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
};

/** Parts of one page, one at a time. Arrow keys, Home and End lead from tab to tab. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const next = tabOfKey(tabs, chosen, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus();
  };
  return (
    <>
      <div className={styles.nav}>
        <div className={styles.tabs} role="tablist" aria-label={label} ref={list}>
          {tabs.map(({ id, name, disabled }) => (
            <button
              key={id}
              type="button"
              role="tab"
              id={`${base}-${id}`}
              data-tab={id}
              className={styles.tab}
              aria-selected={id === chosen}
              aria-controls={`${base}-panel`}
              disabled={disabled}
              tabIndex={id === chosen ? 0 : -1}
              onClick={() => onChoose(id)}
              onKeyDown={press}
            >
              {name}
            </button>
          ))}
        </div>
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${chosen}`}>
        {children}
      </div>
    </>
  );
}
