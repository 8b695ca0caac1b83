import { exportsADay } from '@handwise/contract/accounts/data';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../lib/download.ts';
import { toast } from '../../ui/feedback/toast.tsx';
import { Button } from '../../ui/forms/button.tsx';
import styles from './account-settings.module.css';

/** What is kept of somebody, for them to have. */
export function DataSection() {
  const getting = useMutation({
    mutationFn: () => download('/api/auth/export', 'handwise-data.zip'),
    onSuccess: () => toast('Your data has been downloaded'),
    onError: (error) => toast(error.message, 'error'),
  });
  return (
    <section className={`card ${styles.part}`} aria-labelledby="your-data">
      <h2 id="your-data">Your data</h2>
      <p>
        Everything we keep about you, as one zip file: your account, listings, messages, reviews, saved listings, plans and payments, and
        what you wrote to us from its confirmed address, as JSON, with your pictures. You can have it {exportsADay} times a day.
      </p>
      <div>
        <Button kind="secondary" busy={getting.isPending} onClick={() => getting.mutate()}>
          {getting.isPending ? 'Putting it together...' : 'Download your data'}
        </Button>
      </div>
    </section>
  );
}
