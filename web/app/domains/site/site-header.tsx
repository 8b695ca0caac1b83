import { site } from '@handwise/contract/site/site';
import { paths } from '@handwise/contract/paths';
import { IconChevronDown, IconMenu2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { logout, useSession } from '../../lib/session/session.ts';
import { Avatar } from '../../ui/pictures/avatar.tsx';
import { ButtonLink } from '../../ui/forms/button.tsx';
import { Logo } from '../../ui/pictures/logo.tsx';
import styles from './site-header.module.css';

// Both menus are native popovers: they open without script, close on Escape and outside clicks, and return the focus. Their key remounts
// them closed on every page.

function AccountMenu({ news }: { news: ReactNode }) {
  const { user } = useSession();
  const { key } = useLocation();
  if (!user) return null;
  const name = user.fullName || user.name || user.username;
  return (
    <div className={styles.account}>
      <button type="button" className={styles.accountButton} popoverTarget="account-menu">
        <Avatar name={name} src={user.avatar} size={36} />
        <span className={styles.accountName}>{name}</span>
        <span className="visually-hidden">, account menu</span>
        {news}
        <IconChevronDown className={styles.chevron} size={18} stroke={1.75} aria-hidden="true" />
      </button>
      <div key={key} id="account-menu" popover="auto" className={`floating ${styles.panel}`}>
        <div className={styles.who}>
          <Avatar name={name} src={user.avatar} size={44} />
          <div className={styles.whoText}>
            <strong>{name}</strong>
            <span className="muted">{user.email}</span>
          </div>
        </div>
        <nav aria-label="Account menu">
          <h2 className={styles.group}>Account</h2>
          <Link to={paths.account}>Account Settings</Link>
          <Link to={paths.cards}>Payment</Link>
          <Link to={paths.receipts}>Tax Invoices</Link>
          <Link to={paths.messages}>Messages</Link>
          <h2 className={styles.group}>Listings</h2>
          <Link to={paths.ownListings}>My Listings</Link>
          <Link to={paths.savedListings}>Saved Listings</Link>
          <Link to={paths.referral}>Referral Program {news}</Link>
          <Link to={paths.draws}>Prize Draws</Link>
          {user.role === 'admin' && <Link to={paths.admin}>Administration</Link>}
        </nav>
        <button type="button" className={styles.logout} onClick={() => void logout()}>
          Logout
        </button>
      </div>
    </div>
  );
}

function MobileMenu({ news }: { news: ReactNode }) {
  const { user } = useSession();
  const { key } = useLocation();
  const name = user && (user.fullName || user.name || user.username);
  return (
    <>
      <button type="button" className={styles.menuButton} popoverTarget="mobile-menu">
        <IconMenu2 size={24} stroke={1.75} aria-hidden="true" />
        <span className="visually-hidden">Menu</span>
        <span className={styles.corner}>{news}</span>
      </button>
      <div key={key} id="mobile-menu" popover="auto" className={`floating ${styles.panel} ${styles.mobilePanel}`}>
        {user && name && (
          <div className={styles.who}>
            <Avatar name={name} src={user.avatar} size={44} />
            <div className={styles.whoText}>
              <strong>{name}</strong>
            </div>
          </div>
        )}
        <nav aria-label="Menu">
          {user ? (
            <>
              <Link to={paths.account}>My Account</Link>
              <Link to={paths.messages}>Messages</Link>
              <Link to={paths.ownListings}>My Listings</Link>
              <Link to={paths.savedListings}>Saved Listings</Link>
            </>
          ) : (
            <>
              <Link to={paths.browse}>Home</Link>
              <Link to={paths.services}>All services</Link>
              <Link to={paths.login}>Login</Link>
              <Link to={paths.register}>Register</Link>
            </>
          )}
          <Link to={paths.referral}>Referral {news}</Link>
          <Link to={paths.draws}>Prize Draws</Link>
          <Link to={paths.addListing}>Start Listing</Link>
          {user?.role === 'admin' && <Link to={paths.admin}>Administration</Link>}
        </nav>
        {user && (
          <button type="button" className={styles.logout} onClick={() => void logout()}>
            Logout
          </button>
        )}
      </div>
    </>
  );
}

// Pages with their own search, or with a task to finish first.
const visitorsWithout = new Set<string>([paths.landing, paths.services, paths.addListing, paths.addListingAlias]);

// The forms of a listing are long, and a sticky header would cover the focused field.
const longForms = [paths.addListing, paths.editListing('')];

type SiteHeaderProps = {
  /** Differs for members and visitors; both come from other domains. */
  search: ReactNode;
  /** For members only. */
  messages: ReactNode;
  /** A badge beside the link to the member's referrals. */
  news: ReactNode;
};

export function SiteHeader({ search, messages, news }: SiteHeaderProps) {
  const { user } = useSession();
  const { pathname } = useLocation();
  const listing = pathname === paths.browse ? paths.landing : paths.addListing;
  // On phones a conversation needs the full height.
  const searchable = pathname !== paths.landing && !pathname.startsWith(paths.messages);
  const visitorsSearch = !visitorsWithout.has(pathname) && !pathname.startsWith('/auth/');
  const home = user || pathname === paths.landing ? paths.browse : paths.landing;
  return (
    <header
      className={styles.header}
      data-searchable={searchable ? '' : undefined}
      data-visitors-search={visitorsSearch ? '' : undefined}
      data-scrolls={longForms.some((form) => pathname.startsWith(form)) ? '' : undefined}
    >
      <div className={styles.bar}>
        <Link to={home} className={styles.home} aria-label={`${site.name}, home`}>
          <Logo />
        </Link>
        <div className={styles.search} data-visitor={user ? undefined : ''}>
          {(user || visitorsSearch) && search}
        </div>
        {user ? (
          <div className={styles.actions}>
            <span className={styles.wide}>
              <ButtonLink to={paths.addListing} kind="secondary" size="sm">
                Add a new listing
              </ButtonLink>
            </span>
            <span className={styles.messages}>{messages}</span>
            <AccountMenu news={news} />
            <MobileMenu news={news} />
          </div>
        ) : (
          // Invisible for members until the browser knows them: it reserves its space, so nothing moves.
          <div className={styles.actions} data-visitor="">
            <nav aria-label="Account">
              <div className={styles.wide}>
                <Link to={paths.services} className={styles.link}>
                  Services
                </Link>
                <Link to={listing} className={styles.link}>
                  Join As Pro
                </Link>
                <Link to={paths.login} className={styles.link}>
                  Sign In
                </Link>
                <ButtonLink to={paths.register} kind="secondary" size="sm">
                  Sign Up
                </ButtonLink>
              </div>
              <div className={styles.slim}>
                <Link to={paths.login} className={styles.link}>
                  Login
                </Link>
                <Link to={listing} className={styles.link}>
                  join as a pro
                </Link>
              </div>
            </nav>
            <MobileMenu news={null} />
          </div>
        )}
      </div>
    </header>
  );
}
