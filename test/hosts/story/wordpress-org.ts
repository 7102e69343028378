import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSelfSigned } from '../../../src/host/self-signed.ts'
import type { Host } from '../harness/index.ts'
import type { Owner } from './signed-in.ts'
import { untilListening } from './until-listening.ts'

/** What api.wordpress.org answers: https://codex.wordpress.org/WordPress.org_API */
const api = (corePackage: string) => `<?php
header('Content-Type: application/json');
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$none = ['translations' => [], 'no_update' => new stdClass()];
if ($path === '/plugins/update-check/1.1/') {
    $sent = json_decode($_POST['plugins'], true);
    $update = ['id' => 'w.org/plugins/probe', 'slug' => 'probe', 'plugin' => 'probe/probe.php', 'new_version' => '9.0',
        'url' => 'https://wordpress.org/plugins/probe/', 'package' => 'https://127.0.0.1/plugin/probe.9.0.zip'];
    echo json_encode(['plugins' => isset($sent['plugins']['probe/probe.php']) ? ['probe/probe.php' => $update] : new stdClass()] + $none);
} elseif ($path === '/themes/update-check/1.1/') {
    echo json_encode(['themes' => new stdClass()] + $none);
} elseif ($path === '/core/version-check/1.7/') {
    $offer = ['response' => 'upgrade', 'current' => '99.1', 'version' => '99.1', 'locale' => 'en_US', 'packages' => ['full' => '${corePackage}'],
        'download' => '${corePackage}', 'php_version' => '7.0', 'mysql_version' => '5.0', 'new_bundled' => '6.0', 'partial_version' => false];
    echo json_encode(['offers' => [$offer], 'translations' => []]);
} else {
    http_response_code(404);
}
`

/** Serves updates of WordPress to 99.1, and of the plugin `probe` to 9.0, from a website of an owner; its name leads to the host. */
export async function serveUpdateApi(host: Host, owner: Owner, corePackage: string): Promise<void> {
  await owner.signedIn.must('POST', '/api/websites', { domain: 'api.wordpress.org', type: 'php' })
  const root = join(host.rootPath, `home/${owner.username}/sites/api.wordpress.org/public`)
  await writeFile(`${root}/index.php`, api(corePackage))
  await rm(`${root}/index.html`, { force: true })
}

const port = 8443
const folder = '/srv/downloads'

/** The settings of a panel that may download from the host itself, whose certificate it trusts. */
export const downloadEnvironment = {
  HOSTREEVE_OUTBOUND_ALLOW: '127.0.0.1',
  NODE_EXTRA_CA_CERTS: `${folder}.crt`,
}

/** Address of a file in the folder that is served. */
export const downloadUrl = (name: string): string => `https://downloads.wordpress.org:${port}/${name}`

/** Serves /srv/downloads as downloads.wordpress.org by https; to be called before the panel starts. */
export async function serveDownloads(host: Host): Promise<void> {
  const at = (path: string) => join(host.rootPath, path)
  const name = 'downloads.wordpress.org'
  const { cert, key } = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
  await mkdir(at(folder), { recursive: true })
  await writeFile(at(`${folder}.crt`), cert)
  await writeFile(at(`${folder}.key`), key)
  await appendFile(at('etc/hosts'), `127.0.0.1 ${name} api.wordpress.org\n`)
  const program = `const { createReadStream: open, readFileSync: read } = require('fs')
require('https').createServer({ cert: read('${folder}.crt'), key: read('${folder}.key') }, (ask, answer) =>
  open('${folder}' + ask.url).on('error', () => answer.writeHead(404).end()).pipe(answer)).listen(${port}, '127.0.0.1')`
  const node = '/opt/hostreeve/node_modules/.bin/node'
  await host.must(['systemd-run', '--quiet', '--unit=downloads', node, '-e', program])
  await untilListening(host, port)
}
