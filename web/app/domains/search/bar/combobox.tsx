import {
  type ComponentProps,
  type KeyboardEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { ComboboxChoice } from './combobox-choices.ts';
import type { ComboboxList, ListHandle } from './combobox-list.tsx';
import styles from './combobox.module.css';
import type { RecentSearch } from './recent-searches.ts';

const nothing = () => () => {};

// Most visitors never type into the field, so its list loads with the first focus.
const loadList = () => import('./combobox-list.tsx');

/** The search of the field's form, with the place of its other field. */
function searchIn(field: HTMLInputElement): RecentSearch {
  const other = field.form?.elements.namedItem('where');
  return { q: field.value, where: other instanceof HTMLInputElement && other !== field ? other.value : '' };
}

/** Whether a search field has the focus and was edited since its last search: it keeps its text and the focus when results arrive. */
export const isTypedInto = (element: Element | null) =>
  element !== null && element === document.activeElement && element.matches('input[data-typing]');

type ComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'defaultValue' | 'ref' | 'role'> & {
  name: string;
  /** The kind of suggestions: services (q) or places (where). */
  box: 'q' | 'where';
  /** The text in the URL; typed text stays until the URL changes. */
  text: string;
  /** Whether searches are stored and suggested again. */
  recent?: boolean;
  /** Called when a choice is taken. Returns the field's new text if it is not the choice's own. */
  onChoose?: (choice: ComboboxChoice) => string | void;
  /** Receives the field's text whenever its user changes it. */
  onText?: (text: string) => void;
};

/**
 * A form field with suggestions. Without script it is a plain field. Its list is below it, or below the positioned ancestor if
 * `--suggestions-anchor` is `static`.
 */
export function Combobox({ box, text, recent = false, onChoose, onText, ...field }: ComboboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const handle = useRef<ListHandle>(null);
  const ready = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const [List, setList] = useState<typeof ComboboxList>();
  // Whether to open the list once it has loaded.
  const opensOnLoad = useRef(false);
  // The id of the active choice while the list is shown: empty without one.
  const [active, setActive] = useState<string>();

  // If the list fails to load, the field works without suggestions.
  const wake = useCallback(() => {
    void loadList().then(
      (file) => setList(() => file.ComboboxList),
      () => {},
    );
  }, []);
  useEffect(() => {
    // The field may have the focus before the script loads.
    if (document.activeElement === input.current) wake();
  }, [wake]);
  useEffect(() => {
    if (!List) return;
    handle.current?.focus();
    if (opensOnLoad.current) handle.current?.open();
  }, [List]);

  // Text typed before the script loaded stays, and so does text typed while earlier results load.
  const written = useRef(text);
  // A layout effect, so that it runs before the list's effects read the field.
  useLayoutEffect(() => {
    if (input.current && written.current !== text && !isTypedInto(input.current)) input.current.value = text;
    written.current = text;
  }, [text]);
  const settle = useCallback(() => delete input.current?.dataset['typing'], []);
  useEffect(() => {
    const form = input.current?.form;
    form?.addEventListener('submit', settle);
    return () => form?.removeEventListener('submit', settle);
  }, [settle]);

  useEffect(() => {
    const field = input.current;
    if (!recent || !field) return undefined;
    const saveSearch = () => {
      const search = searchIn(field);
      void loadList().then(
        ({ saveRecentSearch }) => saveRecentSearch(search),
        () => {},
      );
    };
    field.form?.addEventListener('submit', saveSearch);
    return () => field.form?.removeEventListener('submit', saveSearch);
  }, [recent]);

  function open() {
    if (handle.current) return handle.current.open();
    opensOnLoad.current = true;
    wake();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (handle.current) handle.current.press(event);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') open();
  }

  return (
    <div className={styles.combobox}>
      <input
        type="search"
        maxLength={120}
        autoComplete="off"
        spellCheck={false}
        {...field}
        ref={input}
        defaultValue={text}
        {...(ready && {
          role: 'combobox',
          'aria-autocomplete': 'list',
          'aria-expanded': active !== undefined,
          'aria-controls': id,
          'aria-activedescendant': active || undefined,
        })}
        onChange={(event) => {
          event.target.dataset['typing'] = '';
          onText?.(event.target.value);
          open();
        }}
        onClick={open}
        onFocus={() => {
          wake();
          handle.current?.focus();
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          opensOnLoad.current = false;
          handle.current?.close();
        }}
      />
      {List && (
        <List
          ref={handle}
          id={id}
          inputRef={input}
          box={box}
          text={text}
          recent={recent}
          searchIn={searchIn}
          onChoose={(choice) => {
            settle();
            return onChoose?.(choice);
          }}
          onText={onText}
          onActive={setActive}
        />
      )}
    </div>
  );
}
