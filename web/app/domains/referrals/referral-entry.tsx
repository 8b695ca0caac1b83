import { cleanReferralCode } from '@handwise/contract/machine-text';
import { referralCodeMissing } from '@handwise/contract/referrals/calls';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { isComposing } from '../../lib/forms/composing.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/form-field.tsx';
import styles from './referral-entry.module.css';

type ReferralEntryProps = {
  /** An accepted code cannot be changed. */
  applied: boolean;
  code: string;
  /** Whether the code makes the plan free; null until that is known. */
  isFree: boolean | null;
  disabled: boolean;
  /** Returns the message to show. */
  onApply: (code: string) => Promise<{ success: boolean; message: string }>;
};

/** A referral code, which makes the first month free. */
export function ReferralEntry({ applied, code, isFree, disabled, onApply }: ReferralEntryProps) {
  const [typed, setTyped] = useState(code);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<{ success: boolean; message: string } | null>(null);
  const succeeded = applied || answer?.success === true;
  const applying = isFree ? 'Referral code applied successfully.' : 'Your code has been added, but it does not make this plan free.';

  async function apply() {
    if (busy || succeeded) return;
    const cleaned = cleanReferralCode(typed);
    if (cleaned === '') return setAnswer({ success: false, message: referralCodeMissing });
    setBusy(true);
    setAnswer(null);
    setAnswer(await onApply(cleaned));
    setBusy(false);
  }

  if (applied && code === '' && !answer) {
    return (
      <p className={styles.applied}>
        <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />
        Your referral code makes your first month free.
      </p>
    );
  }
  return (
    <div className={styles.entry}>
      <div className={styles.row}>
        <TextField
          id="field-referralCode"
          label="Referral code"
          optional={!succeeded}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={64}
          value={succeeded ? code || typed : typed}
          readOnly={succeeded}
          disabled={disabled || succeeded}
          error={answer && !answer.success ? answer.message : undefined}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || isComposing(event)) return;
            event.preventDefault();
            void apply();
          }}
        />
        {!succeeded && (
          <Button kind="secondary" busy={busy} disabled={disabled} onClick={() => void apply()}>
            {busy ? 'Applying...' : 'Apply'}
          </Button>
        )}
      </div>
      <p className={succeeded ? styles.applied : 'visually-hidden'} role="status">
        {succeeded && (
          <>
            {isFree && <IconCircleCheck size={22} stroke={1.75} aria-hidden="true" />}
            {answer?.message ?? (isFree === null ? '' : applying)}
          </>
        )}
      </p>
    </div>
  );
}
