import type { PageAsked, SitePage } from '../../tools/site-client.ts'
import { messageOf } from './run-script.ts'

/** Returns why a website fails, as a visitor sees it; undefined if it answers. */
export type FindFault = (
  site: Pick<PageAsked, 'name' | 'isTls'>,
  signal: AbortSignal,
) => Promise<string | undefined>

const paths = ['/', '/wp-login.php']
/** WordPress translates its page, which has the status 500 in any language; PHP shows errors with 200. */
const fatal = /There has been a critical error on this website|(?:<b>)?(?:Fatal|Parse) error(?:<\/b>)?:\s/
const quotedLength = 300

/** Visits the front page and the page of sign-ins through the web server. */
export function faultOf(
  fetchPage: (asked: PageAsked, signal: AbortSignal) => Promise<SitePage | undefined>,
): FindFault {
  return async (site, signal) => {
    for (const path of paths) {
      const page = await fetchPage({ ...site, path }, signal)
      signal.throwIfAborted()
      const fault = faultIn(page)
      if (fault !== undefined) return `${site.name}${path} ${fault}`
    }
    return undefined
  }
}

function faultIn(page: SitePage | undefined): string | undefined {
  if (page === undefined) return 'did not answer'
  const { status, location, text } = page
  if (status >= 500) return `answered ${status}: ${messageOf(text).slice(0, quotedLength)}`
  if (location?.includes('/wp-admin/install.php')) return 'is not installed any more: its tables are missing'
  const found = fatal.exec(text)
  return found === null
    ? undefined
    : `shows an error: ${messageOf(text.slice(found.index)).slice(0, quotedLength)}`
}
