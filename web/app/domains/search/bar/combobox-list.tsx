import { IconBuildingStore, IconCategory, IconHistory, IconMapPin, IconTool, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type Ref, type RefObject, useCallback, useEffect, useImperativeHandle, useState } from 'react';
import { isComposing } from '../../../lib/forms/composing.ts';
import { type ComboboxChoice, listComboboxChoices, describeChoiceCount, getChoiceText } from './combobox-choices.ts';
import styles from './combobox.module.css';
import { type RecentSearch, deleteRecentSearch, deleteRecentSearches, readRecent, saveRecentSearch } from './recent-searches.ts';
import type { Suggestion } from '@handwise/contract/search/suggest';
import { call } from '../../../lib/api.ts';
import { debounce } from '../../../lib/debounce.ts';
import { useRootData } from '../../../lib/root-data.ts';
import { likelyCountry } from './likely-country.ts';

export { saveRecentSearch };

const icons = { category: IconCategory, place: IconMapPin, business: IconBuildingStore, listing: IconTool, recent: IconHistory };

/** The field's state for its list. */
export type ListHandle = { focus(): void; open(): void; close(): void; press(event: KeyboardEvent<HTMLInputElement>): void };

/** `active` is the key of a choice: it stays active as long as it is among the choices. */
type List = { open: boolean; active?: string | undefined };

type ComboboxListProps = {
  ref: Ref<ListHandle>;
  id: string;
  inputRef: RefObject<HTMLInputElement | null>;
  box: 'q' | 'where';
  text: string;
  recent: boolean;
  searchIn: (field: HTMLInputElement) => RecentSearch;
  onChoose: ((choice: ComboboxChoice) => string | void) | undefined;
  onText: ((text: string) => void) | undefined;
  /** Receives the id of the active choice, empty if there is none, or undefined without a list. */
  onActive: (active: string | undefined) => void;
};

/** The list of a field: its choices, and how keys and presses affect them. */
export function ComboboxList({ ref, id, inputRef, box, text, recent, searchIn, onChoose, onText, onActive }: ComboboxListProps) {
  const [typed, setTyped] = useState(text);
  const [searches, setSearches] = useState<readonly RecentSearch[]>([]);
  const [list, setList] = useState<List>({ open: false });
  const { open } = list;

  const { suggestions, hasFailed, retry } = useSuggestions(box, typed, open);
  const choices = listComboboxChoices(typed, recent ? searches : [], suggestions ?? []);
  const removable = choices.filter(({ kind }) => kind === 'recent').length;
  // A list of only recent searches ends with a choice that clears it.
  const clears = !typed.trim() && removable > 0;
  const keys = [
    ...choices.map(({ kind, query, label }) => `${kind} ${query} ${label}`),
    ...(clears ? ['clear'] : hasFailed ? ['retry'] : []),
  ];
  const count = keys.length;
  const active = keys.indexOf(list.active ?? '');
  const shown = open && count > 0;
  const activeId = shown && active >= 0 ? `${id}-${active}` : '';

  useEffect(() => setTyped(inputRef.current?.value ?? text), [text, inputRef]);
  useEffect(() => onActive(shown ? activeId : undefined), [onActive, shown, activeId]);

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  function write(value: string) {
    if (inputRef.current) inputRef.current.value = value;
    setTyped(value);
    onText?.(value);
  }

  /** Reads the field's text and the recent searches, both of which may have changed. */
  function focus() {
    setTyped(inputRef.current?.value ?? '');
    if (recent) setSearches(readRecent());
  }

  function openList() {
    focus();
    setList({ open: true });
  }

  function choose(index: number) {
    const choice = choices[index];
    if (!choice && hasFailed) {
      retry();
      return setList({ open: true });
    }
    if (!choice) {
      deleteRecentSearches();
      setSearches([]);
      return;
    }
    write(getChoiceText(choice));
    setList({ open: false });
    if (recent && inputRef.current) saveRecentSearch(choice.kind === 'recent' ? choice.search : searchIn(inputRef.current));
    const other = onChoose?.(choice);
    if (other !== undefined) write(other);
  }

  function remove(index: number) {
    const choice = choices[index];
    if (choice?.kind !== 'recent') return;
    deleteRecentSearch(choice.search);
    setSearches(readRecent());
  }

  function press(event: KeyboardEvent<HTMLInputElement>) {
    const { key, altKey, ctrlKey, metaKey } = event;
    const pressed = { key, altKey, ctrlKey, metaKey, isComposing: isComposing(event) };
    const effect = getKeyEffect(pressed, { open, active, count, removable, typed: typed !== '' });
    if (!effect) return;
    if (effect.handled) event.preventDefault();
    if (effect.open && !open) openList();
    setList({ open: effect.open, active: keys[effect.active] });
    if (effect.empty) write('');
    if (effect.remove !== undefined) remove(effect.remove);
    if (effect.choose !== undefined) choose(effect.choose);
  }

  useImperativeHandle(ref, () => ({ focus, open: openList, close: () => setList({ open: false }), press }));

  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option',
    'aria-selected': index === active,
    className: styles.option,
    onClick: () => choose(index),
  });

  return (
    <>
      {shown && (
        // A press on the list must not blur the field, or a phone's keyboard closes.
        <div
          id={id}
          tabIndex={-1}
          role="listbox"
          aria-label="Suggestions"
          className={styles.list}
          onMouseDown={(event) => event.preventDefault()}
        >
          {choices.map((choice, index) => {
            const Icon = icons[choice.kind];
            return (
              <div key={keys[index]} {...option(index)}>
                <Icon size={20} stroke={1.75} aria-hidden="true" />
                <span className={styles.words}>
                  {choice.label} {choice.detail && <span className={styles.detail}>{choice.detail}</span>}
                </span>
                {choice.kind === 'recent' && (
                  // For pointers only; keyboard users press Delete, as the status announces.
                  <span
                    aria-hidden="true"
                    title="Remove"
                    className={styles.remove}
                    onClick={(event) => {
                      event.stopPropagation();
                      remove(index);
                    }}
                  >
                    <IconX size={18} stroke={1.75} />
                  </span>
                )}
              </div>
            );
          })}
          {clears && <div {...option(choices.length)}>Clear recent searches</div>}
          {hasFailed && <div {...option(choices.length)}>{failedSuggestions}. Try again</div>}
        </div>
      )}
      <span role="status" className="visually-hidden">
        {open && hasFailed
          ? failedSuggestions
          : open && (suggestions || shown) && (shown || typed.trim())
            ? describeChoiceCount(choices.length, removable)
            : ''}
      </span>
    </>
  );
}

