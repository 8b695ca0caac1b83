import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/goodbye';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your account has been deleted',
    description: 'Thank you for being with us.',
    path: paths.goodbye,
    noIndex: true,
  });

/** Shown after deleting an account. */
export default function GoodbyePage() {
  return (
    <FormCard title="Your account has been deleted" intro={<p>Thank you for being with us. You are welcome back at any time.</p>}>
      <p>We have emailed you what was deleted and what has to stay.</p>
      <ButtonLink to={paths.landing} wide>
        Go to the front page
      </ButtonLink>
    </FormCard>
  );
}
