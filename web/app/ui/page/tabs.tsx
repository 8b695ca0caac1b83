import { type KeyboardEvent, type ReactNode, useId, useRef, useEffect } from 'react';
import styles from './tabs.module.css';
import { NavLink, useLocation } from 'react-router';

/** Links between related pages. If they are too wide, the current one is scrolled into view. */
export function TabLinks({ label, tabs }: { label: string; tabs: readonly { to: string; name: string }[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  const at = tabs.findIndex(({ to }) => to === pathname);
  useEffect(() => {
    const chosen = list.current?.children[at];
    if (!list.current || !chosen) return;
    const [bar, tab] = [list.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    // `scrollIntoView` would scroll the page as well.
    list.current.scrollLeft += tab.left - bar.left - (bar.width - tab.width) / 2;
  }, [at]);
  return (
    <nav className={styles.nav} aria-label={label}>
      <ul className={styles.tabs} ref={list}>
        {tabs.map(({ to, name }) => (
          <li key={to}>
            <NavLink to={to} end className={styles.tab ?? ''}>
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The tab that a key leads to: the next enabled one, around the ends. Undefined if a tab list does not handle the key. */
export function findTabOfKey<Id extends string>(tabs: readonly { id: Id; disabled?: boolean }[], chosen: Id, key: string): Id | undefined {
  const open = tabs.filter(({ disabled }) => !disabled);
  const at = open.findIndex(({ id }) => id === chosen);
  switch (key) {
    case 'ArrowRight':
      return open[(at + 1) % open.length]?.id;
    case 'ArrowLeft':
      return open.at(at - 1)?.id;
    case 'Home':
      return open[0]?.id;
    case 'End':
      return open.at(-1)?.id;
    default:
      return undefined;
  }
}

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; name: string; disabled?: boolean }[];
  chosen: Id;
  onChoose: (id: Id) => void;
  /** The content of the chosen tab. */
  children: ReactNode;
};

/** Parts of one page, one at a time. Arrow keys, Home and End move between tabs. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose, children }: TabsProps<Id>) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    const next = findTabOfKey(tabs, chosen, event.key);
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
