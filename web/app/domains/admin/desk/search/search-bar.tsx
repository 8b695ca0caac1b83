import { useSearchParams } from 'react-router';
import { Button } from '../../../../ui/forms/button.tsx';
import { TextField } from '../../../../ui/forms/form-field.tsx';
import styles from '../admin.module.css';

/** A search whose query is in the URL. */
export function SearchBar({ label, hint }: { label: string; hint: string }) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('q') ?? '';
  return (
    <form
      role="search"
      className={styles.search}
      onSubmit={(event) => {
        event.preventDefault();
        const q = new FormData(event.currentTarget).get('q');
        const next = new URLSearchParams(search);
        next.delete('page');
        if (typeof q === 'string' && q.trim() !== '') next.set('q', q.trim());
        else next.delete('q');
        setSearch(next);
      }}
    >
      <TextField key={asked} label={label} hint={hint} name="q" type="search" defaultValue={asked} maxLength={200} />
      <Button type="submit">Search</Button>
    </form>
  );
}
