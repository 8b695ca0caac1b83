import { dateText, ownTimeZone } from '@handwise/contract/dates';
import { counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import type { Alert } from '@handwise/contract/alerts/calls';
import { Link } from 'react-router';
import { Button } from '../../../ui/forms/button.tsx';
import type { AlertChange } from './alert-queries.ts';
import styles from './alert-list.module.css';
import { FrequencySelect } from './frequency-select.tsx';

type AlertRowProps = { alert: Alert; onChange: (body: AlertChange) => void; onRename: () => void; onDelete: () => void };

/** One alert: what it looks for, how often it mails, and what its last mail told. */
export const AlertRow = ({ alert, onChange, onRename, onDelete }: AlertRowProps) => {
  const { name, query, frequency, isPaused, lastMail } = alert;
  const more = lastMail ? lastMail.total - lastMail.listings.length : 0;
  return (
    <>
      <div className={styles.head}>
        <h3>
          <Link to={`${paths.search}?${query}`}>{name}</Link>
        </h3>
        {isPaused ? (
          <span className={styles.paused}>Paused</span>
        ) : (
          <span className={styles.often}>
            By email
            <FrequencySelect
              value={frequency}
              label={`How often to email you about ${name}`}
              onChange={(next) => onChange({ frequency: next })}
            />
          </span>
        )}
      </div>
      {lastMail ? (
        <details className={styles.last}>
          <summary>
            Last email on <time dateTime={lastMail.sentAt}>{dateText(lastMail.sentAt, ownTimeZone())}</time>:{' '}
            {counted(lastMail.total, 'new listing')}
          </summary>
          <ul>
            {lastMail.listings.map(({ _id, title }) => (
              <li key={_id}>
                <Link to={paths.listing(_id)}>{title}</Link>
              </li>
            ))}
            {more > 0 && <li>{lastMail.listings.length > 0 ? `And ${more} more` : 'No longer on the site'}</li>}
          </ul>
        </details>
      ) : (
        <p className={styles.none}>No email yet: nothing new has matched.</p>
      )}
      <div className={styles.buttons}>
        <Button kind="quiet" size="sm" onClick={onRename}>
          Rename<span className="visually-hidden"> {name}</span>
        </Button>
        <Button kind="quiet" size="sm" onClick={() => onChange({ isPaused: !isPaused })}>
          {isPaused ? 'Resume' : 'Pause'}
          <span className="visually-hidden"> {isPaused ? `with ${name}` : name}</span>
        </Button>
        <Button kind="quiet" size="sm" onClick={onDelete}>
          Delete<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </>
  );
};
