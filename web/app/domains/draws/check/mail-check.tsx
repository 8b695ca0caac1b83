import type { PublicDraw } from '@handwise/contract/draws/calls';
import { useState } from 'react';
import { Button } from '../../../ui/forms/button.tsx';
import { TextArea, TextField } from '../../../ui/forms/form-field.tsx';
import { getEdition } from '../draw-view.ts';
import styles from './check.module.css';
import { CheckFindings } from './check-findings.tsx';
import type { Checker } from './checker.ts';
import { useCheckerResult } from './use-checker.ts';

/** Checks the reader's own files: an email about a ticket, or the commitment. Neither leaves the browser. */
export function MailCheck({ draw, runCheck }: { draw: PublicDraw; runCheck: Checker['runCheck'] }) {
  const [mail, setMail] = useState('');
  const [earlier, setEarlier] = useState<File>();
  const [missing, setMissing] = useState(false);
  const isOpen = draw.status === 'open';
  const [closedAnswer, checkDraw] = useCheckerResult(runCheck, 'check');
  const [openAnswer, checkLog] = useCheckerResult(runCheck, 'openLog');
  const answer = isOpen ? openAnswer : closedAnswer;

  async function submit(event: React.FormEvent) {
    event.preventDefault();
    const files = { period: draw.period, edition: getEdition(draw) };
    const pasted = mail.trim() === '' ? null : mail;
    setMissing(pasted === null && !earlier);
    if (isOpen && pasted !== null) void checkLog({ ...files, mail: pasted });
    if (!isOpen && (pasted !== null || earlier)) void checkDraw({ ...files, mail: pasted, commitment: (await earlier?.text()) ?? null });
  }
  return (
    <>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextArea
          label="The email"
          name="mail"
          rows={7}
          hint="The whole text, or its last lines. It stays in your browser: none of it is sent."
          value={mail}
          error={missing ? 'Paste an email first' : undefined}
          onChange={(event) => setMail(event.target.value)}
        />
        {draw.status === 'completed' && (
          <TextField
            label="The proof file as it was before the draw"
            optional
            type="file"
            accept="application/json,.json"
            hint="For anyone who saved it while the draw was waiting for its number."
            onChange={(event) => setEarlier(event.target.files?.[0])}
          />
        )}
        <Button type="submit" kind="secondary" busy={answer.state === 'busy'}>
          {answer.state === 'busy' ? 'Checking…' : 'Check this email'}
        </Button>
      </form>
      <CheckFindings draw={draw} answer={answer} />
    </>
  );
}
