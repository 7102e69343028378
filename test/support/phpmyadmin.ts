import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { type ArchiveEntry, archiveOf } from '../../src/areas/selfupdate/testing/archive.ts'

/** Prints who is signed in to the SQL server, or leads to the sign-on script as phpMyAdmin does. */
const index = (version: string) => `<?php
require __DIR__ . '/config.inc.php';
$server = $cfg['Servers'][1];
session_name($server['SignonSession']);
session_start();
if (!isset($_SESSION['PMA_single_signon_user'])) {
    header('Location: ' . $server['SignonURL'], true, 302);
    exit;
}
[$user, $password] = [$_SESSION['PMA_single_signon_user'], $_SESSION['PMA_single_signon_password']];
$connection = new mysqli($server['host'], $user, $password, '', 0, $server['socket']);
echo json_encode([
    'version' => '${version}',
    'user' => $connection->query('select current_user()')->fetch_row()[0],
    'uid' => posix_geteuid(),
    'has_folder' => is_writable($cfg['TempDir']),
    'secret' => strlen($cfg['blowfish_secret']),
]);
`

/** A long path, as releases of phpMyAdmin have. */
const deep = `vendor/${'a-package-of-phpmyadmin/'.repeat(5)}class.php`

/** Returns an archive in the layout of phpMyAdmin's releases: a stand-in, whose only page signs in and connects. */
export function phpmyadminArchive(version: string, entries: readonly ArchiveEntry[] = []): Buffer {
  const inner = `phpMyAdmin-${version}-all-languages`
  const named = (name: string, text: string): ArchiveEntry => ({ name: `${inner}/${name}`, text })
  return archiveOf([
    named('index.php', index(version)),
    named('README', 'phpMyAdmin\n'),
    named('libraries/secret.php', "<?php echo 'executed';"),
    named('setup/index.php', "<?php echo 'executed';"),
    { name: '././@LongLink', type: 'L', text: `${inner}/${deep}\0` },
    { name: `${inner}/${deep}`.slice(0, 100), text: '<?php' },
    ...entries,
  ])
}

/** What a source of phpMyAdmin serves, by path. */
export type Layout = ReadonlyMap<string, string | Buffer>

interface Published {
  /** Instead of that of the archive. */
  readonly sha256?: string
  readonly archive?: Buffer
}

/** Returns a release in the official layout. */
export function publishedLayout(
  version: string,
  { archive = phpmyadminArchive(version), sha256 }: Published = {},
): Layout {
  const name = `phpMyAdmin-${version}-all-languages`
  const path = `phpMyAdmin/${version}/${name}.tar.gz`
  const digest = sha256 ?? createHash('sha256').update(archive).digest('hex')
  return new Map<string, string | Buffer>([
    [
      'home_page/version.txt',
      `${version}\n2026-01-21\nhttps://files.phpmyadmin.net/phpMyAdmin/${version}/${name}.zip\n`,
    ],
    [path, archive],
    [`${path}.sha256`, `${digest}  ${name}.tar.gz\n`],
  ])
}

/** A source on loopback. */
export interface PhpmyadminSource {
  readonly url: string
  layout: Layout
  close(): void
}

/** Serves a layout on loopback, which a test may replace. */
export async function startPhpmyadminSource(): Promise<PhpmyadminSource> {
  const server = createServer(({ url = '' }, reply) => {
    const content = source.layout.get(url.slice(1))
    if (content === undefined) return void reply.writeHead(404).end()
    reply.end(content)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const source: PhpmyadminSource = {
    url: `http://127.0.0.1:${address.port}`,
    layout: new Map(),
    close: () => server.close(),
  }
  return source
}
