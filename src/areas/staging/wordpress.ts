import { ConfigUnreadable } from './problems.ts'

/** The configuration of WordPress, relative to the folder of a website. */
export const configPath = 'public/wp-config.php'

/** The must-use plugin of a copy, relative to the folder of a website. */
export const quietPath = 'public/wp-content/mu-plugins/hostreeve-staging.php'

/** The must-use plugin of the page cache, which belongs to a website and not to its files. */
export const cachePluginPath = 'public/wp-content/mu-plugins/hostreeve-page-cache.php'

const text = `'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\$]|\\\\.)*"`
const constant = (name: string) =>
  new RegExp(`^([ \\t]*define\\s*\\(\\s*(['"])${name}\\2\\s*,\\s*)(${text})(\\s*\\))`, 'm')

// an unclosed string or comment ends with the text: looking for its end once more for each beginning would take as long as its owner likes
const stringOrComment =
  /'(?:[^'\\]|\\(?:[\s\S]|$))*(?:'|$)|"(?:[^"\\]|\\(?:[\s\S]|$))*(?:"|$)|\/\*[\s\S]*?(?:\*\/|$)|(?:\/\/|#)[^\n]*/g

/** Returns PHP with its comments blank, and everything else in its place. */
const withoutComments = (php: string): string =>
  php.replaceAll(stringOrComment, (found) => (/^['"]/.test(found) ? found : found.replaceAll(/[^\n]/g, ' ')))

const mentionsOf = (php: string, name: string): number =>
  [...php.matchAll(new RegExp(`(['"])${name}\\1`, 'g'))].length

/** True if the text names a constant, outside of comments. */
export const namesConstant = (config: string, name: string): boolean =>
  mentionsOf(withoutComments(config), name) > 0

/** True if the text includes more than wp-settings.php. */
export const includesOthers = (config: string): boolean =>
  [...withoutComments(config).matchAll(/\b(?:require|include)(?:_once)?\b([^;]*)/gi)].some(
    ([, path = '']) => !path.includes('wp-settings.php'),
  )

interface Constant {
  /** Of the value with its quotes. */
  readonly start: number
  readonly end: number
  readonly value: string
}

/** Finds a constant of wp-config.php; undefined unless it is defined as plain text. Refuses one that is named twice: only PHP knows which holds. */
function findConstant(config: string, name: string): Constant | undefined {
  const php = withoutComments(config)
  if (mentionsOf(php, name) > 1) throw ConfigUnreadable(`wp-config.php names ${name} more than once`)
  const found = constant(name).exec(php)
  const [, before = '', , quoted = ''] = found ?? []
  if (found === null) return undefined
  const start = found.index + before.length
  return {
    start,
    end: start + quoted.length,
    value: quoted.slice(1, -1).replaceAll(/\\(['"\\])/g, '$1'),
  }
}

/** Reads a constant of wp-config.php that is written as plain text; undefined if there is none. */
export const readConstant = (config: string, name: string): string | undefined =>
  findConstant(config, name)?.value

/** Reads the prefix of the tables; undefined unless it is set once, as plain text. */
export function readPrefix(config: string): string | undefined {
  const [found, ...others] = withoutComments(config).matchAll(
    /\$table_prefix\s*=(?!=)\s*(?:(['"])(\w*)\1\s*;)?/g,
  )
  return others.length === 0 ? found?.[2] : undefined
}

export interface ConfigChange {
  readonly database: string
  readonly account: string
  readonly password: string
  /** Host names that become `to`. */
  readonly names: readonly string[]
  readonly to: string
  readonly scheme: 'http' | 'https'
}

/** Returns wp-config.php with another database and another address. */
export function changedConfig(
  config: string,
  { database, account, password, ...address }: ConfigChange,
): string {
  const values = { DB_NAME: database, DB_USER: account, DB_PASSWORD: password }
  let changed = config
  for (const [name, value] of Object.entries(values)) {
    const found = findConstant(changed, name)
    if (found === undefined) throw ConfigUnreadable(`wp-config.php does not define ${name} as plain text`)
    changed = `${changed.slice(0, found.start)}'${value}'${changed.slice(found.end)}`
  }
  return withAddress(changed, address)
}

function withAddress(config: string, { names, to, scheme }: Pick<ConfigChange, 'names' | 'to' | 'scheme'>) {
  const either = names.map((name) => name.replaceAll('.', '\\.')).join('|')
  return config
    .replaceAll(
      new RegExp(`(?:https?(:))?//(?:${either})(?![A-Za-z0-9-]|\\.[A-Za-z0-9])`, 'gi'),
      (_all, colon: string | undefined) => `${colon === undefined ? '' : `${scheme}:`}//${to}`,
    )
    .replaceAll(new RegExp(`(['"])(?:${either})\\1`, 'gi'), `$1${to}$1`)
}

/** Keeps a copy from sending mail and from being indexed. Nothing of it is in the database, which may be pushed. */
export const quietPlugin = `<?php
/**
 * Plugin Name: Hostreeve staging copy
 * Description: This website is a copy: it sends no mail, and asks search engines to leave it out. The panel does not push this file.
 */
if (!defined('ABSPATH')) {
    exit;
}

// true is what a sent mail returns
add_filter('pre_wp_mail', static fn () => true, PHP_INT_MAX);
add_filter('pre_option_blog_public', static fn () => '0', PHP_INT_MAX);
add_action('admin_notices', static function (): void {
    echo '<div class="notice notice-warning"><p>Staging copy: it sends no mail, and is not indexed.</p></div>';
});
`
