import { literal } from '../nginx/quote.ts'
import type { NginxSite, SiteOptions } from '../nginx/site.ts'
import { count, exactly, quoted, target } from './quote.ts'
import { allButChallenges } from './render-shared.ts'

/** Renders what a site of any type may have: redirects, error pages, passwords. */
export function siteOptions({ type, options }: NginxSite): string[] {
  if (options === undefined) return []
  return [
    ...errorPages(options.errorPages, type === 'proxy'),
    ...options.redirects.map(
      ({ from, to, code }) => `    RewriteRule ${exactly(from)} ${target(to)} [R=${count(code)},NE,QSD,L]`,
    ),
    ...passwords(options.protectedFolders),
  ]
}

/** An upstream that cannot be reached is 503 by Apache and 502 by nginx: the page of 502 stands for both. */
function errorPages(pages: SiteOptions['errorPages'], isProxy: boolean): string[] {
  const ofUpstream = pages.find(({ code }) => code === 502)
  const further =
    isProxy && ofUpstream !== undefined && !pages.some(({ code }) => code === 503)
      ? [{ code: 503, path: ofUpstream.path }]
      : []
  return [...pages, ...further]
    .filter(({ code }) => isKnown(code))
    .map(({ code, path }) => `    ErrorDocument ${count(code)} ${quoted(encoded(path))}`)
}

/** A text with a space would be shown as it is, instead of the file that it names. */
const encoded = (path: string): string =>
  encodeURI(path).replaceAll(/[?#]/g, (each) => encodeURIComponent(each))

const knownCodes = new Set([421, 422, 423, 424, 426, 428, 429, 431, 451, 510, 511])

/** Apache refuses a page for a status that it has no text for, and answers with none of them by itself. */
const isKnown = (code: number): boolean => code <= 417 || (code >= 500 && code <= 508) || knownCodes.has(code)

/**
 * The paths are those of the request, before a front controller serves them; it may serve a folder by the path after its script, too.
 * The longest folder comes last, and wins.
 */
function passwords(folders: SiteOptions['protectedFolders']): string[] {
  return folders
    .toSorted((one, other) => one.folder.length - other.folder.length)
    .flatMap(({ folder, file }) => [
      `    <LocationMatch ${quoted(`^(?:/.*\\.php)?${literal(folder.replace(/\/+$/, ''))}(?:/|$)`)}>`,
      '        AuthType Basic',
      '        AuthName "Restricted"',
      '        AuthBasicProvider file',
      `        AuthUserFile ${quoted(file)}`,
      '        Require valid-user',
      '    </LocationMatch>',
    ])
}

/** Answers every request but challenges with 503. */
export function unavailable(message: string): string[] {
  return [`    ErrorDocument 503 ${quoted(message)}`, `    RedirectMatch 503 ${allButChallenges}`]
}
