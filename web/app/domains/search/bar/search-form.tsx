import { paths } from '@handwise/contract/paths';
import { IconMapPin, IconSearch } from '@tabler/icons-react';
import { type FormEvent, useId } from 'react';
import { Form, useNavigate } from 'react-router';
import { searchAddress } from './search-address.ts';
import styles from './search-form.module.css';

type SearchFormProps = {
  /** What was searched for before: another search begins with it. */
  what?: string;
  where?: string;
  /** One row of the header, or a block of a page. */
  look?: 'header' | 'page';
};

/** "What do you need? · Where?" A form of the browser: without scripts it leads to the same pages. */
export function SearchForm({ what = '', where = '', look = 'page' }: SearchFormProps) {
  const id = useId();
  const navigate = useNavigate();
  // An empty field is not worth a place in the address.
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void navigate(searchAddress(new FormData(event.currentTarget)));
  };
  return (
    <search className={styles.search} data-look={look} aria-label={look === 'header' ? 'Find a pro from any page' : 'Find a pro'}>
      <Form method="get" action={paths.search} className={styles.form} onSubmit={submit}>
        <div className={styles.field}>
          <label htmlFor={`${id}-q`} className={styles.label}>
            What do you need?
          </label>
          <IconSearch className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
          <input
            key={`q ${what}`}
            id={`${id}-q`}
            className={styles.input}
            name="q"
            defaultValue={what}
            maxLength={120}
            enterKeyHint="search"
            autoComplete="off"
            placeholder={look === 'header' ? 'What do you need?' : 'Plumber, leaking tap, business name'}
          />
        </div>
        <div className={styles.field}>
          <label htmlFor={`${id}-where`} className={styles.label}>
            Where?
          </label>
          <IconMapPin className={styles.icon} size={20} stroke={1.75} aria-hidden="true" />
          <input
            key={`where ${where}`}
            id={`${id}-where`}
            className={styles.input}
            name="where"
            defaultValue={where}
            maxLength={120}
            enterKeyHint="search"
            autoComplete="off"
            placeholder={look === 'header' ? 'Where?' : 'Suburb, town, region or postcode'}
          />
        </div>
        <button type="submit" className={styles.submit}>
          <IconSearch size={20} stroke={2} aria-hidden="true" />
          <span>Search</span>
        </button>
      </Form>
    </search>
  );
}
