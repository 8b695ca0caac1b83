import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import styles from './security.module.css';

/** Recovery codes, which are shown this once: to copy, to download, to print. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const text = `Recovery codes for Handwise. Each works once.\n\n${codes.join('\n')}\n`;
  return (
    <div className={styles.setup}>
      <p>
        Lost your phone? One of these codes signs you in instead. Each works once. Keep them somewhere other than your phone: they are only
        shown now.
      </p>
      <ul className={styles.codes} data-printed="">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <CopyButton
          text={text}
          label="Copy"
          copiedMessage="Recovery codes copied"
          failedMessage="The codes could not be copied. Please download them."
        />
        <a
          className={styles.download}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="handwise-recovery-codes.txt"
        >
          Download
        </a>
        <Button kind="secondary" onClick={() => print()}>
          Print
        </Button>
      </div>
      <Button wide onClick={onKept}>
        I have kept them
      </Button>
    </div>
  );
}
