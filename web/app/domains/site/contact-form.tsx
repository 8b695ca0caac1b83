import { emailAddress, requiredLine, requiredLines } from '@handwise/contract/text-fields';
import { webAddress } from '@handwise/contract/web-address';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { useCheckedForm } from '../../lib/checked-form.ts';
import { supportAddress } from '../../lib/site.ts';
import { Button } from '../../ui/forms/button.tsx';
import { CopyButton } from '../../ui/forms/copy-button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../ui/forms/form-field.tsx';
import styles from './contact-form.module.css';

const messageMax = 2000;

const contactForm = z.object({
  fullName: requiredLine('Name is required', 100, 'Name must be at most 100 characters'),
  email: emailAddress('Email is required', 'Invalid email format'),
  website: webAddress,
  message: requiredLines('Message is required', messageMax, `Message cannot exceed ${messageMax} characters`),
});
type Values = z.infer<typeof contactForm>;

const letter = ({ fullName, email, website, message }: Values) => [message, '', fullName, email, website].join('\n').trimEnd();

/**
 * Writes the mail and hands it to the visitor's own mail program. The site itself sends nothing yet, and says so: a form
 * that claims to have sent something must have sent it.
 */
export function ContactForm() {
  const [ready, setReady] = useState<Values>();
  const { form, field, summary } = useCheckedForm({
    name: 'contact',
    schema: contactForm,
    start: { fullName: '', email: '', website: '', message: '' },
    send: setReady,
  });
  const result = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (ready) result.current?.focus();
  }, [ready]);

  const subject = ready && `Message from ${ready.fullName}`;
  return (
    <>
      {/* A letter that is changed is not the one that was ready. */}
      <form {...form} onChange={() => setReady(undefined)}>
        <ErrorSummary {...summary} />
        <TextField label="Full name" autoComplete="name" {...field('fullName')} />
        <TextField label="Email" type="email" inputMode="email" autoComplete="email" {...field('email')} />
        <TextField label="Website" optional inputMode="url" autoComplete="url" {...field('website')} />
        <TextArea label="Message" hint={`Up to ${messageMax} characters.`} {...field('message')} />
        <Button type="submit" wide>
          Write the mail
        </Button>
      </form>
      {ready && subject && (
        <div ref={result} className={styles.ready} tabIndex={-1} role="group" aria-labelledby="ready-heading">
          <h2 id="ready-heading">Your mail is ready to send</h2>
          <p>Nothing has been sent yet. Open it in your mail app and press send there, or copy it and mail it to {supportAddress}.</p>
          <div className={styles.actions}>
            <a
              className={styles.open}
              href={`mailto:${supportAddress}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(letter(ready))}`}
            >
              Open in my mail app
            </a>
            <CopyButton
              text={letter(ready)}
              label="Copy the text"
              copiedMessage="Message copied. Mail it to us from any mail app."
              failedMessage="The text could not be copied. Select it in the form instead."
            />
          </div>
        </div>
      )}
    </>
  );
}
