import type { PageAsked, SitePage } from '../../tools/site-client.ts'
import { messageOf } from './run-script.ts'

/** Returns why a website fails, as a visitor sees it; undefined if it answers. */
export type FindFault = (
  site: Pick<PageAsked, 'name' | 'isTls'>,
  signal: AbortSignal,
) => Promise<string | undefined>

type FetchPage = (asked: PageAsked, signal: AbortSignal) => Promise<SitePage | undefined>

const paths = ['/', '/wp-login.php']
/** WordPress translates its page, which has the status 500 in any language; PHP shows errors with 200. */
const fatal = /There has been a critical error on this website|(?:<b>)?(?:Fatal|Parse) error(?:<\/b>)?:\s/
const quotedLength = 300
const installer = '/wp-admin/install.php'

/** Visits the front page and the page of sign-ins through the web server. */
export function faultOf(fetchPage: FetchPage): FindFault {
  return async (site, signal) => {
    for (const path of paths) {
      const page = await fetchFollowing(fetchPage, { ...site, path }, signal)
      signal.throwIfAborted()
      const fault = faultIn(page)
      if (fault !== undefined) return `${site.name}${path} ${fault}`
    }
    return undefined
  }
}

/** Follows one redirect to the same website by https, or with or without `www`. */
async function fetchFollowing(
  fetchPage: FetchPage,
  asked: PageAsked,
  signal: AbortSignal,
): Promise<SitePage | undefined> {
  const page = await fetchPage(asked, signal)
  if (page === undefined || page.location === null || !URL.canParse(page.location)) return page
  const { protocol, hostname, pathname, search } = new URL(page.location)
  if (bare(hostname) !== bare(asked.name) || pathname.endsWith(installer)) return page
  return fetchPage({ name: hostname, isTls: protocol === 'https:', path: `${pathname}${search}` }, signal)
}

const bare = (name: string): string => name.replace(/^www\./, '')

function faultIn(page: SitePage | undefined): string | undefined {
  if (page === undefined) return 'did not answer'
  const { status, location, text } = page
  if (status === 401) return 'asks for a password, so that it cannot be checked'
  if (status === 403) return 'is refused, so that it cannot be checked'
  if (status >= 500) return `answered ${status}: ${messageOf(text).slice(0, quotedLength)}`
  if (location?.includes(installer)) return 'is not installed any more: its tables are missing'
  const found = fatal.exec(text)
  return found === null
    ? undefined
    : `shows an error: ${messageOf(text.slice(found.index)).slice(0, quotedLength)}`
}
