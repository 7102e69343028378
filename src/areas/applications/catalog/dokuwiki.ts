import type { AppEntry } from './entry.ts'

const preload = `<?php
// Written by Hostreeve. The configuration and the pages are outside of the document root.
if (!defined('DOKU_CONF')) {
    define('DOKU_CONF', dirname(__DIR__, 2) . '/wiki/conf/');
}
`

const fixed = `<?php
// Written by Hostreeve when DokuWiki was installed.
$conf['savedir'] = dirname(__DIR__) . '/data';
`

/** DokuWiki, whose pages are files: it needs no database. */
export const dokuwiki: AppEntry = {
  id: 'dokuwiki',
  name: 'DokuWiki',
  icon: 'book',
  description: 'A wiki whose pages are text files, without a database',
  note: 'Everybody may read; who has an account may write. Pages and settings are in the folder wiki beside the document root.',
  archive_mb: 50,
  type: 'php',
  extensions: ['xml'],
  archive: {
    url: 'https://github.com/dokuwiki/dokuwiki/archive/refs/tags/release-2024-02-06a.tar.gz',
    folder: 'dokuwiki-release-2024-02-06a',
    checksum: {
      algorithm: 'sha256',
      value: '3d025174169bb15be36b934f63974772b8caa9ea23e1b0c93f897396642b1697',
    },
  },
  omits: ['install.php', 'bin', '.htaccess.dist', '_test', '.github', 'README', 'SECURITY.md'],
  moves: [
    { from: 'public/conf', to: 'wiki/conf' },
    { from: 'public/data', to: 'wiki/data' },
  ],
  writes: [
    { path: 'public/inc/preload.php', content: preload, is_secret: false },
    { path: 'wiki/conf/local.protected.php', content: fixed, is_secret: false },
  ],
  version: { file: 'VERSION', pattern: '^([0-9]{4}-[0-9]{2}-[0-9]{2}[a-z]?)' },
  set_up: 'dokuwiki',
  sign_in: '/doku.php?do=login',
}
