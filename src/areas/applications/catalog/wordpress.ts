import type { AppEntry } from './entry.ts'

const keys = [
  'AUTH_KEY',
  'SECURE_AUTH_KEY',
  'LOGGED_IN_KEY',
  'NONCE_KEY',
  'AUTH_SALT',
  'SECURE_AUTH_SALT',
  'LOGGED_IN_SALT',
  'NONCE_SALT',
]

const configuration = `<?php
// Written by Hostreeve when WordPress was installed. It is yours to edit: the panel does not write it again.
define('DB_NAME', '{{database}}');
define('DB_USER', '{{database_user}}');
define('DB_PASSWORD', '{{database_password}}');
define('DB_HOST', 'localhost');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');

${keys.map((key) => `define('${key}', '{{secret:${key.toLowerCase()}}}');`).join('\n')}

// The address is the one that was asked for: WordPress moves with its website, and is served over https once that is.
define('WP_HOME', (($_SERVER['HTTPS'] ?? '') === 'on' ? 'https://' : 'http://')
    . preg_replace('/[^a-z0-9.-]/', '', strtolower($_SERVER['SERVER_NAME'] ?? '{{domain}}')));
define('WP_SITEURL', WP_HOME);

define('DISALLOW_FILE_EDIT', true);

$table_prefix = 'wp_';

if (!defined('ABSPATH')) {
    define('ABSPATH', __DIR__ . '/');
}
require_once ABSPATH . 'wp-settings.php';
`

/** WordPress: from Debian's package where that is installed, otherwise the newest release of its makers. */
export const wordpress: AppEntry = {
  id: 'wordpress',
  name: 'WordPress',
  icon: 'article',
  description: 'Websites and blogs that are written in the browser',
  note: 'The database is in the list of databases, and is exported and backed up as every other one.',
  archive_mb: 100,
  type: 'php',
  database: 'wp',
  extensions: ['mysqli'],
  package: {
    package: 'wordpress',
    parent: '/usr/share',
    folder: 'wordpress',
    complete: ['wp-includes/version.php', 'wp-includes/ID3/getid3.php', 'wp-content/themes/*/style.css'],
  },
  archive: {
    url: 'https://wordpress.org/latest.tar.gz',
    folder: 'wordpress',
    checksum: { algorithm: 'sha1', url: 'https://wordpress.org/latest.tar.gz.sha1' },
  },
  omits: ['wp-config.php', 'wp-config-sample.php', 'readme.html', '.htaccess'],
  moves: [],
  writes: [{ path: 'public/wp-config.php', content: configuration, is_secret: true }],
  version: { file: 'wp-includes/version.php', pattern: "^\\$wp_version = '([0-9A-Za-z.+-]{1,30})';" },
  set_up: 'wordpress',
  sign_in: '/wp-login.php',
}

/** Reads the version in the text of wp-includes/version.php; null if it tells none. */
export const wordpressVersionIn = (text: string): string | null =>
  new RegExp(wordpress.version.pattern, 'm').exec(text)?.[1] ?? null
