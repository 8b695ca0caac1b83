import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { useRootData } from '../../lib/root-data.ts';
import { pageMeta } from '../../lib/page-meta.ts';
import { site } from '@handwise/contract/site/site';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/contact';
import { contactForm, contactMessageMax } from '@handwise/contract/site/contact';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../lib/api.ts';
import { useCheckedForm } from '../../lib/forms/checked-form.ts';
import { useSession } from '../../lib/session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorSummary } from '../../ui/forms/error-summary.tsx';
import { TextArea, TextField } from '../../ui/forms/form-field.tsx';
import styles from './contact.module.css';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Contact us',
    description: `Write to the people behind ${site.name}: a question, a problem with a listing, or an idea.`,
    path: paths.contact,
  });

export default function ContactPage() {
  const { operator } = useRootData();
  return (
    <FormCard
      title="Contact us"
      intro={
        <p>
          A question, a problem with a listing, an idea? Use this form, or write to{' '}
          <a href={`mailto:${site.supportEmail}`}>{site.supportEmail}</a>. Looking for the way out? See{' '}
          <Link to={paths.howToStop}>how to stop</Link>. By post: {operator}.
        </p>
      }
    >
      <ContactForm />
    </FormCard>
  );
}

/** The contact form. Members need not type their name and address. */
function ContactForm() {
  const [answerTo, setAnswerTo] = useState<string>();
  return answerTo === undefined ? <Form onSent={setAnswerTo} /> : <Sent answerTo={answerTo} onAgain={() => setAnswerTo(undefined)} />;
}

function Form({ onSent }: { onSent: (answerTo: string) => void }) {
  const { user } = useSession();
  const { form, field, summary, busy, fillIn } = useCheckedForm({
    name: 'contact',
    schema: contactForm,
    start: { fullName: '', email: '', website: '', message: '' },
    send: async (values) => {
      await call('POST /contact', { body: values });
      onSent(values.email);
    },
  });
  // Only the browser knows the user, who may have typed something already.
  useEffect(() => {
    if (user) fillIn({ fullName: user.fullName, email: user.email });
  }, [user, fillIn]);
  return (
    <form {...form}>
      <ErrorSummary {...summary} />
      <TextField label="Full name" autoComplete="name" {...field('fullName')} />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        hint="We will reply to this address."
        {...field('email')}
      />
      <TextField label="Website" optional inputMode="url" autoComplete="url" {...field('website')} />
      <TextArea label="Message" hint={`Up to ${contactMessageMax} characters.`} {...field('message')} />
      <Button type="submit" busy={busy} wide>
        {busy ? 'Sending...' : 'Send message'}
      </Button>
    </form>
  );
}

function Sent({ answerTo, onAgain }: { answerTo: string; onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className={styles.sent} role="status">
      <h2 ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>Thank you. A person will read it and reply to {answerTo}, usually within two working days.</p>
      <Button kind="secondary" onClick={onAgain}>
        Write another message
      </Button>
    </div>
  );
}