/** The effect of a key in a combobox. */
type KeyEffect = {
  /** Whether the list is open afterwards, and the active choice: -1 without one. */
  open: boolean;
  active: number;
  choose?: number;
  remove?: number;
  /** Whether the text is emptied. */
  empty?: true;
  /** Whether the browser's default action is prevented. */
  handled: boolean;
};

/** The list's state before the key. The first `removable` choices can be removed. */
type Listbox = { open: boolean; active: number; count: number; removable: number; typed: boolean };
type Pressed = { key: string; altKey?: boolean; ctrlKey?: boolean; metaKey?: boolean; isComposing?: boolean };

/**
 * The keys of a combobox, after the ARIA pattern "list autocomplete with manual selection": typed text stays until a choice is made.
 * Undefined for keys that the list does not handle, such as any key while an input method is composing.
 */
export function getKeyEffect(pressed: Pressed, { open, active, count, removable, typed }: Listbox): KeyEffect | undefined {
  if (pressed.isComposing || pressed.ctrlKey || pressed.metaKey) return undefined;
  const shown = open && count > 0;
  const isActive = shown && active >= 0;
  switch (pressed.key) {
    case 'ArrowDown':
      if (pressed.altKey) return { open: true, active: -1, handled: true };
      return { open: true, active: shown ? (active + 1) % count : Math.min(0, count - 1), handled: true };
    case 'ArrowUp':
      if (pressed.altKey) return { open: false, active: -1, handled: true };
      return { open: true, active: isActive && active > 0 ? active - 1 : count - 1, handled: true };
    case 'Enter':
      return { open: false, active: -1, ...(isActive && { choose: active }), handled: isActive };
    case 'Escape':
      if (shown) return { open: false, active: -1, handled: true };
      return typed ? { open: false, active: -1, empty: true, handled: true } : undefined;
    case 'Delete':
      return isActive && active < removable ? { open: true, active: -1, remove: active, handled: true } : undefined;
    case 'Tab':
      return { open: false, active: -1, handled: false };
    case 'Home':
    case 'End':
    case 'ArrowLeft':
    case 'ArrowRight':
      return { open, active: -1, handled: false };
    default:
      return undefined;
  }
}

// The pause in typing before a request.
const pauseMs = 120;
const none: readonly Suggestion[] = [];

const failedSuggestions = 'Suggestions could not be loaded';

/**
 * The server's suggestions for a text, while `isEnabled`. Stale responses are discarded. The suggestions are undefined until the first response for a text
 * that extends the last one.
 */
function useSuggestions(box: 'q' | 'where', typed: string, isEnabled: boolean) {
  const text = typed.trim();
  const { market } = useRootData();
  const country = market ? null : likelyCountry();
  const [found, setFound] = useState({ text: '', suggestions: none, hasFailed: false });
  const load = useCallback(
    (signal?: AbortSignal) =>
      call('GET /search/suggest', { query: { [box]: text, ...(country && { country }) } }, signal).then(
        ({ suggestions }) => setFound({ text, suggestions, hasFailed: false }),
        () => signal?.aborted || setFound({ text, suggestions: none, hasFailed: true }),
      ),
    [box, text, country],
  );

  useEffect(() => (isEnabled && text ? debounce(pauseMs, (signal) => void load(signal)) : undefined), [isEnabled, text, load]);

  const hasFailed = text !== '' && found.text === text && found.hasFailed;
  const isCurrent = found.text !== '' && text.startsWith(found.text);
  return {
    suggestions: text === '' ? none : isCurrent && !found.hasFailed ? found.suggestions : undefined,
    hasFailed,
    retry() {
      setFound({ text: '', suggestions: none, hasFailed: false });
      void load();
    },
  };
}
