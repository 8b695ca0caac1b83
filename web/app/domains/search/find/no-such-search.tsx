import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { ButtonLink } from '../../../ui/forms/button.tsx';
import { Container } from '../../../ui/page/page.tsx';
import { changeParams, findAddress, type FindName, type NoSearch } from './find-params.ts';

const names: Partial<Record<FindName, string>> = { subCategory: 'sub-category', near: 'place', where: 'place' };

/** "no category “wizardry”" */
const missing = ({ params, wrong }: NoSearch) => wrong.map((name) => `no ${names[name] ?? name} “${params[name] ?? ''}”`).join(' and ');

/** Explains what is wrong with the address, and links the search without it. */
export function NoSuchSearch({ search }: { search: NoSearch }) {
  const rest = findAddress(changeParams(search.params, Object.fromEntries(search.wrong.map((name) => [name, undefined]))));
  return (
    <Container>
      <title>{`Search not understood | ${site.name}`}</title>
      <meta name="robots" content="noindex" />
      <EmptyState
        title="We can’t run this search"
        drawing="search"
        level={1}
        action={
          <>
            {rest !== paths.search && <ButtonLink to={rest}>Search without it</ButtonLink>}
            <ButtonLink to={paths.search} kind={rest === paths.search ? 'primary' : 'secondary'}>
              Search all services
            </ButtonLink>
          </>
        }
      >
        {search.onlyIn
          ? `This site shows businesses in ${search.onlyIn} only.`
          : `There is ${missing(search)}. The address may be mistyped.`}
      </EmptyState>
    </Container>
  );
}
