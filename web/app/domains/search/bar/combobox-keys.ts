/** What a key does in a combobox. */
export type KeyEffect = {
  /** Whether the list is open afterwards, and which choice is active: -1 where none is. */
  open: boolean;
  active: number;
  choose?: number;
  remove?: number;
  /** Whether the text is emptied. */
  empty?: true;
  /** Whether the browser does nothing beyond it. */
  handled: boolean;
};

/** What the list is like as the key is pressed. The first `removable` of its choices can be removed. */
type Listbox = { open: boolean; active: number; count: number; removable: number; typed: boolean };
type Pressed = { key: string; altKey?: boolean; ctrlKey?: boolean; metaKey?: boolean; isComposing?: boolean };

/**
 * The keys of a field with a list of choices, as the ARIA patterns have them for "list autocomplete with manual selection": what
 * was typed stays until a choice is taken. Undefined where the key is none of the list's, as each is while an input method puts
 * letters together.
 */
export function effectOf(pressed: Pressed, { open, active, count, removable, typed }: Listbox): KeyEffect | undefined {
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
