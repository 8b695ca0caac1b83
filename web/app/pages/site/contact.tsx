import { paths } from '@handwise/contract/paths';
import { ContactForm } from '../../domains/site/contact-form.tsx';
import { pageMeta } from '../../lib/page-meta.ts';
import { supportAddress } from '../../lib/site.ts';
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
          A question, a problem with a listing, an idea? Write to <a href={`mailto:${supportAddress}`}>{supportAddress}</a>, or let this
          form prepare the mail for you.
        </p>
      }
    >
      <ContactForm />
    </FormCard>
  );
}
