import type { Caller } from '../../core/caller.ts'
import { Forbidden } from '../../core/problem.ts'
import { isSame } from '../../core/steps.ts'
import type { Websites } from './context.ts'
import { SettingInvalid, UpstreamInvalid, VersionMissing } from './problems.ts'
import { defaultSettings, type SettingsEdit, type SiteSettings } from './settings-model.ts'
import { resolveUpstream } from './upstream.ts'
import { assertVerifiable, readProxySettings } from './upstream-tls.ts'

/** Directives that owners may use: they cannot reach files, other servers or other sites. */
const ownDirectives = new Set('add_header autoindex charset etag expires gzip'.split(' '))

/** Settings of PHP that owners may use. */
const ownPhpValues = new Set(
  `date.timezone default_charset display_errors error_reporting max_input_vars max_input_time output_buffering
  session.gc_maxlifetime session.cookie_lifetime session.cookie_samesite session.cookie_secure session.cookie_httponly
  session.name short_open_tag arg_separator.output precision serialize_precision`.split(/\s+/),
)

/** Settings that the pool itself makes. */
const poolValues = new Set(
  `open_basedir session.save_path upload_tmp_dir sys_temp_dir error_log log_errors memory_limit upload_max_filesize
  post_max_size max_execution_time extension zend_extension`.split(/\s+/),
)

/** True if the panel itself sets a directive in each pool. */
export const isPoolSetting = (name: string): boolean => poolValues.has(name)

/** True if a setting may be changed by scripts of the site, too. */
export const isOwnPhpValue = (name: string): boolean => ownPhpValues.has(name)

interface Sought {
  readonly type: 'static' | 'php' | 'proxy'
  readonly settings: SiteSettings
}

/** Returns the settings of a site as they are after an edit by this caller, or fails with the field that is wrong. */
export async function changedSettings(
  on: Pick<Websites, 'php' | 'addresses'>,
  { type, settings: was }: Sought,
  edit: SettingsEdit,
  caller: Caller,
): Promise<SiteSettings> {
  assertOfType(type, edit)
  const next: SiteSettings = {
    php_version: edit.php_version ?? was.php_version,
    php_settings: edit.php_settings ?? was.php_settings,
    limits: { ...was.limits, ...edit.limits },
    allowed_limits: { ...was.allowed_limits, ...edit.allowed_limits },
    upload_folders: edit.upload_folders ?? was.upload_folders,
    upstream: edit.upstream ?? was.upstream,
    upstream_address: was.upstream_address,
    proxy_settings: { ...was.proxy_settings, ...readProxySettings(edit.proxy_settings) },
    redirects: edit.redirects?.map(matchable) ?? was.redirects,
    error_pages: edit.error_pages ?? was.error_pages,
    maintenance: edit.maintenance ?? was.maintenance,
    directives: edit.directives ?? was.directives,
    shared_subdomains: edit.shared_subdomains ?? was.shared_subdomains,
    ...(was.refused_scripts && { refused_scripts: was.refused_scripts }),
    ...(was.sign_in_script !== undefined && { sign_in_script: was.sign_in_script }),
    ...(was.page_cache && { page_cache: was.page_cache }),
  }
  assertAllowed(was, next, caller)
  assertUnique(next)
  assertVerifiable(next)
  assertNotOpened(next, 'directives')
  if (edit.php_version !== undefined) await assertInstalled(on, edit.php_version)
  if (edit.upstream === undefined) return next
  return { ...next, upstream_address: await resolveUpstream(on.addresses, edit.upstream, caller) }
}

/**
 * Brings the path of a redirect into the form in which it can match: nginx compares the decoded and normalized path of a
 * request (ngx_http_core_module, `location`), and browsers show the encoded one.
 */
