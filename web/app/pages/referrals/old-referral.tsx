import { paths } from '@handwise/contract/paths';
import { redirect } from 'react-router';
import type { PageHandle } from '../../lib/root-data.ts';
import type { Route } from './+types/old-referral';

export const handle: PageHandle = { reads: ['tab'] };

export const loader = ({ request }: Route.LoaderArgs) => redirect(paths.referral + new URL(request.url).search, 301);
