import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import styles from './share-help.module.css';
import { type Shared, shareText, type ShareWay } from './share.ts';
import { shareHelp } from './share-steps.ts';

type ShareHelpProps = { way: ShareWay; shared: Shared; onClose: () => void };

/** What comes after pressing one of the buttons, and the words themselves where they have to be pasted. */
export const ShareHelp = ({ way, shared, onClose }: ShareHelpProps) => {
  const { title, steps } = shareHelp[way];
  return (
    <section className={styles.help} aria-label={title}>
      <h3>{title}</h3>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {way === 'text' && (
        <>
          <p className={styles.words}>{shareText(shared)}</p>
          <CopyButton
            text={shareText(shared)}
            label="Copy the words"
            copiedMessage="Message copied to clipboard! Paste it into your messaging app to share."
            failedMessage={`Unable to share. Please copy this code manually: ${shared.code}`}
          />
        </>
      )}
      <div>
        <Button kind="quiet" size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
    </section>
  );
};
