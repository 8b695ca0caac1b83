import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { FormCard } from '../../ui/forms/form-card.tsx';
import type { Route } from './+types/goodbye';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Your account is deleted',
    description: 'Thank you for having been with us.',
    path: paths.goodbye,
    noIndex: true,
  });

/** Where whoever has deleted their account finds themselves. */
export default function GoodbyePage() {
  return (
    <FormCard title="Your account is deleted" intro={<p>Thank you for having been with us. You are welcome back at any time.</p>}>
      <p>An email to your address says what was deleted, and what has to stay.</p>
      <ButtonLink to={paths.landing} wide>
        To the front page
      </ButtonLink>
    </FormCard>
  );
}
