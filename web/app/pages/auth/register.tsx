import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { pageMeta } from '../../lib/page-meta.ts';
import { SignUpCard } from './sign-up-card.tsx';
import type { Route } from './+types/register';

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: 'Create an account',
    description: `Join ${site.name} for free: message home and trade pros, save listings, or list your own business.`,
    path: paths.register,
  });

export default function RegisterPage() {
  return <SignUpCard />;
}
