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
import type { Choice } from './combobox-choices.ts';
import type { ComboboxList, ListHandle } from './combobox-list.tsx';
import styles from './combobox.module.css';
import type { RecentSearch } from './recent-searches.ts';

const nothing = () => () => {};

// Every page has a field, and most are left without anybody having typed into one: its list comes with the first focus.
const loadList = () => import('./combobox-list.tsx');

/** What the form that a field stands in asks for, with the place of its other field. */
function searchIn(field: HTMLInputElement): RecentSearch {
  const other = field.form?.elements.namedItem('where');
  return { q: field.value, where: other instanceof HTMLInputElement && other !== field ? other.value : '' };
}

/** Whether a search field has the focus and was edited since its last search: it keeps its text and the focus when results arrive. */
export const isTypedInto = (element: Element | null) =>
  element !== null && element === document.activeElement && element.matches('input[data-typing]');

type ComboboxProps = Omit<ComponentProps<'input'>, 'value' | 'defaultValue' | 'ref' | 'role'> & {
  name: string;
  /** What it suggests: what is needed (q), or places (where). */
  box: 'q' | 'where';
  /** What stands in it, as the address says. What somebody has typed stays until that changes. */
  text: string;
  /** Whether searches are remembered and offered again. */
  recent?: boolean;
  /** What happens as a choice is taken. Answers the text that stands in the field then, where that is not the choice's own. */
  onChoose?: (choice: Choice) => string | void;
  /** Gets what stands in the field whenever that changes by the hand of whoever uses it. */
  onText?: (text: string) => void;
};

/**
 * A field of a form that suggests while one types. Without script, and until there is one, it is the plain field. Its list stands
 * below it, or below the ancestor that is positioned where `--suggestions-anchor` is `static`.
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
  // Whether it is to open as soon as it is there.
  const isAsked = useRef(false);
  // The id of the active choice while the list is shown: empty where none is.
  const [active, setActive] = useState<string>();

  // Where it does not come, the field is one without suggestions.
  const wake = useCallback(() => {
    void loadList().then(
      (file) => setList(() => file.ComboboxList),
      () => {},
    );
  }, []);
  useEffect(() => {
    // It may have the focus before there is a script.
    if (document.activeElement === input.current) wake();
  }, [wake]);
  useEffect(() => {
    if (!List) return;
    handle.current?.focus();
    if (isAsked.current) handle.current?.open();
  }, [List]);

  // What was typed before there was a script stays, and so does what is typed while the results of an earlier search are loading.
  const written = useRef(text);
  // Before the effects of the list, which reads the field.
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
    isAsked.current = true;
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
          isAsked.current = false;
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
