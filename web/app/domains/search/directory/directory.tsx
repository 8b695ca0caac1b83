import { count, counted } from '@handwise/contract/numbers';
import { paths } from '@handwise/contract/paths';
import { Link } from 'react-router';
import { CategoryIcon } from '../../../ui/pictures/category-icon.tsx';
import { RatingLine } from '../../../ui/pictures/stars.tsx';
import { SearchForm } from '../bar/search-form.tsx';
import type { DirectoryData } from './directory-data.server.ts';
import { describeDirectory } from './directory-words.ts';
import styles from './directory.module.css';
import { mainNames, mainOrder } from '../../../lib/format.ts';

/** All services: the groups with their counts, by main category. */
export const Directory = ({ data }: { data: DirectoryData }) => (
  <>
    <header className={styles.head}>
      <h1>Home and trade services in {data.place}</h1>
      <p className={styles.intro}>{describeDirectory(data)}</p>
    </header>
    <div className={styles.form}>
      <SearchForm />
    </div>
    {mainOrder.map((main) => (
      <section key={main} className={styles.section} aria-labelledby={`main-${main}`}>
        <h2 id={`main-${main}`}>{mainNames[main]}</h2>
        <ul className={styles.tiles}>
          {data.categories
            .filter((one) => one.mainCategory === main)
            .map((category) => (
              <li key={category.slug} className={`card card-lift ${styles.tile}`}>
                <CategoryIcon slug={category.slug} size={56} />
                <div className={styles.tileText}>
                  <h3>
                    <Link to={paths.servicesIn(category.slug)} className={styles.cover}>
                      {category.name}
                    </Link>
                  </h3>
                  <p className={styles.counts}>
                    <span className="tabular">{counted(category.listings, 'listing')}</span>
                    {category.reviewCount > 0 && <RatingLine average={category.averageRating} reviews={category.reviewCount} />}
                  </p>
                  {category.regions.length > 0 && (
                    <ul className={styles.places} aria-label={`${category.name} by region`}>
                      {category.regions.map((region) => (
                        <li key={region.slug}>
                          <Link to={paths.servicesIn(category.slug, region.slug)}>{region.name}</Link>
                        </li>
                      ))}
                    </ul>
                  )}
                </div>
              </li>
            ))}
        </ul>
      </section>
    ))}
  </>
);

type LinkListProps = {
  id: string;
  title: string;
  links: readonly { name: string; slug: string; listings?: number }[];
  to: (slug: string) => string;
};

/** Links to neighbouring lists, with their counts if known. */
export const LinkList = ({ id, title, links, to }: LinkListProps) =>
  links.length === 0 ? null : (
    <nav className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.linksTitle}>
        {title}
      </h2>
      <ul className={styles.links}>
        {links.map(({ name, slug, listings }) => (
          <li key={slug}>
            <Link to={to(slug)}>
              {name}
              {listings !== undefined && (
                <span className={styles.linkCount}>
                  <span className="visually-hidden">: </span>
                  {count(listings)}
                  <span className="visually-hidden"> {listings === 1 ? 'listing' : 'listings'}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
