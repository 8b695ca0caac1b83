import { IconBuildingStore, IconCategory, IconHistory, IconMapPin, IconTool, IconX } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { type Choice, choicesOf, listSaid, textOfChoice } from './combobox-choices.ts';
import { effectOf } from './combobox-keys.ts';
import styles from './combobox.module.css';
import { type RecentSearch, forgetSearch, forgetSearches, readRecent, rememberSearch } from './recent-searches.ts';
import { useSuggestions } from './use-suggestions.ts';

const icons = { category: IconCategory, place: IconMapPin, business: IconBuildingStore, listing: IconTool, recent: IconHistory };

const nothing = () => () => {};

/** What the form that a field stands in asks for, with the place of its other field. */
function searchIn(field: HTMLInputElement): RecentSearch {
  const other = field.form?.elements.namedItem('where');
  return { q: field.value, where: other instanceof HTMLInputElement && other !== field ? other.value : '' };
}

/** `active` is the key of a choice: where others come while it is active, it stays so as long as it is among them. */
type List = { open: boolean; active?: string | undefined };

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
  const ready = useSyncExternalStore(
    nothing,
    () => true,
    () => false,
  );
  const [typed, setTyped] = useState(text);
  const [searches, setSearches] = useState<readonly RecentSearch[]>([]);
  const [list, setList] = useState<List>({ open: false });
  const { open } = list;

  const suggestions = useSuggestions(box, typed, ready && open);
  const choices = choicesOf(typed, recent ? searches : [], suggestions ?? []);
  const removable = choices.filter(({ kind }) => kind === 'recent').length;
  // The last choice of a list of nothing but recent searches clears it.
  const clears = !typed.trim() && removable > 0;
  const keys = [...choices.map(({ kind, query, label }) => `${kind} ${query} ${label}`), ...(clears ? ['clear'] : [])];
  const count = keys.length;
  const active = keys.indexOf(list.active ?? '');
  const shown = open && count > 0;

  const [inAddress, setInAddress] = useState(text);
  if (inAddress !== text) {
    setInAddress(text);
    setTyped(text);
  }
  // What was typed before there was a script stays: only another address is written.
  const written = useRef(text);
  useEffect(() => {
    if (input.current && written.current !== text) input.current.value = text;
    written.current = text;
  }, [text]);

  useEffect(() => {
    const field = input.current;
    if (!recent || !field) return undefined;
    const remember = () => rememberSearch(searchIn(field));
    field.form?.addEventListener('submit', remember);
    return () => field.form?.removeEventListener('submit', remember);
  }, [recent]);

  useEffect(() => {
    if (shown && active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, shown, active]);

  function write(value: string) {
    if (input.current) input.current.value = value;
    setTyped(value);
    onText?.(value);
  }

  function openList() {
    if (recent) setSearches(readRecent());
    setList({ open: true });
  }

  function choose(index: number) {
    const choice = choices[index];
    if (!choice) {
      forgetSearches();
      setSearches([]);
      return;
    }
    write(textOfChoice(choice));
    setList({ open: false });
    if (recent && input.current) rememberSearch(choice.kind === 'recent' ? choice.search : searchIn(input.current));
    const other = onChoose?.(choice);
    if (other !== undefined) write(other);
  }

  function remove(index: number) {
    const choice = choices[index];
    if (choice?.kind !== 'recent') return;
    forgetSearch(choice.search);
    setSearches(readRecent());
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const { key, altKey, ctrlKey, metaKey } = event;
    const pressed = { key, altKey, ctrlKey, metaKey, isComposing: event.nativeEvent.isComposing };
    const effect = effectOf(pressed, { open, active, count, removable, typed: typed !== '' });
    if (!effect) return;
    if (effect.handled) event.preventDefault();
    if (effect.open && !open) openList();
    setList({ open: effect.open, active: keys[effect.active] });
    if (effect.empty) write('');
    if (effect.remove !== undefined) remove(effect.remove);
    if (effect.choose !== undefined) choose(effect.choose);
  }

  const option = (index: number) => ({
    id: `${id}-${index}`,
    role: 'option',
    'aria-selected': index === active,
    className: styles.option,
    onClick: () => choose(index),
  });

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
          'aria-expanded': shown,
          'aria-controls': id,
          'aria-activedescendant': shown && active >= 0 ? `${id}-${active}` : undefined,
        })}
        onChange={(event) => {
          setTyped(event.target.value);
          onText?.(event.target.value);
          openList();
        }}
        onClick={openList}
        onFocus={() => recent && setSearches(readRecent())}
        onKeyDown={onKeyDown}
        onBlur={() => setList({ open: false })}
      />
      {shown && (
        // A press on the list leaves the focus, and with it the keyboard of a phone, where they are.
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
                  // For pointers. By keyboard it is Delete, which the status says.
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
        </div>
      )}
      {ready && (
        <span role="status" className="visually-hidden">
          {open && (suggestions || shown) && (shown || typed.trim()) ? listSaid(choices.length, removable) : ''}
        </span>
      )}
    </div>
  );
}
