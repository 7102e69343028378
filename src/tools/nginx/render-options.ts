import { directiveName, directiveValue, literal, quoted } from './quote.ts'
import type { NginxSite, SiteOptions } from './site.ts'

/** Renders what a site of any type may have: redirects, error pages, passwords, further directives. */
export function siteOptions({ id, options }: NginxSite): string[] {
  if (options === undefined) return []
  return [
    ...(options.signInScript === undefined ? [] : limitedSignIns(id)),
    ...refused(options.refusedScripts ?? []),
    ...options.directives.map(
      ({ name, values }) => `    ${[directiveName(name), ...values.map(directiveValue)].join(' ')};`,
    ),
    ...options.errorPages.map(({ code, path }) => `    error_page ${code} ${quoted(path)};`),
    ...passwords(options.protectedFolders),
    ...options.redirects.flatMap(({ from, to, code, isPrefix }) => [
      `    location = ${quoted(from)} {`,
      `        return ${code} ${quoted(to)};`,
      '    }',
      ...(isPrefix ? below(from, to, code) : []),
    ]),
  ]
}

/** A script is also reached by a path after its name. */
const refused = (scripts: readonly string[]): string[] =>
  scripts.flatMap((path) => [`    location ~ "^${literal(path)}(?:/|$)" {`, '        return 403;', '    }'])

const signInKey = (id: number): string => `hostreeve_sign_in_${id}`

const limitedSignIns = (id: number): string[] => [
  `    limit_req zone=${signInKey(id)} burst=9 nodelay;`,
  '    limit_req_status 429;',
]

/**
 * Renders what the limit of sign-ins needs outside of the server. Requests with an empty key are not counted
 * (ngx_http_limit_req_module).
 */
export function signInZone({ id, options }: NginxSite): string[] {
  const script = options?.signInScript
  if (script === undefined) return []
  return [
    `map $request_method:$uri $${signInKey(id)} {`,
    '    default "";',
    `    "~^POST:${literal(script)}(?:/|$)" $binary_remote_addr;`,
    '}',
    `limit_req_zone $${signInKey(id)} zone=${signInKey(id)}:1m rate=10r/m;`,
  ]
}

/**
 * Redirects what is below a folder. `rewrite` encodes the rest of the path again, which `return` would not: a line break in it
 * would begin another header.
 */
const below = (from: string, to: string, code: number): string[] => [
  `    location ^~ ${quoted(`${from}/`)} {`,
  `        rewrite "^${literal(from)}/(.*)$" ${directiveValue(`${quotable(to)}/$1`)} ${code === 302 ? 'redirect' : 'permanent'};`,
  '        return 404; # a path with a line break',
  '    }',
]

/** A target without the slash at its end; it has no variable, which `$1` after it is. */
function quotable(to: string): string {
  if (to.includes('$')) throw new Error(`nginx cannot represent this target: ${JSON.stringify(to)}`)
  return to.replace(/\/+$/, '')
}

/**
 * A front controller may serve a folder by the path after its script, too. The realm is chosen by the path of the request before any location, so that it also holds for the locations that
 * execute PHP. nginx checks the password before it redirects to a front controller.
 */
function passwords(folders: SiteOptions['protectedFolders']): string[] {
  if (folders.length === 0) return []
  return [
    '    set $hostreeve_realm off;',
    '    set $hostreeve_users /dev/null;',
    // the longest folder comes last, and wins
    ...folders
      .toSorted((one, other) => one.folder.length - other.folder.length)
      .flatMap(({ folder, file }) => [
        `    if ($uri ~ "^(?:/.*\\.php)?${literal(folder.replace(/\/+$/, ''))}(?:/|$)") {`,
        '        set $hostreeve_realm Restricted;',
        `        set $hostreeve_users ${quoted(file)};`,
        '    }',
      ]),
    '    auth_basic $hostreeve_realm;',
    '    auth_basic_user_file $hostreeve_users;',
  ]
}

/** Answers every request with 503. */
export function unavailable(message: string): string[] {
  return ['    default_type text/plain;', '    location / {', `        return 503 "${message}\\n";`, '    }']
}
