import { paths } from '@handwise/contract/paths';
import { IconBrandFacebook, IconBrandLinkedin, IconBrandWhatsapp, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { Link } from 'react-router';
import { site } from '@handwise/contract/site/site';
import { Logo } from '../../ui/pictures/logo.tsx';
import styles from './site-footer.module.css';
import { type ColorScheme, setColorScheme, useColorScheme } from '../../lib/document/color-scheme.ts';

// Share links: each opens with the site's address filled in.
const socials = [
  { name: 'Facebook', icon: IconBrandFacebook, share: (site: string) => `https://www.facebook.com/sharer/sharer.php?u=${site}` },
  { name: 'WhatsApp', icon: IconBrandWhatsapp, share: (site: string) => `https://wa.me/?text=${site}` },
  { name: 'LinkedIn', icon: IconBrandLinkedin, share: (site: string) => `https://www.linkedin.com/sharing/share-offsite/?url=${site}` },
];

const about = [
  { label: 'For businesses', to: paths.pros },
  { label: 'Help', to: paths.help },
  { label: 'Accessibility', to: `${paths.help}#accessibility` },
  { label: 'Contact us', to: paths.contact },
  { label: 'How reviews work', to: paths.reviewsPolicy },
  { label: 'How we check', to: paths.howWeCheck },
  { label: 'Our standards', to: paths.standards },
  { label: 'Complaints', to: paths.complaints },
  { label: 'Prize draws', to: paths.draws },
  { label: 'Rules of the prize draw', to: paths.drawRules },
  { label: 'How to stop', to: paths.howToStop },
  { label: 'Privacy policy', to: paths.privacy },
  { label: 'Terms and conditions', to: paths.terms },
];

type FooterLinksProps = { id: string; title: string; links: readonly { label: string; to: string }[] };

const FooterLinks = ({ id, title, links }: FooterLinksProps) => (
  <nav aria-labelledby={id}>
    <h2 className={styles.title} id={id}>
      {title}
    </h2>
    <ul className={styles.links}>
      {links.map(({ label, to }) => (
        <li key={to}>
          <Link to={to}>{label}</Link>
        </li>
      ))}
    </ul>
  </nav>
);

type SiteFooterProps = {
  origin: string;
  categories: readonly { name: string; slug: string }[];
  year: number | undefined;
  /** Who runs the site, with address. */
  operator: string | undefined;
  /** Below a multi-page form: without links that lead away from it. */
  slim: boolean;
};

export const SiteFooter = ({ origin, categories, year, operator, slim }: SiteFooterProps) => (
  <footer className={styles.footer}>
    {!slim && (
      <div className={styles.inner}>
        <div className={styles.brand}>
          <Logo />
          <p className="muted">Home and trade services across New Zealand and Australia. Message a pro for free, hire direct.</p>
          <ul className={styles.social}>
            {socials.map(({ name, share, icon: Icon }) => (
              <li key={name}>
                <a
                  href={share(encodeURIComponent(origin))}
                  rel="noopener noreferrer"
                  target="_blank"
                  aria-label={`Share ${site.name} on ${name} (opens in a new tab)`}
                >
                  <Icon size={22} stroke={1.75} aria-hidden="true" />
                </a>
              </li>
            ))}
          </ul>
        </div>
        <FooterLinks
          id="footer-services"
          title="Services"
          links={categories.map(({ name, slug }) => ({ label: name, to: paths.servicesIn(slug) }))}
        />
        <FooterLinks id="footer-about" title="About" links={about} />
      </div>
    )}
    <div className={styles.bottom}>
      <p className="muted">
        © {year} {site.name}. All rights reserved. Run by {operator}
      </p>
      <p className={styles.sources}>
        Places: incorporates or developed using G-NAF © Geoscape Australia licensed by the Commonwealth of Australia under the Open
        Geo-coded National Address File (G-NAF) End User Licence Agreement. Map: © OpenStreetMap contributors.
      </p>
      <ColorSchemeChoice />
    </div>
  </footer>
);

const choices = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'auto', label: 'System', icon: IconDeviceDesktop },
] as const satisfies readonly { value: ColorScheme; label: string; icon: unknown }[];

/** Light, dark, or as the system has it. */
function ColorSchemeChoice() {
  const chosen = useColorScheme();
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Colours</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label key={value} className={styles.option}>
          <input type="radio" name="color-scheme" value={value} checked={chosen === value} onChange={() => setColorScheme(value)} />
          <Icon size={18} stroke={1.75} aria-hidden="true" />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