function matchable(redirect: SiteSettings['redirects'][number], index: number): typeof redirect {
  const field = `redirects.${index}.from`
  const [encoded = '', query, fragment] = redirect.from.split(/([?#])/)
  if (query !== undefined || fragment !== undefined)
    throw SettingInvalid(`${field}: must be a path alone: what follows ${query} is never compared`)
  const from = normalized(decoded(encoded))
  if (from === undefined || /[$\u0000-\u001f\u007f-\u009f]/.test(from))
    throw SettingInvalid(
      `${field}: ${redirect.from} is not a path that a request can have once it is decoded`,
    )
  const { prefix = false, ...exact } = redirect
  return prefix ? wholeFolder({ ...exact, from }, index) : { ...exact, from }
}

/** Characters that have no meaning in a regular expression, or one that is escaped. */
const plainPath = /^\/[A-Za-z0-9_./ @%+~-]*$/

/** Completes the redirect of a folder. Its paths are rewritten by a regular expression, which knows two codes. */
function wholeFolder(redirect: SiteSettings['redirects'][number], index: number): typeof redirect {
  const field = `redirects.${index}`
  const from = redirect.from.replace(/\/+$/, '')
  const { to, code = 301 } = redirect
  if (from === '')
    throw SettingInvalid(`${field}.from: must be a folder such as /old: / is the whole website`)
  if (!plainPath.test(from))
    throw SettingInvalid(
      `${field}.from: with prefix, must be of letters, digits, spaces and / _ . @ % + ~ - alone`,
    )
  if (/[?#]/.test(to))
    throw SettingInvalid(
      `${field}.to: must have neither ? nor # with prefix: the rest of the path follows it`,
    )
  if (to === from || to.startsWith(`${from}/`))
    throw SettingInvalid(`${field}.to: must not be below ${from} with prefix: it would be redirected again`)
  if (code !== 301 && code !== 302) throw SettingInvalid(`${field}.code: must be 301 or 302 with prefix`)
  return { ...redirect, from, prefix: true }
}

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/** A path as the web server has it: with single slashes, and without `.` and `..`; undefined for one above the root. */
function normalized(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  const parts: string[] = []
  for (const part of path.split('/').slice(1)) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '' && part !== '.' && part !== '..') parts.push(part)
  }
  return `/${parts.join('/')}${/\/\.{0,2}$/.test(path) && parts.length > 0 ? '/' : ''}`
}

/** Returns the settings of a new site. */
export async function newSettings(
  on: Pick<Websites, 'php' | 'addresses'>,
  draft: Pick<SettingsEdit, 'php_version' | 'upstream'> & Pick<Sought, 'type'>,
  caller: Caller,
): Promise<SiteSettings> {
  const { type, upstream } = draft
  if (type === 'proxy' && upstream === undefined) throw UpstreamInvalid('upstream: is required for a proxy')
  const php_version = draft.php_version ?? (type === 'php' ? (await on.php.versions())[0] : undefined)
  if (type === 'php' && php_version === undefined)
    throw VersionMissing('php_version: no version of PHP is installed: install one under Software')
  const edit = { ...(php_version && { php_version }), ...(upstream !== undefined && { upstream }) }
  return changedSettings(on, { type, settings: defaultSettings }, edit, caller)
}

function assertOfType(type: Sought['type'], edit: SettingsEdit): void {
  const own = {
    php_version: 'php',
    php_settings: 'php',
    limits: 'php',
    allowed_limits: 'php',
    upload_folders: 'php',
    upstream: 'proxy',
    proxy_settings: 'proxy',
  } as const
  for (const [field, needed] of Object.entries(own))
    if (field in edit && type !== needed)
      throw SettingInvalid(`${field}: belongs to websites of type ${needed}; this one is ${type}`)
}

async function assertInstalled({ php }: Pick<Websites, 'php'>, version: string): Promise<void> {
  const installed = await php.versions()
  if (!installed.includes(version))
    throw VersionMissing(
      `php_version: PHP ${version} is not installed; installed: ${installed.join(', ') || 'none'}`,
    )
}

function assertAllowed(was: SiteSettings, next: SiteSettings, { user }: Caller): void {
  for (const name of Object.keys(next.php_settings))
    if (poolValues.has(name))
      throw SettingInvalid(`php_settings: ${name} is set by the panel: change the limits of the website`)
  if (user.isAdmin) return
  if (!isSame(was.allowed_limits, next.allowed_limits))
    throw Forbidden('allowed_limits: only a superuser may change what is allowed')
  if (was.shared_subdomains !== next.shared_subdomains)
    throw Forbidden('shared_subdomains: only a superuser may let other owners have names below a website')
  for (const name of ['memory_mb', 'max_children', 'upload_mb', 'execution_seconds'] as const)
    if (next.limits[name] > next.allowed_limits[name] && next.limits[name] !== was.limits[name])
      throw SettingInvalid(`limits: ${name} must be at most ${next.allowed_limits[name]}`)
  for (const [name, value] of Object.entries(next.php_settings))
    if (!ownPhpValues.has(name) && was.php_settings[name] !== value)
      throw SettingInvalid(`php_settings: only a superuser may set ${name}`)
  for (const each of next.directives)
    if (!isOwnDirective(each) && !was.directives.some((kept) => isSame(kept, each)))
      throw SettingInvalid(`directives: only a superuser may set ${each.name}, or a value with $`)
}

/** The page cache asks nginx for its generation by an access check that always succeeds, which `satisfy any` would take for an admission. */
export function assertNotOpened({ page_cache, directives }: SiteSettings, field: string): void {
  if (page_cache?.is_enabled !== true) return
  if (directives.some(admitsByAny))
    throw SettingInvalid(
      `${field}: the directive satisfy must not be any while the page cache is on: every page of PHP would be open to all`,
    )
  if (directives.some(({ name }) => name === 'auth_request'))
    throw SettingInvalid(
      `${field}: there must be no directive auth_request while the page cache is on, which has one of its own: every page of PHP would be open to all`,
    )
}

const admitsByAny = ({ name, values }: SiteSettings['directives'][number]): boolean =>
  name === 'satisfy' && values[0]?.toLowerCase() === 'any'

const isOwnDirective = ({ name, values }: SiteSettings['directives'][number]) =>
  ownDirectives.has(name) && !values.some((value) => value.includes('$'))

function assertUnique({ redirects, error_pages }: SiteSettings): void {
  const lists = {
    redirects: redirects.map(({ from }) => from),
    error_pages: error_pages.map(({ code }) => String(code)),
  }
  for (const [field, keys] of Object.entries(lists)) {
    const twice = keys.find((key, index) => keys.indexOf(key) !== index)
    if (twice !== undefined) throw SettingInvalid(`${field}: ${twice} occurs twice`)
  }
}
