import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { ContactForm } from '../../domains/site/contact-form.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { supportAddress } from '@handwise/contract/site/name';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/contact';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Contact us',
    description: 'Write to the people behind Handwise: a question, a problem with a listing, or an idea.',
    path: paths.contact,
  });

export default function ContactPage() {
  return (
    <FormCard
      title="Contact us"
      intro={
        <p>
          A question, a problem with a listing, an idea? Use this form, or write to{' '}
          <a href={`mailto:${supportAddress}`}>{supportAddress}</a>. Looking for the way out? See{' '}
          <Link to={paths.howToStop}>how to stop</Link>.
        </p>
      }
    >
      <ContactForm />
    </FormCard>
  );
}
